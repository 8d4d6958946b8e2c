"""Six small scenes and the hash of each after two seconds, which must be the same on every machine.

`python tests/physics/scenes/pinned.py` prints the hashes as JSON. After a change that is intended to change the
movement of bodies, `python tests/physics/scenes/pinned.py --pin` also writes them to `pinned.json` beside it.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import App, Transform, World, parse_manifest
from rish_physics import Body, Collider, DistanceJoint, PrismaticJoint, RevoluteJoint, WeldJoint, WheelJoint

FILE = Path(__file__).with_suffix(".json")
TICKS = 120
_MANIFEST = """
rish: 1
plugins: [physics]
settings: {physics: {units_per_meter: 1, gravity: [0, -10]}}
scenes: {main: []}
"""


def put(world: World, x: float, y: float, *parts: Any, angle: float = 0.0) -> int:
    """Spawn an entity at a position."""
    return world.spawn(Transform(position=(x, y), rotation=angle), *parts)


def pyramid(world: World) -> None:
    """Add boxes in a pyramid that a ball hits."""
    put(world, 0, -0.5, Collider(size=(60, 1)))
    for row in range(8):
        for k in range(row, 8):
            put(world, (row + 1) * 0.5 + (k - row) - 4, row + 0.5, Body(), Collider(size=(1, 1)))
    put(world, -12, 2, Body(velocity=(18, 2)), Collider(shape="circle", radius=0.6, density=4))


def heap(world: World) -> None:
    """Add rotated bodies of all convex forms that fall into a chain."""
    points = [(12, 3), (10, 0), (-10, 0), (-12, 3)]
    put(world, 0, 0, Collider(shape="chain", points=points))
    forms: list[dict[str, Any]] = [
        {"size": (0.9, 0.6)},
        {"shape": "circle", "radius": 0.4},
        {"shape": "capsule", "size": (1.1, 0.5)},
        {"shape": "polygon", "points": [(-0.5, -0.4), (0.6, -0.3), (0.2, 0.5)]},
        {"size": (0.5, 0.5), "radius": 0.1},
        {"shape": "outline", "points": [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (0, -0.1), (-0.5, 0.5)]},
    ]
    for k in range(48):
        put(world, (k % 8 - 3.5) * 1.4, 1.5 + 1.3 * (k // 8), Body(), Collider(**forms[k % 6]), angle=0.37 * k)


def joints(world: World) -> None:
    """Add a bridge, a pendulum on a spring, a slide, a cart, two welded bodies, and bodies that fall on them."""
    posts = [put(world, x, 4, Collider(size=(0.5, 0.5))) for x in (-6, 6)]
    put(world, 0, -0.5, Collider(size=(60, 1)))
    planks = [posts[0]]
    for k in range(12):
        planks.append(put(world, -5.5 + k, 4, Body(), Collider(size=(1, 0.2))))
        world.spawn(RevoluteJoint(a=planks[-2], b=planks[-1], anchor_a=(0 if k == 0 else 0.5, 0), anchor_b=(-0.5, 0)))
    world.spawn(RevoluteJoint(a=planks[-1], b=posts[1], anchor_a=(0.5, 0), anchor_b=(0, 0)))
    for k in range(6):
        put(world, -4 + 1.7 * k, 6 + 0.3 * k, Body(), Collider(shape="circle", radius=0.35))
    bob = put(world, 9, 2, Body(), Collider(shape="circle", radius=0.3))
    world.spawn(DistanceJoint(a=posts[1], b=bob, length=2.5, spring=True, hertz=2, damping=0.2))
    slide = put(world, -9, 3, Body(), Collider(size=(1, 1)))
    world.spawn(PrismaticJoint(a=posts[0], b=slide, anchor_a=(-3, 0), axis=(0, 1), limited=True, lower=-1.5, upper=1))
    cart = put(world, 0, 1.2, Body(), Collider(size=(3, 0.6)))
    for x in (-1, 1):
        tire = put(world, x, 0.6, Body(), Collider(shape="circle", radius=0.4))
        world.spawn(
            WheelJoint(a=cart, b=tire, anchor_a=(x, -0.6), axis=(0, 1), spring=True, hertz=4, damping=0.7, motor=True,
                  motor_speed=-6, max_torque=4)
        )  # fmt: skip
    left, right = (put(world, x, 8, Body(), Collider(size=(1, 0.4)), angle=0.3) for x in (-0.5, 0.5))
    world.spawn(WeldJoint(a=left, b=right, anchor_a=(0.5, 0), anchor_b=(-0.5, 0)))


def surfaces(world: World) -> None:
    """Add surfaces with restitution, rolling resistance, belts, and friction on a slope."""
    put(world, 0, -0.5, Collider(size=(20, 1), surface_speed=1.5))
    put(world, -14, 2, Collider(size=(12, 1), dynamic_friction=0.2), angle=-0.45)
    for k in range(8):
        put(
            world,
            -7 + 2 * k,
            3,
            Body(),
            Collider(shape="circle", radius=0.5, restitution=k / 8, rolling_resistance=0.05),
        )
        put(world, -18 + 1.1 * k, 7, Body(), Collider(size=(0.7, 0.7), friction=0.2 * k))


def fast(world: World) -> None:
    """Add shots against thin walls, a spinning paddle, and bullets, all without gravity."""
    for x in (-10, 10):
        put(world, x, 0, Collider(size=(0.1, 20)))
    for y in (-10, 10):
        put(world, 0, y, Collider(size=(20, 0.1), restitution=1))
    put(world, 0, 0, Body(type="kinematic", angular_velocity=9), Collider(size=(8, 0.1)))
    for k in range(10):
        body = Body(velocity=(170 - 31 * k, 90 - 17 * k), gravity_scale=0, bullet=bool(k % 2))
        form = Collider(shape="circle", radius=0.15, restitution=1) if k % 3 else Collider(size=(0.4, 0.2))
        put(world, -4.5 + k, 5 - 0.9 * k, body, form)


def machine(world: World) -> None:
    """Add a platform that carries bodies, a sensor, a one-way ledge, a compound, and a stack that falls asleep."""
    put(world, 0, -0.5, Collider(size=(60, 1)))
    put(world, -6, 1, Body(type="kinematic", velocity=(1.2, 0)), Collider(size=(4, 0.5)))
    put(world, 0, 2, Collider(size=(3, 3), sensor=True))
    put(world, 6, 3, Collider(size=(4, 0.3), one_way=(0, 1)))
    for k in range(4):
        put(world, 12, 0.5 + k, Body(), Collider(size=(1, 1)))
        put(world, -6.5 + 0.4 * k, 2.5 + 1.1 * k, Body(), Collider(shape="capsule", size=(0.5, 0.9)))
        put(world, 6 + 0.2 * k, 1.5 + k, Body(velocity=(0, 9)), Collider(size=(0.5, 0.5)))
    whole = put(world, 1, 6, Body(angular_velocity=2), Collider(size=(2, 0.3)))
    world.spawn(Transform(position=(0.9, 0.5), parent=whole), Collider(shape="circle", radius=0.4))
    world.spawn(Transform(position=(-0.9, 0.5), parent=whole), Collider(size=(0.3, 0.9), density=3))


SCENES: dict[str, Callable[[World], None]] = {
    "pyramid": pyramid,
    "heap": heap,
    "joints": joints,
    "surfaces": surfaces,
    "fast": fast,
    "machine": machine,
}


def hash_of(name: str) -> str:
    """Return the hash of a scene: of the bits of all positions, rotations and velocities after each half second."""
    app = App(parse_manifest(_MANIFEST), headless=True, policy="raise")
    SCENES[name](app.world)
    digest = hashlib.sha256()
    for tick in range(1, TICKS + 1):
        app.tick()
        app.world.end_frame()
        if tick % 30 == 0:
            columns = (Transform, ("position", "rotation")), (Body, ("velocity", "angular_velocity"))
            for cls, names in columns:
                for each in names:
                    column = np.ascontiguousarray(app.world[cls].column(each)[: len(app.world[cls])])
                    assert np.isfinite(column).all(), (name, tick, each)
                    digest.update(column.tobytes())
    app.close()
    return digest.hexdigest()[:16]


def hashes() -> dict[str, str]:
    """Return the hashes of all scenes."""
    return {name: hash_of(name) for name in SCENES}


if __name__ == "__main__":
    found = json.dumps(hashes(), indent=2)
    if "--pin" in sys.argv:
        FILE.write_text(found + "\n")
    print(found)
