"""A script that does not end is reported and finally stopped; one that is only slow is not."""

from __future__ import annotations

import logging
import sys
import threading
import time
from typing import Any

import pytest

from rish_core import Interventions
from rish_core.loop.schedule import SystemFailed
from rish_scripts import Faults, Script, Scripts
from rish_scripts.faults import ScriptStuck
from rish_scripts.watchdog import Watchdog

SOON = {"watchdog": 0.1, "interrupt": 0.3, "errors": 3}


class Loop(Script):
    """A script that never ends, and catches every Exception."""

    updated: int = 0

    def on_update(self, dt: float) -> None:
        """Run an endless loop."""
        self.updated += 1
        while True:
            try:
                self.spin()
            except Exception:
                pass

    def spin(self) -> None:
        """Do a part of the loop."""
        time.sleep(0.001)


class Calm(Script):
    """A script that is called after it."""

    updated: int = 0

    def on_update(self, dt: float) -> None:
        """Count the call."""
        self.updated += 1


def test_an_endless_loop_is_named_and_stopped(play: Any, caplog: pytest.LogCaptureFixture) -> None:
    """An endless loop is reported with line and entity, stopped and disabled.

    The other scripts continue, and the stop counts as an intervention.
    """
    caplog.set_level(logging.INFO, logger="rish.scripts")
    stage = play(Loop, Calm, policy="disable", settings=SOON, strict=False, scene=[{"Loop": {}, "name": "mill"}])
    calm = stage.script(stage.spawn(Calm()), Calm)
    interventions = stage.world[Interventions].count
    stage.tick(3)
    said = [record.getMessage() for record in caplog.records]
    assert any(
        "tests/scripts/test_watchdog.py:" in text
        and "script Loop of entity 0v1 ('mill'), in on_update has been running for 0.1" in text
        for text in said
    ), said
    assert any("is stopped after 0.3" in text for text in said)
    assert any("failed in on_update: ScriptStuck (3 of 3, set aside)" in text for text in said)
    assert stage.world[Faults].aside.tolist() == [True]
    assert (stage.only(Loop).updated, calm.updated) == (1, 3)
    assert stage.world[Interventions].count == interventions + 1
    assert stage.world[Scripts].watchdog.stopped == 1


def test_under_policy_raise_the_game_ends(play: Any) -> None:
    """With the policy `raise` an endless loop ends the game."""
    stage = play(Loop, settings=SOON, strict=False, scene=[{"Loop": {}}])
    with pytest.raises(SystemFailed, match="script Loop of entity 0v1 failed in on_update: ScriptStuck"):
        stage.tick()


class Slow(Script):
    """One of many scripts, each of which takes a little time."""

    updated: int = 0

    def on_update(self, dt: float) -> None:
        """Take a time that is short for one script, and longer than the limit for all."""
        time.sleep(0.02)
        self.updated += 1


def test_many_slow_scripts_are_no_endless_one(play: Any, caplog: pytest.LogCaptureFixture) -> None:
    """The limit applies to a single call, not to all scripts together."""
    stage = play(Slow, policy="disable", settings={"watchdog": 0.15, "interrupt": 0.2}, strict=False)
    stage.world.spawn_many(25, Slow())
    stage.tick()
    assert stage.world[Slow].updated.tolist() == [1] * 25
    assert not caplog.records


def watchdogs() -> set[threading.Thread]:
    """Return the threads of watchdogs; a game of another test may still have one."""
    return {thread for thread in threading.enumerate() if thread.name == "rish-watchdog"}


@pytest.mark.parametrize("settings", [{"watchdog": 0, "interrupt": 0}])
def test_it_can_be_switched_off(play: Any, settings: dict[str, float]) -> None:
    """With the limits at 0 there is no watchdog thread."""
    before = watchdogs()
    stage = play(Slow, settings=settings, scene=[{"Slow": {}}], strict=False)
    stage.tick()
    assert watchdogs() <= before


def test_its_thread_ends_with_the_game(play: Any) -> None:
    """The watchdog thread ends with its App."""
    before = watchdogs()
    stage = play(Slow)
    assert watchdogs() - before
    stage.app.close()
    assert watchdogs() <= before


def call_for(seconds: float) -> bool:
    """Work as a caller of scripts does; return True if it was stopped."""
    try:
        spin_for(seconds)
    except ScriptStuck:
        return True
    return False


def spin_for(seconds: float) -> None:
    """Work as a script's method does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def traced_call_for(seconds: float) -> bool:
    """Do the same as under a debugger."""
    before = sys.gettrace()
    sys.settrace(lambda *_: lambda *_: None)
    try:
        return call_for(seconds)
    finally:
        sys.settrace(before)


@pytest.mark.parametrize(("work", "stopped"), [(call_for, True), (traced_call_for, False)])
def test_nothing_is_stopped_under_a_debugger(work: Any, stopped: bool) -> None:
    """Nothing is stopped under a debugger, since a person may pause at a line for minutes."""
    dog = Watchdog([call_for])
    dog.start(0, 0.1)
    with dog:
        assert work(0.5) is stopped
    dog.close()


@pytest.mark.slow
def test_a_stop_that_comes_too_late_hits_no_other_call() -> None:
    """A stop for a call that ends at the same time does not affect the code after it."""
    dog = Watchdog([call_for])
    dog.start(0, 0.05)
    for number in range(12):
        with dog:
            call_for(0.04 + 0.005 * number)
        for _ in range(2000):
            pass
    dog.close()


def stubborn(seconds: float) -> None:
    """Swallow the first stop."""
    try:
        spin_for(seconds)
    except BaseException:
        spin_for(seconds)


def call_stubborn(seconds: float) -> bool:
    """Return True if it was finally stopped."""
    try:
        stubborn(seconds)
    except ScriptStuck:
        return True
    return False


def test_who_swallows_the_first_is_stopped_by_the_second() -> None:
    """The stop is raised again as long as the call runs."""
    dog = Watchdog([call_stubborn])
    dog.start(0, 0.1)
    with dog:
        assert call_stubborn(20)
    dog.close()
    assert dog.stopped >= 2
