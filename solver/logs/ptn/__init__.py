r"""PTN, the dialect of Portable Bridge Notation in which Trickster Cards writes down deals of euchre.

A record is a list of tags, some with rows of text below them. How it maps:

- ``[Dealer "S"]``, ``[Deal "S:Q.AQ.Q.J J.J.A9.A …"]``: hands as dealt, clockwise from the named seat, each the ranks of
  S.H.D.C (a fifth suit holds the Benny, ``H``); ``-`` is a hand that is not known.
- ``[Undealt "S9DKDJCQ"]``: the upcard, then the kitty. Cards are suit first everywhere but in hands; where there is a
  Benny, it is ``JH``.
- ``[Auction "W"]``: bids from the dealer's left: ``Pass``, a suit, ``♠alone``; ``-`` where nobody bids. The upcard's
  suit in round 1 is an order. Without this tag, ``Declarer`` and ``Contract`` say the same.
- ``[CardsAdded "S:S9"]``, ``[CardsRemoved "S:DQ"]``: what the dealer took up and threw away. Cards that a seat took
  from the kitty and put there instead (going under, before the bids) count as dealt that way; the notes tell them.
- ``[Play "W"]``: a row a trick, its columns are the seats clockwise from the named one, **whoever led**; ``-`` sits out
  or has not played yet. The named seat leads first; for a lone hand that tells the option ``lone_lead``.
- ``[GameOptionsJson "{\"stickTheDealer\":true}"]``: see `options`. Ways to play that change what a record means are
  refused; options of which a deal makes no use are named in ``optionsNotApplied``.

Every deal is a game of its own: a record tells nothing of the deals before it. ``GameScores`` may be those before or
after the deal, so they stay in the notes. There, ``tags`` has all tags that are not told otherwise, and
``metadata.date`` the time of the deal.

Records are copied by hand into mails and pages, so these slips are read: quotes and brackets left open, quotes that are
not escaped, lines wrapped, quoted or fenced, several tags on a line, any line ends, a byte order mark, other
encodings of one byte a sign.
"""

from __future__ import annotations

from solver.logs.ptn.blocks import detect
from solver.logs.ptn.reading import read
from solver.logs.ptn.writing import write

__all__ = ["detect", "read", "write"]
