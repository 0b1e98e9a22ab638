import time
from collections.abc import Callable

import pytest

from solver import InvalidInput, read_bid


@pytest.mark.parametrize(
    "text_of",
    [
        lambda size: "," * size,
        lambda size: "a," * (size // 2),
        lambda size: "a" + "," * size + "alon",
        lambda size: "a ,b" * (size // 4),
    ],
)
def test_the_work_for_a_text_that_is_no_bid_grows_no_faster_than_the_text(text_of: Callable[[int], str]) -> None:
    """Half a million commas once took more than ten minutes: the time grew with the square."""

    def seconds(size: int) -> float:
        started = time.thread_time()
        with pytest.raises(InvalidInput, match="is not a bid"):
            read_bid(text_of(size))
        return time.thread_time() - started

    # Linear is 10, quadratic 100.
    assert seconds(500_000) < 30 * min(seconds(50_000) for _ in range(3))


@pytest.mark.parametrize("text", ["hearts alone", "hearts, alone", "H,ALONE", "♥️  alone"])
def test_alone_is_read_after_spaces_and_commas(text: str) -> None:
    assert str(read_bid(text)) == "H alone"
