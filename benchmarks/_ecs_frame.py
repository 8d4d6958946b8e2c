"""The cost of a frame of a complete App, without the work of its systems."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from rish_core import App, parse_manifest
from rish_ecs import Stage, system

from ._task import Task

PLUGINS = 10
STAGES = (Stage.FORCES, Stage.UPDATE, Stage.EXTRACT)
"""The stages in which each plugin has an empty system."""


def _idle(number: int, stage: Stage) -> Callable[..., None]:
    @system(stage, name=f"idle_{number}_{stage.name.lower()}")
    def idle(world: Any, dt: float) -> None:
        """Do nothing."""

    return idle


def _app(plugins: int) -> App:
    """Return a game without a scene, with the given number of plugins."""
    given: dict[str, object] = {}
    for number in range(plugins):
        systems = [_idle(number, stage) for stage in STAGES]
        given[f"idle{number}"] = SimpleNamespace(rish_systems=lambda found=systems: found)
    manifest = parse_manifest(f"rish: 1\nplugins: [{', '.join(given)}, frame]\n")
    return App(manifest, headless=True, backend="null", extra=given)


def _frames(app: App) -> Task:
    return Task(app.frame, after=app.close)


def frame_overhead() -> Task:
    """A frame with thirty empty systems of ten plugins, drawn by the null backend."""
    return _frames(_app(PLUGINS))


def frame_empty() -> Task:
    """A frame with only the kernel's own systems."""
    return _frames(_app(0))


def frame_undrawn() -> Task:
    """The same thirty systems, only ticks, as with `--speed max`."""
    app = _app(PLUGINS)
    return Task(lambda: app.frame(draw=False), after=app.close)
