"""Whether bids are worth what `rate_bid` says: rated values against the same deals played out by players.

python -m benchmarks.calibration play DIRECTORY [--chunks 400] [--each 50] [--seed 1] [--player pimc:200] [--workers 1]
python -m benchmarks.calibration rate DIRECTORY [--chunks 400] [--each 50] [--seed 1] [--workers 1]
python -m benchmarks.calibration report DIRECTORY … [--write benchmarks/results/calibration.json]
python -m benchmarks.calibration worlds DIRECTORY [--chunks 400] [--worlds 16 --worlds 16/8 …] [--workers 1]

1. Random deals are bid by the policy to the end, mixing as it mixes. Every bid in them is a decision of some kind. Of
   each kind as many are picked, at random among all of that kind; deals are not picked, so one may serve several kinds.
2. The bid that was made is rated from what its seat sees, by so few worlds that nothing but a plain mean is taken.
3. The very deal that the decision comes from is one draw from all that its seat may face. It goes on from there: later
   seats bid by the policy with luck of their own, the dealer discards and every card is played by a `Player` who is
   shown what its seat has seen. This shares no code with the rating but the rules, the policy, the worlds that fit one
   seat, and the solver.

``worlds`` rolls the very deals that were played out, but for those that a pass led to, with other numbers of worlds for
each card, of makers and of defenders: less noise than two sets of deals have, and what `solver.bidding.deal_ends` chose
its numbers by.

A chunk is a file of DIRECTORY, written when it is finished; its decisions follow from the seed and its number. So a run
can be stopped, and goes on where it was, and `report` can be asked at any time. It takes runs of several seeds as one.
"""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from benchmarks.inner_worlds import inner_of
from solver import Bid, Call, Card, CardSet, Deal, Decision, Knowledge, Position, Rules, Seat, preset
from solver.analysis.rater import Rater
from solver.analysis.values import engine_version
from solver.bidding.policy import Policy, policy_for
from solver.bidding.rest import Ending, starts
from solver.engine.doubledummy import solve_batch
from solver.engine.playout import rollouts
from solver.game.auction import PASS, Auction
from solver.game.cards import HAND_SIZE
from solver.game.deal import hands_of
from solver.game.scoring import makers_points
from solver.match import make_player

#: From the dealer's left, as they bid.
SEATS = ("eldest", "dealer's partner", "dealer's right", "dealer")
KINDS = ("pass", *(f"order, {seat}" for seat in SEATS), "name", "alone")

#: Rollouts of a deal with each number of worlds.
ROLLED = 4
#: Worlds of a rating. So few are not calibrated by double dummy, so that their mean is unbiased.
WORLDS = 4
#: Deals of a chunk for each decision of a kind that is wanted: in one of some 35 the eldest orders, the rarest kind.
DEALS = 60
#: A run has two parts, in any order; what a deal comes to does not hang on how its bids are rated.
PARTS = ("rated", "played")
SHARED = ("rules", "seed", "each", "policy")
HEADER = ("kind", "round", "seat", "points", "double_dummy")
#: The figures of a summary that are printed.
MEANS = ("rated_less_played", "worlds", "play")
#: Points of the picture for each kind.
BINS = 10


@dataclass(frozen=True)
class Compared:
    """One bid of one decision, in net points of its side: as rated and as it was played out.

    ``rated_seen``: the rating's mean when all see all cards once the auction is over. ``played_seen``: the same for the
    one deal that was played, as it went into play.
    """

    kind: str
    round: int
    seat: str
    rated: float
    rated_seen: float
    played: int
    played_seen: int


# ---- decisions ----------------------------------------------------------------------------------


def kind_of(auction: Auction, bid: Bid) -> str:
    """One of `KINDS`."""
    if bid == PASS:
        return "pass"
    if bid.alone:
        return "alone"
    return "name" if bid.call == Call.NAME else f"order, {SEATS[len(auction.bids)]}"


