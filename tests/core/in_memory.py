"""Helpers for the tests of the App: plugins in memory, a component with a counter, and key events."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from rish_core import App, Profiler, Stage, WindowEvent, component, field, resource, system

MakeApp = Callable[..., App]
SPACE = WindowEvent("key", "SPACE", down=True)
SPACE_UP = WindowEvent("key", "SPACE")


@component
class Counter:
    """A component with one number."""

    value: int = field(0)


@resource
class Log:
    """A text to which systems append."""

    text: str = ""


def plugin(*systems: Any, **hooks: Any) -> SimpleNamespace:
    """Return a plugin in memory with systems and other hooks."""
    hooks.setdefault("systems", lambda: list(systems))
    return SimpleNamespace(**{f"rish_{name}": function for name, function in hooks.items()})


def watching(note: Callable[[Any], object], stage: Stage = Stage.UPDATE) -> SimpleNamespace:
    """Return a plugin that calls `note(world)` in a stage."""

    @system(stage)
    def watch(world: Any, dt: float) -> None:
        note(world)

    return plugin(watch)


def profiled(*seconds: tuple[float, float]) -> Profiler:
    """Return a profiler of two systems, with a frame for each pair of seconds."""
    profiler = Profiler()
    profiler.name_slots([("physics.step", Stage.STEP), ("game.move", Stage.UPDATE)])
    for step, move in seconds:
        profiler.begin_frame()
        profiler.times[0] += step
        profiler.times[1] += move
        profiler.count("draw_calls", 2)
        profiler.count("draw_calls")
        profiler.end_frame(ticks=2)
    return profiler
