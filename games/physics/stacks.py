"""Stacked exhibits: a pyramid, dominoes, and a pile of concave shapes."""

from __future__ import annotations

import numpy as np

from rish_core import World
from rish_jit import maths
from rish_physics import apply_impulse, explode
from rish_render import shake

from . import parts
from .components import Flash
from .effects import ring
from .parts import FLOOR
from .sounds import sound

BASE, BRICK = 16, 25.0
"""The number of boxes in the lowest row of the pyramid, and their size."""


def pyramid(world: World) -> None:
    """Rows of boxes, each with one fewer than the row below; two rows per color."""
    for row in range(BASE):
        count = BASE - row
        x = 500 + (np.arange(count) - (count - 1) / 2) * (BRICK + 1.0)
        y = np.full(count, FLOOR + BRICK * (row + 0.5))
        parts.boxes(world, np.column_stack([x, y]), BRICK, BRICK, color=8 - row // 2)


def throw_ball(world: World) -> None:
    """Throw a heavy ball from the left."""
    parts.shot(world, 40, 150, (900, 210), density=12)


def dominoes(world: World) -> None:
    """Three rows that fall one after the other: a ball at the end of each pushes the next one."""
    for number, (left, right, y) in enumerate(((90, 800, 384), (160, 870, 214))):
        parts.wall(world, (left + right) / 2, y - 5, right - left, 10)
        _row(world, np.arange(left + 40, right - 50, 25.0)[:: -1 if number else 1], y, 6 * number)
        end = left + 14 if number else right - 14
        parts.ball(world, end, y + 13, 13, color=parts.YELLOW, density=4, rolling_resistance=0.02)
    parts.wedge(world, [(955, 214), (955, 330), (876, 214)])
    parts.wedge(world, [(5, FLOOR), (154, FLOOR), (5, 170)])
    _row(world, np.arange(196.0, 760, 25), FLOOR, 3)
    _tower(world, 846)


def _row(world: World, x: np.ndarray, y: float, color: int) -> None:
    """Spawn dominoes at a height, in the order of x."""
    tint = color + np.arange(len(x)) // 8
    parts.boxes(world, np.column_stack([x, np.full(len(x), y + 25)]), 7, 50, color=tint % parts.SPAN, friction=0.5)


def _tower(world: World, x: float) -> None:
    """Spawn a tower for the last row to knock over."""
    for floor in range(3):
        y = FLOOR + 52 * floor
        parts.boxes(world, [(x - 26, y + 22), (x + 26, y + 22)], 8, 44, color=parts.STEEL)
        parts.box(world, x, y + 48, 76, 8, color=parts.PINK)


def push_first(world: World) -> None:
    """Push the leftmost domino of the top shelf."""
    standing = world.query(Flash).entities
    if len(standing):
        apply_impulse(world, int(standing[0]), (8.0, 0.0), point=(126.0, 430.0))


_STAR = [
    (r * maths.sin(a), r * maths.cos(a)) for k in range(10) for r in ((30, 13)[k % 2],) for a in (-k * maths.PI / 5,)
]
_GEAR = [
    (r * maths.sin(a), r * maths.cos(a))
    for k in range(32)
    for r in ((27, 27, 20, 20)[k % 4],)
    for a in (-(k + 0.5) * maths.TAU / 32,)
]
_MOON = [(28 * maths.sin(a), 28 * maths.cos(a)) for a in (-maths.PI * k / 12 for k in range(13))]
_MOON += [(11 * maths.sin(a), 28 * maths.cos(a)) for a in (-maths.PI * k / 12 for k in range(11, 0, -1))]
FORMS = (
    _STAR,
    [(-22, -28), (22, -28), (22, -8), (-2, -8), (-2, 28), (-22, 28)],
    [(-8, -28), (8, -28), (8, 10), (28, 10), (28, 28), (-28, 28), (-28, 10), (-8, 10)],
    [
        (-9, -27),
        (9, -27),
        (9, -9),
        (27, -9),
        (27, 9),
        (9, 9),
        (9, 27),
        (-9, 27),
        (-9, 9),
        (-27, 9),
        (-27, -9),
        (-9, -9),
    ],
    _GEAR,
    [(-28, -20), (0, -6), (28, -20), (0, 28)],
    _MOON,
    [(-26, -22), (26, -22), (26, 22), (10, 22), (10, -6), (-10, -6), (-10, 22), (-26, 22)],
)
"""Outlines relative to their middles: star, L, T, cross, gear, arrow head, moon, U."""


def pile(world: World) -> None:
    """Eight kinds of concave bodies that fall in from above."""
    for row in range(8):
        for column in range(9):
            number = row + 3 * column
            parts.things(
                world, (110 + 92 * column + 20 * (row % 2), 120 + 82 * row),
                {"shape": "outline", "points": FORMS[number % len(FORMS)]}, color=number % parts.SPAN,
                angle=0.7 * number, friction=0.5,
            )  # fmt: skip


def blast_pile(world: World) -> None:
    """Set off an explosion in the middle of the floor."""
    blast(world, (480.0, FLOOR + 10))


def blast(world: World, place: tuple[float, float], reach: float = 260.0, impulse: float = 700.0) -> None:
    """Set off an explosion with a ring and a camera shake."""
    explode(world, place, reach, impulse)
    ring(world, place, reach)
    shake(world, strength=0.5)
    sound(world, "blast", place, gain=min(1.0, reach / 260))
