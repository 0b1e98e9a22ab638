"""The ``ruleset`` of a document and the options of `Rules`, by one table both ways."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from solver.errors import Fault, InvalidInput
from solver.game.rules import Rules, with_options
from solver.logs.faults import bad, shown
from solver.notation.strict_json import Json

#: Key -> value -> options. Where a key is missing, the first value holds.
_OPTIONS: Final[Mapping[str, Mapping[Json, Mapping[str, str | bool]]]] = {
    "std": {True: {"stick_the_dealer": True}, False: {"stick_the_dealer": False}},
    "canadian": {False: {"dealers_partner": "free"}, True: {"dealers_partner": "alone_if_ordering"}},
    "loner_lead": {"LEFT_OF_DEALER": {"lone_lead": "dealer_left"}, "LEFT_OF_LONER": {"lone_lead": "maker_left"}},
    "allow_no_trump": {False: {}, True: {"no_trump": True}},
    "partners_best": {False: {}, True: {"call_for_best": True}},
    "defend_alone": {False: {}, True: {"defend_alone": "against_loner"}},
}
LONE_LEADS: Final = {"dealer_left": "LEFT_OF_DEALER", "maker_left": "LEFT_OF_LONER"}

#: Least rank -> the deck without and with the Benny; None where there is no such deck.
_DECKS: Final = {9: (24, 25), 8: (28, None), 7: (32, 33)}

#: Key -> the option that takes the same number.
_NUMBERS: Final = {"winning_score": "target", "loner_march_score": "lone_march", "loner_euchred_score": "lone_euchre"}

#: Keys that say nothing about how a deal is played: what is known of them stays in the notes.
_OUTSIDE_PLAY: Final = ("num_deals",)

#: House rules for which `Rules` has no option.
_UNPLAYABLE: Final = ("farmer", "farmers", "go_under", "fast_break", "four_trick_tokens")


def rules_of(ruleset: Mapping[str, Json]) -> tuple[Rules, list[Fault]]:
    """The rules that the ruleset names, and its values that are not known."""
    faults: list[Fault] = []
    options: dict[str, object] = {}
    source: dict[str, str] = {}  # option -> the key that asked for it
    values = {snake(key): (key, value) for key, value in ruleset.items()}

    def unknown(key: str, value: Json) -> None:
        message = f"ruleset {shown(key)} = {shown(value)} is not known"
        faults.append(Fault("rules.unknown", message, ("metadata", "ruleset", key)))

    for name, meanings in _OPTIONS.items():
        first = next(iter(meanings))
        key, value = values.pop(name, (name, first))
        if not isinstance(value, type(first)) or value not in meanings:
            unknown(key, value)
            value = first
        options |= meanings[value]
        source |= dict.fromkeys(meanings[value], key)

    rank_key, rank = values.pop("min_rank", ("min_rank", 9))
    benny_key, benny = values.pop("jokers" if "jokers" in values else "joker", ("joker", False))
    if isinstance(rank, bool) or not isinstance(rank, int) or rank not in _DECKS:
        unknown(rank_key, rank)
        rank = 9
    if not isinstance(benny, (bool, int)) or benny not in (0, 1):
        unknown(benny_key, benny)
        benny = False
    options["deck"], source["deck"] = _DECKS[rank][bool(benny)], rank_key
    if values.get("winning_score", ("", None))[1] == 0:  # no score ends the game; a number of deals does
        del values["winning_score"]
    for name, option in _NUMBERS.items():
        if name in values:
            source[option], options[option] = values.pop(name)
    players_key, players = values.pop("num_players", ("num_players", 4))
    if players != 4:
        message = f"ruleset {players_key} = {shown(players)}: only games of four are read"
        raise bad(message, ("metadata", "ruleset", players_key), "rules.unsupported")

    for name, (key, value) in values.items():
        if value is False or value is None or name in _OUTSIDE_PLAY:
            continue
        if name in _UNPLAYABLE:
            message = f"ruleset {key} = {shown(value)} is a way to play that is not supported"
            raise bad(message, ("metadata", "ruleset", key), "rules.unsupported")
        unknown(key, value)
    try:
        return with_options(Rules(), options), faults
    except InvalidInput as error:
        raise InvalidInput(
            Fault(
                fault.code, fault.message, ("metadata", "ruleset", source.get(str(fault.path[0]), str(fault.path[0])))
            )
            for fault in error.faults
        ) from None


def ruleset_of(rules: Rules, former: Mapping[str, Json]) -> dict[str, Json]:
    """A ruleset for ``rules``: the one they were read from, as far as its keys still exist, if it still says so.

    Options that no key names are left out, see `writing`.
    """
    known = {*_OPTIONS, *_NUMBERS, *_OUTSIDE_PLAY, "min_rank", "joker", "farmers", *_UNPLAYABLE[2:]}
    kept: dict[str, Json] = {
        name: value for key, value in former.items() if (name := snake(key)) in known and value is not None
    }
    number = kept.pop("num_deals", None)
    if kept.get("winning_score") == 0:
        del kept["winning_score"]
    # The schema takes a number of deals only where there is no score to play for.
    deals: dict[str, Json] = {}
    if isinstance(number, int) and number >= 0 and "winning_score" not in kept:
        deals = {"num_deals": int(number)}
    if kept and rules_of(kept) == (rules, []):
        return kept | deals
    made: dict[str, Json] = {}
    for name, meanings in _OPTIONS.items():
        fitting = (value for value, options in meanings.items() if options and _has(rules, options))
        first = next(iter(meanings))
        value = next(fitting, first)
        if value != first or name in ("std", "canadian", "loner_lead"):
            made[name] = value
    for rank, decks in _DECKS.items():
        if rules.deck in decks and rules.deck != 24:
            made |= {"min_rank": rank, "joker": rules.has_benny}
    options = rules.options()
    usual = Rules().options()
    numbers: dict[str, Json] = {name: options[option] for name, option in _NUMBERS.items()}
    return made | {name: number for name, number in numbers.items() if number != usual[_NUMBERS[name]]}


def _has(rules: Rules, options: Mapping[str, str | bool]) -> bool:
    return all(getattr(rules, name) == value for name, value in options.items())


def snake(key: str) -> str:
    """Later versions write keys in camel case."""
    return re.sub(r"(?<=[a-z])[A-Z]", lambda match: "_" + match[0].lower(), key)
