"""`rightbower policy`: make the auction policy again, and say what it does."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from tqdm import tqdm

from solver.bidding.policy import BUILT, DATA, TablePolicy, load_tables, policy_for
from solver.bidding.shares import DATA as SHARES
from solver.game.rules import PRESETS, Rules


@click.group("policy")
def policy_commands() -> None:
    """The auction policy: how each seat bids by its hand, its place and the upcard."""


def _shown(numbers: Iterable[int], what: str) -> Iterable[int]:
    bar: Iterable[int] = tqdm(numbers, desc=what, disable=None)
    return bar


@policy_commands.command("build")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=Path(DATA), show_default=True)
@click.option(
    "--work", type=click.Path(file_okay=False, path_type=Path), default=Path("policy-work"), show_default=True
)
@click.option("--deals", default=400_000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0))
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1, 256))
def build_command(out: Path, work: Path, deals: int, seed: int, threads: int) -> None:
    """Make the policies from nothing but a seed. Stopped, it goes on from the files in --work the next time."""
    from solver.bidding.build_policy import build

    changes = build(work, out, deals=deals, seed=seed, threads=threads, progress=_shown)
    for preset, each in changes.items():
        click.echo(f"{preset}: decisions changed by each sweep: {', '.join(f'{change:.3f}' for change in each)}")
    click.echo(f"{out}: {out.stat().st_size:,} bytes")


@policy_commands.command("shares")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=Path(SHARES), show_default=True)
@click.option("--deals", default=100_000, show_default=True, type=click.IntRange(1), help="For a preset.")
@click.option("--others", default=5000, show_default=True, type=click.IntRange(1), help="For other rules.")
@click.option("--seed", default=11, show_default=True, type=click.IntRange(0))
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1, 256))
def shares_command(out: Path, deals: int, others: int, seed: int, threads: int) -> None:
    """Measure how deals end when all bid by the policy, which chances to win a game are made of."""
    from solver.bidding.measure_shares import measure_all, write

    def shown(rules: Iterable[Rules]) -> Iterable[Rules]:
        bar: Iterable[Rules] = tqdm(rules, desc="shares", disable=None)
        return bar

    measured = measure_all(deals, others, seed, threads, shown)
    write(out, measured, seed)
    for each in measured:
        click.echo(f"{each.name}: {each.deals:,} deals")
        for net, share in each.net(each.rules).items():
            click.echo(f"  {net:+d}: {100 * share:6.2f}%, stderr {100 * (share * (1 - share) / each.deals) ** 0.5:.2f}")


@policy_commands.command("report")
@click.option("--rules", "preset", type=click.Choice(BUILT), default=BUILT[0], show_default=True)
@click.option("--deals", default=20_000, show_default=True, type=click.IntRange(1, 1_000_000))
@click.option("--seed", default=7, show_default=True, type=click.IntRange(0))
@click.option("--threads", default=1, show_default=True, type=click.IntRange(1, 256))
def report_command(preset: str, deals: int, seed: int, threads: int) -> None:
    """How often each seat bids what, and what becomes of it, over deals played out."""
    from solver.bidding.equilibrium import Game
    from solver.bidding.report_policy import report, table_of
    from solver.bidding.samples import play_out, random_deals

    policy, tables = policy_for(PRESETS[preset]), load_tables()
    if not isinstance(policy, TablePolicy) or tables is None:
        raise click.ClickException(f"there is no table for {preset}")
    played = play_out(*random_deals(deals, seed, 0), tables["discards"], seed, threads=threads)
    click.echo(f"{policy.name}: {tables['provenance']}")
    for line in report(Game(PRESETS[preset], played, tables["discards"]), table_of(policy)):
        click.echo(line)
