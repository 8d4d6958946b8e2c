"""The tasks of the benchmark `platform`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rish_core import About
from rish_core.plugin import Member, smallest, solve

from ._start_commands import usual_environment
from ._task import Task

COUNT = 50


def list_50() -> Task:
    """List fifty packages that can't be imported, as `rish plugins list` does for a user."""
    folder = Path(tempfile.mkdtemp(prefix="rish-bench-"))
    for k in range(COUNT):
        info = folder / f"rish_bench{k}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: rish-bench{k}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[rish.plugins]\nbench{k} = rish_bench{k}.plugin\n")
    environment = {**usual_environment(), "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "rish_core", "plugins", "list"]

    def run() -> None:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
        assert done.stdout.count("rish-bench") == COUNT

    return Task(run, clock="wall", after=lambda: shutil.rmtree(folder))


def members(conflict: bool) -> list[Member]:
    """Return fifty plugins, each of which requires four others; with `conflict`, two of them exclude each other."""
    made: list[Member] = []
    for k in range(COUNT):
        requires = [f"p{each}>=1" for each in range(k + 1, min(k + 5, COUNT))]
        conflicts = [f"p{COUNT - 1}"] if conflict and k == COUNT // 2 else []
        made.append(Member(f"p{k}", About(requires=requires, conflicts=conflicts), "1.0"))
    return made


def solve_50() -> Task:
    """Check and order fifty plugins."""
    plugins = members(conflict=False)
    return Task(lambda: solve(plugins))


def explain_50() -> Task:
    """Find the smallest refused part of fifty plugins without requirements, two of which exclude each other."""
    plugins = {f"p{k}": Member(f"p{k}", About(conflicts=["p41"] if k == 7 else [])) for k in range(COUNT)}

    def run() -> None:
        names = smallest([*plugins], lambda kept: bool(solve([plugins[name] for name in kept]).refusals))
        assert names == ["p7", "p41"]

    return Task(run)
