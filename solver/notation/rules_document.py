"""The rules that can be played, as a JSON document."""

from __future__ import annotations

from typing import Any

from solver.game.rules import (
    DEFAULT_PRESET,
    PRESETS,
    UNSUPPORTED_PRESETS,
    Rules,
    option_later,
    option_range,
    option_values,
)


def rules_document() -> dict[str, Any]:
    """Every preset with all its options, and every option with what it takes."""
    return {
        "default": DEFAULT_PRESET,
        "presets": {name: rules.options() for name, rules in PRESETS.items()},
        "options": {name: _option(name, default) for name, default in Rules().options().items()},
        "not_supported_yet": {name: list(waits_for) for name, waits_for in UNSUPPORTED_PRESETS.items()},
    }


def _option(name: str, default: object) -> dict[str, Any]:
    bounds = option_range(name)
    if bounds is not None:
        return {"default": default, "minimum": bounds[0], "maximum": bounds[1]}
    later = {"not_supported_yet": list(option_later(name))} if option_later(name) else {}
    return {"default": default, "values": list(option_values(name) or ()), **later}
