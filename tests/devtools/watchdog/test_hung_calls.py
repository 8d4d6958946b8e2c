"""A call that does not return is named with plugin, system and line, and interrupted if the policy says so."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import App
from rish_core.loop.schedule import SystemFailed
from rish_devtools import CallStopped
from rish_devtools.watchdog.hung_calls import Hangs

SPIN = """
@system(Stage.UPDATE)
def spin(world, dt):
    while True:
        try:
            time.sleep(0.001)
        except Exception:
            pass

@system(Stage.UPDATE)
def count(world, dt):
    counted.append(world.tick)

counted = []

def rish_systems():
    return [spin, count]
"""


def test_a_system_that_spins_is_named_and_disabled(faulty: Any, reports: Any, caplog: pytest.LogCaptureFixture) -> None:
    """An endless loop is named with its line; then only this system is disabled, and the game counts as failed."""
    app: App = faulty(SPIN, hang=0.1, hang_policy="disable")
    app.run(frames=3)
    (report,) = reports(app, "hang")
    assert (report.plugin, report.what) == ("game", "system 'game.spin'")
    assert report.place.file.endswith("plugin.py")
    assert report.place.line in (6, 7, 8, 9)
    assert report.milliseconds >= 100
    assert app.schedule.disabled == ("game.spin",)
    assert app.set_aside == ["system 'game.spin'"]
    assert len(app.plugins["game"].module.counted) == 3
    assert any("has been running for 0.1 s" in text and "plugin.py:" in text for text in caplog.messages)
    assert any("CallStopped: it did not return within" in text for text in caplog.messages)


SLEEP = """
@system(Stage.UPDATE)
def nap(world, dt):
    time.sleep(0.3)

def rish_systems():
    return [nap]
"""


@pytest.mark.parametrize("attached", [True, False])
def test_nothing_hangs_while_a_debugger_is_attached(
    faulty: Any, reports: Any, attached: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a debugger stops is neither named nor interrupted, and the lines of the threads are not written."""
    alarms: list[float] = []
    monkeypatch.setattr("faulthandler.dump_traceback_later", lambda seconds, **_: alarms.append(seconds))
    if attached:
        monkeypatch.setitem(sys.modules, "pydevd", SimpleNamespace())
    app: App = faulty(SLEEP, hang=0.1, hang_policy="log" if not attached else "disable")
    app.run(frames=1)
    assert bool(reports(app, "hang")) is not attached
    assert bool(alarms) is not attached
    assert app.set_aside == []


def test_under_policy_raise_a_hanging_system_ends_the_game(faulty: Any) -> None:
    """With `hang_policy: raise` the game ends with an error that names the system and the line."""
    app: App = faulty(SPIN, hang=0.1, hang_policy="raise")
    with pytest.raises(SystemFailed, match=r"plugin\.py:\d+: system 'game.spin' of plugin 'game' .* it did not return"):
        app.run(frames=3)


def test_a_hook_that_sleeps_is_named_while_it_sleeps(faulty: Any, reports: Any) -> None:
    """A hook inside native code is named while it runs, and not interrupted with policy `log`."""
    app: App = faulty("def rish_frame_end(world, stats):\n    time.sleep(0.5)\n", hang=0.1)
    app.run(frames=1)
    (report,) = reports(app, "hang")
    assert (report.plugin, report.what) == ("game", "hook rish_frame_end")
    assert report.place.file.endswith("plugin.py")
    assert report.place.line == 4
    assert app.set_aside == []


def test_a_hook_that_hangs_is_set_aside(faulty: Any, reports: Any) -> None:
    """An interrupted hook is a failure of its plugin like any other."""
    app: App = faulty(
        "def rish_frame_end(world, stats):\n    while True:\n        pass\n", hang=0.1, hang_policy="disable"
    )
    app.run(frames=2)
    assert app.set_aside == ["plugin 'game'"]
    assert reports(app, "hang")[0].what == "hook rish_frame_end"


def test_a_hook_of_the_start_is_named(faulty: Any, reports: Any) -> None:
    """`rish_ready` of plugins is watched too, because the watchdog begins before them."""
    app: App = faulty("def rish_ready(app):\n    time.sleep(0.5)\n", hang=0.1)
    assert [(r.plugin, r.what, r.place.line) for r in reports(app, "hang")] == [("game", "hook rish_ready", 4)]


def test_the_loop_outside_of_systems_is_named(faulty: Any, reports: Any) -> None:
    """Deferred calls and other work of the loop has no guard, and is named by the line of the plugin."""
    code = """
    def late(world):
        time.sleep(0.5)

    def rish_frame_end(world, stats):
        world.defer(late)
    """
    app: App = faulty(code, hang=0.1, hang_policy="disable")
    app.run(frames=2)
    (report,) = reports(app, "hang")
    assert (report.plugin, report.place.line) == ("game", 5)
    assert app.set_aside == []


def test_its_thread_ends_with_the_game(faulty: Any) -> None:
    """The thread of the watchdog ends with its App, and with `hang: 0` there is none."""
    before = threading.active_count()
    app: App = faulty("")
    assert threading.active_count() == before + 1
    app.close()
    assert threading.active_count() == before
    faulty("", hang=0)
    assert threading.active_count() == before


@pytest.fixture
def hangs() -> Any:
    """A watch that stops calls after 30 ms, and notes what it stopped."""
    stopped: list[str] = []
    owners: Any = type("Nobody", (), {"line": lambda self, frame, plugin=None: (None, None)})()
    watch = Hangs(owners, lambda plugin, what, place, seconds, state: stopped.append(what), lambda *_: None)
    watch.start(0, 0.03)
    with watch:
        yield watch, stopped
    watch.close()


def spin(seconds: float) -> None:
    """Run for a time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


@pytest.mark.slow
def test_an_interrupt_never_hits_the_next_system(hangs: Any) -> None:
    """Whether a call ends before, while or after it is interrupted, the code that runs next is never interrupted."""
    watch, stopped = hangs
    slow: Callable[..., Any] = watch.guard("game", "game.slow", spin)
    next_one: Callable[..., Any] = watch.guard("game", "game.next", lambda: spin(0.004))
    failed = 0
    for number in range(20):
        try:
            slow(0.04 + 0.002 * number)
        except CallStopped:
            failed += 1
        next_one()
        spin(0.001)
    assert failed >= 1
    assert set(stopped) == {"system 'game.slow'"}


def test_an_interrupt_that_arrives_after_the_call_is_dropped(hangs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the call ends while it is being interrupted, its result is returned, and nothing is raised later."""
    watch, _ = hangs
    told: list[bool] = []

    def tell(*_: Any, stopped: bool) -> None:
        told.append(stopped)
        time.sleep(0.15)  # the call ends meanwhile, and waits for the watch

    monkeypatch.setattr(watch, "tell", tell)
    assert watch.guard("game", "game.slow", lambda: spin(0.1) or 7)() == 7
    spin(0.02)
    assert told == [True]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no usleep")
def test_a_long_call_that_the_thread_could_not_see_is_reported_at_its_end(faulty: Any, reports: Any) -> None:
    """A call that holds Python's lock stops the thread as well, so its guard reports it afterwards."""
    code = """
    import ctypes
    @system(Stage.UPDATE)
    def nap(world, dt):
        ctypes.PyDLL(None).usleep(300_000)

    def rish_systems():
        return [nap]
    """
    app: App = faulty(code, hang=0.2)
    app.run(frames=1)
    (report,) = reports(app, "hang")
    assert (report.plugin, report.what, report.place.line) == ("game", "system 'game.nap'", 5)
    assert report.milliseconds >= 300
    assert "took" in report.text
