"""Exhibits of surfaces: friction in all directions, a marble run with a sensor, and restitution."""

from __future__ import annotations

import numpy as np

from rish_core import Name, Stage, World, in_scene, system
from rish_jit import Array, maths
from rish_physics3d import Body3D, Collider3D, SensorBegin3D, teleport_bodies_3d
from rish_scene3d import Material3D, Model3D, Models3D
from rish_space3d import Transform3D, quaternions

from . import parts
from .components import Paint, Visit
from .parts import Three, Z

_PUCKS, _START, _SPEED, _GRIP = 24, 2.2, 7.0, 0.2
"""The number of pucks, the radius in m at which they start, their speed in m/s, and the friction of each."""
_FLOOR_GRIP, _FALL = 0.8, 9.81
"""The friction of the floor and the gravity, as in the manifest."""


def friction(world: World) -> None:
    """Pucks that slide apart, and a circle where they are to stop."""
    sin, cos = _ring(_PUCKS)
    size = (0.38, 0.2, 0.38)
    places = np.column_stack([_START * cos, np.full(_PUCKS, size[1] / 2), _START * sin])
    rotation = quaternions.from_axis((0, 1, 0), np.arange(_PUCKS) * 0.7)
    parts.boxes(world, places, size, color=np.arange(_PUCKS) // 3, rotation=rotation, friction=_GRIP)
    # v² = 2 μ g s, with the geometric mean of both frictions.
    stop = _START + _SPEED**2 / (2 * _FALL * float(maths.sqrt(_GRIP * _FLOOR_GRIP)))
    sin, cos = (stop * part for part in _ring(72))
    for k in range(72):
        a, b = (cos[k - 1], 0.01, sin[k - 1]), (cos[k], 0.01, sin[k])
        parts.show_link(world, 0, 0, 0, width=0.05, color=parts.YELLOW, anchor_a=a, anchor_b=b)
    slide(world)


def slide(world: World) -> None:
    """Start all pucks again."""
    pucks = world.query(Paint, Body3D, Transform3D)
    sin, cos = _ring(_PUCKS)
    flat = np.column_stack([cos, np.zeros(_PUCKS), sin]).astype(np.float32)
    pucks[Transform3D.position] = flat * np.float32(_START) + np.float32((0, 0.1, 0))
    pucks[Body3D.velocity], pucks[Body3D.asleep] = flat * np.float32(_SPEED), False


def _ring(count: int) -> tuple[Array, Array]:
    """Return the sines and cosines of a circle."""
    return maths.sincos(np.arange(count) * maths.TAU / count)


_CHUTES = ((4.3, 1), (3.0, -1), (1.7, 1))
"""The height of the middle of each chute, and the direction in which it falls."""
_TRAY: tuple[tuple[Three, Three], ...] = (
    ((0, 0, 0), (4.6, 0.1, 1.0)), ((0, 0.2, 0.5), (4.6, 0.5, 0.1)), ((0, 0.2, -0.5), (4.6, 0.5, 0.1))
)  # fmt: skip
"""The places and sizes of the bottom and the sides of a chute."""
_RIM, _HOLE, _TOP = 1.6, 0.42, 6.9
"""The radii of the funnel's rim and hole, and the height of its rim, in m."""
_RINGS, _AROUND = 8, 48


def _funnel() -> tuple[Array, Array]:
    """Return the points and the triangles of the funnel, counter-clockwise seen from above."""
    share = np.arange(_RINGS) / (_RINGS - 1)
    radius = _HOLE + (_RIM - _HOLE) * share
    height = _TOP - 1.5 * (1 - share)
    sin, cos = _ring(_AROUND)
    points = np.stack(
        [np.outer(radius, cos), np.repeat(height[:, None], _AROUND, axis=1), np.outer(radius, sin)], axis=-1
    )  # fmt: skip
    ring, side = (axis.ravel() for axis in np.meshgrid(np.arange(_RINGS - 1), np.arange(_AROUND), indexing="ij"))
    a, b = ring * _AROUND + side, ring * _AROUND + (side + 1) % _AROUND
    c, d = a + _AROUND, b + _AROUND
    return points.reshape(-1, 3), np.concatenate([np.stack([a, b, d], axis=1), np.stack([a, d, c], axis=1)])


def put_funnel(world: World) -> None:
    """Make the mesh of the funnel, which has the triangles of its collider."""
    world[Models3D].put("funnel", *_funnel())


def marbles(world: World) -> None:
    """A funnel above three chutes, and a box whose sensor sends marbles back to the top."""
    points, triangles = _funnel()
    world.spawn(
        Transform3D(), Model3D(asset="made:funnel"),
        Material3D(color=(0.35, 0.5, 0.62, 1), double_sided=True, roughness=0.4),
        Collider3D(shape="mesh", points=points, triangles=triangles.ravel(), friction=0.2),
    )  # fmt: skip
    for height, way in _CHUTES:
        tilt = parts.turn(Z, -8.0 * way)
        for at, size in _TRAY:
            place = np.array((0.9 * way, height, 0)) + quaternions.turned(tilt, at)
            parts.wall(world, tuple(place.tolist()), size, rotation=tilt, friction=0.3)
        parts.wall(world, (3.75 * way, height - 0.35, 0), (0.1, 1.6, 1.1))
    gate = parts.wall(world, (3.0, 0.3, 0), (1.6, 0.3, 1.6), tint=(0.93, 0.79, 0.37, 1), sensor=True)
    world.add(gate, Name(value="gate"))
    for number in range(5):
        drop_marbles(world, 7.4 + 0.45 * number)


def drop_marbles(world: World, height: float = 7.4) -> None:
    """Let six marbles into the funnel, along its rim."""
    sin, cos = _ring(6)
    places = np.column_stack([0.9 * cos, np.full(6, height), 0.9 * sin])
    made = parts.balls(world, places, 0.15, color=np.arange(6) + round(2 * height), density=2000, friction=0.3)
    world.set(made, Body3D(velocity=np.column_stack([-0.8 * sin, np.zeros(6), 0.8 * cos])))


@system(Stage.POST, reads=SensorBegin3D, writes=(Transform3D, Body3D, Visit), run_if=in_scene("marbles"))
def lift(world: World, dt: float) -> None:
    """Count the marbles that reach the sensor, and send them back to the rim of the funnel."""
    for visit in world.events(SensorBegin3D):
        if world.alive(visit.visitor) and world.has(visit.visitor, Paint):
            angle = float(world[Visit].passed)
            sin, cos = maths.sincos(angle)
            teleport_bodies_3d(world, visit.visitor, (1.2 * cos, _TOP + 0.3, 1.2 * sin))
            world.set(visit.visitor, Body3D(velocity=(-2.2 * sin, 0.0, 2.2 * cos)))
            world[Visit].passed += 1


_LOSSES = 9


def bounce(world: World) -> None:
    """Balls that fall, each with a greater restitution than the one before."""
    for number in range(_LOSSES):
        parts.ball(
            world, ((number - (_LOSSES - 1) / 2) * 1.3, 5.0, 0), 0.45, color=number,
            restitution=number / (_LOSSES - 1), body={"allow_sleep": False},
        )  # fmt: skip


def throw_up(world: World) -> None:
    """Throw all balls up again."""
    world.set(world.query(Paint, Body3D).entities, Body3D(velocity=(0.0, 9.0, 0.0)))
