"""The signature: cards played by the search over a fixed corpus. It changes exactly when the search does.

python -m benchmarks.signature            # compare with signature.txt, exit 1 if it differs
python -m benchmarks.signature --write    # after a change that means to
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from benchmarks.corpus import KINDS, Deals
from solver.engine.coordinates import batch_words
from solver.engine.search import Search

DEALS = 2_000
FILE = Path(__file__).parent / "signature.txt"


def nodes_of(deals: Deals) -> int:
    """Cards played to solve these deals one after the other with one table."""
    search = Search()
    tricks = np.zeros(deals.number, dtype=np.uint8)
    search.solve_many(*deals, batch_words(), tricks, 0, deals.number)
    return search.nodes


def signature() -> dict[str, int]:
    return {kind: nodes_of(make(DEALS, 1)) for kind, make in KINDS.items()}


@click.command()
@click.option("--write", is_flag=True, help="Keep the signature as the one to compare with.")
def main(write: bool) -> None:
    nodes = signature()
    for kind, number in nodes.items():
        click.echo(f"{kind:<12} {number:>9}  {number / DEALS:7.1f} a deal")
    total = sum(nodes.values())
    click.echo(f"Signature: {total}")
    if write:
        FILE.write_text(f"{total}\n")
    elif total != int(FILE.read_text()):
        raise SystemExit(f"{FILE.name} has {FILE.read_text().strip()}")


if __name__ == "__main__":
    main()
