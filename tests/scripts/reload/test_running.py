"""Real files of a running game are watched: saved code takes effect."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_scripts.reload import Reload

PATIENT = 20.0
"""The time limit, in seconds, on a busy machine. No test in this file measures time."""


def wait_for(holds: Callable[[], bool], each: Callable[[], Any]) -> bool:
    """Return True if a condition becomes true in time."""
    end = time.monotonic() + PATIENT
    while time.monotonic() < end:
        if holds():
            return True
        each()
        time.sleep(0.005)
    return holds()


@pytest.mark.slow
def test_a_game_that_is_edited_while_it_runs(yard: Path, rish_app: Callable[..., Any], told: list[str]) -> None:
    """Fifty saved edits take effect in the running game; five broken ones are reported and then repaired."""
    app = rish_app(yard, installed=("scripts", "render"), policy="disable", strict=False,
                   overrides=["settings.scripts.reload=always"])  # fmt: skip
    reload: Reload = app.world[Reload]
    [watcher] = reload.watchers
    assert wait_for(watcher.ready.is_set, app.frame)
    for number in range(2, 52):
        count = reload.count
        if number % 10 == 0:
            (yard / "rules.py").write_text("STEP = (\n")
            assert wait_for(lambda: bool(reload.problems), app.frame)
        (yard / "rules.py").write_text(f"STEP = {number}\n")
        assert wait_for(lambda before=count: reload.count > before and not reload.problems, app.frame)
        score = app.world[app.world.resource_classes["game.Score"]]
        points = score.points
        app.frame()
        assert score.points - points == number
    assert len(told) == 5
    app.close()
    assert not reload.on
