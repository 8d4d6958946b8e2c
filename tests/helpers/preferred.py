"""Games with preferences: their actions, and frames of one tick."""

from __future__ import annotations

from collections.abc import Callable

from rish_core import App

INPUT = {"jump": ["SPACE"], "run": ["LSHIFT", "mouse.left"], "fire": ["SPACE", "X"]}
Play = Callable[..., App]


def go(app: App, frames: int = 1) -> App:
    """Run frames of one tick each."""
    for _ in range(frames):
        app.frame(seconds=app.clock.dt * 1.0001)
    return app
