"""The samples of the warm-up: for each feature of a scene, the shortest run that calls all of its kernels.

A function gets a `Sample`, an empty world with the game's settings, and runs a few ticks. Each kernel must be called
once with arrays of the types that it gets in a game; the motion of the bodies does not matter. Positions are in meters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_core import Transform, World, publish_edges

from ..components import joints
from ..components.bodies import Body, BodyType, Collider, ColliderShape
from ..components.settings import PhysicsSettings
from ..components.timings import Timings
from ..queries import queries
from ..sync.system import step_physics

SampleRun = Callable[["Sample"], None]
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0, 0.6]])
_CROWD_SIZE = 400
_FAST_SPEED = 200.0
"""A speed in m/s at which a body moves many times its size in a tick."""


class Sample:
    """A private World in which a sample runs; positions are given in meters.

    joint: a kind of joint that the scene has, so that every sample has one. With joints the solver never uses
    `sync.fast_path`, which then need not be compiled.
    """

    def __init__(self, world: World, joint: type | None = None) -> None:
        self.world, self._joint = world, joint
        self.settings: PhysicsSettings = world[PhysicsSettings]
        self.settings.time_scale, self.settings.sleeping = 1.0, False
        self.unit = float(self.settings.units_per_meter)

    def put(self, x: float, y: float, *parts: Any) -> int:
        """Spawn an entity with these components at a position."""
        return self.world.spawn(Transform(position=(x * self.unit, y * self.unit)), *parts)

    def floor(self, **fields: Any) -> int:
        """Spawn ground at height 0."""
        if self._joint is not None:
            self.put(0, 0, self._joint(a=0, b=self.box(15, 15)))
        return self.put(0, -0.5, Collider(size=(40 * self.unit, self.unit), **fields))

    def box(self, x: float, y: float, body: Body | None = None, **fields: Any) -> int:
        """Spawn a box with sides of one meter."""
        return self.put(x, y, body or Body(), Collider(size=(self.unit, self.unit), **fields))

    def ball(self, x: float, y: float, body: Body | None = None, **fields: Any) -> int:
        """Spawn a circle, one meter wide."""
        return self.put(x, y, body or Body(), Collider(shape=ColliderShape.CIRCLE, radius=0.5 * self.unit, **fields))

    def form(self, shape: ColliderShape, x: float, y: float, points: Any, body: Body | None, **fields: Any) -> int:
        """Spawn a shape with these points."""
        outline: Any = np.asarray(points) * self.unit
        parts = (Collider(shape=shape, points=outline, **fields),)
        return self.put(x, y, *parts) if body is None else self.put(x, y, body, *parts)

    def way(self, x: float, y: float) -> tuple[float, float]:
        """Return a vector of meters in world units."""
        return (x * self.unit, y * self.unit)

    def tick(self, count: int = 3) -> None:
        """Run ticks."""
        for _ in range(count):
            step_physics(self.world, self.world.dt)
            self.world.end_tick()
            self.world.end_frame()


def bodies(sample: Sample) -> None:
    """Bodies fall, rest on one another, are moved, pushed, removed and copied. At the end the stages are timed, so that
    they are called separately.
    """
    sample.floor()
    box, ball = sample.box(0, 0.49), sample.ball(0.2, 1.47)
    sample.box(3, 0.4)
    sample.ball(3.3, 1.2)
    sample.put(8, 2, Body(type=BodyType.KINEMATIC, velocity=sample.way(1, 0)), Collider())
    sample.tick()
    sample.world[Transform].position[:] += sample.unit
    sample.tick(1)
    sample.world.get(ball, Body).velocity = sample.way(3, 9)
    sample.world.get(box, Body).force = sample.way(1, 1)
    sample.tick()
    sample.world.despawn(box)
    sample.box(0.4, 1.6)
    sample.tick()
    sample.box(0.4, 2.7)  # the same columns, so it is copied
    sample.tick(1)
    sample.world[Timings].wanted = True
    sample.tick()


def crowd(sample: Sample) -> None:
    """Enough static and moving bodies that they are sorted into the tree and the grid."""
    sample.floor()
    places: Any = np.column_stack([np.arange(_CROWD_SIZE) % 20, np.arange(_CROWD_SIZE) // 20]) * 1.5 * sample.unit
    size = sample.way(1, 1)
    sample.world.spawn_many(_CROWD_SIZE, Transform(position=places), Collider(size=size))
    sample.world.spawn_many(_CROWD_SIZE, Transform(position=places + 0.9 * sample.unit), Body(), Collider(size=size))
    sample.tick()
    sample.world[Transform].position[:] += sample.unit
    sample.tick()


def sleepers(sample: Sample) -> None:
    """Bodies fall asleep, and are woken by code and by a body that hits them."""
    sample.settings.sleeping, sample.settings.sleep_time, sample.settings.sleep_speed = True, 0.0, 1e4
    sample.floor()
    box, _ = sample.box(0, 0.5), sample.box(0, 1.5)
    sample.ball(4, 0.5)
    sample.tick()
    sample.world.get(box, Body).velocity = sample.way(0.1, 0)
    sample.tick()
    sample.settings.sleep_speed = 1e-9
    sample.box(1.5, 0.5, Body(velocity=sample.way(-9, 0)))
    sample.tick(5)
    sample.world.despawn(box)
    sample.tick()


def hulls(sample: Sample) -> None:
    """Capsules, polygons and rounded boxes collide with all other shapes."""
    sample.floor()
    for k, point in enumerate((0.4, 0.6)):
        sample.form(ColliderShape.POLYGON, 4 * k, point, _CORNERS, Body())
        sample.put(4 * k + 1, point, Body(), Collider(shape=ColliderShape.CAPSULE, size=sample.way(0.6, 1)))
        sample.box(4 * k + 2, point, radius=0.1 * sample.unit)
        sample.ball(4 * k, point + 0.9)
    sample.tick()


def chains(sample: Sample) -> None:
    """A floor of several segments, and bodies on it."""
    sample.floor()
    sample.form(ColliderShape.CHAIN, 0, 0, [(9, 0), (3, 0), (0, 0.1), (-3, 0), (-9, 0)], None)
    sample.box(0.2, 0.5)
    sample.ball(2, 0.45)
    sample.form(ColliderShape.POLYGON, -2, 0.45, _CORNERS, Body())
    sample.tick()


def edges(sample: Sample) -> None:
    """A floor from published `Edges`, and a body on it."""
    sample.floor()
    ends = np.array([9, 0, -9], np.float32) * np.float32(sample.unit)
    publish_edges(sample.world, "warm_up", x0=ends[:2], y0=0, x1=ends[1:], y1=0, mask=1)
    sample.box(0.2, 0.5)
    sample.tick()


def sensors(sample: Sample) -> None:
    """A body falls through a sensor."""
    sample.floor(sensor=True)
    sample.box(0, 0.3)
    sample.ball(3, 0.3)
    sample.tick()


def one_way(sample: Sample) -> None:
    """A platform, hit from both sides."""
    sample.floor(one_way=(0, 1))
    sample.box(0, 0.45)
    sample.ball(2, -1, Body(velocity=sample.way(0, 9)))
    sample.form(ColliderShape.POLYGON, -2, 0.45, _CORNERS, Body())
    sample.tick()


def cold(sample: Sample) -> None:
    """Contacts with every feature other than plain friction, and with hit events."""
    fields: dict[str, Any] = {"restitution": 0.5, "rolling_resistance": 0.1, "hit_events": True, "stay_events": True}
    sample.floor(surface_speed=sample.unit)
    sample.ball(0, 0.45, Body(velocity=sample.way(1, -9)), dynamic_friction=0.1, **fields)
    sample.box(3, 0.45, Body(velocity=sample.way(1, -9)), **fields)
    sample.tick()


def continuous(sample: Sample) -> None:
    """Shots at a wall, at moving bodies, and at one another."""
    sample.settings.continuous = True
    sample.floor()
    down, right = sample.way(0, -_FAST_SPEED), sample.way(_FAST_SPEED, 0)
    sample.ball(0, 1.2, Body(velocity=down))
    sample.box(2, 1.2, Body(velocity=down))
    sample.ball(4.5, 1, Body(velocity=right))
    sample.box(-9, 1)
    sample.ball(-12, 1, Body(velocity=right, bullet=True))
    sample.tick(2)


def overrun(sample: Sample) -> None:
    """A fast body that hits a kinematic one, and a kinematic plate that falls on a box."""
    sample.settings.continuous = True
    down, right = sample.way(0, -_FAST_SPEED), sample.way(_FAST_SPEED, 0)
    sample.put(6, 1, Body(type=BodyType.KINEMATIC, velocity=sample.way(0, 1)), Collider(size=sample.way(1, 1)))
    sample.ball(4.5, 1, Body(velocity=right))
    sample.box(-5, 4)
    sample.put(-5, 5.5, Body(type=BodyType.KINEMATIC, velocity=down), Collider(size=sample.way(1, 0.1)))
    sample.tick(2)


def _joined(kind: type, **fields: Any) -> SampleRun:
    def sample(sample: Sample) -> None:
        sample.floor()
        a, b = sample.box(0, 2), sample.ball(1.2, 2)
        sample.put(0, 0, kind(a=a, b=b, **fields))
        sample.put(0, 0, kind(a=0, b=sample.box(5, 0.45), **fields))
        sample.tick()

    sample.__doc__ = f"Two bodies held together by a {kind.__name__}, and one held to the world."
    return sample


def casts(sample: Sample) -> None:
    """Rays and shape casts, for the first hit and for all hits."""
    _targets(sample)
    start, end = np.array([[0, 5 * sample.unit]], np.float32), np.array([[0, -5 * sample.unit]], np.float32)
    corners = (_CORNERS * sample.unit).astype(np.float32)
    queries.ray_cast(sample.world, start, end)
    queries.ray_cast_all(sample.world, start, end)
    queries.shape_cast(sample.world, corners, start, end)
    queries.shape_cast_all(sample.world, corners, start[0], end[0])


def overlaps(sample: Sample) -> None:
    """Overlap queries for a point and for shapes."""
    _targets(sample)
    place = np.zeros((1, 2), np.float32)
    queries.overlap_point(sample.world, place)
    queries.overlap_box(sample.world, place, place + np.float32(sample.unit))
    queries.overlap_shape(sample.world, (_CORNERS * sample.unit).astype(np.float32), place)
    queries.pick(sample.world, place)


def _targets(sample: Sample) -> None:
    """Spawn static and moving bodies for the queries."""
    sample.floor()
    sample.box(0, 0.45)
    sample.ball(0, 1.4)
    sample.form(ColliderShape.POLYGON, 0, 3, _CORNERS, Body())
    sample.tick(1)


_ALL = {"limited": True, "upper": 0.1, "motor": True, "spring": True}
SAMPLES: dict[str, SampleRun] = {
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
    "RevoluteJoint": _joined(joints.RevoluteJoint),
    "RevoluteJoint parts": _joined(joints.RevoluteJoint, **_ALL, max_torque=1.0),
    **{
        kind.__name__: _joined(kind, **_ALL)
        for kind in (joints.DistanceJoint, joints.PrismaticJoint, joints.WheelJoint)
    },
    **{
        kind.__name__: _joined(kind)
        for kind in (joints.WeldJoint, joints.MotorJoint, joints.MouseJoint, joints.GearJoint, joints.RatchetJoint)
    },
}
"""The samples by name; those of joints have the names of the components."""
