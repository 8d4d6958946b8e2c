"""Steps as tasks: every engine goes through the same stretch of a scene in the same round."""

from __future__ import annotations

from collections.abc import Callable

from .harness import Task

CHUNK = 10
"""Steps of one run."""


def stepping(step: Callable[[], object], close: Callable[[], object] | None = None, warm: int = 1) -> Task:
    """A run is ten steps, measured by the step; the first `warm` steps, in which kernels load, are not measured."""
    for _ in range(warm):
        step()

    def run() -> None:
        for _ in range(CHUNK):
            step()

    return Task(run, after=close, once=True, parts=CHUNK)
