"""Hanging exhibits: Newton's cradle, a bridge, ragdolls, rope and cloth."""

from __future__ import annotations

import numpy as np

from rish_core import Stage, Transform, World, in_scene, spawn_prefab, system
from rish_jit import maths
from rish_physics import RevoluteJoint, WindArea, apply_impulse
from rish_render import Shape

from . import parts
from .components import Flash, Visit
from .parts import FLOOR, pin
from .stacks import blast

_BAR, _ROPE, _STEEL = 400.0, 230.0, 27.0
"""The height of the cradle's bar, the length of its ropes, the radius of its balls."""


def cradle(world: World) -> None:
    """Five balls side by side, the first one lifted; they lose no energy in collisions."""
    parts.wall(world, 480, _BAR + 8, 420, 16)
    parts.wall(world, 480, 20, 700, 48)
    for number in range(5):
        x, lift = 480 + (number - 2) * (2 * _STEEL + 2.5), -0.9 if number == 0 else 0.0
        place = x + _ROPE * maths.sin(lift), _BAR - _ROPE * maths.cos(lift)
        made = parts.ball(
            world, *place, _STEEL, color=parts.STEEL, angle=lift, restitution=1, friction=0, density=5,
            body={"allow_sleep": False},
        )  # fmt: skip
        spawn_prefab(world, "rod", Shape(size=(2, _ROPE)), parent=made)
        world.spawn(RevoluteJoint(a=0, b=made, anchor_a=(x, _BAR), anchor_b=(0, _ROPE)))


def lift_two(world: World) -> None:
    """Swing out the last two balls."""
    made = world.query(Flash).entities[3:5]
    apply_impulse(world, made, (950.0, 0.0))


_PLANKS, _DECK = 26, 230.0


def bridge(world: World) -> None:
    """A bridge of planks between two banks, with a load."""
    parts.wall(world, 50, 110, 240, 232)
    parts.wall(world, 910, 110, 240, 232)
    parts.planks(world, (180, _DECK - 6), 600, _PLANKS, 10, friction=0.7, break_force=42_000.0)
    for number in range(5):
        parts.box(world, 300 + 90 * number, 330 + 20 * number, 40, 40, color=4 + number)
    parts.balls(world, [(60, 250), (90, 300), (900, 260)], 18, color=[parts.PINK, parts.YELLOW, parts.TEAL])


def drop_weight(world: World) -> None:
    """Drop a heavy ball on the bridge."""
    parts.shot(world, world.random("weights").uniform(400, 560), 520, (0, -100), radius=34, density=9)


def ragdolls(world: World) -> None:
    """Five ragdolls above stairs."""
    for step in range(6):
        parts.wall(world, 60 + 70 * step, FLOOR + 105 - 17.5 * step, 70, 210 - 35 * step)
    parts.wall(world, 760, 130, 160, 14, angle=-0.25)
    for number in range(5):
        _ragdoll(world, 130 + 150 * number, 350 + 20 * (number % 2), number + 1)


def _ragdoll(world: World, x: float, y: float, number: int) -> None:
    """Spawn a ragdoll of capsules with its arms out; (x, y) is its chest."""
    look = {"color": (2 * number) % parts.SPAN, "group": -number, "density": 1.2, "friction": 0.6}
    soft = {"angular_damping": 0.6}

    def limb(dx: float, dy: float, w: float, h: float) -> int:
        form = {"shape": "capsule", "size": (w, h)}
        return int(parts.things(world, (x + dx, y + dy), form, body=soft, **look)[0])

    chest, hips = limb(0, 0, 24, 42), limb(0, -32, 22, 30)
    head = parts.ball(world, x, y + 36, 14, body=soft, **look)
    _hold(world, chest, head, (x, y + 22), 40)
    _hold(world, chest, hips, (x, y - 20), 30)
    for side in (-1, 1):
        upper, lower = limb(24 * side, 14, 32, 12), limb(50 * side, 14, 30, 10)
        _hold(world, chest, upper, (x + 10 * side, y + 14), 85)
        _hold(world, upper, lower, (x + 38 * side, y + 14), 70)
        thigh, shin = limb(8 * side, -58, 14, 36), limb(8 * side, -90, 12, 36)
        _hold(world, hips, thigh, (x + 8 * side, y - 42), 60)
        _hold(world, thigh, shin, (x + 8 * side, y - 74), 60)


