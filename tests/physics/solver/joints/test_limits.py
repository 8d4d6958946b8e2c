"""No drive passes a limit, whatever the bodies weigh."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_physics import Body, Collider, DistanceJoint, PrismaticJoint, RevoluteJoint, WheelJoint
from rish_physics.components.tables import QUARANTINED, Bodies

SLOPS = {RevoluteJoint: np.radians(0.5)}
"""By how much a limit may be passed: half a degree; for a length 0.005 m, the `slop` of the settings."""
LIMITS = {DistanceJoint: (1.0, 3.0), RevoluteJoint: (-1.0, 0.5), PrismaticJoint: (-1.0, 2.0), WheelJoint: (-1.0, 2.0)}
DRIVES: dict[str, tuple[dict[str, Any], float]] = {
    "motor": ({"motor": True, "motor_speed": 50.0, "strength": 1e7}, 0.0),
    "endless motor": ({"motor": True, "motor_speed": 1e30, "strength": 3e38}, 0.0),
    "weak motor": ({"motor": True, "motor_speed": 5.0, "strength": 1.0}, 0.0),
    "spring": ({"spring": True, "hertz": 1000.0, "damping": 0.0, "rest": 200.0}, 0.0),
    "damped spring": ({"spring": True, "hertz": 1000.0, "damping": 1000.0, "rest": 200.0}, 0.0),
    "soft spring": ({"spring": True, "hertz": 1.0, "damping": 0.7, "rest": 20.0}, 0.0),
    "force": ({}, 1e8),
    "great force": ({}, 1e13),
    "motor against force": ({"motor": True, "motor_speed": -50.0, "strength": 1e8}, 1e7),
    "all": ({"motor": True, "motor_speed": 1e4, "strength": 1e9, "spring": True, "hertz": 300.0, "rest": 50.0}, 1e8),
}
"""What drives a joint beyond its upper limit: values of the joint, and the force or torque on b."""
BASES = ("world", "static", "kinematic", "heavy", "equal", "light")


def joint_of(cls: Any, drive: dict[str, Any], side: int) -> Any:
    """Return a joint with limits that the drive pushes to its upper limit (side 1) or its lower one (side -1)."""
    lower, upper = LIMITS[cls]
    given: dict[str, Any] = {"limited": True, "lower": lower, "upper": upper}
    for name, value in drive.items():
        if name in ("motor_speed", "rest"):
            given[name] = side * value
        elif name != "strength":
            given[name] = value
    if cls is DistanceJoint and "rest" in given:
        given["length"] = max(given.pop("rest"), 1e-3)
    if "strength" in drive:
        given["max_torque" if cls is RevoluteJoint else "max_force"] = drive["strength"]
    given.update({
        PrismaticJoint: {"anchor_a": (0.3, 0.1), "anchor_b": (0.2, -0.4)},
        WheelJoint: {"anchor_a": (0.1, 0.5), "axis": (1, 0)},
        RevoluteJoint: {"anchor_a": (0.5, 0.2), "anchor_b": (-0.5, 0.1)},
        DistanceJoint: {"anchor_a": (0.1, 0.0)},
    }[cls])  # fmt: skip
    return cls(**given)


class Pairs:
    """Pairs of bodies with a joint each, all driven to one of their limits."""

    def __init__(self, scene: Any, cls: Any, masses: tuple[float, ...]) -> None:
        self.scene, self.cls, self.names = scene, cls, list[str]()
        ends, anchors, sides, forces = list[Any](), list[Any](), list[int](), list[float]()
        drives = [(name, *of) for name, of in DRIVES.items() if cls is not WheelJoint or "strength" not in of[0]]
        for k, (base, (name, drive, force), side, mass) in enumerate(product(BASES, drives, (-1, 1), masses)):
            joint = joint_of(cls, drive, side)
            x, y = 40.0 * (k % 20), 40.0 * (k // 20)
            joint.a = self.base(base, x, y, mass)
            if not joint.a:
                joint.anchor_a = np.add(joint.anchor_a, (x, y))
            start = {RevoluteJoint: (1.0, 0.1), DistanceJoint: (2.1, 0.0)}.get(cls, (0.1, 0.5))
            if cls in (PrismaticJoint, WheelJoint) and base in ("heavy", "equal", "light"):
                # A force beside the center of both would only make the free pair spin.
                joint.anchor_a, joint.anchor_b, start = (0.1, 0.0), (0.0, 0.0), (0.1, 0.0)
            joint.b = scene.put(x + start[0], y + start[1], Body(mass=mass), Collider(size=(0.5, 0.7), mask=0))
            scene.world.spawn(joint)
            self.names.append(f"{cls.__name__} on {base}, {name}, {mass:g} kg, side {side}")
            ends.append((joint.a, joint.b))
            anchors.append((joint.anchor_a, joint.anchor_b))
            sides.append(side)
            forces.append(side * force * max(mass, 1))
        self.ends, self.anchors = np.array(ends), np.array(anchors)
        self.sides, self.forces = np.array(sides), np.array(forces)
        self.turn = np.zeros(len(ends))

    def base(self, kind: str, x: float, y: float, mass: float) -> int:
        """Return a body a: the world, a fixed one, one that moves by itself, a heavy or a light one."""
        form = Collider(size=(1, 1), mask=0)
        if kind == "world":
            return 0
        if kind == "static":
            return self.scene.put(x, y, Body(type="static"), form)
        if kind == "kinematic":
            body = Body(type="kinematic", velocity=(1.0, -0.5), angular_velocity=0.5)
            return self.scene.put(x, y, body, form)
        return self.scene.put(x, y, Body(mass=mass * {"heavy": 1e3, "equal": 1.0, "light": 1e-3}[kind]), form)

    def poses(self) -> tuple[Any, Any]:
        """Return positions of the anchors (n, 2, 2) and rotations (n, 2) of both bodies."""
        table = self.scene.world.table(Transform)
        rows = table.rows_of(self.ends.ravel()).reshape(-1, 2)
        place = np.where((rows >= 0)[..., None], table.position[rows].astype(np.float64), 0)
        turn = np.where(rows >= 0, table.rotation[rows].astype(np.float64), 0)
        c, s, x, y = np.cos(turn), np.sin(turn), self.anchors[..., 0], self.anchors[..., 1]
        return place + np.stack([c * x - s * y, s * x + c * y], axis=-1), turn

    def push(self) -> None:
        """Apply the forces or torques of this tick to the bodies b."""
        table, (anchor, turn) = self.scene.world.table(Body), self.poses()
        rows = table.rows_of(self.ends[:, 1])
        if self.cls is RevoluteJoint:
            table.torque[rows] = self.forces
        else:
            way = np.stack([np.cos(turn[:, 0]), np.sin(turn[:, 0])], axis=-1)
            if self.cls is DistanceJoint:
                way = anchor[:, 1] - anchor[:, 0]
                way /= np.hypot(*way.T)[:, None]
            table.force[rows] = way * self.forces[:, None]
        table.mark(rows)

    def beyond(self) -> Any:
        """Return by how much each joint is beyond the limit to which it is driven."""
        anchor, turn = self.poses()
        dx, dy = (anchor[:, 1] - anchor[:, 0]).T
        if self.cls is RevoluteJoint:
            now = turn[:, 1] - turn[:, 0]
            self.turn += np.angle(np.exp(1j * (now - self.turn)))
            place = self.turn
        else:
            place = np.cos(turn[:, 0]) * dx + np.sin(turn[:, 0]) * dy
            if self.cls is DistanceJoint:
                place = np.hypot(dx, dy)
        lower, upper = LIMITS[self.cls]
        return np.where(self.sides > 0, place - upper, lower - place)


@pytest.mark.parametrize("cls", LIMITS)
def test_no_drive_passes_a_limit(yard: Callable[..., Any], cls: Any) -> None:
    """Motors, springs and forces of any strength stop at the limit, on every kind of body; the strongest reach it."""
    scene = yard(gravity=[0, 0], sleeping=False)
    pairs = Pairs(scene, cls, (1e-6, 1e6))
    slop = SLOPS.get(cls, 0.005)
    for tick in range(40):
        pairs.push()
        scene.run()
        beyond = pairs.beyond()
        over = np.flatnonzero(~(beyond < slop))
        assert not len(over), f"tick {tick}: {[(pairs.names[k], float(beyond[k])) for k in over]}"
    assert not (scene.world[Bodies].flags & QUARANTINED).any()
    sure = np.array([name.split(", ")[1] in ("endless motor", "spring", "damped spring") for name in pairs.names])
    there = (beyond > -slop) | ~sure
    assert there.all(), [(pairs.names[k], float(beyond[k])) for k in np.flatnonzero(~there)]
