"""Many processes fill one cache while some are killed at random moments: all results are right, and the cache is whole.

The test uses a few kernels and kills. With RISH_LONG=1 there are 200 kernels and 50 kills, which takes 10 to 30 s:

    RISH_LONG=1 uv run pytest tests/jit/test_cache_stress.py

The processes are forked from one that has loaded numba, so most of their time is spent on compiling and storing. They
wait up to 20 ms before a finished file is renamed, so that many of them are killed at this point.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import long_runs
import rish_jit
from rish_jit import cache

PROCESSES, KERNELS, KILLS = (8, 200, 50) if long_runs.LONG else (4, 16, 6)
PAUSE = 0.16
"""The longest time between two kills, in seconds."""
PER_MODULE = 8
ARGUMENTS: tuple[Any, ...] = (3, 2.5, True)
"""Arguments of the kernels: every third one is called with all three, the others with the first."""
COMMON = """
from rish_jit import njit

STEP = 7

@njit
def step(x):
    return x + STEP
"""
KERNEL = """
@njit
def kernel_{i}(x):
    return step(x) * {i}
"""


def write_package(folder: Path) -> None:
    """Write a package of modules with small kernels that call a common helper."""
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "common.py").write_text(COMMON)
    for first in range(0, KERNELS, PER_MODULE):
        kernels = [KERNEL.format(i=i) for i in range(first, min(first + PER_MODULE, KERNELS))]
        head = "from rish_jit import njit\nfrom many.common import step\n"
        (folder / f"part_{first // PER_MODULE}.py").write_text(head + "".join(kernels))


def calls() -> list[tuple[int, Any]]:
    """Return the number and the argument of each call."""
    return [(i, argument) for i in range(KERNELS) for argument in (ARGUMENTS if i % 3 == 0 else ARGUMENTS[:1])]


def kernel(i: int) -> Callable[[Any], Any]:
    """Return the kernel with a number."""
    return getattr(importlib.import_module(f"many.part_{i // PER_MODULE}"), f"kernel_{i}")


def call_all(seed: int) -> None:
    """Call every kernel in a random order, and check the results."""
    order = calls()
    random.Random(seed).shuffle(order)
    for i, argument in order:
        assert kernel(i)(argument) == (argument + 7) * i, (i, argument)


# In the process from which the others are forked


def wait_before(rename: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that waits up to 20 ms and then renames a file."""

    def renamed(*paths: Any) -> Any:
        time.sleep(random.random() * 0.02)
        return rename(*paths)

    return renamed


def start(seed: int) -> int:
    """Fork a process that calls every kernel, and exits with 1 after an error; return its process ID."""
    number = os.fork()
    if number:
        return number
    try:
        random.seed(seed)
        Path.replace = wait_before(Path.replace)
        call_all(seed)
    except BaseException:
        logging.exception("a process failed")
        os._exit(1)
    os._exit(0)


def storm() -> None:
    """Start processes, kill some at random moments, restart them, and print the numbers of kills and the exit codes."""
    logging.basicConfig(filename="log.txt", level=logging.INFO)
    rish_jit.njit(lambda x: x)(1)  # loads numba and all that it needs
    for i in range(KERNELS):
        kernel(i)
    chance, killed, ends = random.Random(5), 0, list[int]()
    seeds = iter(range(PROCESSES + 10 * KILLS))  # an end for processes that all fail
    running = {start(next(seeds)) for _ in range(PROCESSES)}
    while running:
        if killed < KILLS:
            time.sleep(chance.random() * PAUSE)
            os.kill(chance.choice(sorted(running)), signal.SIGKILL)
        number, status = os.wait()
        running.remove(number)
        if os.WIFSIGNALED(status):
            killed += 1
        else:
            ends.append(os.waitstatus_to_exitcode(status))
        if killed < KILLS or os.WIFSIGNALED(status):
            running.add(start(next(seeds)))
    print(json.dumps({"killed": killed, "ends": ends}))


def check() -> None:
    """Call every kernel in a process that may not open unfinished files, and print the number of compilations."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and Path(str(arguments[0])).name in left:
            raise AssertionError(arguments)

    left = [path.name for path in unfinished(Path("cache", "many"))]

    sys.addaudithook(refuse)
    call_all(0)
    print(rish_jit.compilations)


# The test


def run(step: str, folder: Path) -> subprocess.Popen[str]:
    """Run this file as a program that does one of the steps."""
    paths = os.pathsep.join([str(folder), str(Path(long_runs.__file__).parent)])
    environment = {**os.environ, "PYTHONPATH": paths, "RISH_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, __file__, step]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)


def whole_entries(folder: Path) -> set[str]:
    """Return the names of the entries in a folder; raise ValueError if one is damaged."""
    entries = {path.name: cache.read_entry(path) for path in folder.glob("*") if not path.name.startswith(".")}
    assert all(name == entry.key.file for name, entry in entries.items())
    return set(entries)


def unfinished(folder: Path) -> list[Path]:
    """Return the unfinished files in a folder."""
    return [path for path in folder.glob("*") if path.name.startswith(".")]


@pytest.mark.slow
@pytest.mark.skipif(not (rish_jit.available() and hasattr(os, "fork")), reason="needs numba and fork")
def test_processes_that_are_killed_do_no_harm(tmp_path: Path) -> None:
    """No entry is ever damaged by a kill, and at the end a new process loads all kernels, with the right results."""
    write_package(tmp_path / "many")
    entries = tmp_path / "cache" / "many"
    with run("storm", tmp_path) as process:
        while process.poll() is None:
            whole_entries(entries)
            time.sleep(0.1)
        found = json.loads(process.communicate()[0])
    assert found["killed"] == KILLS
    assert len(found["ends"]) >= PROCESSES
    assert set(found["ends"]) == {0}
    names = whole_entries(entries)
    assert len(names) == len(calls()) + len(ARGUMENTS)  # those of the kernels, and of the helper
    log = (tmp_path / "log.txt").read_text()
    assert not [name for name in names if name in log]  # none was damaged
    (entries / ".unfinished-half").write_bytes((entries / max(names)).read_bytes()[:5000])
    with run("check", tmp_path) as process:
        assert process.communicate()[0] == "0\n"


if __name__ == "__main__":
    {"storm": storm, "check": check}[sys.argv[1]]()
