"""Exhibits of force fields: water with buoyancy, and a sun that attracts."""

from __future__ import annotations

from rish_core import World, spawn_prefab
from rish_jit import maths
from rish_physics import WaterArea
from rish_render import Shape, Trail

from . import parts
from .components import Fleeting
from .parts import FLOOR

_LEVEL = 250.0


def water(world: World) -> None:
    """A basin with bodies, some of which float."""
    size = (952.0, _LEVEL - FLOOR)
    spawn_prefab(world, "pool", WaterArea(size=size), Shape(size=size), at=(480.0, (_LEVEL + FLOOR) / 2))
    for number, density in enumerate((0.3, 0.6, 1.0, 1.4, 1.8, 2.6)):
        x = 110 + 95 * number
        made = parts.box(world, x, 340 + 12 * number, 52, 52, color=number, density=density)
        parts.tag(world, made, f"{density:g}")
    hull = [(-90, 14), (-70, -22), (70, -22), (90, 14), (78, 14), (62, -10), (-62, -10), (-78, 14)]
    parts.things(world, (770, 300), {"shape": "outline", "points": hull}, color=parts.ORANGE, density=0.8)
    parts.balls(world, [(740, 340), (770, 345), (800, 340)], 13, color=[2, 4, 8], density=0.5)
    for number in range(8):
        parts.things(
            world, (300 + 60 * number, 440), {"shape": "capsule", "size": (60, 14)}, color=parts.YELLOW, density=0.7,
            angle=0.4 * number,
        )  # fmt: skip


def drop_crate(world: World) -> None:
    """Drop a heavy crate into the water."""
    x = world.random("crates").uniform(200, 700)
    parts.box(
        world, x, 470, 70, 70, color=parts.RED, density=1.5, angle=0.5, body={"velocity": (0, -500)},
        more=[Fleeting(left=12)],
    )  # fmt: skip


_PULL, _NEAR = 900.0, 100.0
"""The acceleration towards the sun, units/s², and its distance from the middle at which it applies, as in the manifest.
"""
_SUN = (480.0, 262.0)


def orbits(world: World) -> None:
    """A sun, planets with trails, and a ring of rocks."""
    spawn_prefab(world, "sun", at=_SUN)
    for number, distance in enumerate((80.0, 112.0, 150.0)):
        _planet(world, distance, 1.1 + 2.3 * number, 8 + 2.0 * number, number)
    luck = world.random("rocks")
    for number in range(90):
        _planet(world, luck.uniform(180, 206), number * maths.TAU / 90, 3.0, parts.STEEL, trail=False)


def _planet(world: World, distance: float, angle: float, size: float, color: int, *, trail: bool = True) -> None:
    """Spawn a body on a circular orbit around the sun."""
    # Circular orbit: v² / r = g(r), with g(r) = _PULL (_NEAR / r)².
    speed = float(maths.sqrt(_PULL * _NEAR * _NEAR / distance))
    sin, cos = maths.sincos(angle)
    parts.ball(
        world, _SUN[0] + distance * cos, _SUN[1] + distance * sin, size, color=color,
        body={"velocity": (-speed * sin, speed * cos), "gravity_scale": 0, "allow_sleep": False},
        hit_events=trail, group=0 if trail else -1, more=[_tail(color, size)] if trail else (),
    )  # fmt: skip


def _tail(color: int, size: float) -> Trail:
    """Return the trail of a planet or comet."""
    tint = parts.PALETTE[color].tolist()
    return Trail(seconds=0.9, width=1.6 * size, width_end=0, color=(*tint, 0.6), color_end=(*tint, 0), layer="world")


def comet(world: World) -> None:
    """Throw in a comet that passes the sun."""
    y = world.random("comets").uniform(360, 430)
    parts.ball(
        world, 20, y, 7, color=parts.TEAL, density=20, more=[_tail(parts.TEAL, 7), Fleeting()],
        body={"velocity": (250, 0), "gravity_scale": 0},
    )  # fmt: skip
