from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

class Playout:
    def __init__(
        self,
        deck: int,
        played: int,
        table: Sequence[int],
        no_trump: bool,
        active: int,
        sides: int,
        leader: int,
        gone: Sequence[int],
        won: int,
        left: int,
        points: Sequence[float],
        taken: int,
        taker: int,
        hidden: bool,
        inner: tuple[int, int],
        depth: int,
        seed: int,
    ) -> None: ...
    def card_values(
        self,
        held: NDArray[np.uint64],
        cards: NDArray[np.uint64],
        tricks: NDArray[np.uint8],
        start: int,
        stop: int,
    ) -> None: ...
    def rollouts(
        self,
        held: NDArray[np.uint64],
        out: NDArray[np.uint64],
        cards: NDArray[np.uint64],
        first: int,
        tricks: NDArray[np.uint8],
        start: int,
        stop: int,
    ) -> int: ...
    def choices(
        self,
        held: NDArray[np.uint64],
        out: NDArray[np.uint64],
        first: int,
        chosen: NDArray[np.uint64],
        start: int,
        stop: int,
    ) -> None: ...
    def worlds(
        self,
        held: NDArray[np.uint64],
        out: NDArray[np.uint64],
        first: int,
        drawn: NDArray[np.uint64],
        start: int,
        stop: int,
    ) -> None: ...
