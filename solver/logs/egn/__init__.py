"""Euchre Game Notation: one JSON document a game, versions 1.x.

How it maps:

- Seats 0-3 are N E S W. Calls go from the dealer's left: ``Pass`` (``p``), ``Order`` (``o``), a suit letter;
  ``isAlone`` belongs to the last one. Tricks list cards as they were played; who led follows from the rules, and
  ``initialLead`` (1.0), where it is given, must agree.
- Cards are rank and suit (``Th``, ``Nc`` for a nine), ``R`` and ``L`` for the bowers, ``B`` for the Benny; ``""`` and
  cards with an ``X`` are not known and may stand only in the kitty and in ``player_cards``.
- Hands are as dealt where they are listed (``player_cards``; ``playerCards`` since 1.2) and follow from the play
  otherwise, see `solver.logs.rebuild`.
- ``ruleset`` keys map onto options by the tables in `ruleset`. A value that is not known is a fault and leaves the
  default; a known way to play that is not supported refuses the file.

What is not part of the play stays in ``notes`` under the names of the format: of the document (``version``,
``metadata`` with its ``ruleset``, …), and of each deal (``dealNumber``, ``alternativeLines``, …; ``initialState``,
``bidding`` and ``play`` hold the rest of the state and of the two phases; the phases of a deal with faults stand there
in full). Names that 1.0 and 1.1 wrote otherwise are the present ones there.

Documents are written in version 1.4, see `writing`; `annotations` puts remarks and better lines into a record.
"""

from __future__ import annotations

from solver.logs.egn.reading import detect, read
from solver.logs.egn.writing import document, write

__all__ = ["detect", "document", "read", "write"]
