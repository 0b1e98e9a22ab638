"""The signature: a change of the search that was not meant to change it is noticed."""

from __future__ import annotations

from benchmarks.signature import FILE, signature


def test_the_search_plays_as_many_cards_as_the_signature_says() -> None:
    assert sum(signature().values()) == int(FILE.read_text())
