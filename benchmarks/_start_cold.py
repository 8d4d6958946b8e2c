"""First starts of games: with an empty cache of kernels, and with the cache that such a start left."""

from __future__ import annotations

import functools
import subprocess
import tempfile
import time
from collections.abc import Callable

from ._clocks import cpu_of_children
from ._start_commands import rish_command, usual_environment
from ._task import Task, figure
from ._worker import ROOT

_TIMEOUT = 300
_BEFORE = {"lantern": "physics"}
"""Games that start with the cache that another one left."""


@functools.cache
def _cold(game: str) -> tuple[float, float]:
    """Start a game that has no compiled kernels; return the seconds until it ended, and the processor time."""
    if game in _BEFORE:
        _cold(_BEFORE[game])
    wall, processor = time.perf_counter(), cpu_of_children()
    _start(game)
    return time.perf_counter() - wall, cpu_of_children() - processor


@functools.cache
def _folder(game: str) -> tempfile.TemporaryDirectory[str]:
    return _folder(_BEFORE[game]) if game in _BEFORE else tempfile.TemporaryDirectory()


def _start(game: str) -> None:
    """Run a game until its first frame, without a window."""
    command = rish_command("run", f"games/{game}", "--headless", "--backend", "software", "--frames", "1")
    environment = {**usual_environment(), "RISH_CACHE_DIR": _folder(game).name}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=_TIMEOUT, check=False)
    if done.returncode:
        raise RuntimeError(f"{game} ended with code {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the task of `cold_physics`, `cpu_physics` or `warm_physics`."""
    what, _, game = name.partition("_")
    if what == "warm":
        return functools.partial(_warm, game)
    if what not in ("cold", "cpu") or not (ROOT / "games" / game).is_dir():
        raise AttributeError(name)
    return functools.partial(_figure, game, what == "cpu")


def _warm(game: str) -> Task:
    _cold(game)
    return Task(functools.partial(_start, game), clock="wall")


def _figure(game: str, processor: bool) -> Task:
    found = _cold(game)[processor]
    return figure(lambda: found)
