"""Stacked exhibits: a pyramid, a stack, dominoes, and a wall with a wrecking ball."""

from __future__ import annotations

import numpy as np

from rish_core import Name, World, named
from rish_jit import maths
from rish_physics3d import BallJoint3D, Body3D
from rish_space3d import quaternions

from . import parts
from .components import Fleeting, Paint

BASE, BRICK = 8, 0.8
"""The number of boxes along a side of the pyramid, and their size in m."""


def pyramid(world: World) -> None:
    """Square layers of boxes, each with one fewer along its sides than the one below."""
    for level in range(BASE):
        side = BASE - level
        line = (np.arange(side) - (side - 1) / 2) * (BRICK + 0.02)
        x, z = (axis.ravel() for axis in np.meshgrid(line, line))
        y = np.full(len(x), BRICK * (level + 0.5))
        parts.boxes(world, np.column_stack([x, y, z]), (BRICK,) * 3, color=8 - level, friction=0.6)


def throw_ball(world: World) -> None:
    """Throw a heavy ball from the left."""
    parts.shot(world, (-9.0, 1.6, 1.0), (21.0, 2.5, -1.0), radius=0.6)


_LIGHT, _HEAVY, _STORIES = 400.0, 4000.0, 5
"""The densities, kg/m³, of the light boxes of the stack and of the one on top, and the number of light ones."""


def stack(world: World) -> None:
    """Five boxes that carry one that weighs ten times as much as each of them."""
    places = np.column_stack([np.zeros(_STORIES), np.arange(_STORIES) + 0.5, np.zeros(_STORIES)])
    parts.boxes(world, places, (1, 1, 1), color=np.arange(_STORIES) + 3, friction=0.6, density=_LIGHT)
    parts.box(world, (0, _STORIES + 0.5, 0), (1, 1, 1), color=parts.RED, friction=0.6, density=_HEAVY)


def throw_small_ball(world: World) -> None:
    """Throw a light ball at the stack from the left."""
    parts.ball(world, (-6.0, 3.0, 0.2), 0.25, color=parts.STEEL, body={"velocity": (9.0, 3.0, 0.0)}, more=[Fleeting()])


_TILE = (0.12, 1.0, 0.5)
_GAP = 0.42


def dominoes(world: World) -> None:
    """A spiral of dominoes from the outside to the middle."""
    angle, places, turns = 0.0, [], []
    while (radius := 6.0 - 0.24 * angle) > 1.0:
        sin, cos = maths.sincos(angle)
        places.append((radius * cos, _TILE[1] / 2, radius * sin))
        turns.append(-angle + maths.PI / 2)
        angle += _GAP / radius
    rotation = quaternions.from_axis((0, 1, 0), np.array(turns))
    color = np.arange(len(places)) // 6 % parts.SPAN
    parts.boxes(world, places, _TILE, color=color, rotation=rotation, friction=0.4)


def push_first(world: World) -> None:
    """Push the first domino."""
    standing = world.query(Paint, Body3D).entities
    if len(standing):
        world.set(int(standing[0]), Body3D(angular_velocity=(1.6, 0.0, 0.0), velocity=(0.0, 0.0, 0.8)))


_CRANE, _LINK, _LINKS, _WRECKER = 8.0, 0.5, 11, 0.75
"""The height of the crane's hook, the length and number of the chain's links, and the radius of the ball, in m."""


def wrecking(world: World) -> None:
    """A wall of bricks, and a ball on a chain that is drawn back."""
    brick = (0.9, 0.45, 0.45)
    for row in range(10):
        x = (np.arange(6) - 2.5) * brick[2] * 2 + (row % 2) * brick[2]
        places = np.column_stack([np.zeros(6), np.full(6, brick[1] * (row + 0.5)), x])
        parts.boxes(world, places, (brick[2], brick[1], brick[0]), color=(row // 2 + 3) % parts.SPAN, density=250)
    parts.wall(world, (-2.2, _CRANE + 0.4, -1.6), (0.4, 0.4, 4.2))
    parts.wall(world, (-2.2, (_CRANE + 0.2) / 2, -3.45), (0.5, _CRANE + 0.2, 0.5))
    above, hook, way = 0, (-2.2, _CRANE, 0.0), parts.turn(parts.Z, -62.0)
    for number in range(_LINKS):
        place = np.array(hook) + quaternions.turned(way, (0.0, -_LINK * (number + 0.5), 0.0))
        link = int(parts.pills(world, place, 0.07, _LINK, color=parts.STEEL, rotation=way, density=1500, group=-1)[0])
        anchor = (0.0, -_LINK / 2, 0.0) if above else hook
        world.spawn(BallJoint3D(a=above, b=link, anchor_a=anchor, anchor_b=(0.0, _LINK / 2, 0.0)))
        above = link
    reach = _LINK * _LINKS + _WRECKER - 0.05
    place = np.array(hook) + quaternions.turned(way, (0.0, -reach, 0.0))
    ball = parts.ball(
        world, tuple(place.tolist()), _WRECKER, color=parts.STEEL, prefab="steel", density=700, group=-1,
        rotation=way, more=[Name(value="wrecker")],
    )  # fmt: skip
    world.spawn(BallJoint3D(a=above, b=ball, anchor_a=(0, -_LINK / 2, 0), anchor_b=(0, _WRECKER - 0.05, 0)))


def swing_again(world: World) -> None:
    """Push the ball away from the wall, so that it comes back."""
    world.set(named(world, "wrecker"), Body3D(velocity=(-9.0, 2.0, 0.0)))


_CARDS, _SHEET, _FAST = 7, (0.03, 1.2, 1.0), 240.0
"""The number of cards in a row, their size in m, and the speed of the bullets in m/s: four meters in a tick."""


def paper(world: World) -> None:
    """Two rows of thin cards."""
    for z, color in ((-1.0, parts.BLUE), (1.0, parts.ORANGE)):
        places = np.column_stack([np.arange(_CARDS) * 0.9 - 2.0, np.full(_CARDS, 0.6), np.full(_CARDS, z)])
        parts.boxes(world, places, _SHEET, color=color, density=40)


def fire(world: World) -> None:
    """Shoot at both rows: a plain body at the far one, a bullet at the near one."""
    for z, color, bullet in ((-1.0, parts.STEEL, False), (1.0, parts.YELLOW, True)):
        parts.ball(
            world, (-9.0, 0.85, z), 0.08, color=color, prefab="steel", density=8000,
            body={"velocity": (_FAST, 0.0, 0.0), "bullet": bullet}, more=[Fleeting(left=4.0)],
        )  # fmt: skip
