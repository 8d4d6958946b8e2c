"""The rows of the solver and its methods, from naive to soft."""

from __future__ import annotations

import numpy as np
import pytest

from rish_physics3d import Method3D
from rish_physics3d.testing import ContractYard
from rish_teach.teach3d import Mover, Point, Rules, apply, improve, jacobian, plugin, prepare, speed, warm_start
from rish_teach.teach3d.vectors import tangents, tensor


def scene() -> tuple[list[Mover], list[Point]]:
    """Return two bodies that approach each other, and four points between them."""
    one = Mover(1.0, tensor(((1, 0, 0), (0, 1, 0), (0, 0, 1)), (6, 5, 4)), (0, 1, 0.5), (0.2, 0.1, -0.3))
    two = Mover(0.5, tensor(((1, 0, 0), (0, 0, -1), (0, 1, 0)), (2, 3, 1)), (0.3, -1, 0), (0, 0.4, 0.1))
    spots = [(x, 0.5, z) for x in (-0.5, 0.4) for z in (-0.3, 0.5)]
    return [one, two], [Point(0, 1, (0, 1, 0), spot, (spot[0], -0.5, spot[2])) for spot in spots]


def test_the_jacobian_is_the_derivative_of_the_separation() -> None:
    """J v is how fast the point on b moves away from that on a along the direction, measured by small displacements."""
    rng, h = np.random.default_rng(3), 1e-6
    for _ in range(5):
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        arm_a, arm_b, velocities = rng.normal(size=3), rng.normal(size=3), rng.normal(size=(4, 3))
        v_a, w_a, v_b, w_b = velocities * h
        moved = n @ (v_b + np.cross(w_b, arm_b) - v_a - np.cross(w_a, arm_a))
        row = np.array(jacobian(tuple(n), tuple(arm_a), tuple(arm_b)))
        assert (row * velocities).sum() == pytest.approx(moved / h)


def test_the_effective_mass_stops_a_row_with_one_impulse() -> None:
    """The impulse -m J v along the normal or a tangent leaves no speed along it."""
    bodies, points = scene()
    prepare(bodies, points, Method3D.NAIVE)
    for row in points[0].rows:
        apply(bodies, points[0], row, -row.mass * speed(bodies, points[0], row))
        assert speed(bodies, points[0], row) == pytest.approx(0, abs=1e-12)


def test_tangents_are_perpendicular_to_any_normal() -> None:
    """Normal and tangents are a right-handed set of unit vectors."""
    rng = np.random.default_rng(5)
    for normal in (*np.eye(3), *-np.eye(3), *rng.normal(size=(20, 3))):
        n = normal / np.linalg.norm(normal)
        frame = np.array([n, *tangents(tuple(n.tolist()))])
        assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-12)
        assert np.linalg.det(frame) == pytest.approx(1)


def errors(method: Method3D, passes: int) -> float:
    """Return the greatest speed along a normal after some passes over points without overlap."""
    bodies, points = scene()
    for ticks in range(2):  # the second tick meets the same impact again, with the impulses of the first
        bodies = scene()[0]
        prepare(bodies, points, method)
        if ticks:
            warm_start(bodies, points)
        for _ in range(passes):
            improve(bodies, points, method, Rules(baumgarte=0))
        for point in points:
            point.push = point.rows[0].impulse
            first, second = point.rows[1:]
            point.rub = tuple(
                first.impulse * u + second.impulse * v
                for u, v in zip(first.jacobian[2], second.jacobian[2], strict=True)
            )  # pyright: ignore[reportAttributeAccessIssue]
    return max(abs(min(speed(bodies, point, point.rows[0]), 0)) for point in points)


def test_warm_starting_needs_fewer_passes() -> None:
    """After equal passes, impulses that start from those of the tick before leave less approach."""
    assert errors(Method3D.WARM, 4) < errors(Method3D.ACCUMULATED, 4)


@pytest.mark.slow
def test_the_methods_of_the_settings_hold_a_stack_better_and_better() -> None:
    """Naive impulses let a stack of boxes rock; warm started ones less; soft contacts in sub-steps least."""
    rocks = []
    for method in Method3D:
        with ContractYard(plugin, method=method.value) as yard:
            yard.ground()
            boxes = [yard.box(0.02 * (k % 2), 0.5 + k, 0) for k in range(3)]
            yard.run(0.2)
            motion = 0.0
            for _ in range(5):
                yard.run(1 / 60)
                motion = max(motion, *(float(np.abs(yard.velocity(box)).max()) for box in boxes))
            rocks.append(motion)
            assert yard.place(boxes[-1])[1] == pytest.approx(2.5, abs=0.1)
    assert rocks[0] > rocks[2] > rocks[3]
