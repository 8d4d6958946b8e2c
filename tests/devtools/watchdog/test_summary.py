"""Failures are counted, and everything is summarized at the end of a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from long_runs import long
from rish_core import App, open_game
from rish_devtools import Watchdog

UNTIMED = [f"settings.watchdog.{each}" for each in ("budget=0", "hang=0", "leak=on", "leak_interval=0.3")]
"""Settings of a test that must not depend on how fast the machine is."""
GAMES = Path(__file__).parents[3] / "games"


def test_failures_are_counted_and_summarized(faulty: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """A system that raises again and again is one line of the summary, with place and number."""
    code = """
    @system(Stage.UPDATE)
    def trip(world, dt):
        1 / 0

    def rish_systems():
        return [trip]

    def rish_system_failed(system, error, world):
        return "skip"
    """
    app: App = faulty(code)
    app.run(frames=3)
    assert app.world[Watchdog].failures == {"game": 3}
    app.close()
    text = capsys.readouterr().err
    assert "watchdog: 1 to look at in 3 frames\n  raised:\n" in text
    assert (
        "plugin.py:6: plugin 'game' failed in system 'game.trip': ZeroDivisionError: division by zero (3 times)" in text
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "frames"), [("hello", 60), pytest.param("breakout", long(600, 200), marks=pytest.mark.slow)]
)
def test_healthy_games_have_no_report(name: str, frames: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The shipped games give no report, and the watchdog does not change their hashes."""
    hashes: list[str] = []
    start = ["scene=play"] if name == "breakout" else []
    for more in ([], ["watchdog"]):
        with open_game(GAMES / name, [*start, *(UNTIMED if more else [])], headless=True, more=more,
                       policy="raise", backend="null", warm_up=False) as app:  # fmt: skip
            app.run(frames=frames, draw=False)
            hashes.append(app.world.hash())
            if more:
                assert [str(report) for report in app.world[Watchdog].reports] == []
    assert hashes[0] == hashes[1]
    assert f"watchdog: nothing to report in {frames} frames" in capsys.readouterr().err
