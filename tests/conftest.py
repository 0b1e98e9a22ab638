"""How generated examples are drawn: the same ones each time, so that a run says something of the change that it tests.

`make test PYTEST_ARGS=--hypothesis-profile=explore` draws others. What it finds becomes a test of its own.
"""

from __future__ import annotations

from hypothesis import settings

# No deadlines: machines are shared, and a wall time proves nothing.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile("repeatable")
