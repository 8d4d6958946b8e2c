"""Warm-up for animations, trails, and the meshes of strokes and images on shapes, if the scene or prefabs use them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Prefabs
from rish_frame import Batch

from ..animation import Animation
from ..components.visible import Shape, ShapeForm
from ..kinds.lines.line import Line
from ..kinds.trails.trail import PLACES, Trail

if TYPE_CHECKING:
    from rish_ecs import World

_POINTED = ("line", "polygon")


def motion_features(world: World) -> dict[str, Callable[[], object]]:
    """Return the features that the game's scene or prefabs use, each with the function that calls its kernels."""
    wanted = {"animations": names(world, Animation), "ribbons": names(world, Trail)}
    calls = {"animations": functools.partial(_animations, world), "ribbons": _ribbons}
    return {name: calls[name] for name, needed in wanted.items() if needed}


def motion_samples(world: World) -> list[Batch]:
    """Return samples of the meshes that strokes, ribbons and pictures on shapes produce."""
    return _meshes() if names(world, Line) or _has_points(world) or names(world, Trail) or _has_pictures(world) else []


def names(world: World, kind: type) -> bool:
    """Return True if an entity has a component, or a prefab contains it."""
    return len(world.table(kind)) > 0 or any(True for _ in _written(world, kind))


def _written(world: World, kind: type) -> Any:
    """Return the values that prefabs give to a component."""
    plans = world[Prefabs].plans.values() if Prefabs in world else ()
    return (step.parts[kind] for plan in plans for step in plan.steps if kind in step.parts)


def _has_points(world: World) -> bool:
    """Return True if there are polygons or lines among the shapes."""
    minimum = list(ShapeForm).index(ShapeForm.LINE)
    if (world.table(Shape).column("shape") >= minimum).any():
        return True
    return any(getattr(values.get("shape"), "value", None) in _POINTED for values in _written(world, Shape))


def _has_pictures(world: World) -> bool:
    """Return True if there are shapes with an image."""
    return bool(world.table(Shape).column("image").any()) or any(
        values.get("image") for values in _written(world, Shape)
    )


def _animations(world: World) -> None:
    """Run the clock for no animations; the World does not change."""
    from ..animation.kernels import write_cells
    from ..animation.player import run_clock

    none = np.zeros(0, np.int32)
    run_clock(world, none, none, 0.0)
    write_cells(none, none, none)


def _ribbons() -> None:
    """Make a straight ribbon."""
    from ..kinds.trails.ribbon import make_ribbons

    one, two = np.ones(1, np.float32), np.ones((1, 2), np.float32)
    place = np.zeros((1, PLACES, 2), np.float32)
    place[0, 0] = 8
    none = np.zeros((1, PLACES))
    make_ribbons(place, none, none > 0, np.array([2]), one, two, np.ones((1, 2, 4), np.float32), one)


def _meshes() -> list[Batch]:
    """Return samples of a triangle in every blend."""
    arrays = {
        "positions": np.array([[0, 0, 0], [4, 0, 0], [0, 4, 0]], np.float32),
        "colors": np.full((3, 4), 255, np.uint8),
        "indices": np.array([[0, 1, 2]], np.int32),
    }
    return [Batch("mesh", arrays, blend=blend) for blend in ("alpha", "add", "multiply", "screen", "replace")]
