"""Measures the processor time of each test, with the processes that it starts and waits for.

The limits are in `tests/limits.toml`. With `RISH_LIMITS=1`, which `.ci/run` sets, the run fails if a test or all of
them together use more. Each run of the whole suite names the ten tests that use most. The time that passes is not
measured, because machines are busy.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fresh_python

LIMITS = Path(__file__).parents[1] / "limits.toml"
NAME = "processor seconds"
"""The property of a test's report."""
_start = pytest.StashKey[float]()
_seconds: dict[str, float] = {}


def used() -> float:
    """Return the processor time of this process and of its finished children, seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system + fresh_python.seconds


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Remember when a test begins."""
    item.stash[_start] = used()
    return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[Any]:
    """Add the processor time to the last report of a test; fixtures that others share belong to the first test."""
    report: pytest.TestReport = yield
    if call.when == "teardown":
        report.user_properties.append((NAME, used() - item.stash[_start]))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect the times, also those of other processes."""
    seconds = dict(report.user_properties).get(NAME)
    if isinstance(seconds, float):
        _seconds[report.nodeid] = seconds


def excess(seconds: dict[str, float], limits: dict[str, Any]) -> list[str]:
    """Return what exceeds the limits, a line each. seconds: by test. limits: as in `tests/limits.toml`."""
    lines: list[str] = []
    for name, value in seconds.items():
        limit = limits["above"].get(name, limits["test"])
        if value > limit:
            lines.append(f"{name} uses {value:.1f} s of processor time; its limit is {limit:g} s")
    total = sum(seconds.values())
    if total > limits["suite"]:
        lines.append(f"all tests use {total:.0f} s of processor time; their limit is {limits['suite']:g} s")
    return lines


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let a run that has to keep the limits fail if it does not."""
    if hasattr(session.config, "workerinput") or not os.environ.get("RISH_LIMITS"):
        return
    session.config.stash[_excess] = excess(_seconds, tomllib.loads(LIMITS.read_text(encoding="utf-8")))
    if session.config.stash[_excess] and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


_excess = pytest.StashKey[list[str]]()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the tests that use most, and what exceeds the limits."""
    if config.args_source is pytest.Config.ArgsSource.ARGS and not os.environ.get("RISH_LIMITS"):
        return
    terminalreporter.section(f"processor time: {sum(_seconds.values()):.0f} s")
    for name, seconds in sorted(_seconds.items(), key=lambda pair: -pair[1])[:10]:
        terminalreporter.line(f"{seconds:6.1f} s  {name}")
    for line in config.stash.get(_excess, []):
        terminalreporter.line(line, red=True)
