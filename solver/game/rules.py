"""Every house rule as one value.

Nothing else asks "which variant is this?": it reads options. A preset is a named `Rules`; an option is one field here
and one branch in the module that its comment names as owner. What is known but not playable yet is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from solver.errors import Fault, InvalidInput, refuse
from solver.game.cards import DECKS, CardSet
from solver.game.seats import SEATINGS, Seating

OptionValue = int | bool | str


def _choice(*values: OptionValue, later: tuple[OptionValue, ...] = ()) -> Any:
    """An option that takes one of ``values``, the first by default; those ``later`` are known but not playable yet."""
    return field(default=values[0], metadata={"values": values, "later": later})


def _number(default: int, least: int, most: int) -> Any:
    """An option that takes a whole number within the bounds."""
    return field(default=default, metadata={"range": (least, most)})


@dataclass(frozen=True, slots=True)
class Rules:
    """One way to play. Values that an option does not take, and options that exclude each other, are refused.

    >>> Rules(stick_the_dealer=True).stick_the_dealer
    True

    Raises `InvalidInput` with every fault.
    """

    seats: int = _choice(4, 2, later=(3,))  # owner: seats
    deck: int = _choice(24, 25, 28, 32, 33)  # owner: order
    stick_the_dealer: bool = _choice(False, True)  # owner: auction
    stuck_dealer_may_name_turned_down: bool = _choice(False, True)  # owner: auction
    going_alone: str = _choice("either_round", "never")  # owner: auction
    dealers_partner: str = _choice("free", "alone_if_ordering", "alone_always", "may_not_order")  # owner: auction
    lone_lead: str = _choice("dealer_left", "maker_left", "maker_left_unless_dealers_side", "maker")  # owner: play
    defend_alone: str = _choice("no", later=("against_loner", "always"))  # owner: auction
    dealer_may_decline_upcard: bool = _choice(False, True)  # owner: auction
    dealer_may_discard_upcard: bool = _choice(True, False)  # owner: auction
    natural_trump_to_order: bool = _choice(False, True)  # owner: auction
    benny_upcard: str = _choice("dealer_names", "C", "D", "H", "S")  # owner: auction
    no_trump: bool = _choice(False, later=(True,))  # owner: auction, order
    call_for_best: bool = _choice(False, later=(True,))  # owner: auction
    points: int = _number(1, 0, 100)  # owner of this and the next six: scoring
    march: int = _number(2, 0, 100)
    lone_march: int = _number(4, 0, 100)
    lone_points: int = _number(1, 0, 100)
    euchre: int = _number(2, 0, 100)
    lone_euchre: int = _number(2, 0, 100)
    defended_alone_euchre: int = _number(4, 0, 100)
    target: int = _number(10, 1, 1000)

    def __post_init__(self) -> None:
        refuse(self.problems())

    def problems(self) -> list[Fault]:
        """Every reason why nobody can play like this, each at its option."""
        faults = [fault for name in _specs() if (fault := _value_fault(name, getattr(self, name)))]
        return faults or [*_unsupported(self), *_conflicts(self)]

    @property
    def seating(self) -> Seating:
        return SEATINGS[self.seats]

    @property
    def cards(self) -> CardSet:
        """The deck."""
        return DECKS[self.deck]

    @property
    def has_benny(self) -> bool:
        return self.deck in (25, 33)

    def options(self) -> dict[str, OptionValue]:
        """Every option by name."""
        return {name: getattr(self, name) for name in _specs()}

    def differences(self, base: Rules) -> dict[str, OptionValue]:
        """The options in which this differs from ``base``, in the order of the fields."""
        theirs = base.options()
        return {name: value for name, value in self.options().items() if value != theirs[name]}


@cache  # rules are made for every record of a log
def _specs() -> Mapping[str, Mapping[str, Any]]:
    return {spec.name: spec.metadata for spec in fields(Rules)}


def _value_fault(name: str, value: object) -> Fault | None:
    spec = _specs()[name]
    if "values" in spec:
        allowed = (*spec["values"], *spec["later"])
        # A bool is an int in Python: `seats: true` must not pass for one seat.
        if any(type(value) is type(each) and value == each for each in allowed):
            return None
        shown = ", ".join(_shown(each) for each in allowed)
        return Fault("rules.value", f"{name} takes {shown}, not {_shown(value)}", (name,))
    least, most = spec["range"]
    if type(value) is int and least <= value <= most:
        return None
    return Fault("rules.value", f"{name} takes a whole number from {least} to {most}, not {_shown(value)}", (name,))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _unsupported(rules: Rules) -> list[Fault]:
    """Known ways to play that this version does not play."""
    return [
        Fault("rules.unsupported", f"{name} = {_shown(value)} is not supported yet", (name,))
        for name, value in rules.options().items()
        if value in _specs()[name].get("later", ())
    ]


def _conflicts(rules: Rules) -> list[Fault]:
    """Options that cannot be had together."""
    faults: list[Fault] = []

    def conflict(name: str, why: str) -> None:
        faults.append(Fault("rules.conflict", why, (name,)))

    if rules.seats == 2:
        if rules.dealers_partner != "free":
            conflict(
                "dealers_partner", f"dealers_partner = {rules.dealers_partner} needs seats = 4: nobody has a partner"
            )
        if rules.going_alone != "never":
            conflict("going_alone", f"seats = {rules.seats} needs going_alone = never: nobody has a partner")
    if rules.going_alone == "never":
        if rules.dealers_partner in ("alone_if_ordering", "alone_always"):
            conflict("dealers_partner", f"dealers_partner = {rules.dealers_partner} excludes going_alone = never")
        if rules.defend_alone == "against_loner":
            conflict("defend_alone", "defend_alone = against_loner excludes going_alone = never")
    if rules.defend_alone != "no" and rules.seats == 2:
        conflict("defend_alone", f"defend_alone = {rules.defend_alone} excludes seats = 2")
    if rules.stuck_dealer_may_name_turned_down and not rules.stick_the_dealer:
        conflict("stuck_dealer_may_name_turned_down", "stuck_dealer_may_name_turned_down needs stick_the_dealer = yes")
    if rules.no_trump and rules.has_benny:
        conflict("no_trump", f"no_trump with a Benny in the deck (deck = {rules.deck}) is undefined")
    if rules.benny_upcard != "dealer_names" and not rules.has_benny:
        conflict("benny_upcard", f"benny_upcard = {rules.benny_upcard} needs a Benny in the deck (25 or 33 cards)")
    for fewer, all_five in (("points", "march"), ("lone_points", "lone_march")):
        # Whoever plays for tricks must be playing for points.
        if getattr(rules, all_five) < getattr(rules, fewer):
            conflict(
                all_five, f"{all_five} = {getattr(rules, all_five)} is less than {fewer} = {getattr(rules, fewer)}"
            )
    return faults


#: Name -> rules. The order is the order in which they are listed to users.
PRESETS: dict[str, Rules] = {
    "american": Rules(),
    "cardporch": Rules(stick_the_dealer=True),
    "spanish": Rules(dealers_partner="alone_always", lone_lead="maker_left_unless_dealers_side"),
    "two_handed": Rules(seats=2, going_alone="never", dealer_may_decline_upcard=True),
    "british": Rules(deck=25, target=11, lone_euchre=4),
    "canadian": Rules(dealers_partner="alone_if_ordering"),
    "euchre_com": Rules(stick_the_dealer=True, lone_lead="maker_left"),
}

#: Presets with a name but no rules yet, and the options that they wait for.
UNSUPPORTED_PRESETS: dict[str, tuple[str, ...]] = {
    "three_handed": ("seats",),
    "railroad": ("call_for_best", "defend_alone"),
}

DEFAULT_PRESET = "american"


def preset(name: str) -> Rules:
    """The rules of that name. Raises `InvalidInput` if there are none, or none yet."""
    if name in PRESETS:
        return PRESETS[name]
    if name in UNSUPPORTED_PRESETS:
        waits_for = " and ".join(UNSUPPORTED_PRESETS[name])
        raise InvalidInput(
            [Fault("rules.unsupported", f"preset {name} needs {waits_for}, not supported yet", ("preset",))]
        )
    known = ", ".join(PRESETS)
    raise InvalidInput([Fault("rules.unknown", f"there is no preset {_shown(name)!r}; known are {known}", ("preset",))])


def with_options(base: Rules, options: Mapping[str, object]) -> Rules:
    """``base`` with other values for some options. Raises `InvalidInput` naming every option that is wrong."""
    specs = _specs()
    unknown = [name for name in options if name not in specs]
    faults = [Fault("rules.unknown", f"there is no rule option {_shown(name)!r}", (name,)) for name in unknown]
    known: dict[str, Any] = {name: value for name, value in options.items() if name in specs}
    try:
        made = replace(base, **known)
    except InvalidInput as error:
        raise InvalidInput([*faults, *error.faults]) from None
    refuse(faults)
    return made


def describe(rules: Rules) -> tuple[str, dict[str, OptionValue]]:
    """The shortest way to say which rules these are: the preset that differs least, and the differences.

    Ties go to the preset listed first, so equal rules are always described alike.
    """
    name = min(PRESETS, key=lambda each: len(rules.differences(PRESETS[each])))
    return name, rules.differences(PRESETS[name])


def option_values(name: str) -> tuple[OptionValue, ...] | None:
    """The values that an option takes, default first; None for a number within bounds (`option_range`)."""
    return _specs()[name].get("values")


def option_later(name: str) -> tuple[OptionValue, ...]:
    """The values of an option that are known but not playable yet."""
    later: tuple[OptionValue, ...] = _specs()[name].get("later", ())
    return later


def option_range(name: str) -> tuple[int, int] | None:
    """The least and the most that an option takes; None for one with named values."""
    return _specs()[name].get("range")
