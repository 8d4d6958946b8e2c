"""What is played in a rehearsal: for each thing that a scene may hold, the shortest play in which it does all it can.

An act is given a `Play`, an empty world with the game's settings, and lets a few ticks pass. What counts is that
every kernel is called once, with arrays of the types that it gets in a game; what becomes of the bodies does not.
Places are in metres.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_core import Transform, World, publish_edges

from . import queries
from .components import Body, BodyType, Collider, ColliderShape
from .joints import components as joints
from .settings import Settings
from .systems import step_physics
from .timings import Timings

Act = Callable[["Play"], None]
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0, 0.6]])
_MANY = 400
_FAST = 200.0
"""m/s: many times its own size in a tick."""


class Play:
    """A stage for an act: a private World, where it is told in metres what stands where.

    joint: a kind of joint that the scene has, so that there is one beside every act: where there are joints, the solver
    never goes the short way through `solver.plain`, which then need not be ready.
    """

    def __init__(self, world: World, joint: type | None = None) -> None:
        self.world, self._joint = world, joint
        self.settings: Settings = world[Settings]
        self.settings.speed, self.settings.sleeping = 1.0, False
        self.unit = float(self.settings.units_per_metre)

    def put(self, x: float, y: float, *parts: Any) -> int:
        """Something that stands somewhere."""
        return self.world.spawn(Transform(position=(x * self.unit, y * self.unit)), *parts)

    def floor(self, **more: Any) -> int:
        """Ground at height 0."""
        if self._joint is not None:
            self.put(0, 0, self._joint(a=0, b=self.box(15, 15)))
        return self.put(0, -0.5, Collider(size=(40 * self.unit, self.unit), **more))

    def box(self, x: float, y: float, body: Body | None = None, **more: Any) -> int:
        """A box with sides of a metre."""
        return self.put(x, y, body or Body(), Collider(size=(self.unit, self.unit), **more))

    def ball(self, x: float, y: float, body: Body | None = None, **more: Any) -> int:
        """A circle, a metre wide."""
        return self.put(x, y, body or Body(), Collider(shape=ColliderShape.CIRCLE, radius=0.5 * self.unit, **more))

    def form(self, shape: ColliderShape, x: float, y: float, points: Any, body: Body | None, **more: Any) -> int:
        """A shape of points."""
        outline: Any = np.asarray(points) * self.unit
        parts = (Collider(shape=shape, points=outline, **more),)
        return self.put(x, y, *parts) if body is None else self.put(x, y, body, *parts)

    def way(self, x: float, y: float) -> tuple[float, float]:
        """A velocity, in world units."""
        return (x * self.unit, y * self.unit)

    def tick(self, count: int = 3) -> None:
        """Let ticks pass."""
        for _ in range(count):
            step_physics(self.world, self.world.dt)
            self.world.end_tick()
            self.world.end_frame()


def bodies(play: Play) -> None:
    """They fall, lie on one another, are moved by hand, are hit, and go; in the end every stage is timed, for which
    it is called by itself.
    """
    play.floor()
    box, ball = play.box(0, 0.49), play.ball(0.2, 1.47)
    play.box(3, 0.4)
    play.ball(3.3, 1.2)
    play.put(8, 2, Body(type=BodyType.KINEMATIC, velocity=play.way(1, 0)), Collider())
    play.tick()
    play.world[Transform].position[:] += play.unit
    play.tick(1)
    play.world.get(ball, Body).velocity = play.way(3, 9)
    play.world.get(box, Body).force = play.way(1, 1)
    play.tick()
    play.world.despawn(box)
    play.box(0.4, 1.6)
    play.tick()
    play.world[Timings].wanted = True
    play.tick()


def crowd(play: Play) -> None:
    """So many that stand and move that they are sorted into the tree and the grid."""
    play.floor()
    places: Any = np.column_stack([np.arange(_MANY) % 20, np.arange(_MANY) // 20]) * 1.5 * play.unit
    size = play.way(1, 1)
    play.world.spawn_many(_MANY, Transform(position=places), Collider(size=size))
    play.world.spawn_many(_MANY, Transform(position=places + 0.9 * play.unit), Body(), Collider(size=size))
    play.tick()
    play.world[Transform].position[:] += play.unit
    play.tick()


def sleepers(play: Play) -> None:
    """They fall asleep, are told to wake, and are woken by what runs into them."""
    play.settings.sleeping, play.settings.sleep_time, play.settings.sleep_speed = True, 0.0, 1e4
    play.floor()
    box, _ = play.box(0, 0.5), play.box(0, 1.5)
    play.ball(4, 0.5)
    play.tick()
    play.world.get(box, Body).velocity = play.way(0.1, 0)
    play.tick()
    play.settings.sleep_speed = 1e-9
    play.box(1.5, 0.5, Body(velocity=play.way(-9, 0)))
    play.tick(5)
    play.world.despawn(box)
    play.tick()


def hulls(play: Play) -> None:
    """Capsules, polygons and rounded boxes meet all others."""
    play.floor()
    for k, point in enumerate((0.4, 0.6)):
        play.form(ColliderShape.POLYGON, 4 * k, point, _CORNERS, Body())
        play.put(4 * k + 1, point, Body(), Collider(shape=ColliderShape.CAPSULE, size=play.way(0.6, 1)))
        play.box(4 * k + 2, point, radius=0.1 * play.unit)
        play.ball(4 * k, point + 0.9)
    play.tick()


def chains(play: Play) -> None:
    """A floor of several pieces, and what stands on it."""
    play.floor()
    play.form(ColliderShape.CHAIN, 0, 0, [(9, 0), (3, 0), (0, 0.1), (-3, 0), (-9, 0)], None)
    play.box(0.2, 0.5)
    play.ball(2, 0.45)
    play.form(ColliderShape.POLYGON, -2, 0.45, _CORNERS, Body())
    play.tick()


def edges(play: Play) -> None:
    """The same, where something else says where the ground is."""
    play.floor()
    ends = np.array([9, 0, -9], np.float32) * np.float32(play.unit)
    publish_edges(play.world, "rehearsal", x0=ends[:2], y0=0, x1=ends[1:], y1=0, mask=1)
    play.box(0.2, 0.5)
    play.tick()


def sensors(play: Play) -> None:
    """Something falls through one."""
    play.floor(sensor=True)
    play.box(0, 0.3)
    play.ball(3, 0.3)
    play.tick()


def one_way(play: Play) -> None:
    """A platform, met from both sides."""
    play.floor(one_way=(0, 1))
    play.box(0, 0.45)
    play.ball(2, -1, Body(velocity=play.way(0, 9)))
    play.form(ColliderShape.POLYGON, -2, 0.45, _CORNERS, Body())
    play.tick()


def cold(play: Play) -> None:
    """Everything that a contact may have beside friction, with the hits that are told of."""
    more: dict[str, Any] = {"restitution": 0.5, "rolling_resistance": 0.1, "tells_hits": True, "tells_stay": True}
    play.floor(surface_speed=play.unit)
    play.ball(0, 0.45, Body(velocity=play.way(1, -9)), dynamic_friction=0.1, **more)
    play.box(3, 0.45, Body(velocity=play.way(1, -9)), **more)
    play.tick()


def continuous(play: Play) -> None:
    """Shots at a wall, at what moves, and at one another."""
    play.settings.continuous = True
    play.floor()
    down, right = play.way(0, -_FAST), play.way(_FAST, 0)
    play.ball(0, 1.2, Body(velocity=down))
    play.box(2, 1.2, Body(velocity=down))
    play.ball(4.5, 1, Body(velocity=right))
    play.box(-9, 1)
    play.ball(-12, 1, Body(velocity=right, bullet=True))
    play.tick(2)


def overrun(play: Play) -> None:
    """A shot at something that goes its own way, and a plate that comes down on a box."""
    play.settings.continuous = True
    down, right = play.way(0, -_FAST), play.way(_FAST, 0)
    play.put(6, 1, Body(type=BodyType.KINEMATIC, velocity=play.way(0, 1)), Collider(size=play.way(1, 1)))
    play.ball(4.5, 1, Body(velocity=right))
    play.box(-5, 4)
    play.put(-5, 5.5, Body(type=BodyType.KINEMATIC, velocity=down), Collider(size=play.way(1, 0.1)))
    play.tick(2)


def _joined(kind: type, **given: Any) -> Act:
    def act(play: Play) -> None:
        play.floor()
        a, b = play.box(0, 2), play.ball(1.2, 2)
        play.put(0, 0, kind(a=a, b=b, **given))
        play.put(0, 0, kind(a=0, b=play.box(5, 0.45), **given))
        play.tick()

    act.__doc__ = f"Two bodies held together by a {kind.__name__}, and one held to the world."
    return act


def casts(play: Play) -> None:
    """Rays and forms on their way, for the first thing and for all."""
    _targets(play)
    start, end = np.array([[0, 5 * play.unit]], np.float32), np.array([[0, -5 * play.unit]], np.float32)
    corners = (_CORNERS * play.unit).astype(np.float32)
    queries.ray_casts(play.world, start, end)
    queries.ray_casts_all(play.world, start, end)
    queries.shape_casts(play.world, corners, start, end)
    queries.shape_cast_all(play.world, corners, start[0], end[0])


def overlaps(play: Play) -> None:
    """What lies here, for a point and for forms."""
    _targets(play)
    place = np.zeros((1, 2), np.float32)
    queries.overlap_points(play.world, place)
    queries.overlap_boxes(play.world, place, place + np.float32(play.unit))
    queries.overlap_shapes(play.world, (_CORNERS * play.unit).astype(np.float32), place)
    queries.picks(play.world, place)


def _targets(play: Play) -> None:
    """Something to be found, that stands and that moves."""
    play.floor()
    play.box(0, 0.45)
    play.ball(0, 1.4)
    play.form(ColliderShape.POLYGON, 0, 3, _CORNERS, Body())
    play.tick(1)


_ALL = {"limited": True, "upper": 0.1, "motor": True, "spring": True}
ACTS: dict[str, Act] = {
    "bodies": bodies,
    "plain": bodies,
    "crowd": crowd,
    "sleepers": sleepers,
    "hulls": hulls,
    "chains": chains,
    "edges": edges,
    "sensors": sensors,
    "one_way": one_way,
    "cold": cold,
    "continuous": continuous,
    "overrun": overrun,
    "casts": casts,
    "overlaps": overlaps,
    "Revolute": _joined(joints.Revolute),
    "Revolute parts": _joined(joints.Revolute, **_ALL, max_torque=1.0),
    **{kind.__name__: _joined(kind, **_ALL) for kind in (joints.Distance, joints.Prismatic, joints.Wheel)},
    **{
        kind.__name__: _joined(kind)
        for kind in (joints.Weld, joints.MotorJoint, joints.MouseJoint, joints.Gear, joints.Ratchet)
    },
}
"""By name; the joints by the names of their components."""
