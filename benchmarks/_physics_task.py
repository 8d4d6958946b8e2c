"""Steps as tasks: every engine runs the same part of a scene in the same round."""

from __future__ import annotations

from collections.abc import Callable

from ._task import Task

CHUNK = 10
"""The number of steps per run."""


WARM = 100
"""The number of steps before the first run, equal for all engines: kernels load and falling bodies pile up."""


def stepping(
    step: Callable[[], object], close: Callable[[], object] | None = None, warm: int = WARM, chunk: int = CHUNK
) -> Task:
    """Return a task of `chunk` steps, measured by the step; the first `warm` steps are not measured."""
    for _ in range(warm):
        step()

    def run() -> None:
        for _ in range(chunk):
            step()

    return Task(run, after=close, once=True, parts=chunk)
