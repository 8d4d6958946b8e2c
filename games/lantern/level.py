"""Spawns the things that the keep's map marks when a quest begins.

Each thing is spawned on its own rather than as a child of the map, so that a thing in the light of a torch is not
treated as a part of the torch.
"""

from __future__ import annotations

import numpy as np

from rish_animation import tween
from rish_core import Transform, World, named, spawn_prefab
from rish_jit import maths
from rish_lighting import Light
from rish_particles import Emitter
from rish_render import Camera, Sprite, map_objects, tiles_in

from .components import Ember, Fire, Gate, Wraith

CELL = 16
COLUMNS, ROWS = 66, 44
HUES = ("#ff5a3c", "#4ab4ff", "#b46cff")
"""The colors of the three embers, in the order of their numbers."""
TORCH = 2.6
"""The brightness of a torch in full flames."""
SWAY = 9.0
"""How far the lamps sway to each side, in units."""
_UP = {"jar": 3.0, "gate": 6.0, "tomb": 0.0}
"""The offset of objects above the middle of their cell, in units."""


def rgb(text: str) -> tuple[float, float, float, float]:
    """Return a color "#rrggbb" as four numbers, 0 to 1."""
    red, green, blue = (int(text[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue, 1.0


def people_the_keep(world: World) -> None:
    """Spawn everything that the map marks, and let the camera follow the hero."""
    keep = named(world, "keep")
    embers = lamps = 0
    for mark in map_objects(world, keep):
        at = (float(mark.x), float(mark.y) + ROWS * CELL + _UP.get(mark.kind, 0.0))
        if mark.kind == "torch":
            lit = bool(mark.properties.get("lit"))
            spawn_prefab(
                world, "torch", Fire(lit=lit), Light(enabled=lit, intensity=TORCH if lit else 0.0),
                Emitter(playing=lit), Sprite(frame=int(lit)), at=at,
            )  # fmt: skip
        elif mark.kind == "ember":
            color = rgb(HUES[embers])
            spawn_prefab(
                world, "ember", Ember(number=embers, home=at), Light(color=color), Emitter(color=color),
                Sprite(color=color), at=at,
            )  # fmt: skip
            embers += 1
        elif mark.kind == "lamp":
            _sway(world, spawn_prefab(world, "lamp", at=(at[0] - SWAY, at[1] - 2.0)), 0.6 * lamps)
            lamps += 1
        elif mark.kind == "wraith":
            spawn_prefab(world, "wraith", Wraith(home=at, seed=at[0] * 0.37 + at[1]), at=at)
        elif mark.kind == "gate":
            spawn_prefab(world, "gate", Gate(home=at), at=at)
        elif mark.kind in ("crystal", "mushroom"):
            stray = (float(mark.x * 7 + mark.y * 3) % 11 - 5, float(mark.x * 5 + mark.y * 13) % 9 - 4)
            large = "_large" if mark.properties.get("large") else ""
            spawn_prefab(world, mark.kind + large, at=(at[0] + stray[0], at[1] + stray[1]))
        else:
            spawn_prefab(world, mark.kind, at=at)
    hero = named(world, "hero")
    world.set(named(world, "eye"), Camera(follow=hero), Transform(position=world.get(hero, Transform).position))


def _sway(world: World, lamp: int, delay: float) -> None:
    """Make a lamp on a chain sway, as it looks from above: along x, and twice as often a little along y."""
    options = {"easing": "sine_in_out", "mode": "ping_pong", "delay": delay}
    tween(world, lamp, "Transform.position.x", by=2 * SWAY, seconds=1.85, **options)
    tween(world, lamp, "Transform.position.y", by=4.0, seconds=0.925, **options)


def walkable(world: World) -> np.ndarray:
    """Return a bool (ROWS, COLUMNS) array, the top row first: the cells of the keep that are floor."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    return tiles_in(world, named(world, "keep"), "walls", x, y) == 0


def nearest(points: np.ndarray, x: float, y: float, within: float) -> int:
    """Return the index of the point of (n, 2) that is nearest to a place; -1 if none is within `within`."""
    if not len(points):
        return -1
    far = ((points.astype(np.float64) - (x, y)) ** 2).sum(axis=1)
    found = int(far.argmin())
    return found if far[found] <= within * within else -1


def place_of(world: World, entity: int) -> tuple[float, float]:
    """Return the position of an entity."""
    x, y = world.get(entity, Transform).position
    return float(x), float(y)


def toward(dx: float, dy: float, speed: float) -> tuple[float, float]:
    """Return a velocity of length `speed` in the direction (dx, dy); zero if the direction has no length."""
    length = maths.sqrt(dx * dx + dy * dy)
    return (dx / length * speed, dy / length * speed) if length > 1e-6 else (0.0, 0.0)
