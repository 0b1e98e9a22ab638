"""The deals that take most cards to solve, of a million random four-handed ones: rows of ``random_deals(OF, SEED)``.

python -m benchmarks.slowest            # find them again and keep them in slowest.txt: some seconds
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

from benchmarks.corpus import Deals, random_deals
from solver.engine.coordinates import batch_words
from solver.engine.search import Search

FILE = Path(__file__).parent / "slowest.txt"
OF = 1_000_000
SEED = 2
KEPT = 1_000


def nodes_of_each(deals: Deals) -> NDArray[np.int64]:
    """Cards played to solve each deal with an empty table."""
    search, words = Search(table_bits=8), batch_words()
    tricks = np.zeros(deals.number, dtype=np.uint8)
    nodes = np.zeros(deals.number + 1, dtype=np.int64)
    for row in range(deals.number):
        search.forget()
        search.solve_many(*deals, words, tricks, row, row + 1)
        nodes[row + 1] = search.nodes
    return np.diff(nodes)


def slowest_deals(number: int = KEPT) -> Deals:
    """The ones in the file, the slowest first."""
    rows = np.array(FILE.read_text().split(), dtype=np.intp)
    return random_deals(OF, SEED).rows(rows[:number])


@click.command()
def main() -> None:
    nodes = nodes_of_each(random_deals(OF, SEED))
    rows = np.argsort(-nodes, kind="stable")[:KEPT]
    FILE.write_text("\n".join(map(str, rows)) + "\n")
    click.echo(
        f"of {OF} deals: {nodes.mean():.1f} nodes on average, {nodes[rows[0]]} at most, {nodes[rows[-1]]} kept least"
    )


if __name__ == "__main__":
    main()
