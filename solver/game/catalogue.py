"""What there is to choose from in `solver.game.rules`, as values: for a form to fill in, or for a list to print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from solver.errors import InvalidInput
from solver.game.rules import DEFAULT_PRESET, PRESETS, OptionValue, Rules, with_options


@dataclass(frozen=True, slots=True)
class RuleOption:
    """What an option of the rules takes: one of ``values``, or where there are none, a whole number in the bounds.

    ``unsupported`` are those of the values that are known and refused, because nobody can play them here yet.
    """

    name: str
    default: OptionValue
    values: tuple[OptionValue, ...] | None = None
    unsupported: tuple[OptionValue, ...] | None = None
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every preset by name and every option, each in the order in which users see them."""

    default: str
    presets: Mapping[str, Rules]
    options: tuple[RuleOption, ...]


def catalogue() -> Catalogue:
    """All presets and options.

    >>> [option.values for option in catalogue().options if option.name == "deck"]
    [(24, 25, 28, 32, 33)]
    """
    options: list[RuleOption] = []
    for spec in fields(Rules):
        if "values" in spec.metadata:
            values: tuple[OptionValue, ...] = spec.metadata["values"]
            unsupported = tuple(value for value in values if not _is_supported(spec.name, value))
            options.append(RuleOption(spec.name, spec.default, values, unsupported))
        else:
            least, most = spec.metadata["range"]
            options.append(RuleOption(spec.name, spec.default, least=least, most=most))
    return Catalogue(DEFAULT_PRESET, PRESETS, tuple(options))


def _is_supported(name: str, value: OptionValue) -> bool:
    """Whether the rules refuse the value for anything but not being supported."""
    try:
        with_options(Rules(), {name: value})
    except InvalidInput as error:
        return all(fault.code != "rules.unsupported" for fault in error.faults)
    return True
