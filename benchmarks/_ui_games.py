"""Frames of included games whose screens change, without drawing."""

from __future__ import annotations

from pathlib import Path
from time import process_time

from rish_core import open_game

from ._churn_rish import DT, Undrawn
from ._task import Task, figure

_FRAMES, _LOADING = 900, 30
"""Frames of a run, of which those in which the game loads do not count."""


def sirens() -> Task:
    """Measure the 99th percentile of the frames in which the game sirens shows its exhibits one after another."""
    app = open_game(Path(__file__).parent.parent / "games" / "sirens", backend=Undrawn(), headless=True)
    app.headless = False

    def run() -> float:
        times: list[float] = []
        for _ in range(_FRAMES):
            start = process_time()
            app.frame(seconds=DT)
            times.append(process_time() - start)
        return sorted(times[_LOADING:])[(_FRAMES - _LOADING) * 99 // 100]

    return figure(run, app.close)
