from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

class Search:
    def __new__(cls, table_bits: int = 12, portable: bool = False, without_file: bool = False) -> Self: ...
    @property
    def nodes(self) -> int: ...
    @property
    def table_bytes(self) -> int: ...
    def forget(self) -> None: ...
    def solve(
        self,
        hands: Sequence[int],
        leader: int,
        played: Sequence[int] = (),
        active: int = 0b1111,
        sides: int = 0b0101,
        no_trump: bool = False,
    ) -> int: ...
    def at_least(
        self,
        hands: Sequence[int],
        leader: int,
        played: Sequence[int],
        active: int,
        sides: int,
        need: int,
        no_trump: bool = False,
    ) -> bool: ...
    def solve_cards(
        self,
        hands: Sequence[int],
        leader: int,
        played: Sequence[int] = (),
        active: int = 0b1111,
        sides: int = 0b0101,
        no_trump: bool = False,
    ) -> list[tuple[int, int]]: ...
    def value_endings(
        self,
        lengths: Sequence[int],
        seats: int,
        mates: int,
        words: NDArray[np.uint32],
        values: NDArray[np.uint8],
    ) -> None: ...
    def solve_many(
        self,
        hands: NDArray[np.uint64],
        trump: NDArray[np.uint8],
        leader: NDArray[np.uint8],
        sitting_out: NDArray[np.int8],
        words: NDArray[np.uint64],
        tricks: NDArray[np.uint8],
        start: int,
        stop: int,
    ) -> int: ...
    def classify_many(
        self,
        hands: NDArray[np.uint64],
        trump: NDArray[np.uint8],
        leader: NDArray[np.uint8],
        sitting_out: NDArray[np.int8],
        maker: NDArray[np.uint8],
        words: NDArray[np.uint64],
        classes: NDArray[np.uint8],
        start: int,
        stop: int,
    ) -> int: ...
    def solve_contracts(
        self,
        hands: NDArray[np.uint64],
        upcard: NDArray[np.uint64],
        trump: NDArray[np.uint8],
        leader: NDArray[np.uint8],
        sitting_out: NDArray[np.int8],
        taker: NDArray[np.int8],
        words: NDArray[np.uint64],
        tricks: NDArray[np.uint8],
        discards: NDArray[np.uint64],
        start: int,
        stop: int,
    ) -> int: ...
