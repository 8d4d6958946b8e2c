"""Settings for all tests: the number of processes, and how hypothesis chooses its examples.

The complete suite runs on all processors, tests that are named on the command line run on one. Examples have no time
limit, since the first one may wait for a kernel to compile, and any of them for a busy machine. In CI the examples are
the same in each run, so that a change is judged only by its effect; elsewhere each run has new ones.
"""

from __future__ import annotations

import os

import hypothesis
import pytest

hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of workers for `-n auto`. Workers start in seconds, too slowly for a single file."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    affinity = getattr(os, "sched_getaffinity", None)  # not available on every system
    processors = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return 0 if named or config.option.usepdb else processors
