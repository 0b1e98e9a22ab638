# From a fresh clone: `make serve` starts the service, `make test` proves the package. Needed: Python 3.11 or newer with
# venv and headers, a C compiler, make. Everything else is installed, pinned, into .venv and .venv-test.
PYTHON ?= python3
BIND   ?= 127.0.0.1
PORT   ?= 8000
# More for pytest: make test PYTEST_ARGS='-k bower'
PYTEST_ARGS ?=

BIN       := .venv/bin
TEST_BIN  := .venv-test/bin
PACKAGED  := pyproject.toml setup.py MANIFEST.in README.md LICENSE
COMPILED  := $(wildcard solver/engine/*.pyx solver/engine/*.pxd)
STUBBED   := $(subst /,.,$(basename $(wildcard solver/engine/*.pyi)))
# What the tests may read besides themselves. Never solver/ or api/: those must come from the wheel.
TEST_TREE := $(wildcard tests benchmarks docs requirements pyproject.toml setup.py docker-compose.yml *.md)
PIP_INSTALL = -m pip install --quiet --disable-pip-version-check

.PHONY: help venv build serve dist lint test browser bench sanitize lock clean
.DELETE_ON_ERROR:

help:
	@echo 'make serve   build, then serve on http://$(BIND):$(PORT), with a worker for batches'
	@echo 'make test    build the wheel, lint, and run the tests against the installed wheel'
	@echo 'make sanitize   the engine and its tests under the address and undefined-behaviour sanitizers'
	@echo 'make build lint dist bench lock clean   the steps by themselves'

# --- environments

# $(call create_venv,DIRECTORY)
define create_venv
	@command -v $(PYTHON) >/dev/null || { echo 'make: no $(PYTHON) here. Try: make PYTHON=python3.12' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("make: Python 3.11 or newer is needed, $(PYTHON) is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo 'make: $(PYTHON) cannot make virtual environments. On Debian: apt install python3-venv' >&2; exit 1; }
	$(PYTHON) -m venv $(1)
endef

venv: .venv/installed

.venv/installed: requirements/dev.txt
	$(call create_venv,.venv)
	$(BIN)/python $(PIP_INSTALL) --require-hashes -r $<
	@touch $@

.venv-test/installed: requirements/test.txt
	$(call create_venv,.venv-test)
	$(TEST_BIN)/python $(PIP_INSTALL) --require-hashes -r $<
	@touch $@

# --- the package, in place and as files

build: .venv/built

.venv/built: .venv/installed $(COMPILED) pyproject.toml setup.py
	@$(BIN)/python -c 'import os, sys, sysconfig; os.path.exists(sysconfig.get_path("include") + "/Python.h") or sys.exit("make: no Python.h. On Debian: apt install python3-dev")'
	@command -v "$${CC:-cc}" >/dev/null || { echo 'make: no C compiler. On Debian: apt install gcc' >&2; exit 1; }
	@# setuptools warns of every editable install that it is one.
	PYTHONWARNINGS=ignore $(BIN)/python $(PIP_INSTALL) --no-build-isolation --no-deps --editable .
	@touch $@

# The wheel is built from the sdist, so a file missing from the sdist is noticed.
dist: .venv/installed
	rm -rf dist
	$(BIN)/python -m build --quiet --no-isolation --outdir dist

serve: build
	$(BIN)/rightbower serve --host $(BIND) --port $(PORT) --batch-workers 1

# --- checks

lint: build
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml --ignore-disjoint-bases $(STUBBED)
	PATH='$(CURDIR)/$(BIN)':$$PATH cython-lint solver  # which looks for pycodestyle on the PATH
	$(BIN)/hadolint Dockerfile

# The tests run from the wheel, in a copy outside this tree: what passes is what a user gets.
test: lint dist .venv-test/installed browser
	$(TEST_BIN)/python $(PIP_INSTALL) --no-deps --force-reinstall dist/*.whl
	tree=$$(mktemp -d) && trap 'rm -rf "$$tree"' EXIT && cp -R $(TEST_TREE) "$$tree" && cd "$$tree" && \
	RIGHTBOWER_WHEEL_TEST=1 RIGHTBOWER_DIST=$(CURDIR)/dist \
	$(CURDIR)/$(TEST_BIN)/python -m pytest -n auto --dist worksteal $(PYTEST_ARGS)

# The report is looked at in a browser. Root, as in a container, installs it; others are told how.
browser:
	@for each in chromium chromium-browser google-chrome; do command -v $$each >/dev/null && exit 0; done; \
	test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get -qq update && apt-get -qq install -y chromium || \
	{ echo 'make: no Chromium here, for the tests of pages. On Debian: apt install chromium' >&2; exit 1; }

bench: build
	$(BIN)/python -m benchmarks.signature

# The engine and its tests under the address and undefined-behaviour sanitizers, in a copy of the tree. Python itself
# leaks on purpose, so leaks are not looked for; numpy's own code is not instrumented.
SANITIZED := build/sanitized
sanitize: .venv/installed
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED)
	cp -R $(PACKAGED) solver $(wildcard api) tests benchmarks $(SANITIZED) && find $(SANITIZED) -name '*.so' -delete
	cd $(SANITIZED) && CFLAGS='-g -fsanitize=address,undefined -fno-sanitize-recover=all' \
	$(CURDIR)/$(BIN)/python setup.py --quiet build_ext --inplace
	cd $(SANITIZED) && ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$(CURDIR)/$(SANITIZED) \
	LD_PRELOAD="$$($${CC:-cc} -print-file-name=libasan.so) $$($${CC:-cc} -print-file-name=libubsan.so)" \
	$(CURDIR)/$(BIN)/python -m pytest -q -p no:cacheprovider tests/engine

# --- upkeep

# Pins come from the public index alone, whatever this machine's pip is set up to use; files that differ from its own
# would not match the hashes elsewhere. `make lock UPGRADE=--upgrade` moves every pin.
COMPILE = env -u PIP_FIND_LINKS -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL -u PIP_CONSTRAINT PIP_CONFIG_FILE=/dev/null \
	CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/pip-compile $(UPGRADE) --quiet --generate-hashes --allow-unsafe --strip-extras \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options

# Always with the oldest supported Python: its pins serve the newer ones, not the other way round.
lock: .venv/installed
	@$(BIN)/python -c 'import sys; sys.version_info[:2] == (3, 11) or sys.exit("make: lock with Python 3.11: make clean && make lock PYTHON=python3.11")'
	$(COMPILE) --output-file requirements/dev.txt --extra analytics --extra bench --extra build --extra cluster --extra dev --extra lint --extra postgresql --extra test pyproject.toml
	$(COMPILE) --output-file requirements/runtime.txt --constraint requirements/dev.txt pyproject.toml
	$(COMPILE) --output-file requirements/test.txt --constraint requirements/dev.txt --extra analytics --extra bench --extra cluster --extra postgresql --extra test pyproject.toml
	@# The build tools alone: as an extra of the project they would bring its dependencies along.
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["build"], sep="\n")' \
	| $(COMPILE) --output-file requirements/build.txt --constraint requirements/dev.txt -

clean:
	rm -rf .venv .venv-test build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . \( -name '*.so' -o -name __pycache__ \) -prune -exec rm -rf {} +
