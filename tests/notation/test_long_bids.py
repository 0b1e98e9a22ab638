import time

import pytest

from solver import InvalidInput, read_bid


@pytest.mark.parametrize("text", ["," * 500_000, "a," * 250_000, "a" + "," * 500_000 + "alon", "a ,b" * 125_000])
def test_a_long_text_that_is_no_bid_is_refused_quickly(text: str) -> None:
    start = time.perf_counter()
    with pytest.raises(InvalidInput, match="is not a bid"):
        read_bid(text)
    assert time.perf_counter() - start < 2  # seconds; it was more than ten minutes


@pytest.mark.parametrize("text", ["hearts alone", "hearts, alone", "H,ALONE", "♥️  alone"])
def test_alone_is_read_after_spaces_and_commas(text: str) -> None:
    assert str(read_bid(text)) == "H alone"
