"""The contact solver in space: Jacobians and sequential impulses, built up one method at a time.

A body has six velocities: v, and the angular velocity ω. A contact point has three *rows*, along its normal n and two
tangents. A row measures the velocity of the point on b relative to that on a along a direction d. With the arms r from
the centers of mass, that is a product of its *Jacobian*, twelve numbers, with the velocities of both bodies:

    J = (−d, −(r_A × d), d, r_B × d),    J v = d · (v_B + ω_B × r_B − v_A − ω_A × r_A).

An impulse λ along the row changes the velocities by M⁻¹ Jᵀ λ. M contains the masses and the inertia tensors in world
axes. So J v changes by (J M⁻¹ Jᵀ) λ, and the *effective mass* of the row is

    m = 1 / (1/m_A + 1/m_B + (r_A × d) · I_A⁻¹ (r_A × d) + (r_B × d) · I_B⁻¹ (r_B × d)).

The normal row needs J v ≥ 0 with λ ≥ 0: bodies push and never pull. The tangents need J v = 0 with |λ| ≤ μ λ_n
(Coulomb's cone, approximated by a pyramid). One pass corrects all rows one after another (Gauss-Seidel). The methods
are the steps by which that became practical (E. Catto's talks of 2005, 2006, 2009 and 2024):

- `NAIVE`: overlap is pushed out by a velocity β/h times its depth (J. Baumgarte, 1972). Each single impulse is clamped.
- `ACCUMULATED`: the *sum* λ of a row's impulses in this tick is clamped, so a pass may take back what was too much.
- `WARM`: the sums start from those of the tick before, so a stack at rest is solved before the first pass.
- `SOFT`: the push is that of a damped spring, in short sub-steps. A pass without it removes the velocity it added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from rish_jit import maths
from rish_physics3d import Method3D

from .vectors import ZERO, Matrix, Vec, added, cross, dot, scaled, tangents, times

SLOP = 0.005  # the overlap that Baumgarte's push leaves, m, so that contacts at rest last


@dataclass(slots=True)
class Mover:
    """A body for the solver: its inverse mass, inverse inertia tensor in world axes (zeros if nothing moves it), and
    velocities.
    """

    inverse_mass: float
    inverse_inertia: Matrix
    velocity: Vec = ZERO
    spin: Vec = ZERO


Movers = Sequence[Mover]


@dataclass(slots=True)
class Row:
    """One row. jacobian: J. turn_a, turn_b: the parts of M⁻¹ Jᵀ for ω. impulse: λ so far in this tick."""

    jacobian: tuple[Vec, Vec, Vec, Vec]
    turn_a: Vec
    turn_b: Vec
    mass: float
    impulse: float = 0.0


@dataclass(slots=True)
class Point:
    """A contact point between the bodies with the numbers a and b.

    normal: the unit vector from a to b. arm_a, arm_b: from the centers of mass. gap: the separation now, negative if
    they overlap. push, rub: the impulses of the tick before, along the normal and as a vector of friction. approach:
    the speed at which the bodies approached each other before the tick, m/s. peak: the greatest normal impulse so far.
    rows: along the normal and both tangents.
    """

    a: int
    b: int
    normal: Vec
    arm_a: Vec
    arm_b: Vec
    gap: float = 0.0
    friction: float = 0.6
    restitution: float = 0.0
    push: float = 0.0
    rub: Vec = ZERO
    approach: float = 0.0
    peak: float = 0.0
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True)
class Rules:
    """The numbers of the methods.

    h: seconds a step. baumgarte: the share β of the overlap that a step undoes. fastest: the greatest speed of that,
    m/s. rate, share, keep: of the soft constraint, see `spring`.
    """

    h: float = 1 / 60
    baumgarte: float = 0.2
    fastest: float = 3.0
    rate: float = 0.0
    share: float = 1.0
    keep: float = 0.0


def spring(hertz: float, damping: float, h: float) -> tuple[float, float, float]:
    """Return rate (1/s), share of the mass and share of the impulse of a damped spring in implicit steps of h seconds
    (E. Catto, "Soft Constraints", 2011).
    """
    omega = 2 * maths.PI * hertz
    stiff = 2 * damping + h * omega
    force = h * omega * stiff
    return omega / stiff, force / (1 + force), 1 / (1 + force)


def jacobian(direction: Vec, arm_a: Vec, arm_b: Vec) -> tuple[Vec, Vec, Vec, Vec]:
    """Return the row J for the velocities (v_A, ω_A, v_B, ω_B)."""
    return scaled(direction, -1), scaled(cross(arm_a, direction), -1), direction, cross(arm_b, direction)


def make_row(bodies: Movers, point: Point, direction: Vec) -> Row:
    """Return the row of a point along a direction, with its effective mass (0 if neither body can move)."""
    a, b, row = bodies[point.a], bodies[point.b], jacobian(direction, point.arm_a, point.arm_b)
    turn_a, turn_b = times(a.inverse_inertia, row[1]), times(b.inverse_inertia, row[3])
    inverse = a.inverse_mass + b.inverse_mass + dot(row[1], turn_a) + dot(row[3], turn_b)
    return Row(row, turn_a, turn_b, 1 / inverse if inverse > 0 else 0.0)


def prepare(bodies: Movers, points: Sequence[Point], method: Method3D) -> None:
    """Make the rows of all points, with the impulses of the tick before if the method starts from them."""
    for point in points:
        first, second = tangents(point.normal)
        point.rows = [make_row(bodies, point, way) for way in (point.normal, first, second)]
        point.approach, point.peak = -speed(bodies, point, point.rows[0]), 0.0
        if method in (Method3D.WARM, Method3D.SOFT):
            point.rows[0].impulse = point.push
            point.rows[1].impulse, point.rows[2].impulse = dot(first, point.rub), dot(second, point.rub)


def warm_start(bodies: Movers, points: Sequence[Point]) -> None:
    """Apply the accumulated impulses of all rows."""
    for point in points:
        for row in point.rows:
            apply(bodies, point, row, row.impulse)


def speed(bodies: Movers, point: Point, row: Row) -> float:
    """Return J v: the velocity of b relative to a at the point, along the row's direction."""
    a, b, (linear_a, angular_a, linear_b, angular_b) = bodies[point.a], bodies[point.b], row.jacobian
    return dot(linear_a, a.velocity) + dot(angular_a, a.spin) + dot(linear_b, b.velocity) + dot(angular_b, b.spin)


