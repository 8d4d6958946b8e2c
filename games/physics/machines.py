"""Driven exhibits: a tumbler, a vehicle, and one joint of each kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Input, Name, Stage, Transform, World, in_scene, named, spawn_prefab, system
from rish_jit import maths
from rish_physics import (
    Body,
    DistanceJoint,
    GearJoint,
    MotorJoint,
    PrismaticJoint,
    RatchetJoint,
    RevoluteJoint,
    WeldJoint,
    WheelJoint,
    apply_impulse,
)
from rish_render import Camera, Shape

from . import parts
from .components import Swinging, Visit
from .parts import caption, pin
from .stacks import FORMS

_DRUM = 190.0


def tumbler(world: World) -> None:
    """A drum with fins that always turns, and loose bodies in it."""
    drum = world.spawn(
        Transform(position=(480, 245)),
        Name(value="drum"),
        Body(type="kinematic", angular_velocity=0.55, allow_sleep=False),
    )
    for side in range(12):
        angle = side * maths.TAU / 12
        place = _DRUM * maths.cos(angle), _DRUM * maths.sin(angle)
        size = (14.0, 2 * _DRUM * maths.sin(maths.PI / 12) + 10)
        parts.wall(world, *place, *size, angle=angle, parent=drum)
        if side % 3 == 0:
            parts.wall(world, 0.84 * place[0], 0.84 * place[1], 56, 9, angle=angle, parent=drum)
    spots = [(x, y) for y in np.arange(130.0, 370, 19) for x in np.arange(380.0, 590, 21)]
    parts.boxes(world, spots[0::3], 16, 16, color=np.arange(len(spots[0::3])))
    parts.balls(world, spots[1::3], 9, color=np.arange(len(spots[1::3])) + 4)
    things = {"shape": "polygon", "points": [(-10, -8), (10, -8), (0, 11)]}
    parts.things(world, spots[2::3], things, color=np.arange(len(spots[2::3])) + 2)


def turn_round(world: World) -> None:
    """Reverse the rotation of the drum."""
    drum = world.get(named(world, "drum"), Body)
    drum.angular_velocity = -drum.angular_velocity


_HILLS = [
    (-60, 420), (-40, 90), (330, 90), (430, 120), (520, 124), (600, 96), (720, 92), (820, 150), (900, 154), (960, 110),
    (1060, 80), (1200, 80), (1260, 96), (1320, 150), (1400, 150),
]  # fmt: skip
_BEYOND = [
    (1760, 150), (1840, 150), (1900, 120), (1960, 80), (2300, 80), (2420, 130), (2540, 190), (2640, 190), (2700, 150),
    (2780, 90), (2900, 80), (2960, 92), (3020, 80), (3080, 92), (3140, 80), (3200, 92), (3260, 80), (4240, 80),
    (4260, 420),
]  # fmt: skip
MOTORS = ("rear", "front")
SPEED = 17.0
"""The rotation speed of the wheels, in rad/s."""


def vehicle(world: World) -> None:
    """A car in a landscape: hills, a bridge of planks, a seesaw, crates, a bumpy road."""
    parts.terrain(world, [*_HILLS, (1420, 30), (1740, 30), *_BEYOND], -300)
    world.set(named(world, "camera"), Camera(follow=_car(world, 160, 150)))
    parts.planks(world, (1400, 146), 360, 15, 8, friction=0.9)
    seesaw = parts.box(world, 2130, 112, 240, 10, color=parts.TEAL, angle=0.0, friction=0.9)
    pin(world, 0, seesaw, (2130, 112), limited=True, lower=-0.24, upper=0.24)
    for row in range(5):
        parts.boxes(world, [(3480 + 34 * k, 97 + 33 * row) for k in range(4)], 32, 32, color=row + 3, density=0.4)


def _car(world: World, x: float, y: float) -> int:
    """Spawn a car body on two wheels with springs; return the body."""
    hull = {"shape": "outline", "points": [(-58, -14), (58, -14), (60, 2), (26, 10), (8, 28), (-34, 28), (-58, 8)]}
    car = int(parts.things(world, (x, y), hull, color=parts.RED, density=1.6, body={"allow_sleep": False})[0])
    world.add(car, Name(value="car"))
    spawn_prefab(
        world, "spot", Shape(shape="polygon", points=[(-28, 9), (-8, 9), (-8, 23), (-28, 23)]), at=(0, 0), parent=car
    )  # fmt: skip
    spawn_prefab(
        world, "spot", Shape(shape="polygon", points=[(-3, 9), (20, 9), (6, 23), (-3, 23)]), at=(0, 0), parent=car
    )
    for name, dx in zip(MOTORS, (-36, 38), strict=True):
        wheel = parts.ball(world, x + dx, y - 18, 19, color=parts.STEEL, density=1.2, friction=1.6)
        world.spawn(
            Name(value=name),
            WheelJoint(
                a=car, b=wheel, anchor_a=(dx, -18), axis=(0, 1), hertz=4.5, damping=0.7, limited=True, lower=-12,
                upper=12, motor=True, max_torque=22_000,
            ),
        )  # fmt: skip
    return car


@system(Stage.PRE, reads=Input, writes=WheelJoint, run_if=in_scene("vehicle"), after="game.act")
def steer(world: World, dt: float) -> None:
    """Set the wheel motors from the keys."""
    push = world[Input].axis("brake", "drive")
    for name in MOTORS:
        wheel = world.get(named(world, name), WheelJoint)
        if wheel.motor_speed != -SPEED * push:
            wheel.motor_speed = -SPEED * push


def jump(world: World) -> None:
    """Make the car jump."""
    apply_impulse(world, named(world, "car"), (0.0, 700.0))


_CELLS = [(130 + 234 * (k % 4), 345 - 205 * (k // 4)) for k in range(8)]
_NAMES = ("revolute", "distance", "prismatic", "weld", "wheel", "motor", "gear", "ratchet")


def joints(world: World) -> None:
    """Eight cells with one kind of joint in each."""
    makers = (_mill, _springs, _piston, _boards, _unicycle, _follower, _gears, _ratchet)
    parts.wall(world, 480, 14, 1200, 40)
    for (x, y), name, make in zip(_CELLS, _NAMES, makers, strict=True):
        spawn_prefab(world, "cell", at=(x, y + 6))
        caption(world, x, y + 91, name)
        make(world, x, y)


def _mill(world: World, x: float, y: float) -> None:
    """A cross on a pin with a motor."""
    cross = {"shape": "outline", "points": [(2.2 * u, 2.2 * v) for u, v in FORMS[3]]}
    made = int(parts.things(world, (x, y + 12), cross, color=parts.RED)[0])
    pin(world, 0, made, (x, y + 12), motor=True, motor_speed=2.0, max_torque=1e6)


def _springs(world: World, x: float, y: float) -> None:
    """A rod, a rope and a spring."""
    options: tuple[dict[str, Any], ...] = (
        {}, {"spring": True, "hertz": 0, "damping": 0, "limited": True, "upper": 90},
        {"spring": True, "hertz": 1.2, "damping": 0.05},
    )  # fmt: skip
    for dx, kind, name in zip((-66, 0, 66), options, ("rod", "rope", "spring"), strict=True):
        place = x + dx, y + 84
        made = parts.ball(
            world, place[0] + (60 if dx < 0 else 0), place[1] - 70, 14, color=parts.ORANGE, body={"allow_sleep": False}
        )
        joint = world.spawn(DistanceJoint(b=made, anchor_a=place, length=90, **kind))
        parts.show_link(world, joint, 0, made, anchor_a=place)
        caption(world, place[0], y - 60, name)


def _piston(world: World, x: float, y: float) -> None:
    """A crank drives a piston through a rod."""
    wheel = parts.ball(world, x - 60, y + 12, 34, color=parts.YELLOW, mask=0)
    pin(world, 0, wheel, (x - 60, y + 12), motor=True, motor_speed=4.0, max_torque=1e6)
    rod = parts.box(world, x + 10, y + 12, 96, 8, color=parts.STEEL, mask=0)
    piston = parts.box(world, x + 66, y + 12, 34, 46, color=parts.TEAL, mask=0)
    world.spawn(RevoluteJoint(a=wheel, b=rod, anchor_a=(26, 0), anchor_b=(-44, 0)))
    world.spawn(RevoluteJoint(a=rod, b=piston, anchor_a=(44, 0)))
    world.spawn(PrismaticJoint(a=0, b=piston, anchor_a=(x + 66, y + 12)))


def _boards(world: World, x: float, y: float) -> None:
    """Boards with soft welds."""
    for level, hertz in enumerate((2.0, 4.0, 8.0)):
        height = y + 70 - 52 * level
        board = parts.box(world, x - 20, height, 150, 7, color=parts.GREEN, density=1)
        world.spawn(
            WeldJoint(b=board, anchor_a=(x - 95, height), anchor_b=(-75, 0), angular_hertz=hertz, angular_damping=0.1)
        )  # fmt: skip
        parts.ball(world, x + 36, height + 22, 9, color=parts.PINK)


def _unicycle(world: World, x: float, y: float) -> None:
    """A wheel on a spring, above a drum that is not round."""
    cam = {"shape": "polygon", "points": [(40 * maths.cos(a), 34 * maths.sin(a)) for a in np.arange(8) * maths.TAU / 8]}
    parts.things(
        world, (x, y - 50), cam, color=parts.INDIGO, body={"type": "kinematic", "angular_velocity": 1.6}, friction=1
    )  # fmt: skip
    seat = parts.box(world, x, y + 62, 60, 16, color=parts.RED, density=2)
    wheel = parts.ball(world, x, y + 12, 22, color=parts.STEEL)
    world.spawn(PrismaticJoint(b=seat, anchor_a=(x, y + 62), axis=(0, 1)))
    joint = world.spawn(
        WheelJoint(a=seat, b=wheel, anchor_a=(0, -44), hertz=2.0, damping=0.3, limited=True, lower=-26, upper=26)
    )  # fmt: skip
    parts.show_link(world, joint, seat, wheel, width=4)


def _follower(world: World, x: float, y: float) -> None:
    """A box that is driven along a circle and pushes obstacles away."""
    made = parts.box(world, x, y + 12, 40, 40, color=parts.VIOLET, density=1, body={"gravity_scale": 0})
    joint = MotorJoint(b=made, offset=(x, y + 12), hertz=3, max_force=8_000, max_torque=200_000)
    world.spawn(joint, Transform(position=(x, y + 12)), Swinging(reach=50, period=4))
    parts.balls(world, [(x - 80, y - 50), (x + 80, y - 50)], 11, color=parts.YELLOW)


def _gears(world: World, x: float, y: float) -> None:
    """Two wheels that mesh; the larger one is driven."""
    large, small = 54.0, 27.0
    pair = []
    for radius, dx, teeth in ((large, -32, 24), (small, -32 + large + small, 12)):
        rim = [
            (r * maths.cos(a), r * maths.sin(a))
            for k in range(2 * teeth)
            for r in (radius + (3.5 if k % 2 else -3.5),)
            for a in ((k + (0.5 if radius == small else 0.0)) * maths.PI / teeth,)
        ]
        made = parts.ball(world, x + dx, y + 12, radius, color=parts.ORANGE if radius == large else parts.BLUE, mask=0)
        world.set(made, Shape(shape="polygon", points=rim))
        pin(world, 0, made, (x + dx, y + 12), motor=radius == large, motor_speed=1.2, max_torque=1e6)
        pair.append(made)
    world.spawn(GearJoint(a=pair[0], b=pair[1], ratio=-large / small))


def _ratchet(world: World, x: float, y: float) -> None:
    """A motor that swings to and fro, and a wheel that turns in one direction only."""
    rim = [
        (r * maths.cos(a), r * maths.sin(a))
        for k in range(12)
        for r, a in ((58.0, (k + 0.02) * maths.TAU / 12), (46.0, (k + 0.06) * maths.TAU / 12))
    ]
    made = parts.ball(world, x, y + 14, 52, color=parts.PINK, mask=0)
    world.set(made, Shape(shape="polygon", points=rim))
    world.spawn(
        RevoluteJoint(b=made, anchor_a=(x, y + 14), motor=True, max_torque=100_000),
        Transform(),
        Swinging(reach=3, period=2),
    )
    world.spawn(RatchetJoint(b=made, step=maths.TAU / 12))


@system(
    Stage.PRE,
    reads=(Visit, Swinging, Transform),
    writes=(RevoluteJoint, MotorJoint),
    run_if=in_scene("joints"),
    after="game.go_on",
)
def swing(world: World, dt: float) -> None:
    """Swing the motors and targets to and fro."""
    time = world[Visit].time
    for entity in world.query(Swinging, Transform).entities.tolist():
        swinging = world.get(entity, Swinging)
        sin, cos = maths.sincos(maths.TAU * time / float(swinging.period))
        if world.has(entity, MotorJoint):
            x, y = world.get(entity, Transform).position.tolist()
            world.set(entity, MotorJoint(offset=(x + swinging.reach * cos, y + swinging.reach * sin)))
        else:
            world.set(entity, RevoluteJoint(motor_speed=swinging.reach * sin))


def shake_joints(world: World) -> None:
    """Throw a ball through all cells."""
    parts.shot(world, 30, 400, (700, 120), radius=14, density=1)
