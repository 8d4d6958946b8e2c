"""What the tests of the App play with: plugins in memory, a component that counts, a key that is pressed."""

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
    """Counts."""

    value: int = field(0)


@resource
class Log:
    """The order in which things happened."""

    text: str = ""


def plugin(*systems: Any, **hooks: Any) -> SimpleNamespace:
    """A plugin in memory with systems and other hooks."""
    hooks.setdefault("systems", lambda: list(systems))
    return SimpleNamespace(**{f"rish_{name}": function for name, function in hooks.items()})


def watching(note: Callable[[Any], object], stage: Stage = Stage.UPDATE) -> SimpleNamespace:
    """A plugin that calls `note(world)` in a stage."""

    @system(stage)
    def watch(world: Any, dt: float) -> None:
        note(world)

    return plugin(watch)


def profiled(*seconds: tuple[float, float]) -> Profiler:
    """A profiler of two systems, with a frame for each pair of seconds."""
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