def apply(bodies: Movers, point: Point, row: Row, impulse: float) -> None:
    """Change the velocities by M⁻¹ Jᵀ times an impulse."""
    linear_a, _, linear_b, _ = row.jacobian
    for body, linear, turn in ((bodies[point.a], linear_a, row.turn_a), (bodies[point.b], linear_b, row.turn_b)):
        if body.inverse_mass:
            body.velocity = added(body.velocity, linear, body.inverse_mass * impulse)
            body.spin = added(body.spin, turn, impulse)


def improve(bodies: Movers, points: Sequence[Point], method: Method3D, rules: Rules) -> None:
    """Correct every row once: friction first, then the normals, because non-penetration matters more.

    The relaxing pass of SOFT is a pass of WARM without overlap.
    """
    naive = method is Method3D.NAIVE
    for point in points:
        limit = point.friction * point.rows[0].impulse
        for row in point.rows[1:]:
            change = -row.mass * speed(bodies, point, row)
            _add(bodies, point, row, change, -limit, limit, naive)
    for point in points:
        row = point.rows[0]
        bias, share, keep = 0.0, 1.0, 0.0
        if point.gap > 0:
            bias = point.gap / rules.h  # the gap may close within this step, and not more (speculative contact)
        elif method is Method3D.SOFT:
            bias, share, keep = max(rules.rate * point.gap, -rules.fastest), rules.share, rules.keep
        else:
            bias = max(rules.baumgarte / rules.h * min(point.gap + SLOP, 0.0), -rules.fastest)
        change = -row.mass * share * (speed(bodies, point, row) + bias) - keep * row.impulse
        _add(bodies, point, row, change, 0.0, math.inf, naive)
        point.peak = max(point.peak, row.impulse)


def _add(bodies: Movers, point: Point, row: Row, change: float, low: float, high: float, naive: bool) -> None:
    """Add to the impulse of a row. naive: whether the change is clamped, and not the sum."""
    before = 0.0 if naive else row.impulse
    change = min(max(before + change, low), high) - before
    if change:
        row.impulse += change
        apply(bodies, point, row, change)


def bounce(bodies: Movers, points: Sequence[Point], threshold: float, passes: int = 8) -> None:
    """Apply restitution after the last pass: J v = e times the speed of approach (E. Catto, "Solver2D", 2024).

    Points that approached slower than the threshold (m/s) or did not push do not bounce, or nothing would come to rest.
    Several passes let the points of a flat box bounce alike, so that it does not begin to spin.
    """
    fast = [p for p in points if p.restitution > 0 and p.approach > threshold and p.peak > 0]
    for _ in range(passes):
        for point in fast:
            row = point.rows[0]
            change = -row.mass * (speed(bodies, point, row) - point.restitution * point.approach)
            _add(bodies, point, row, change, 0.0, math.inf, naive=False)
