"""Who may import whom, as a table, checked against the imports that the source files state.

Imports under `if TYPE_CHECKING` and inside functions count like any other: a layer that needs another's types
knows of it.
"""

import ast
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest


class Layer(NamedTuple):
    """What the modules of one layer may import besides the standard library and their own layer."""

    ours: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


# `solver` and `api` by themselves stand for the public names of the package (`from solver import analyze`),
# `solver.*` and `api.*` for all that is in it. A module belongs to the first layer that holds it, so inner
# layers stand before outer ones.
WEB = (
    *("apispec", "flask", "flask_cors", "flask_limiter", "flask_smorest", "flask_swagger_ui", "gunicorn"),
    *("jinja2", "markupsafe", "marshmallow", "msgspec", "prometheus_client", "redis", "sqlalchemy"),
    *("structlog", "webargs", "werkzeug"),
)
TABLES = ("numpy", "polars", "pyarrow")
CLUSTER = ("dask", "distributed")

ERRORS = "solver.errors"
GAME = (ERRORS, "solver.game")
SEARCH = (*GAME, "solver.engine")
KNOWING = (*SEARCH, "solver.knowledge")
BIDDING = (*KNOWING, "solver.bidding")
LAYERS = {
    "solver.errors": Layer(),
    "solver.game": Layer((ERRORS,)),
    "solver.notation": Layer(GAME, ("marshmallow",)),
    # A log may be part of a JSON body, all of whose faults come together: so its schema stands here.
    "solver.logs": Layer((*GAME, "solver.notation"), ("marshmallow", "msgspec", "zstandard")),
    "solver.engine": Layer(GAME, ("numpy",)),
    "solver.knowledge": Layer(SEARCH, ("numpy",)),
    "solver.bidding": Layer(KNOWING, ("click", "numpy", "tqdm")),
    "solver.analysis": Layer(BIDDING, ("numpy",)),
    # Whole chunks of deals go from text to the kernel's arrays without a value of the game for each.
    "solver.batch": Layer(
        (*KNOWING, "solver.notation", "solver.logs", "solver.analysis"),
        ("alembic", "click", "msgspec", "sqlalchemy", "tqdm", "zstandard", *TABLES, *CLUSTER),
    ),
    # Reviews written for people: into records of games, as text and as pages.
    "solver.report": Layer((*GAME, "solver.notation", "solver.logs", "solver.analysis"), ("jinja2",)),
    "solver.diagram": Layer((*GAME, "solver.notation", "solver.analysis")),
    "solver.player": Layer((*BIDDING, "solver.notation", "solver.analysis")),
    "solver.match": Layer((*BIDDING, "solver.analysis", "solver.player")),
    # Commands that `solver.cli` puts together, a module for each subject. Reviews are done by the engines of batches.
    "solver.commands": Layer(
        (*GAME, "solver.notation", "solver.logs", "solver.analysis", "solver.batch", "solver.report"), ("click", "tqdm")
    ),
    # `rightbower serve` starts the service; nothing else in solver knows that there is one.
    "solver.cli": Layer(("solver.*", "api.serve", "api.together"), ("click", "numpy", "tqdm")),
    "solver": Layer(("solver.*",)),  # solver/__init__.py re-exports
    "api.endpoints": Layer(("api.*", "solver"), WEB),
    "api": Layer(
        ("api.*", "solver", *GAME, "solver.notation", "solver.logs", "solver.analysis", "solver.batch"),
        # zstandard: bodies come compressed.
        ("alembic", "click", "numpy", "zstandard", *CLUSTER, *WEB),
    ),
}
# The kernel knows bits, not cards: only the .py files beside it translate.
KERNEL = Layer((ERRORS, "solver.engine"), ("cython", "libc", "libcpp", "cpython", "posix", "numpy"))

OURS = ("solver", "api")
CIMPORT = re.compile(r"^\s*from\s+([\w.]+)\s+c?import\s+(.+)|^\s*c?import\s+(.+)", re.MULTILINE)


class Import(NamedTuple):
    """`from {module} import {name}`, or `import {module}` with no name; the module is absolute."""

    line: int
    module: str
    name: str = ""