def decisions(
    rules: Rules, policy: Policy, dealer: Seat, deals: int, random: np.random.Generator
) -> dict[str, list[tuple[Position, Bid]]]:
    """Every bid of so many random deals, by kind: the position before it and the bid."""
    cards = np.array([card.bit for card in rules.cards], dtype=np.uint64)
    mixed = random.permuted(np.broadcast_to(cards, (deals, len(cards))), axis=1)
    held = mixed[:, : HAND_SIZE * len(Seat)].reshape(deals, len(Seat), HAND_SIZE).sum(axis=2)
    upcards = mixed[:, HAND_SIZE * len(Seat)]
    found: dict[str, list[tuple[Position, Bid]]] = {kind: [] for kind in KINDS}
    for upcard in rules.cards:
        rows = np.flatnonzero(upcards == upcard.bit)
        auction = Auction(rules, dealer, upcard)
        while not auction.over and len(rows):
            seat, legal = auction.to_act, auction.legal_bids()
            assert seat is not None
            reached = policy.bid_batch(auction, held[rows, seat]).cumsum(axis=1)
            chosen = (random.random(len(rows))[:, None] >= reached[:, :-1]).sum(axis=1)
            for row, at in zip(rows.tolist(), chosen.tolist(), strict=True):
                hands = hands_of({each: CardSet(int(held[row, each])) for each in rules.seating.seats})
                before = Position(Deal(rules, dealer, upcard, hands), auction.bids)
                found[kind_of(auction, legal[at])].append((before, legal[at]))
            if PASS not in legal:
                break
            rows, auction = rows[chosen == legal.index(PASS)], auction.after(PASS)
    return found


# ---- one of them -------------------------------------------------------------------------------


def play_out(position: Position, policy: Policy, player: str, random: Random) -> Position:
    """The deal once the rest is bid by the policy and played by players who each see their own side."""
    rules = position.rules
    players = {seat: make_player(player, rules, random.getrandbits(62)) for seat in rules.seating.seats}
    while (decision := position.decision) != Decision.OVER:
        auction, seat = position.auction, position.to_act
        assert auction is not None and seat is not None
        if decision == Decision.BID:
            # A `Player` bids what the policy bids most; here it mixes.
            hand = position.deal.hands[seat]
            assert hand is not None
            chances = policy.probabilities(auction, hand)
            position = position.after(bid=random.choices(list(chances), list(chances.values()))[0])
            continue
        if decision == Decision.DISCARD:
            thrown = players[seat].act(Knowledge.of(position, seat))
            assert isinstance(thrown, Card)
            position = position.after(discard=thrown)
            continue
        legal = tuple(position.play().legal())
        card: Bid | Card = legal[0]
        if len(legal) > 1:
            card = players[seat].act(Knowledge.of(position, seat, discarded=seat != auction.dealer))
        assert isinstance(card, Card)
        position = position.after(card=card)
    return position


def net_points(position: Position, seat: Seat) -> tuple[int, int]:
    """Of a deal that is over, for the side of ``seat``: as it was played, and double dummy from the first lead on."""
    contract, rules = position.contract, position.rules
    if contract is None:
        return 0, 0
    makers, first = rules.seating.side(contract.maker), rules.seating.sides[0]
    sign = 1 if rules.seating.side(seat) == makers else -1
    held = [[hand.bits if hand is not None else 0 for hand in position.hands_in_play]]
    sitting_out = -1 if contract.sitting_out is None else int(contract.sitting_out)
    seen = int(solve_batch(held, [contract.trump], [contract.leader], [sitting_out])[0])
    won = position.play().tricks_won()[makers], seen if makers == first else HAND_SIZE - seen
    played, double_dummy = (sign * makers_points(rules, contract.alone, each) for each in won)
    return played, double_dummy


def played(position: Position, bid: Bid, policy: Policy, player: str, random: Random) -> tuple[int, int]:
    """The bid as it is played out, and double dummy in that deal."""
    return net_points(play_out(position.after(bid=bid), policy, player, random), _seat(position))


def rated(position: Position, bid: Bid, policy: Policy, worlds: int, random: Random) -> tuple[float, float]:
    """The bid as it is rated, and the rating's double-dummy mean; a dealer discards by the policy, as a `Player`."""
    knowledge = Knowledge.of(position, _seat(position))
    rater = Rater(knowledge, policy, "rollout", random.getrandbits(62), 1, (bid,), {})
    rater.add(worlds)
    (option,) = rater.options(dict.fromkeys(position.rules.seating.sides, 0), "points")
    return round(option.points.mean, 6), round(option.double_dummy, 6)


