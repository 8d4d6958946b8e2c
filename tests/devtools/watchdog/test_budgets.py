"""A plugin that takes too much of the frame is named with its systems, their lines and times."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

import rish_jit
from rish_core import App, Place, Profiler, Stage
from rish_devtools.watchdog.budgets import Budgets
from rish_devtools.watchdog.settings import WatchdogSettings
from rish_jit.compiler import kernel

SLOW = """
@system(Stage.UPDATE)
def think(world, dt):
    time.sleep(0.004)

def rish_systems():
    return [think]
"""
Play = Callable[..., list[Any]]


@pytest.fixture
def play() -> tuple[Budgets, Play]:
    """Budgets of 4 ms for `physics` over windows of 5 frames, and a function that plays frames of given lengths."""
    profiler = Profiler()
    profiler.name_slots([("physics.step", Stage.STEP), ("physics.sync", Stage.STEP), ("game.move", Stage.UPDATE)])
    settings = WatchdogSettings(budgets={"physics": 4.0}, window=5)
    budgets = Budgets(settings, profiler, lambda plugin, name: Place(f"{name}.py", 7))

    def frames(*milliseconds: float) -> list[Any]:
        found: list[Any] = []
        for ms in milliseconds:
            profiler.begin_frame()
            profiler.times[0], profiler.times[1] = ms / 1e3, 0.5e-3
            found += budgets.end_frame()
            profiler.end_frame()
        return found

    return budgets, frames


def test_a_slow_system_is_named_with_its_line(faulty: Any, reports: Any) -> None:
    """A plugin whose median is above its budget is reported once, with system, line and milliseconds."""
    app: App = faulty(SLOW, budgets={"game": 2.0}, window=5)
    app.run(frames=21)
    (report,) = reports(app, "budget")
    assert (report.plugin, report.what) == ("game", "system 'game.think'")
    assert (report.place.file.endswith("plugin.py"), report.place.line) == (True, 4)
    assert report.milliseconds > 4
    assert "allowed are 2 ms" in report.text
    assert app.set_aside == []


def test_a_slow_hook_counts_too(faulty: Any, reports: Any) -> None:
    """The time of hooks belongs to their plugin."""
    app: App = faulty("def rish_frame_end(world, stats):\n    time.sleep(0.004)\n", budget=2.0, window=5)
    app.run(frames=11)
    assert [(r.plugin, r.what, r.place.line) for r in reports(app, "budget")] == [
        ("game", "rish_frame_end of 'game'", 3)
    ]


def test_only_the_median_counts(play: tuple[Budgets, Play]) -> None:
    """A few slow frames are no report; the systems of a plugin are added up."""
    _, frames = play
    assert frames(3, 50, 3, 50, 3, 3) == []
    (report,) = frames(3.8, 9, 3.8, 3.8, 3.8)
    assert report.milliseconds == pytest.approx(4.3)
    assert "worst 9.50" in report.text
    assert "system 'physics.step' 3.80 ms, system 'physics.sync' 0.50 ms (physics.sync.py:7)" in report.text


def test_it_is_reported_again_only_after_it_recovered(play: tuple[Budgets, Play]) -> None:
    """A report is made once; below nine tenths of the budget it is over, and may then be made again."""
    _, frames = play
    (first,) = frames(*[6] * 10)
    assert frames(*[3.4] * 10) == []
    assert not first.over
    assert frames(*[2] * 10) == [first]
    assert first.over
    assert frames(*[6] * 10) == [first]
    assert (first.over, first.count) == (False, 2)


def test_frames_that_compile_are_ignored(play: tuple[Budgets, Play], monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame in which a kernel was compiled says nothing about the plugin."""
    _, frames = play
    for number in range(rish_jit.compilations + 1, rish_jit.compilations + 12):
        monkeypatch.setattr(kernel, "compilations", number)
        assert frames(50) == []


def test_policies_disable_the_plugin_or_end_the_game(faulty: Any, caplog: pytest.LogCaptureFixture) -> None:
    """`disable` sets the plugin aside, which counts as a failure of the game; `raise` ends the game."""
    caplog.set_level(logging.ERROR)
    app: App = faulty(SLOW, budget=2.0, window=5, budget_policy="disable")
    app.run(frames=12)
    assert app.set_aside == ["plugin 'game'"]
    assert app.schedule.disabled == ("game.think",)
    app = faulty(SLOW, budget=2.0, window=5, budget_policy="raise")
    with pytest.raises(Exception, match=r"plugin\.py:4: plugin 'game' takes .* ms a frame"):
        app.run(frames=12)


@pytest.mark.parametrize(
    ("budgets", "said"),
    [({"gaem": 2.0}, "no plugin 'gaem' is loaded (did you mean 'game'?)"), ({"game": -1.0}, "milliseconds from 0 up")],
)
def test_a_budget_that_makes_no_sense_is_an_error(faulty: Any, budgets: dict[str, float], said: str) -> None:
    """A budget of a plugin that is not loaded, or that is no time, is refused, and the game counts as failed."""
    app: App = faulty("", budgets=budgets)
    assert said in app.plugins.failures[0].what
    assert app.set_aside == ["plugin 'watchdog'"]
