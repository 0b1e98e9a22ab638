"""Marshmallow fields for the values of the game, and the way from marshmallow's errors to faults.

A field's error is a `Fault` whose path starts at the field; marshmallow's own messages get a code in `faults_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from marshmallow import ValidationError, fields
from marshmallow.exceptions import SCHEMA

from solver.errors import Fault, InvalidInput
from solver.game.auction import Bid
from solver.game.cards import Card, Suit
from solver.game.rules import DEFAULT_PRESET, Rules, preset, with_options
from solver.game.seats import Seat, Side
from solver.notation.codes import read_card, read_each_card, read_seat, read_suit, split_cards

T = TypeVar("T")

_MISSING = "this field is needed"
_UNKNOWN = "there is no such field here"

#: For the ``error_messages`` of a schema and its fields.
SCHEMA_MESSAGES = {"unknown": _UNKNOWN, "type": "an object belongs here"}
NEEDED: dict[str, str | list[Any] | dict[Any, Any]] = {"required": _MISSING}

_CODE_OF_MESSAGE = {_MISSING: "field.missing", _UNKNOWN: "field.unknown"}


def faults_of(error: ValidationError) -> list[Fault]:
    """Every fault of a failed load, each at its place."""
    return list(_walk(error.messages, ()))


def _walk(tree: object, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if isinstance(tree, Mapping):
        for step, branch in tree.items():
            yield from _walk(branch, path if step == SCHEMA else (*path, step))
    elif isinstance(tree, (list, tuple)):
        for branch in tree:
            yield from _walk(branch, path)
    elif isinstance(tree, Fault):
        yield tree.under(*path)
    else:
        message = str(tree)
        yield Fault(_CODE_OF_MESSAGE.get(message, "field.invalid"), message, path)


def as_validation_error(error: InvalidInput, valid_data: Any = None) -> ValidationError:
    """The faults as an error that marshmallow collects; places inside the field are kept in the faults."""
    return ValidationError(list(error.faults), valid_data=valid_data)


class _TextField(fields.Field[T]):
    """A value with one text that is written and several that are read."""

    #: What is wrong with a value that is no text.
    no_text: ClassVar[Fault]

    def read(self, text: str) -> T:
        """The value of a text. Raises `InvalidInput`."""
        raise NotImplementedError  # for each kind of field to say: marshmallow's base is no abstract class

    def _serialize(self, value: T | None, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else str(value)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> T:
        try:
            if not isinstance(value, str):
                raise InvalidInput([self.no_text])
            return self.read(value)
        except InvalidInput as error:
            raise as_validation_error(error) from None


class CardField(_TextField[Card]):
    """One card."""

    no_text = Fault("card.unreadable", "a card is a text")

    def read(self, text: str) -> Card:
        return read_card(text)


class SeatField(_TextField[Seat]):
    """A seat."""

    no_text = Fault("seat.unreadable", "a seat is a text")

    def read(self, text: str) -> Seat:
        return read_seat(text)


class SuitField(_TextField[Suit]):
    """A suit."""

    no_text = Fault("card.unreadable", "a suit is a text")

    def read(self, text: str) -> Suit:
        return read_suit(text)

    def _serialize(self, value: Suit | None, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else value.letter


#: More cards than any deck has, so that each wrong one of a list can be named; and the longest text that is read.
_MOST_CARDS, _LONGEST_TEXT = 64, 512


class CardsField(fields.Field[tuple[Card | None, ...]]):
    """Several cards, as a list or as one text. With faults, the cards that can be read are kept in their places."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> list[str] | None:
        return None if value is None else [str(card) for card in value]

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[Card | None, ...]:
        if not isinstance(value, (str, list)):
            raise ValidationError("a list of cards, or one text of several, belongs here")
        if len(value) > (_LONGEST_TEXT if isinstance(value, str) else _MOST_CARDS):
            raise ValidationError(f"no more than {_MOST_CARDS} cards belong here")
        cards, faults = read_each_card(split_cards(value) if isinstance(value, str) else value)
        if faults:
            raise as_validation_error(InvalidInput(faults), valid_data=cards)
        return tuple(cards)


class BidField(fields.Field[Bid]):
    """A bid, written only: which bid a text means depends on its place in the auction."""

    def _serialize(self, value: Bid | None, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else str(value)


class TrueOrFalseField(fields.Boolean):
    """``true`` or ``false``, and none of the words and numbers that stand for them elsewhere."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if type(value) is bool:  # 1 == True in Python
            return value
        raise ValidationError("true or false belongs here")


class NumberField(fields.Field[float]):
    """A number, written only: whole ones as such, others to six places."""

    def _serialize(self, value: float | None, attr: str | None, obj: Any, **kwargs: Any) -> float | None:
        return None if value is None else written_number(value)


def written_number(value: float) -> float:
    # Adding 0 turns -0.0, which rounding leaves, into 0.0.
    return value if isinstance(value, int) else round(value, 6) + 0.0


class BySideField(fields.Field[Mapping[Side, float]]):
    """A number for each side, written only."""

    def _serialize(self, value: Mapping[Side, float] | None, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else {str(side): written_number(number) for side, number in value.items()}


class WorldsField(fields.Field[int | str]):
    """How many worlds to sample, or ``"all"``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int | str:
        if value == "all" or (type(value) is int and value >= 1):
            assert isinstance(value, (int, str))
            return value
        raise ValidationError('a whole number from 1, or "all", belongs here')


#: The most worlds that a bid is rated over; a test holds it and `solver.analysis.rate_arguments` together.
MOST_RATED_WORLDS = 20_000


class RatedWorldsField(fields.Field[int | str]):
    """How many worlds to rate bids over, ``"precise"`` or ``"adaptive"``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int | str:
        if value in ("precise", "adaptive") or (type(value) is int and 1 <= value <= MOST_RATED_WORLDS):
            assert isinstance(value, (int, str))
            return value
        raise ValidationError(f'a whole number from 1 to {MOST_RATED_WORLDS}, "precise" or "adaptive" belongs here')


class SharesField(fields.Field[Mapping[int, float]]):
    """A share for each number, summing to 1; written only, the numbers as texts."""

    def _serialize(self, value: Mapping[int, float] | None, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else {str(number): written_number(share) for number, share in value.items()}


class RulesField(fields.Field[Rules]):
    """A preset's name, or an object of options with a ``preset`` to start from."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Rules:
        try:
            if isinstance(value, str):
                return _preset_by_name(value)
            if isinstance(value, dict):
                options = dict(value)
                name = options.pop("preset", DEFAULT_PRESET)
                if not isinstance(name, str):
                    raise InvalidInput([Fault("rules.unknown", "a preset is named by a text", ("preset",))])
                return with_options(preset(name), {key: _plain(key, each) for key, each in options.items()})
        except InvalidInput as error:
            raise as_validation_error(error) from None
        raise ValidationError("the name of a preset, or an object of options, belongs here")


def _preset_by_name(name: str) -> Rules:
    try:
        return preset(name)
    except InvalidInput as error:
        raise InvalidInput([Fault(fault.code, fault.message) for fault in error.faults]) from None


_DEFAULTS = Rules().options()


def _plain(option: str, value: object) -> object:
    """``"yes"`` and ``"no"`` as booleans for the options that are one."""
    words = {"yes": True, "no": False}
    is_boolean = isinstance(_DEFAULTS.get(option), bool)
    return words[value] if is_boolean and isinstance(value, str) and value in words else value
