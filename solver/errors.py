"""Everything that can be wrong with what a caller hands in, each kind under a stable code."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: Every code a fault can carry, and what it means. Codes are part of the public contract: they may be added, never
#: renamed.
CODES: dict[str, str] = {
    "json.invalid": "the text is not JSON, or JSON that is not safe to read (a key twice, NaN, nesting too deep)",
    "field.unknown": "a field that this request does not have",
    "field.missing": "a field that is needed here",
    "field.invalid": "a field of the wrong type or outside its range",
    "field.conflict": "two fields that exclude each other",
    "code.invalid": "a deal code that cannot be read",
    "rules.unknown": "a preset or an option that does not exist",
    "rules.value": "an option with a value it does not take",
    "rules.conflict": "options that exclude each other",
    "rules.unsupported": "a way to play that is known but not supported",
    "card.unreadable": "text that is no card",
    "card.foreign": "a card that the deck of these rules does not have",
    "card.duplicate": "a card that is in two places",
    "seat.unreadable": "text that is no seat",
    "seat.foreign": "a seat that nobody takes under these rules",
    "hand.missing": "a hand that is needed and not given",
    "hand.size": "a hand with too many or too few cards",
    "bid.unreadable": "text that is no bid",
    "bid.illegal": "a bid that the rules forbid at this place",
    "contract.illegal": "a contract that the rules do not allow",
    "discard.illegal": "a discard that is not possible",
    "discard.missing": "the dealer's discard, needed because cards were played after it",
    "play.illegal": "a card that may not be played at this place",
    "world.none": "no way to deal the unseen cards that fits what was seen",
    "file.unreadable": "a file that cannot be read, or is no text where one belongs",
    "log.format": "a file whose format is not known, or not the one named",
    "log.record": "a record of a log that cannot be read",
    "log.inconsistent": "a record of a log that contradicts itself",
    "log.unwritable": "a record with something that the format to be written has no place for",
    "review.after_fault": "a decision after a card that the rules forbid, which is not reviewed",
    "review.result": "a deal whose result is not recorded, so that the score after it is not known",
    "review.won": "a deal after the game was won, which is reviewed as the first of a new one",
    "job.unknown": "a job that does not exist",
    "job.conflict": "a key that was given to a job that does something else, or over HTTP has another file",
    "job.elsewhere": "rows that were written to files, and are not in the database",
    "job.too_many": "as many jobs are open as the service takes at once",
    "source.changed": "a file that changed while a job was to read it",
    "request.media_type": "a body of a type, or compressed in a way, that is not taken here",
    "request.encoding": "a body that is not compressed as it says, or not to its end",
    "request.too_large": "a body larger than the limit",
    "request.not_found": "an address that does not exist",
    "request.method": "a method that this address does not take",
    "request.too_slow": "a body that took longer than a request may take",
    "request.abandoned": "a client that closed the connection before its answer was ready",
    "request.invalid": "a request that breaks the rules of HTTP",
    "service.draining": "the service is about to stop and takes no new requests",
    "service.full": "too many requests at once; another try a little later may do",
    "service.deadline": "work that took longer than this service gives to one request",
    "service.no_room": "no room on disk for what was sent",
    "service.storage": "the database of jobs does not answer",
    "service.failed": "an error of the service, not of the request; it is logged there",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, and where.

    ``path`` leads to the place from the root of the document or the call: field names, and list positions from 0.
    """

    code: str
    message: str
    path: tuple[str | int, ...] = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise LookupError(f"{self.code!r} is not in solver.errors.CODES")

    def under(self, *prefix: str | int) -> Fault:
        """The same fault seen from further out."""
        return Fault(self.code, self.message, (*prefix, *self.path))

    def __str__(self) -> str:
        where = ".".join(str(step) for step in self.path)
        return f"{where}: {self.message}" if where else self.message


class RightbowerError(Exception):
    """The root of all errors that this package raises on purpose."""


class InvalidInput(RightbowerError, ValueError):
    """What was handed in cannot be used; ``faults`` has every reason, at least one."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        if not self.faults:
            raise LookupError("InvalidInput needs at least one fault")
        super().__init__("; ".join(str(fault) for fault in self.faults))

    def __reduce__(self) -> tuple[type[InvalidInput], tuple[tuple[Fault, ...]]]:
        return type(self), (self.faults,)


class Stopped(RightbowerError):
    """Work given up because its deadline passed or its caller cancelled it. There is no partial answer."""


class StorageFailed(RightbowerError):
    """The database or a disk did not take what was to be kept: locked, full or gone. What was kept before stays, and
    the work can go on from there."""


def refuse(faults: Iterable[Fault]) -> None:
    """Raise `InvalidInput` if there is any fault."""
    found = tuple(faults)
    if found:
        raise InvalidInput(found)
