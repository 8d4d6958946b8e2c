"""How many processes run the tests: all processors for the whole suite, one for tests that somebody names."""

from __future__ import annotations

import os

import pytest


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """What `-n auto` means here. Workers take seconds to start, which a single file does not repay."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    processors = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return 0 if named or config.option.usepdb else processors
