"""What is delivered: the wheel and the sdist, and that the tests look at the wheel.

`make test` sets RIGHTBOWER_WHEEL_TEST=1 and RIGHTBOWER_DIST to the directory of the built files. Without them
(a quick `pytest` in the source tree) only the facts that hold there are checked.
"""

import importlib
import importlib.machinery
import importlib.metadata
import os
import re
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("solver", "api")
GENERATED = (".c", ".so", ".pyd", ".pyc", ".pyo")

wheel_test = pytest.mark.skipif(
    os.environ.get("RIGHTBOWER_WHEEL_TEST") != "1", reason="not run from an installed wheel (make test does)"
)


@pytest.fixture(scope="module")
def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def the_only(pattern: str) -> Path:
    directory = os.environ.get("RIGHTBOWER_DIST")
    if directory is None:
        pytest.skip("RIGHTBOWER_DIST names no directory of built files (make test does)")
    (found,) = Path(directory).glob(pattern)
    return found


@pytest.fixture(scope="module")
def wheel() -> Path:
    return the_only("*.whl")


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.fixture(scope="module")
def sdist_names() -> set[str]:
    """Files of the sdist, without the directory that holds them all."""
    with tarfile.open(the_only("*.tar.gz")) as archive:
        return {member.name.partition("/")[2] for member in archive if member.isfile()}


def in_packages(names: set[str]) -> set[str]:
    return {name for name in names if name.split("/")[0] in PACKAGES}


def compiled_modules(names: set[str]) -> set[str]:
    """`solver/engine/search` for `solver/engine/search.cpython-….so`."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    return {name.removesuffix(suffix) for name in names if name.endswith(suffix)}


@wheel_test
@pytest.mark.parametrize("package", PACKAGES)
def test_packages_come_from_the_installed_wheel(package: str) -> None:
    directory = Path(importlib.import_module(package).__file__ or "").parent
    assert directory.parent == Path(sysconfig.get_path("platlib"))
    assert not (ROOT / package).exists(), "the tests were not copied away from the source tree"


@wheel_test
def test_engine_is_compiled_code_from_the_wheel(wheel_names: set[str]) -> None:
    modules = compiled_modules(wheel_names)
    assert "solver/engine/search" in modules
    for module in modules:
        file = importlib.import_module(module.replace("/", ".")).__file__ or ""
        assert file.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))


def test_version_is_the_one_in_pyproject(project: dict) -> None:
    assert importlib.metadata.version("rightbower") == project["project"]["version"]


def test_built_files_carry_the_version(project: dict, wheel: Path) -> None:
    version = project["project"]["version"]
    assert wheel.name.startswith(f"rightbower-{version}-")
    assert the_only("*.tar.gz").name == f"rightbower-{version}.tar.gz"


def test_command_is_installed() -> None:
    (command,) = importlib.metadata.entry_points(group="console_scripts", name="rightbower")
    assert command.value == "solver.cli:main"


@pytest.mark.parametrize("package", PACKAGES)
def test_wheel_is_typed(wheel_names: set[str], package: str) -> None:
    assert f"{package}/py.typed" in wheel_names


def test_wheel_has_source_and_stub_of_every_compiled_module(wheel_names: set[str]) -> None:
    modules = compiled_modules(wheel_names)
    assert modules
    assert {f"{module}{suffix}" for module in modules for suffix in (".pyx", ".pyi")} <= wheel_names


def test_every_pyx_is_compiled(wheel_names: set[str]) -> None:
    sources = {name.removesuffix(".pyx") for name in wheel_names if name.endswith(".pyx")}
    assert sources == compiled_modules(wheel_names), "setup.py lists the extensions by name"


def test_wheel_has_every_file_of_the_packages(wheel_names: set[str], sdist_names: set[str]) -> None:
    missing = in_packages(sdist_names) - wheel_names
    assert not missing, "package data is declared in pyproject.toml"


def test_wheel_has_nothing_but_the_packages(wheel_names: set[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_wheel_ships_the_license(wheel_names: set[str]) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel_names)


def test_no_generated_file_is_shipped(wheel_names: set[str], sdist_names: set[str]) -> None:
    compiled = {f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}" for name in compiled_modules(wheel_names)}
    assert not {name for name in wheel_names - compiled if name.endswith(GENERATED)}
    assert not {name for name in sdist_names if name.endswith(GENERATED)}


def test_sdist_can_build_and_test_itself(sdist_names: set[str]) -> None:
    assert {"pyproject.toml", "setup.py", "README.md", "LICENSE", "CHANGELOG.md", "Makefile"} <= sdist_names
    assert {"solver/engine/search.pyx", "solver/engine/search.pyi", "solver/py.typed"} <= sdist_names
    assert {"tests/test_packaging.py", "requirements/dev.txt", "requirements/test.txt"} <= sdist_names


def test_build_tools_are_pinned_from_the_same_list(project: dict) -> None:
    assert set(project["build-system"]["requires"]) <= set(project["project"]["optional-dependencies"]["build"])


@pytest.mark.parametrize("name", ["runtime", "test", "build", "dev"])
def test_every_pin_has_hashes_and_names_no_place(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^(\S+==\S+)((?: \\\n +--hash=sha256:[0-9a-f]{64})*)", text, re.MULTILINE)
    assert pins
    assert [pin for pin, hashes in pins if not hashes] == []
    assert "://" not in text
    assert not re.search(r"^(-|--[a-z])", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["runtime", "test", "build"])
def test_pins_agree_with_those_of_development(name: str) -> None:
    def pins(file: str) -> set[str]:
        text = (ROOT / "requirements" / f"{file}.txt").read_text(encoding="utf-8")
        return set(re.findall(r"^\S+==\S+", text, re.MULTILINE))

    assert pins(name) <= pins("dev"), "run `make lock`"


def test_every_dependency_is_pinned(project: dict) -> None:
    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^A-Za-z0-9._-]", text)[0].lower().replace("_", "-") for text in requirements}

    def pinned(file: str) -> set[str]:
        text = (ROOT / "requirements" / f"{file}.txt").read_text(encoding="utf-8")
        return names(re.findall(r"^\S+(?===)", text, re.MULTILINE))

    required = names(project["project"]["dependencies"])
    extras = project["project"]["optional-dependencies"]
    assert required <= pinned("runtime")
    assert required | names(extras["test"]) <= pinned("test")
    assert names(extras["build"] + extras["lint"] + extras["dev"]) <= pinned("dev"), "run `make lock`"
