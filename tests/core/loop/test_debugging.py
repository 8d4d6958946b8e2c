"""A debugger that stops the game is noticed: its time is no time of the game, and nothing counts as slow."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

from rish_core import App, parse_manifest
from rish_core.loop import debugged
from rish_core.loop.profile import Profiler
from rish_core.loop.slow import SlowSystems
from rish_ecs import Stage
from rish_frame import NullBackend


def traced(frame: FrameType) -> bool:
    """Return what is said of this call while a debugger traces a caller of it."""
    frame.f_trace = lambda *_: None
    try:
        return debugged()
    finally:
        del frame.f_trace


def test_a_debugger_is_noticed_by_its_module_its_traces_and_its_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """debugpy is noticed when it is attached; pdb while it waits, and in all that it has stopped."""
    assert not debugged()
    assert traced(sys._getframe())  # pyright: ignore[reportPrivateUsage]
    assert not debugged()
    ask = eval("lambda function: function()", {"__name__": "pdb"})
    assert ask(debugged)
    monkeypatch.setitem(sys.modules, "pydevd", SimpleNamespace())
    assert debugged()


@pytest.mark.parametrize("attached", [True, False])
def test_the_clock_goes_on_where_it_stood(attached: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """After fifteen seconds in a debugger the game runs one tick; after any other standstill it catches up a little."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr("rish_core.app.time", SimpleNamespace(perf_counter=lambda: clock.now))
    if attached:
        monkeypatch.setitem(sys.modules, "pydevd", SimpleNamespace())
    backend = NullBackend()
    backend.capabilities = backend.capabilities | {"window"}
    with App(parse_manifest("rish: 1\nplugins: [frame]"), backend=backend) as app:
        for seconds in (1 / 60, 15, 1 / 60):
            before = app.world.tick
            clock.now += seconds + 1e-6
            app.frame()
            assert app.world.tick - before == (5 if seconds == 15 and not attached else 1)
        assert (app.clock.dropped > 0) is not attached


def test_a_system_in_a_debugger_is_not_slow(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """No system is named while a debugger is attached."""
    caplog.set_level(logging.WARNING, "rish.schedule")
    monkeypatch.setitem(sys.modules, "pydevd", SimpleNamespace())
    profiler = Profiler()
    profiler.name_slots([("game.nap", Stage.UPDATE)])
    slow = SlowSystems(profiler)
    profiler.begin_frame()
    profiler.times[:1] = [3]
    profiler.begin -= 3
    profiler.end_frame()
    slow.look()
    assert caplog.messages == []


PLUGIN = '''
from rish_core import Session, Stage, system
from rish_scripts import Script


class Nap(Script):
    """Stops in its first tick."""

    def on_update(self, dt):
        if self.world.tick == 3:
            breakpoint()


@system(Stage.UPDATE, writes=Session)
def stop(world, dt):
    """Stops once."""
    if world.tick == 1:
        breakpoint()


def rish_scripts():
    return [Nap]


def rish_systems():
    return [stop]


def rish_frame_end(world):
    if world.tick == 2:
        breakpoint()
'''
TEXT = """
rish: 1
plugins: [scripts, watchdog]
settings:
  watchdog: {hang: 0.7, hang_policy: disable}
  scripts: {watchdog: 0.7, interrupt: 0.7}
scenes: {main: [{Nap: {}}]}
"""


@pytest.mark.slow
def test_breakpoints_of_systems_hooks_and_scripts_end_nothing(tmp_path: Path) -> None:
    """The game waits at each for as long as a person likes; nothing is named, stopped or set aside by a watchdog."""
    (tmp_path / "game.yaml").write_text(TEXT)
    (tmp_path / "plugin.py").write_text(PLUGIN)
    command = [sys.executable, "-m", "rish_core", "run", str(tmp_path), "--headless", "--frames", "5"]
    run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdin is not None
    assert run.stdout is not None
    with run:
        stops = 0
        while prompt := _until(run.stdout.read, "(Pdb) "):
            stops += prompt.endswith("(Pdb) ")
            if prompt.endswith("(Pdb) "):
                time.sleep(0.9)
                run.stdin.write("c\n")
                run.stdin.flush()
        assert run.stderr is not None
        said = run.stderr.read()
    assert (stops, run.returncode, said.strip()) == (3, 0, "watchdog: nothing to report in 5 frames")


def _until(read: Callable[[int], Any], end: str) -> str:
    """Read letters up to a text, or all that are left."""
    said = ""
    while not said.endswith(end) and (letter := read(1)):
        said += letter
    return said
