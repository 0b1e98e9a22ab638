"""The command ``rightbower``. Exit status: 0 done, 1 some input was bad (named on stderr, the rest done), 2 usage."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import click
from tqdm import tqdm

from solver.analysis.analyze import analyze
from solver.analysis.rate import rate_bid
from solver.analysis.trace import played, trace, traceable
from solver.batch.commands import batch_commands, worker_command
from solver.bidding.commands import policy_commands
from solver.commands.logs import BAD_INPUT, convert_command, formats_command
from solver.commands.review import review_command
from solver.diagram import LETTERS, SIGNS, draw_analysis, draw_played, draw_rating, draw_trace
from solver.errors import Fault, InvalidInput, RightbowerError
from solver.game.record import DealRecord
from solver.game.rules import DEFAULT_PRESET, PRESETS, Rules
from solver.logs import FORMATS, read
from solver.logs.places import placed, printable
from solver.match import Bidding, Match, play_match
from solver.notation.answers import AnalysisAnswer, RatingAnswer, TraceAnswer
from solver.notation.deal_code import read_code, read_rules
from solver.notation.query import read_query, rules_told
from solver.notation.rate_query import read_rate_query
from solver.notation.rules_document import rules_document
from solver.notation.strict_json import Json, loads

#: A number of an option: Python reads no number of thousands of digits.
_NUMBER = re.compile("[0-9]{1,9}")
#: Deals of a match between two lines of progress.
LINE_EVERY = 100


class _Commands(click.Group):
    """The commands; output that cannot be written ends them with a message. A pipe that was closed is click's."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            what = error.strerror or str(error)
            raise click.ClickException(printable(f"{error.filename}: {what}" if error.filename else what)) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="rightbower")
def main() -> None:
    """Hand analysis for Euchre."""


for each in (policy_commands, convert_command, formats_command, review_command, batch_commands, worker_command):
    main.add_command(each)


@main.command("analyze")
@click.argument("source", metavar="CODE|FILE|-")
@click.option("--viewpoint", metavar="SEAT", help="Use only what this seat, which is to act, can have seen.")
@click.option("--worlds", metavar="N|all", help="Worlds that are sampled for the viewpoint (default 1000).")
@click.option("--seed", type=int, help="Equal seeds sample equal worlds (default 0).")
@click.option("--method", help="How worlds are played out: pimc or rollout.")
@click.option("--score", metavar="A:B", help="Points of NS and EW (two-handed: N and S): compare by the game.")
@click.option("--json", "as_json", is_flag=True, help="Print what HTTP would answer.")
def analyze_command(source: str, as_json: bool, **options: str | int | None) -> None:
    """Analyze a deal: a deal code, a file with a code or a JSON document, or - for standard input."""
    try:
        document = _document(source)
        if isinstance(document, dict):
            document |= {name: value for name, value in options.items() if value is not None}
            _read_options(document)
        answer = analyze(**read_query(document))
    except InvalidInput as error:
        _complain(error.faults)
        sys.exit(BAD_INPUT)
    click.echo(json.dumps(AnalysisAnswer().dump(answer)) if as_json else draw_analysis(answer, _suits()))


@main.command("rate")
@click.argument("source", metavar="CODE|FILE|-")
@click.option("--bid", help="Give a verdict on this bid.")
@click.option("--worlds", metavar="N|precise|adaptive", help="Worlds that are played (default precise).")
@click.option("--seed", type=int, help="Equal seeds give equal answers (default 0).")
@click.option("--method", help="How the cards are played: rollout or double-dummy.")
@click.option("--score", metavar="A:B", help="Points of NS and EW (two-handed: N and S) before this deal.")
@click.option("--json", "as_json", is_flag=True, help="Print what HTTP would answer.")
def rate_command(source: str, as_json: bool, **options: str | int | None) -> None:
    """Rate the bids of the seat to bid: a deal code, a file with a code or a JSON document, or - for standard input.

    Only the hand of that seat is used; the others bid by a policy.
    """
    try:
        document = _document(source)
        if isinstance(document, dict):
            document |= {name: value for name, value in options.items() if value is not None}
            _read_options(document)
        rating = rate_bid(**read_rate_query(document), threads=min(os.cpu_count() or 1, 8))
    except InvalidInput as error:
        _complain(error.faults)
        sys.exit(BAD_INPUT)
    click.echo(json.dumps(RatingAnswer().dump(rating)) if as_json else draw_rating(rating))