def _seat(position: Position) -> Seat:
    assert position.auction is not None and position.auction.to_act is not None
    return position.auction.to_act


# ---- many ---------------------------------------------------------------------------------------


def chunk(settings: Mapping[str, Any], number: int) -> list[tuple[Position, Bid, Random]]:
    """The decisions of a chunk, of every kind as many; the dealer goes round from chunk to chunk."""
    rules, seed, each = preset(settings["rules"]), settings["seed"], settings["each"]
    random = np.random.default_rng([seed, number])
    dealer = rules.seating.seats[number % rules.seats]
    found = decisions(rules, policy_for(rules), dealer, DEALS * each, random)
    return [
        (*found[kind][at], Random(f"{settings['part']} {seed} {number} {kind} {at}"))
        for kind in KINDS
        for at in random.permutation(len(found[kind]))[:each].tolist()
    ]


def _write_chunk(directory: Path, settings: Mapping[str, Any], number: int) -> None:
    policy, rows = policy_for(preset(settings["rules"])), []
    for position, bid, random in chunk(settings, number):
        assert position.auction is not None
        at = len(position.bids)
        values: tuple[float, float]
        if settings["part"] == "played":
            values = played(position, bid, policy, settings["player"], random)
        else:
            values = rated(position, bid, policy, settings["worlds"], random)
        rows.append((kind_of(position.auction, bid), position.auction.round(at), SEATS[at % len(SEATS)], *values))
    unfinished = directory / f"{number:05}.{settings['part']}.unfinished"
    with unfinished.open("w", newline="") as file:
        csv.writer(file).writerows([HEADER, *rows])
    unfinished.rename(_path(directory, number, settings["part"]))


def _path(directory: Path, number: int, part: str) -> Path:
    return directory / f"{number:05}.{part}.csv"


def _settings(directory: Path, part: str) -> dict[str, Any]:
    settings: dict[str, Any] = json.loads((directory / f"{part}.json").read_text())
    return settings


def read(directory: Path) -> Iterator[Compared]:
    """Every decision of the chunks that are both rated and played."""
    settings = [_settings(directory, part) for part in PARTS]
    apart = [name for name in SHARED if settings[0][name] != settings[1][name]]
    if apart:
        raise click.ClickException(f"{directory}: rated and played by different {', '.join(apart)}")
    for path in sorted(directory.glob("*.rated.csv")):
        other = path.with_name(path.name.replace("rated", "played"))
        if other.exists():
            with path.open(newline="") as ratings, other.open(newline="") as plays:
                for row, of_play in zip(csv.DictReader(ratings), csv.DictReader(plays), strict=True):
                    kind, values = (row["kind"], int(row["round"]), row["seat"]), (row["points"], row["double_dummy"])
                    own = int(of_play["points"]), int(of_play["double_dummy"])
                    yield Compared(*kind, float(values[0]), float(values[1]), *own)


# ---- what comes of it ---------------------------------------------------------------------------


def _mean(values: NDArray[np.float64]) -> dict[str, float]:
    error = values.std(ddof=1) / len(values) ** 0.5 if len(values) > 1 else float("nan")
    return {"mean": round(float(values.mean()), 5), "stderr": round(float(error), 5)}


