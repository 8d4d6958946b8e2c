"""The solver for teaching: the properties of each of its methods."""

from __future__ import annotations

import pytest

from rish_teach import RIGID, Method, Mover, Point, Rules, effective_mass, residual, solve, spring

GRAVITY, H = 10.0, 1 / 60


def _stack(count: int) -> tuple[list[Mover], list[Point]]:
    """Return stacked boxes of one kilogram and one meter, after one step of gravity."""
    bodies = [Mover(0.0, 0.0), *(Mover(1.0, 6.0, (0.0, -GRAVITY * H)) for _ in range(count))]
    points = [
        Point(k, k + 1, (0.0, 1.0), (x, 0.5), (x, -0.5), separation=-0.005) for k in range(count) for x in (-0.5, 0.5)
    ]
    return bodies, points


def test_one_box_is_held_by_half_of_its_weight_at_each_corner() -> None:
    """The two impulses of a resting box add up to m·g·h."""
    bodies, points = _stack(1)
    solve(bodies, points, Method.ACCUMULATED, 30, Rules())
    assert [point.push for point in points] == pytest.approx([GRAVITY * H / 2] * 2, rel=1e-6)
    assert bodies[1].velocity == pytest.approx((0, 0), abs=1e-9)


@pytest.mark.parametrize("method", [Method.ACCUMULATED, Method.WARM])
def test_passes_converge(method: Method) -> None:
    """The residual falls with each pass, and many passes leave almost none."""
    bodies, points = _stack(5)
    worst = solve(bodies, points, method, 200, Rules())
    assert worst[0] > worst[2] > worst[10] > worst[50]
    assert worst[200] < 1e-2 * worst[0]


def test_warm_starting_solves_a_resting_stack_before_the_first_pass() -> None:
    """With warm starting the second step begins with the impulses of the first, so almost no residual is left."""
    bodies, points = _stack(5)
    solve(bodies, points, Method.WARM, 400, Rules())
    for body in bodies[1:]:
        body.velocity = body.velocity[0], body.velocity[1] - GRAVITY * H
    cold = residual(bodies, points)
    warm = solve(bodies, points, Method.WARM, 0, Rules())
    assert warm[0] < 1e-2 * cold


def test_what_was_pushed_too_much_is_taken_back_only_where_sums_are_kept() -> None:
    """If the top box tilts, naive impulses move the lower boxes, and accumulated impulses correct that."""

    def end(method: Method) -> float:
        bodies, points = _stack(3)
        bodies[3].spin = 2.0
        solve(bodies, points, method, 100, Rules())
        return sum(abs(body.velocity[1]) + abs(body.spin) for body in bodies[1:3])

    assert end(Method.ACCUMULATED) < 0.2 * end(Method.NAIVE)


def test_baumgarte_leaves_the_velocity_of_its_push_and_a_soft_contact_takes_it_away() -> None:
    """After an overlap of ten centimeters Baumgarte leaves a velocity, and a soft contact removes most of it."""

    def speed(method: Method) -> float:
        bodies, points = _stack(1)
        for point in points:
            point.separation = -0.1
        solve(bodies, points, method, 50, Rules())
        return bodies[1].velocity[1]

    assert speed(Method.BAUMGARTE) == pytest.approx(0.2 * 0.095 / H, rel=1e-3)
    assert abs(speed(Method.SOFT)) < 0.15 * speed(Method.BAUMGARTE)


def test_friction_stays_within_coulombs_cone() -> None:
    """A sliding box is decelerated by at most μ times the normal impulse."""
    bodies, points = _stack(1)
    bodies[1].velocity = (5.0, bodies[1].velocity[1])
    solve(bodies, points, Method.ACCUMULATED, 50, Rules())
    assert all(abs(point.rub) <= point.friction * point.push + 1e-12 for point in points)
    assert 0 < bodies[1].velocity[0] < 5.0


def test_pushes_keep_momentum() -> None:
    """Every method keeps the momentum of two movable bodies."""
    for method in Method:
        bodies = [Mover(1.0, 6.0, (1.0, 0.3)), Mover(0.5, 3.0, (-2.0, 0.1), 1.0)]
        points = [Point(0, 1, (1.0, 0.0), (0.5, y), (-0.5, y), -0.01) for y in (-0.5, 0.5)]
        solve(bodies, points, method, 20, Rules())
        momentum = [bodies[0].velocity[k] + 2 * bodies[1].velocity[k] for k in (0, 1)]
        assert momentum == pytest.approx([1 - 4, 0.3 + 0.2], rel=1e-9)


def test_a_spring_becomes_rigid_as_it_stiffens() -> None:
    """The scales of a spring approach those of a rigid constraint as its frequency rises."""
    stiff = spring(1e9, 1.0, H)
    assert stiff.mass_scale == pytest.approx(RIGID.mass_scale)
    assert stiff.impulse_scale == pytest.approx(RIGID.impulse_scale, abs=1e-9)


def test_no_body_moves_between_two_that_stand() -> None:
    """The effective mass between two immovable bodies is zero."""
    point = Point(0, 1, (0.0, 1.0), (0.0, 0.0), (0.0, 0.0))
    assert effective_mass([Mover(0, 0), Mover(0, 0)], point, (0.0, 1.0)) == 0.0
