"""Requests that work, for the documentation to show."""

from __future__ import annotations

from typing import Any

_HANDS = {
    "N": "KC AD QH AH 9S",
    "E": "QC JD KD JH JS",
    "S": "AC QD 9H TH QS",
    "W": "TC 9D TD KS AS",
}

#: Bodies of ``analyze``, as OpenAPI lists examples.
POSITIONS: dict[str, dict[str, Any]] = {
    "lead": {
        "summary": "Who wins when all cards are known, and what to lead",
        "value": {
            "rules": "american",
            "dealer": "S",
            "upcard": "JC",
            "hands": _HANDS,
            "auction": ["pass", "order"],
            "discard": "QD",
        },
    },
    "bid": {
        "summary": "What every bid comes to, the contract table and par",
        "value": {"dealer": "S", "upcard": "JC", "hands": _HANDS, "auction": ["pass"]},
    },
    "discard": {
        "summary": "What the dealer should discard",
        "value": {"dealer": "S", "upcard": "JC", "hands": _HANDS, "auction": ["pass", "order"]},
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