def summary(rows: Sequence[Compared], bins: int = 0) -> dict[str, Any]:
    """Means of one kind, each with its standard error, over decisions.

    ``rated_less_played`` is the figure in question. ``worlds``: the same if all see all cards; it tells whether the
    rating's worlds, and how the auction goes on in them, are those that come up, whoever plays the cards. ``play``: the
    figure in question, less what the luck of the deals explains of it: the worlds' difference times the slope. Its
    error is smaller, and it is blind to a fault of the worlds by as much as the slope says.

    ``bins``: as many groups of equal size by the rated double-dummy points, which share no luck with the play of either
    side; groups by the rated points themselves would each hold ratings that luck made high or low.
    """
    rating, seen, result, own = (
        np.array([getattr(row, name) for row in rows], dtype=np.float64)
        for name in ("rated", "rated_seen", "played", "played_seen")
    )
    apart, worlds = rating - result, seen - own
    slope = float(np.cov(apart, worlds)[0, 1] / worlds.var(ddof=1)) if len(rows) > 1 and worlds.any() else 0.0
    told: dict[str, Any] = {
        "decisions": len(rows),
        "played": _mean(result),
        "rated_less_played": _mean(apart),
        "double_dummy_less_played": _mean(seen - result),
        "worlds": _mean(worlds),
        "play": _mean(apart - slope * worlds),
        "slope": round(slope, 4),
    }
    if bins:
        groups = np.array_split(np.argsort(seen, kind="stable"), bins)
        told["bins"] = [
            {"rated": _mean(rating[those]), "played": _mean(result[those])} for those in groups if len(those)
        ]
    return told


def report(rows: Sequence[Compared]) -> dict[str, dict[str, Any]]:
    """A summary of each kind with its bins, and of parts of kinds."""
    kinds, parts = defaultdict(list), defaultdict(list)
    for row in rows:
        kinds[row.kind].append(row)
        if row.kind in ("pass", "alone"):
            parts[f"{row.kind}, round {row.round}"].append(row)
            parts[f"{row.kind}, {row.seat}"].append(row)
        elif row.kind == "name":
            parts[f"{row.kind}, {row.seat}"].append(row)
    return {
        "kinds": {kind: summary(kinds[kind], BINS) for kind in KINDS if kinds[kind]},
        "parts": {part: summary(parts[part]) for part in sorted(parts)},
    }


