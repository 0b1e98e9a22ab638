"""Requests that work, for the documentation to show."""

from __future__ import annotations

from typing import Any

_HANDS = {
    "N": "JD QH 9H AC 9D",
    "E": "AS KS QC TD TH",
    "S": "KH JC AD 9S TC",
    "W": "AH JS KD QD 9C",
}

#: Bodies of ``analyze``, as OpenAPI lists examples.
POSITIONS: dict[str, dict[str, Any]] = {
    "lead": {
        "summary": "Who wins when all cards are known, and what to lead",
        "value": {
            "rules": "american",
            "dealer": "S",
            "upcard": "JH",
            "hands": _HANDS,
            "auction": ["pass", "order"],
            "discard": "9S",
        },
    },
    "bid": {
        "summary": "What every bid comes to, the contract table and par",
        "value": {"dealer": "S", "upcard": "JH", "hands": _HANDS, "auction": ["pass"]},
    },
    "discard": {
        "summary": "What the dealer should discard",
        "value": {"dealer": "S", "upcard": "JH", "hands": _HANDS, "auction": ["pass", "order"]},
    },
    "loner": {
        "summary": "Hands as held when play begins; W sits out",
        "value": {
            "hands": {"N": "JH KH 9H AC TC", "E": ["JD", "AH", "KS", "AS", "QH"], "S": "TH QD QC JC 9C"},
            "contract": {"trump": "H", "maker": "E", "alone": True, "leader": "S"},
            "plays": ["QD"],
        },
    },
    "code": {
        "summary": "A deal code, as every answer carries one",
        "value": {"code": "american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS.po.9C"},
    },
}
