"""Trickster's options of a game, a JSON object that leaves out what has its usual value, and the options of `Rules`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from solver.errors import Fault, InvalidInput
from solver.game.rules import Rules, with_options
from solver.logs.faults import bad, shown
from solver.notation.strict_json import Json, loads

#: Deck size and whether there is a Benny -> the deck.
_DECKS: Final = {(24, False): 24, (24, True): 25, (28, False): 28, (32, False): 32, (32, True): 33}

#: Option -> its usual value, and what any other one means. A record cannot be read as euchre under these.
_REFUSED: Final[Mapping[str, tuple[Json, str]]] = {
    "variation": (0, "bid euchre"),
    "numDecks": (1, "more than one deck (double-deck euchre)"),
    "players": (4, "a table of other than four"),
    "makerLeadsFirst": (False, "the maker always leads"),
    "withKitty": (False, "a kitty for the maker"),
}

#: Options that say nothing about the game itself.
_AROUND: Final = ("noWatching", "noSuggestions")

_READ: Final = ("stickTheDealer", "gameOverScore", "deckSize", "withJoker")


@dataclass(frozen=True, slots=True)
class Options:
    """What was read. ``not_applied`` are options that are on and that the rules have no place for."""

    rules: Rules
    given: Mapping[str, Json]
    not_applied: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()


def read_options(text: str) -> Options:
    """The options from the value of their tag. Raises `InvalidInput` (``rules.unsupported``) for those refused.

    An object that cannot be read is a fault, and so is a value that an option does not take; the usual ones hold then.
    """
    if not text.strip():
        return Options(Rules(), {})
    try:
        given = _object(text)
    except InvalidInput as error:
        return Options(Rules(), {}, faults=error.faults)
    refused = [
        Fault("rules.unsupported", f"{name} = {shown(given[name])}: {what} is not supported", (name,))
        for name, (usual, what) in _REFUSED.items()
        if name in given and given[name] not in (usual, None)
    ]
    if refused:
        raise InvalidInput(refused)
    faults: list[Fault] = []
    rules = _rules(given, faults)
    unread = {name for name, value in given.items() if value not in (False, None, 0)}
    unread -= {*_READ, *_AROUND, *_REFUSED}
    return Options(rules, given, tuple(sorted(unread)), tuple(faults))


def options_of(rules: Rules, given: Mapping[str, Json]) -> dict[str, Json]:
    """The options for ``rules``, and what else was ``given``."""
    made: dict[str, Json] = {name: value for name, value in given.items() if name not in _READ}
    size = next(size for size, deck in _DECKS.items() if deck == rules.deck)
    values: dict[str, tuple[Json, Json]] = {
        "stickTheDealer": (rules.stick_the_dealer, False),
        "gameOverScore": (rules.target, 10),
        "deckSize": (size[0], 24),
        "withJoker": (size[1], False),
    }
    return {name: value for name, (value, usual) in values.items() if value != usual} | made


def _object(text: str) -> dict[str, Json]:
    """The object, its quotes escaped as they should be within a tag, or not."""
    try:
        value = loads(text)
    except InvalidInput:
        value = loads(text.replace('\\"', '"').replace("\\\\", "\\"))
    if not isinstance(value, dict):
        raise bad(f"the options are an object, not {shown(value)}")
    return value


def _rules(given: Mapping[str, Json], faults: list[Fault]) -> Rules:
    def value(name: str, usual: Json) -> Json:
        found = given.get(name, usual)
        if type(found) is type(usual):
            return found
        faults.append(Fault("rules.unknown", f"{name} = {shown(found)} is not known", (name,)))
        return usual

    size, joker = value("deckSize", 24), value("withJoker", False)
    deck = next((deck for each, deck in _DECKS.items() if each == (size, joker)), None)
    if deck is None:
        message = f"deckSize = {shown(size)}{' with a joker' if joker else ''}: there is no such deck"
        raise InvalidInput([Fault("rules.unsupported", message, ("deckSize",))])
    try:
        return with_options(
            Rules(),
            {
                "deck": deck,
                "stick_the_dealer": value("stickTheDealer", False),
                "target": value("gameOverScore", 10),
            },
        )
    except InvalidInput as error:
        faults += error.faults
        return Rules(deck=deck, stick_the_dealer=bool(given.get("stickTheDealer")))
