"""Prints the reference values of `tests/physics3d/test_other_solvers.py`, as coal and MuJoCo compute them.

pip install coal==3.0.3 mujoco==4.0.0
python tests/references/other_solvers.py > tests/physics3d/other_solvers.json

Both are too large for each run of the tests, 316 and 61 MB on the disk, so their numbers are stored. `hull_cases` is
used by the test too.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

SUBSTEPS = 16
"""Steps of MuJoCo in a sixtieth of a second, by the Runge-Kutta method of order 4."""
SPIN = ([1.0, 6.0, 0.0], [0.2, 4.0, 0.1], [0.1, 0.25, 0.3])
"""Velocity, angular velocity along the axes of the body, and moments of inertia of a body of 2 kg in free flight."""
EVERY, ROWS = 20, 6
"""A row of each trajectory after so many ticks, and the number of rows."""
FRICTION, GRAVITY = 0.3, (4.2, -9.0, 0.0)
"""Of the sliding box: the coefficient of friction, and the gravity, m/s², as on a plane that slopes by 25 degrees."""
FALL = 2.0
"""The height, m, from which the ball falls that bounces without loss, above its place when it touches."""


def hull_cases() -> list[tuple[Any, Any]]:
    """Return the points (12, 3) of 40 pairs of hulls: apart, touching and overlapping."""
    rng = np.random.default_rng(7)
    return [
        (rng.normal(size=(12, 3)), rng.normal(size=(12, 3)) + rng.normal(size=3) * rng.choice([0.7, 2.0, 4.0]))
        for _ in range(40)
    ]


def coal_distances() -> list[float]:
    """Return the distance of the hulls of each case, below 0 the depth by which they overlap."""
    import coal

    def hull(points: Any) -> Any:
        vectors = coal.StdVec_Vec3s()
        for point in points:
            vectors.append(point)
        return coal.ConvexBase.convexHull(vectors, True, "Qt")

    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    here = coal.Transform3s()
    return [
        round(coal.distance(hull(a), here, hull(b), here, request, coal.DistanceResult()), 9) for a, b in hull_cases()
    ]


def mujoco_rows(
    body: str, velocity: list[float], read: Callable[[Any], list[float]], gravity: Any = (0, -10, 0)
) -> list[list[float]]:
    """Return the rows of the trajectory of a body under a gravity, m/s²."""
    import mujoco

    down = " ".join(map(str, gravity))
    option = f"<option gravity='{down}' timestep='{1 / 60 / SUBSTEPS}' integrator='RK4'/>"
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{body}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    data.qvel[:] = velocity
    rows: list[list[float]] = []
    for _ in range(ROWS):
        for _ in range(EVERY * SUBSTEPS):
            mujoco.mj_step(model, data)
        rows.append([round(float(value), 6) for value in read(data)])
    return rows


def box_cases() -> list[tuple[Any, Any, Any]]:
    """Return 40 pairs of boxes that overlap or nearly touch: half sizes (2, 3), the place of the second one, and its
    rotation as x y z w.
    """
    rng = np.random.default_rng(9)
    turns = rng.normal(size=(40, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    return [(rng.uniform(0.3, 1.0, (2, 3)), rng.uniform(-0.9, 0.9, 3), turn) for turn in turns]


def coal_depths() -> list[float]:
    """Return the distance of the boxes of each case, below 0 the depth by which they overlap."""
    import coal

    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    depths: list[float] = []
    for halves, place, (x, y, z, w) in box_cases():
        first, second = (coal.Box(*(2 * half).tolist()) for half in halves)
        there = coal.Transform3s(_matrix(x, y, z, w), place)
        depths.append(round(coal.distance(first, coal.Transform3s(), second, there, request, coal.DistanceResult()), 9))
    return depths


def _matrix(x: float, y: float, z: float, w: float) -> Any:
    """Return the matrix of a quaternion."""
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def references() -> dict[str, Any]:
    """Return all reference values: quaternions are x y z w."""
    velocity, spin, moments = SPIN
    inertia = " ".join(map(str, moments))
    return {
        "coal: distances of hulls, m": coal_distances(),
        "coal: distances of boxes, m": coal_depths(),
        "mujoco: way of a sliding box, m": mujoco_rows(
            f"<geom type='plane' size='99 99 1' euler='-90 0 0' friction='{FRICTION} 0 0'/>"
            f"<body pos='0 .5 0'><freejoint/><geom type='box' size='.5 .5 .5' friction='{FRICTION} 0 0'/></body>",
            [0.0] * 6,
            lambda data: [data.qpos[0]],
            gravity=GRAVITY,
        ),
        "mujoco: height of a bouncing ball, m": mujoco_rows(
            "<geom type='plane' size='99 99 1' euler='-90 0 0' solref='-400000 0'/>"
            f"<body pos='0 {FALL + 0.5} 0'><freejoint/><geom type='sphere' size='.5' solref='-400000 0'/></body>",
            [0.0] * 6,
            lambda data: [data.qpos[1]],
        ),
        "mujoco: position and rotation in free flight": mujoco_rows(
            f"<body><freejoint/><inertial pos='0 0 0' mass='2' diaginertia='{inertia}'/></body>",
            [*velocity, *spin],
            lambda data: [*data.qpos[:3], *data.qpos[4:7], data.qpos[3]],
        ),
        "mujoco: angle of a pendulum, rad": mujoco_rows(
            "<body><joint type='hinge' axis='0 0 1'/>"
            "<inertial pos='1 0 0' mass='1' diaginertia='0.004 0.004 0.004'/></body>",
            [0.0],
            lambda data: [data.qpos[0]],
        ),
    }


if __name__ == "__main__":
    json.dump(references(), sys.stdout, indent=1)
    sys.stdout.write("\n")
