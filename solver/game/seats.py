"""Seats, sides, and who sits where for a number of players."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Seat(IntEnum):
    """A seat, clockwise; its value is its place in every array of this package."""

    N = 0
    E = 1
    S = 2
    W = 3

    def __str__(self) -> str:
        return self.name


def partner_of(seat: Seat) -> Seat:
    """The seat opposite, where there are partners."""
    return Seat((seat + 2) % 4)


class Side(StrEnum):
    """Who wins and loses together: two partners, or one seat where there are no partners."""

    NS = "NS"
    EW = "EW"
    N = "N"
    E = "E"
    S = "S"
    W = "W"


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats that are taken, clockwise, and the side of each."""

    seats: tuple[Seat, ...]
    sides: tuple[Side, ...]
    partners: bool

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise: the deal and the turn pass to the left."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def from_seat(self, seat: Seat) -> tuple[Seat, ...]:
        """All seats clockwise, beginning with ``seat``."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def partner(self, seat: Seat) -> Seat | None:
        return partner_of(seat) if self.partners else None

    def side(self, seat: Seat) -> Side:
        return next(side for side in self.sides if seat.name in side.value)

    def seats_of(self, side: Side) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.seats if seat.name in side.value)

    def opponents(self, side: Side) -> Side:
        """The other side of two."""
        first, second = self.sides
        return second if side == first else first


#: Number of seats -> who sits where.
SEATINGS: dict[int, Seating] = {
    4: Seating((Seat.N, Seat.E, Seat.S, Seat.W), (Side.NS, Side.EW), partners=True),
    2: Seating((Seat.N, Seat.S), (Side.N, Side.S), partners=False),
}
