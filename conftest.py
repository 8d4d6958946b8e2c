"""Settings of all tests: how many processes run them, how hypothesis draws its examples, and kernels that come first.

All processors run the complete suite, one runs tests that are named. Before the complete suite, the kernels that the
packages list are compiled in parallel, so that no two processes compile the same one. Examples have no time limit,
because the first one may wait for a kernel, and any of them for a busy machine. In CI the examples are the same in each
run, so that a change is judged by what it changes; elsewhere each run draws new ones. `RISH_LONG=1` draws ten times as
many.

Collecting creates a million objects that live until the end. Meanwhile Python's collector of garbage is off, and then
they are frozen: otherwise each full collection would scan them, which takes half a second. Tests leave little garbage,
so it is collected less often than usual.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import hypothesis
import pytest

from long_runs import long

pytest_plugins = ["processor_time"]
_EXAMPLES = long(200, 20)
hypothesis.settings.register_profile("here", deadline=None, max_examples=_EXAMPLES)
hypothesis.settings.register_profile("ci", deadline=None, max_examples=_EXAMPLES, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the listed kernels before the processes of the complete suite start."""
    whole = config.args_source is not pytest.Config.ArgsSource.ARGS and not config.option.collectonly
    if whole and not hasattr(config, "workerinput"):
        subprocess.run([sys.executable, "-m", "rish_core", "warmup"], check=True)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of processes for `-n auto`: one for named tests, because starting processes takes seconds."""
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    processors = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return 0 if named or config.option.usepdb else processors


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect the tests without the collector of garbage, and freeze what is there then."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 20)
        gc.enable()