def _hold(world: World, a: int, b: int, at: tuple[float, float], degrees: float) -> None:
    """Connect two bodies with a pin that turns by at most `degrees` to either side."""
    reach = degrees * maths.PI / 180
    pin(world, a, b, at, limited=True, lower=-reach, upper=reach)


def toss(world: World) -> None:
    """Set off an explosion below the ragdolls."""
    blast(world, (520.0, FLOOR), 420.0, 260.0)


_COLUMNS, _ROWS, _MESH = 19, 13, 20.0


def cloth(world: World) -> None:
    """A sheet on four pegs, two ropes with a ball each, and a wind that varies."""
    world.spawn(Transform(position=(480, 270)), WindArea(size=(1200, 700), drag=0.02))
    parts.wall(world, 480, 452, 760, 10)
    _sheet(world, 330, 440)
    _rope(world, 170, 447, 11, 24.0)
    _rope(world, 800, 447, 7, 34.0)


def _sheet(world: World, left: float, top: float) -> None:
    """Spawn knots in a grid, each tied to its right and its lower neighbor."""
    column, row = np.meshgrid(np.arange(_COLUMNS), np.arange(_ROWS))
    places = np.column_stack([left + _MESH * column.ravel(), top - _MESH * row.ravel()])
    tint = (row.ravel() // 2 + 3) % parts.SPAN
    knots = parts.things(
        world, places, {"shape": "circle", "radius": 4.0}, color=tint, group=-1, density=6, hit_events=False,
        body={"linear_damping": 0.25},
    ).reshape(_ROWS, _COLUMNS)  # fmt: skip
    pairs = [
        *zip(knots[:, :-1].ravel().tolist(), knots[:, 1:].ravel().tolist(), strict=True),
        *zip(knots[:-1].ravel().tolist(), knots[1:].ravel().tolist(), strict=True),
    ]
    for number, (a, b) in enumerate(pairs):
        parts.tie(world, a, b, _MESH, color=(number // 40) % parts.SPAN, collide_connected=True)
    for k in (0, 6, 12, 18):
        world.spawn(RevoluteJoint(a=0, b=int(knots[0, k]), anchor_a=(left + _MESH * k, top)))


def _rope(world: World, x: float, y: float, count: int, length: float) -> None:
    """Spawn a rope of capsules connected by pins, with a ball at the end."""
    above = 0
    for number in range(count):
        form = {"shape": "capsule", "size": (7, length + 5)}
        place = x, y - length * (number + 0.5)
        piece = int(parts.things(world, place, form, color=parts.STEEL, density=3)[0])
        pin(world, above, piece, (x, y - length * number))
        above = piece
    end = y - length * count
    weight = parts.ball(world, x, end - 20, 22, color=parts.RED, density=2, body={"velocity": (160, 0)})
    pin(world, above, weight, (x, end))


@system(Stage.PRE, reads=Visit, writes=WindArea, run_if=in_scene("cloth"), after="game.go_on")
def blow(world: World, dt: float) -> None:
    """Set the wind for this time."""
    wind, time = world.query(WindArea), world[Visit].time
    if len(wind):
        world[WindArea].velocity[wind.rows(WindArea)] = (420 * maths.sin(0.9 * time) + 160 * maths.sin(3.1 * time), 0)


def throw_at_cloth(world: World) -> None:
    """Throw a ball from the left."""
    parts.shot(world, 40, 120, (620, 420), radius=20, density=1.5)