def _read_options(document: dict[str, Json]) -> None:
    """Bring options of the command line into the form of a document."""
    worlds, score = document.get("worlds"), document.get("score")
    if isinstance(worlds, str) and _NUMBER.fullmatch(worlds):
        document["worlds"] = int(worlds)
    if isinstance(score, str):
        points = score.split(":")
        if len(points) != 2 or not all(map(_NUMBER.fullmatch, points)):
            raise click.UsageError(f"--score takes two numbers such as 6:4, not {score[:40]!r}")
        sides = [side.value for side in rules_told(document).seating.sides]
        document["score"] = dict(zip(sides, map(int, points), strict=True))


def _document(source: str) -> Json:
    """What is to be analyzed, as a JSON document: from standard input, a file, or ``source`` itself."""
    if source == "-":
        if sys.stdin is None:
            raise click.UsageError("standard input is closed")
        return _from_text(_decoded(sys.stdin.buffer.read(), "standard input"))
    if source.lstrip().startswith("{"):
        return loads(source)
    try:
        if Path(source).is_file():
            return _from_text(_decoded(Path(source).read_bytes(), source))
    except OSError as error:
        # A deal code may be longer than the name of any file.
        if error.errno != errno.ENAMETOOLONG:
            raise InvalidInput([_unreadable(error, source)]) from None
    try:
        read_code(source)
    except InvalidInput as error:
        raise InvalidInput(
            Fault(fault.code, f"there is no such file, and as a deal code: {fault.message}") for fault in error.faults
        ) from None
    return {"code": source}


def _from_text(text: str) -> Json:
    return loads(text) if text.lstrip().startswith(("{", "[")) else {"code": text}


