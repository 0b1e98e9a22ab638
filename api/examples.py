"""Requests that work, for the documentation to show."""

from __future__ import annotations

from typing import Any

from api.jobs.upload import MEDIA_TYPES

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

#: Bodies of ``rate-bid``.
BIDS: dict[str, dict[str, Any]] = {
    "pass-or-order": {
        "summary": "What the dealer should do with a jack turned up, and a verdict on passing",
        "value": {
            "dealer": "N",
            "upcard": "JS",
            "seat": "N",
            "hand": "JC QC JH AH 9D",
            "auction": ["pass", "pass", "pass"],
            "bid": "pass",
            "worlds": 200,
        },
    },
    "score": {
        "summary": "The second round, at 9 to 8",
        "value": {
            "rules": {"preset": "american", "stick_the_dealer": True},
            "dealer": "W",
            "upcard": "9H",
            "seat": "N",
            "hand": ["JC", "JS", "AS", "KD", "9D"],
            "auction": ["pass", "pass", "pass", "pass"],
            "score": {"NS": 9, "EW": 8},
            "worlds": 200,
        },
    },
    "code": {
        "summary": "A deal code: only the hand of the seat to bid is used",
        "value": {"code": "american.N.9H.-JHAHKH9SAD--", "worlds": 200, "method": "double-dummy"},
    },
}

_RECORD: dict[str, Any] = {
    "rightbower": 1,
    "game": 1,
    "deal": 3,
    "title": "Kitchen table",
    "players": {"N": "Ann", "E": "Ben", "S": "Cleo", "W": "Dan"},
    "initial_score": {"NS": 3, "EW": 1},
    "code": "cardporch.E.TC.KC9DADKHKS-JCQDJHAH-9C9HTHJSQS-QCACKDQHTS.pppo..QSTSKSTCJC9CQCKCAH9HQHKHJHTHAC9DKDADQDJS",
}

_EGN_DEAL: dict[str, Any] = {
    "dealNumber": 0,
    "initialState": {"dealer": 1, "upCard": "Tc"},
    "phases": [
        {"phaseNumber": 0, "type": "EUCHRE_BIDDING", "calls": ["Pass", "Pass", "Pass", "Order"], "isAlone": False},
        {
            "phaseNumber": 1,
            "type": "TRICK_PLAY",
            "tricks": [
                ["Qs", "Ts", "Ks", "Tc"],
                ["Jc", "9c", "Qc", "Kc"],
                ["Ah", "9h", "Qh", "Kh"],
                ["Jh", "Th", "Ac", "9d"],
                ["Kd", "Ad", "Qd", "Js"],
            ],
        },
    ],
}

#: Bodies of ``review``.
GAMES: dict[str, dict[str, Any]] = {
    "code": {"summary": "One deal by its code", "value": {"code": _RECORD["code"], "depth": "fast"}},
    "records": {
        "summary": "Deals of a game in the native format, with players and score",
        "value": {"records": [_RECORD], "depth": "fast", "seed": 1},
    },
    "egn": {
        "summary": "A document of Euchre Game Notation as it stands, and how closely to look",
        "value": {
            "fileType": "Euchre Game Notation",
            "version": "1.4",
            "metadata": {"title": "A march", "ruleset": {"std": False}, "players": ["Ann", "Ben", "Cleo", "Dan"]},
            "deals": [_EGN_DEAL],
            "depth": "fast",
        },
    },
}

_CODES = [
    "american.N.JH.9CTCJCQCKC-9DTDJDQDKD-9HTHQHKHAH-9STSJSQSKS",
    "american.S.JC.KCADQHAH9S-QCJDKDJHJS-ACQD9HTHQS-TC9DTDKSAS",
    "american.N.9H.TCJCQCJDQD-9CKC9DTD9S-ACADTHAHJS-QSKSASKDKH",
]
_FILE: dict[str, Any] = {
    "schema": {"type": "string"},
    "examples": {"codes": {"summary": "Deal codes, one a line", "value": "".join(f"{each}\n" for each in _CODES)}},
}

#: The body of ``batches``.
FILES: dict[str, Any] = {
    "required": True,
    "description": "A file of records. Its format is detected, whatever it is declared as.",
    "content": dict.fromkeys(MEDIA_TYPES, _FILE),
}