def table(figures: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Summaries as the lines of a table in Markdown."""
    yield "| bid | decisions | played | rated less played | worlds | play | double dummy less played |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for name, told in figures.items():
        means = " | ".join(f"{told[key]['mean']:+.3f} ± {told[key]['stderr']:.3f}" for key in MEANS)
        seen = told["double_dummy_less_played"]["mean"]
        yield f"| {name} | {told['decisions']:,} | {told['played']['mean']:+.3f} | {means} | {seen:+.3f} |"


@click.group()
def main() -> None:
    """Rated values of bids against deals played out by players."""


def _options(command: Callable[..., None]) -> Callable[..., None]:
    """What both parts of a run are told."""
    for option in reversed(
        (
            click.argument("directory", type=click.Path(path_type=Path)),
            click.option("--chunks", default=400, show_default=True),
            click.option("--each", default=50, show_default=True, help="Decisions of each kind in a chunk."),
            click.option("--rules", default="american", show_default=True),
            click.option("--seed", default=1, show_default=True),
            click.option("--workers", default=1, show_default=True),
        )
    ):
        command = option(command)
    return command


@main.command()
@_options
@click.option("--player", default="pimc:200", show_default=True, help="Who plays the cards, as for a match.")
def play(directory: Path, chunks: int, workers: int, **settings: Any) -> None:
    """Play the decisions out, chunk by chunk, those that are there already left out."""
    _run(directory, chunks, workers, {"part": "played", **settings})


@main.command("rate")
@_options
@click.option("--worlds", default=WORLDS, show_default=True, help="Of each rating.")
def rate_command(directory: Path, chunks: int, workers: int, **settings: Any) -> None:
    """Rate the decisions, chunk by chunk, those that are there already left out."""
    _run(directory, chunks, workers, {"part": "rated", **settings})


def _run(directory: Path, chunks: int, workers: int, settings: dict[str, Any]) -> None:
    settings |= {"policy": policy_for(preset(settings["rules"])).name, "engine": engine_version()}
    directory.mkdir(parents=True, exist_ok=True)
    kept = directory / f"{settings['part']}.json"
    if kept.exists() and json.loads(kept.read_text()) != settings:
        raise click.ClickException(f"{directory} holds a run with other settings")
    kept.write_text(json.dumps(settings, indent=1) + "\n")
    missing = [number for number in range(chunks) if not _path(directory, number, settings["part"]).exists()]
    with ProcessPoolExecutor(workers) as pool:
        jobs = [pool.submit(_write_chunk, directory, settings, number) for number in missing]
        for job in tqdm(as_completed(jobs), total=len(jobs)):
            job.result()


def _rolled_out(
    position: Position, bid: Bid, policy: Policy, worlds: Sequence[tuple[int, int]], seed: int
) -> list[float]:
    """Net points of the makers, as the bid ends the auction, with each number of worlds; means of four rollouts."""
    assert position.auction is not None
    auction = position.auction.after(bid)
    contract, rules = auction.contract, position.rules
    assert contract is not None
    dealt = np.array([[hand.bits if hand is not None else 0 for hand in position.deal.hands]], dtype=np.uint64)
    (start,) = starts(policy, Ending(auction, np.arange(1)), dealt)
    points = np.array([makers_points(rules, contract.alone, won) for won in range(HAND_SIZE + 1)])
    return [
        float(
            points[
                rollouts(
                    start.play(),
                    start.held.repeat(ROLLED, axis=0),
                    None,
                    rules.seating.seats_of(rules.seating.side(contract.maker)),
                    out=start.out.repeat(ROLLED, axis=0),
                    taken=start.taken,
                    hidden=start.hidden,
                    points=points.tolist(),
                    inner=inner,
                    seed=seed + at,
                )[:, 0]
            ].mean()
        )
        for at, inner in enumerate(worlds)
    ]


def _worlds_of_chunk(
    directory: Path, settings: Mapping[str, Any], number: int, worlds: Sequence[tuple[int, int]]
) -> list[tuple[str, list[float]]]:
    policy, rows = policy_for(preset(settings["rules"])), []
    with _path(directory, number, "played").open(newline="") as file:
        for (position, bid, random), row in zip(chunk(settings, number), csv.DictReader(file), strict=True):
            if bid != PASS:
                found = _rolled_out(position, bid, policy, worlds, random.getrandbits(62))
                kind = f"{row['kind']}, {row['seat']}" if row["kind"] in ("name", "alone") else row["kind"]
                rows.append((kind, [each - int(row["points"]) for each in found]))
    return rows


@main.command("worlds")
@click.argument("directory", type=click.Path(path_type=Path, exists=True))
@click.option("--chunks", default=400, show_default=True)
@click.option("--worlds", multiple=True, default=("32", "16", "16/8", "12", "8/4"), show_default=True)
@click.option("--workers", default=1, show_default=True)
def worlds_command(directory: Path, chunks: int, worlds: Sequence[str], workers: int) -> None:
    """What makers get in rollouts, less what they got as the same deals were played."""
    settings, pairs, found = _settings(directory, "played"), [inner_of(each) for each in worlds], defaultdict(list)
    numbers = [number for number in range(chunks) if _path(directory, number, "played").exists()]
    with ProcessPoolExecutor(workers) as pool:
        jobs = [pool.submit(_worlds_of_chunk, directory, settings, number, pairs) for number in numbers]
        for job in tqdm(as_completed(jobs), total=len(jobs)):
            for kind, apart in job.result():
                found[kind].append(apart)
    for kind in sorted(found):
        columns = np.array(found[kind]).T
        told = (f"{name} {_told(values)}" for name, values in zip(worlds, columns, strict=True))
        click.echo(f"{kind}, {columns.shape[1]:,} deals: {', '.join(told)}")


def _told(values: NDArray[np.float64]) -> str:
    mean = _mean(values)
    return f"{mean['mean']:+.4f} ± {mean['stderr']:.4f}"


@main.command("report")
@click.argument("directories", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option("--write", type=click.Path(path_type=Path), help="A file for the figures, for the picture.")
def report_command(directories: Sequence[Path], write: Path | None) -> None:
    """Print the figures of runs so far, of all of them together."""
    settings = [{part: _settings(directory, part) for part in PARTS} for directory in directories]
    if len({each["played"]["seed"] for each in settings}) < len(settings):
        raise click.ClickException("two of these runs have the same seed, and so the same decisions")
    figures = report([row for directory in directories for row in read(directory)])
    for part in figures.values():
        click.echo("\n".join(table(part)))
    if write is not None:
        write.write_text(json.dumps({"settings": settings, **figures}, indent=1) + "\n")


if __name__ == "__main__":
    main()
