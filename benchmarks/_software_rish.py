"""The tasks of the benchmark `software`: frames of games, drawn in memory."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import App, Manifest, Stage, Transform, World, parse_manifest, read_manifest, system

from ._task import Task

DT = 1 / 60
CIRCLES = 20
_TINY = """
rish: 1
game: {size: [640, 360]}
plugins: [render, bench]
scenes:
  main:
    - {Transform: {position: [60, 340]}, Text: {text: score 120}}
""" + "".join(
    f"    - {{Transform: {{position: [{30 * k}, {40 + 13 * k}]}}, Shape: {{shape: circle, radius: 8}}}}\n"
    for k in range(CIRCLES)
)


@system(Stage.STEP, writes=Transform, marks=True)
def _move(world: World, dt: float) -> None:
    """Move the circles to the right, and begin at the left again."""
    places = world[Transform]
    places.position[-CIRCLES:, 0] = (places.position[-CIRCLES:, 0] + 1) % 640
    places.mark(np.arange(1, CIRCLES + 1))


def _frames(manifest: Manifest, frames: int, clock: str, **options: Any) -> Task:
    """Return a task of one frame with one tick, after some others."""
    os.environ["RISH_THREADS"] = "2"
    app = App(manifest, backend="software", headless=True, **options)
    app.headless = False
    for _ in range(frames):
        app.frame(seconds=DT)
    return Task(partial(app.frame, seconds=DT), after=app.close, clock=clock)


def _game(name: str, scene: str = "", frames: int = 60, clock: str = "frame") -> Task:
    overrides = [f"scene={scene}"] if scene else []
    return _frames(read_manifest(Path(__file__).parent.parent / "games" / name, overrides), frames, clock)


beacon, beacon_title = partial(_game, "beacon", "harbour", 120), partial(_game, "beacon")
lantern, sirens = partial(_game, "lantern"), partial(_game, "sirens")
breakout = partial(_game, "breakout", frames=120, clock="cpu")


def tiny() -> Task:
    """Twenty circles move beside a text."""
    bench = SimpleNamespace(rish_systems=lambda: [_move])
    return _frames(parse_manifest(_TINY), 60, "cpu", extra={"bench": bench})
