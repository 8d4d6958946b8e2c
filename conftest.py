"""What holds for all tests: how many processes run them, and how hypothesis draws its examples.

All processors run the whole suite, one runs tests that somebody names. Examples have no time limit, for the first one
may have to wait for a kernel, and any of them for a busy machine. In CI they are the same in each run, so that a change
is judged by what it changes; elsewhere each run looks at new ones.
"""

from __future__ import annotations

import os

import hypothesis
import pytest

hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """What `-n auto` means here. Workers take seconds to start, which a single file does not repay."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    processors = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return 0 if named or config.option.usepdb else processors