def _decoded(content: bytes, place: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput([Fault("file.unreadable", f"{place} is not UTF-8: byte {error.start}")]) from None


def _unreadable(error: OSError, path: object) -> Fault:
    return Fault("file.unreadable", f"{path} cannot be read: {error.strerror or error}")


@main.command("trace")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each deal that has a trace.")
@click.option("--format", "format_name", type=click.Choice([each.name for each in FORMATS]), help="Do not detect it.")
def trace_command(files: Sequence[Path], as_json: bool, format_name: str | None) -> None:
    """Trace the play of recorded deals: the double-dummy value before the lead, and each card that lost tricks."""
    bad = False
    for path in files:
        for record in _records(path, format_name):
            if isinstance(record, DealRecord):
                bad |= not _trace_deal(path, record, as_json)
            else:
                click.echo(placed(record, str(path)), err=True)
                bad = True
    if bad:
        sys.exit(BAD_INPUT)


def _records(path: Path, format_name: str | None) -> Iterator[DealRecord | Fault]:
    """The deals of a file, and the faults of what is none."""
    try:
        for game in read(path, format_name):
            yield from game.faults
            yield from game.deals
    except InvalidInput as error:
        yield from error.faults
    except OSError as error:
        yield _unreadable(error, "it")


def _trace_deal(path: Path, record: DealRecord, as_json: bool) -> bool:
    """Print the trace of one deal, or what can be said without; False if it has faults."""
    place = f"{path}: deal {record.number}: "
    position = record.position
    problems = position.problems()
    if not problems and traceable(position):
        traced = trace(position)
        if as_json:
            click.echo(json.dumps({"file": str(path), "deal": record.number, **TraceAnswer().dump(traced)}))
        else:
            click.echo(f"{place}{draw_trace(traced)}\n")
    elif not as_json:
        click.echo(f"{place}{draw_played(position, played(position))}")
        click.echo("  no double-dummy trace\n" if problems or position.contract is not None else "")
    unfinished = {fault.code for fault in problems} == {"hand.missing"}
    for fault in record.faults or (() if unfinished else problems):
        click.echo(placed(fault, str(path), record.number), err=True)
    return not record.faults and (not problems or unfinished)


@main.command("match")
@click.argument("first")
@click.argument("second")
@click.option("--deals", default=1000, show_default=True, type=click.IntRange(1), help="Each is played twice.")
@click.option("--rules", "rules_name", default=DEFAULT_PRESET, show_default=True, help="A preset.")
@click.option(
    "--bidding",
    default=Bidding.OWN.value,
    show_default=True,
    type=click.Choice([each.value for each in Bidding]),
    help="Each player for itself, or contracts that are fixed.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 256), help="Processes.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A rule option; may be repeated.")
def match_command(
    first: str,
    second: str,
    deals: int,
    rules_name: str,
    bidding: str,
    seed: int,
    workers: int,
    options: Sequence[str],
) -> None:
    """Play duplicate deals between two players and report points a deal.

    A player is random, pimc, rollout, a method with its number of worlds such as pimc:50, or module:Class. Each bids,
    discards and plays for itself; with --bidding fixed one simple bidder makes the contracts for both, so that the
    cards alone decide. Points are the first player's, net.
    """
    try:
        rules = read_rules("~".join([rules_name, *(option.replace("=", "-", 1) for option in options)]))
        match = play_match(
            rules, first, second, deals, seed, bidding=Bidding(bidding), workers=workers, progress=_progress(deals)
        )
    except InvalidInput as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"{first} against {second}: {match.deals} deals, each played twice")
    click.echo(_points(match))


def _points(match: Match) -> str:
    low, high = match.interval
    return f"{match.mean:+.4f} points a deal, 95% from {low:+.4f} to {high:+.4f}"


def _progress(total: int) -> Callable[[Iterator[float]], Iterator[float]]:
    """A bar on a terminal; elsewhere a line with the points so far after every `LINE_EVERY` deals."""

    def lines(values: Iterator[float]) -> Iterator[float]:
        margins: list[float] = []
        for value in values:
            margins.append(value)
            if len(margins) % LINE_EVERY == 0 and len(margins) < total:
                click.echo(f"{len(margins)} of {total} deals: {_points(Match(tuple(margins)))}", err=True)
            yield value

    def bar(values: Iterator[float]) -> Iterator[float]:
        return iter(tqdm(values, total=total, unit="deal"))

    return bar if sys.stderr.isatty() else lines


@main.command("rules")
@click.option("--json", "as_json", is_flag=True, help="Print what HTTP would answer.")
def rules_command(as_json: bool) -> None:
    """List the presets, each with what it changes, and the options with what they take, default first."""
    document = rules_document()
    if as_json:
        click.echo(json.dumps(document))
        return
    click.echo("Presets")
    for name, rules in PRESETS.items():
        changes = ", ".join(f"{key} = {_shown(value)}" for key, value in rules.differences(Rules()).items())
        click.echo(f"  {name:<12} {changes or 'the default'}")
    click.echo("\nOptions")
    for name, option in document["options"].items():
        values = option.get("values") or [option["default"], f"{option['minimum']} to {option['maximum']}"]
        later = "".join(f" ({_shown(value)} not yet)" for value in option.get("not_supported_yet", ()))
        click.echo(f"  {name:<36} {', '.join(_shown(value) for value in values)}{later}")


def _shown(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@main.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes.")
@click.option("--threads", default=8, show_default=True, type=click.IntRange(1, 256), help="Threads of each process.")
@click.option(
    "--batch-workers",
    default=1,
    show_default=True,
    type=click.IntRange(0, 64),
    help="Processes that work on batches; with 0 run `rightbower worker` somewhere.",
)
def serve_command(host: str, port: int, workers: int, threads: int, batch_workers: int) -> None:
    """Serve the HTTP API and its page, and work on the batches that are handed in."""
    # Imported here: the API is built on this package, and no other command needs it.
    try:
        from api.serve import serve
        from api.together import PartStopped, serve_together
    except ValueError as error:
        # gunicorn reads this variable while it is imported, though nothing here uses it.
        raise click.UsageError(f"WEB_CONCURRENCY, if it is set, is a whole number: {error}") from None

    try:
        if batch_workers:
            options = ["--host", host, "--port", str(port), "--workers", str(workers), "--threads", str(threads)]
            serve_together(options, batch_workers, lambda message: click.echo(message, err=True))
        else:
            serve(host, port, workers, threads)
    except PartStopped as error:
        raise click.ClickException(str(error)) from None
    except RightbowerError as error:
        raise click.UsageError(str(error)) from None


def _suits() -> str:
    """Suit signs where the terminal can show them, else letters."""
    try:
        SIGNS.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return LETTERS
    return SIGNS


def _complain(faults: Sequence[Fault], place: str = "") -> None:
    for fault in faults:
        click.echo(f"{place}{fault} [{fault.code}]", err=True)
