"""The compiled modules. Everything else about the package is in pyproject.toml."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

# solver/engine/NAME.pyx -> solver.engine.NAME. An explicit tuple: a stray .pyx is not part of the package.
ENGINE = ("draw", "endings", "four_seats", "questions", "rollout", "search", "three_tricks")

JOBS = os.cpu_count() or 1

# No -march=native: a wheel is built on one machine and runs on another. CFLAGS of the environment come as
# well, so that sanitizers need no change here.
COMPILE_ARGS = [] if os.name == "nt" else ["-O3", "-Wno-attributes"]

# `cdef inline` means it: the search is written once and compiled for several depths and processors, which is
# only worth it where the constants reach every helper.
MACROS = [] if os.name == "nt" else [("CYTHON_INLINE", "inline __attribute__((always_inline))")]

setup(
    ext_modules=cythonize(
        [
            Extension(
                f"solver.engine.{name}",
                [f"solver/engine/{name}.pyx"],
                extra_compile_args=COMPILE_ARGS,
                define_macros=MACROS,
            )
            for name in ENGINE
        ],
        build_dir="build/cython",  # generated C stays out of the source tree, and so out of every package
        nthreads=JOBS if len(ENGINE) > 1 else 0,
        compiler_directives={
            "language_level": 3,
            # The kernel works on C integers whose ranges its callers have checked.
            "boundscheck": False,
            "wraparound": False,
            "initializedcheck": False,
            "cdivision": True,
            # Neither pickling nor doctest helpers: they would be public names that no .pyi knows.
            "auto_pickle": False,
            "autotestdict": False,
        },
    ),
    options={"build_ext": {"parallel": JOBS}},
)