class Source(NamedTuple):
    module: str
    path: Path
    is_package: bool


def sources(root: Path, package: str) -> Iterator[Source]:
    for path in sorted(root.rglob("*")):
        if path.suffix not in {".py", ".pyi", ".pyx", ".pxd"}:
            continue
        parts = [package, *path.relative_to(root).with_suffix("").parts]
        is_package = parts[-1] == "__init__"
        yield Source(".".join(parts[:-1] if is_package else parts), path, is_package)


def absolute(source: Source, module: str, level: int) -> str:
    if not level:
        return module
    base = source.module.split(".")
    base = base[: len(base) - level + source.is_package]
    return ".".join([*base, module] if module else base)


def python_imports(source: Source) -> Iterator[Import]:
    for node in ast.walk(ast.parse(source.path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = absolute(source, node.module or "", node.level)
            yield from (Import(node.lineno, module, alias.name) for alias in node.names)


def cython_imports(source: Source) -> Iterator[Import]:
    text = source.path.read_text(encoding="utf-8")
    text = re.sub(r'"""(?s:.*?)"""', lambda found: "\n" * found[0].count("\n"), text)
    text = re.sub(r"#.*", "", text)
    text = re.sub(r"\(\s*([\w\s,]*?)\s*\)", lambda found: " ".join(found[1].split()), text)
    for found in CIMPORT.finditer(text):
        line = text.count("\n", 0, found.start(1) if found[1] else found.start(3)) + 1
        names = [part.split(" as ")[0].strip() for part in (found[2] or found[3]).split(",") if part.strip()]
        if found[1]:
            dots = len(found[1]) - len(found[1].lstrip("."))
            module = absolute(source, found[1].lstrip("."), dots)
            yield from (Import(line, module, name) for name in names)
        else:
            yield from (Import(line, name) for name in names)


def imports(source: Source) -> Iterator[Import]:
    return python_imports(source) if source.path.suffix in {".py", ".pyi"} else cython_imports(source)


def within(module: str, layer: str) -> bool:
    return module == layer or module.startswith(f"{layer}.")


def layer_of(module: str) -> str:
    return next((layer for layer in LAYERS if within(module, layer)), module)


def target(found: Import, modules: set[str]) -> str:
    """The module that is reached: by `from solver import game` solver.game, not a public name of solver."""
    inner = f"{found.module}.{found.name}"
    return inner if found.name and inner in modules else found.module


def covers(entry: str, reached: str) -> bool:
    return reached == entry if entry in OURS else within(reached, entry.removesuffix(".*"))


def allowed(source: Source, reached: str) -> bool:
    top = reached.partition(".")[0]
    own = layer_of(source.module)
    is_kernel = source.path.suffix in {".pyx", ".pxd"}
    layer = KERNEL if is_kernel else LAYERS[own]
    if top in OURS:
        in_own = layer_of(reached) == own and not is_kernel
        return in_own or any(covers(entry, reached) for entry in layer.ours)
    return top in layer.others or top in sys.stdlib_module_names


def faults(root: Path, package: str, modules: set[str]) -> list[str]:
    return [
        f"{source.path.relative_to(root.parent)}:{found.line}: may not import {reached}"
        for source in sources(root, package)
        for found in imports(source)
        if not allowed(source, reached := target(found, modules))
    ]


def installed(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None, f"{package} is no package with an __init__.py"
    return Path(spec.origin).parent


@pytest.fixture(scope="module")
def modules() -> set[str]:
    return {source.module for package in OURS for source in sources(installed(package), package)}


@pytest.mark.parametrize("package", OURS)
def test_layers_import_only_what_they_may(package: str, modules: set[str]) -> None:
    assert faults(installed(package), package, modules) == []


def test_every_module_of_solver_has_a_layer(modules: set[str]) -> None:
    assert {m for m in modules if m.startswith("solver.") and layer_of(m) == "solver"} == set()


# The checker itself: each row is a file, a statement, and whether the table above lets it stand.
ROWS = [
    ("solver/game/cards.py", "import enum", True),
    ("solver/game/cards.py", "from solver.game.seats import Seat", True),
    ("solver/game/cards.py", "from .seats import Seat", True),
    ("solver/game/cards.py", "from solver import errors", True),
    ("solver/game/cards.py", "from ..errors import RightbowerError", True),
    ("solver/game/cards.py", "import numpy as np", False),
    ("solver/game/cards.py", "from solver.engine import search", False),
    ("solver/game/cards.py", "from ..engine import search", False),
    ("solver/game/cards.py", "def f():\n    from solver import engine", False),
    ("solver/game/cards.py", "from solver import analyze", False),
    ("solver/game/__init__.py", "from .cards import Card", True),
    ("solver/game/__init__.py", "from ..logs import read", False),
    ("solver/notation/codes.py", "from solver.game import cards", True),
    ("solver/notation/codes.py", "from solver.logs import egn", False),
    ("solver/logs/egn.py", "import solver.notation.codes", True),
    ("solver/logs/egn.py", "import solver.analysis", False),
    ("solver/engine/doubledummy.py", "from solver.game.deal import Deal", True),
    ("solver/engine/doubledummy.py", "from solver.notation import codes", False),
    ("solver/engine/search.pyi", "from solver.knowledge import worlds", False),
    ("solver/engine/search.pyx", "from libc.stdint cimport uint64_t", True),
    ("solver/engine/search.pyx", "from solver.engine.bits cimport low, high", True),
    ("solver/engine/search.pyx", "from .bits cimport (\n    low,\n    high,\n)", True),
    ("solver/engine/search.pyx", "cimport numpy as cnp", True),
    ("solver/engine/search.pyx", "from solver.game cimport cards", False),
    ("solver/engine/search.pyx", "from solver.game.cards import Card", False),
    ("solver/engine/search.pyx", '"""from solver.game import x"""', True),
    ("solver/engine/search.pyx", "# import solver.game", True),
    ("solver/knowledge/worlds.py", "from solver.bidding import policy", False),
    ("solver/bidding/rate.py", "from solver.knowledge import worlds", True),
    ("solver/analysis/review.py", "from solver.bidding import policy", True),
    ("solver/analysis/review.py", "from solver.logs import egn", False),
    ("solver/analysis/review.py", "from solver import cli", False),
    ("solver/analysis/review.py", "import flask", False),
    ("solver/batch/runner.py", "from solver import analysis, logs", True),
    ("solver/batch/runner.py", "from api.jobs import store", False),
    ("solver/cli.py", "from solver.engine import doubledummy", True),
    ("solver/cli.py", "from api.serve import serve", True),
    ("solver/cli.py", "from api import create_app", False),
    ("solver/cli.py", "import tests.strategies", False),
    ("solver/__init__.py", "from solver.analysis import analyze", True),
    ("solver/__init__.py", "from .engine.doubledummy import solve_batch", True),
    ("solver/__init__.py", "from api import create_app", False),
    ("api/__init__.py", "from api.config import Config", True),
    ("api/__init__.py", "from .endpoints import analyze", True),
    ("api/__init__.py", "from solver.engine import doubledummy", False),
    ("api/errors.py", "from solver.errors import RightbowerError", True),
    ("api/endpoints/analyze.py", "from solver import analyze", True),
    ("api/endpoints/analyze.py", "from ..schemas import position", True),
    ("api/endpoints/analyze.py", "from solver.analysis import analyze", False),
    ("api/endpoints/analyze.py", "from solver import engine", False),
    ("api/endpoints/analyze.py", "from benchmarks import corpus", False),
    ("api/jobs/run.py", "from solver.batch import runner", True),
    ("api/jobs/run.py", "from tests import strategies", False),
]


@pytest.mark.parametrize(("file", "statement", "fine"), ROWS)
def test_checker_reads_imports_rightly(tmp_path: Path, file: str, statement: str, fine: bool) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{statement}\n", encoding="utf-8")
    package = file.partition("/")[0]
    known = {*LAYERS, "solver.game.seats", "solver.game.cards", "solver.logs.egn", "solver.engine.search"}
    assert (faults(tmp_path / package, package, known) == []) is fine
