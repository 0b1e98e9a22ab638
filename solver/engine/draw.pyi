import numpy as np
from numpy.typing import NDArray

def draw_numbers(seed: int, below: int, start: int, numbers: NDArray[np.uint64]) -> None: ...
def place_cards(
    numbers: NDArray[np.uint64],
    first: NDArray[np.uint64],
    splits: NDArray[np.uint8],
    cards: NDArray[np.uint8],
    placed: NDArray[np.uint64],
) -> None: ...
