"""The contact solver: sequential impulses in plain Python, built up one method at a time.

Bodies must not pass through one another. For a contact point this is an inequality on velocities: along its normal the
bodies may separate, but not approach,

    n · (v_B + ω_B × r_B − v_A − ω_A × r_A) ≥ 0.

An impulse λ ≥ 0 along the normal corrects a point that violates it. The velocity change of a unit impulse is the
inverse of the point's *effective mass*,

    1/m = 1/m_A + 1/m_B + (r_A × n)²/I_A + (r_B × n)²/I_B,

so λ = −m · (the violation). Correcting one point violates its neighbors a little. Iterating over all points is the
Gauss-Seidel method, and it converges. The five methods of this file are the steps by which it became practical (see
Erin Catto's talks of 2005, 2006 and 2024):

- `NAIVE`: each single impulse is clamped to be ≥ 0. An impulse that was too large is never reduced, so stacks jitter.
- `ACCUMULATED`: the *sum* of a point's impulses is clamped to be ≥ 0, so a later pass may reduce it.
- `WARM`: a step starts from the impulse sums of the previous step; a stack at rest is solved before the first pass.
- `BAUMGARTE`: overlap is pushed out too, a share of it in each step; the added velocity remains, so bodies bounce.
- `SOFT`: the push comes from a stiff damped spring, implicitly integrated, and a last pass without it (relaxing)
  removes the velocity it added. The plugin `teach` uses this method, in sub-steps (`step.py`).

Friction is the same along the tangent, clamped to ±μλ (Coulomb). Restitution comes last: a point that was approached
fast enough is left with a share of that speed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from rish_jit import maths

Pair = tuple[float, float]


class Method(Enum):
    """The methods of solving contacts, from the simplest to the final one."""

    NAIVE = "naive"
    ACCUMULATED = "accumulated"
    WARM = "warm started"
    BAUMGARTE = "Baumgarte"
    SOFT = "soft"


@dataclass(slots=True)
class Mover:
    """A body for the solver: its velocities, inverse mass and inverse inertia (0 for a static body)."""

    inverse_mass: float
    inverse_inertia: float
    velocity: Pair = (0.0, 0.0)
    spin: float = 0.0


@dataclass(slots=True)
class Point:
    """A contact point between bodies a and b.

    normal: unit vector from a to b. arm_a, arm_b: from the centers of mass. separation: negative if they overlap. push,
    rub: the impulses along the normal and along the tangent, summed over the passes. restitution: the share of the
    approach speed with which the bodies separate again. approach: that speed before the step, units/s. peak: the
    greatest `push` so far. push_mass, rub_mass: the effective masses along the normal and along the tangent.
    """

    a: int
    b: int
    normal: Pair
    arm_a: Pair
    arm_b: Pair
    separation: float = 0.0
    friction: float = 0.6
    push: float = 0.0
    rub: float = 0.0
    restitution: float = 0.0
    approach: float = 0.0
    peak: float = 0.0
    push_mass: float = 0.0
    rub_mass: float = 0.0


@dataclass(frozen=True)
class Spring:
    """The three coefficients of a soft constraint (Catto, "Soft Constraints", 2011).

    bias_rate: target velocity per unit of overlap, 1/s. mass_scale, impulse_scale: factors of the velocity correction
    and of the accumulated impulse. A rigid constraint has 0, 1, 0.
    """

    bias_rate: float = 0.0
    mass_scale: float = 1.0
    impulse_scale: float = 0.0


RIGID = Spring()


def spring(hertz: float, damping: float, h: float) -> Spring:
    """Return the soft constraint with frequency `hertz` and this damping ratio, for steps of h seconds."""
    omega = maths.TAU * hertz
    a1 = 2 * damping + h * omega
    a2 = h * omega * a1
    return Spring(omega / a1, a2 / (1 + a2), 1 / (1 + a2))


@dataclass(frozen=True)
class Rules:
    """The parameters of the methods.

    h: seconds per step. baumgarte: share of the overlap that is corrected per step. slop: allowed overlap. fastest: the
    maximum speed of the overlap correction. hertz, damping: the soft contact's spring.
    """

    h: float = 1 / 60
    baumgarte: float = 0.2
    slop: float = 0.005
    fastest: float = 3.0
    hertz: float = 30.0
    damping: float = 10.0


def solve(
    bodies: Sequence[Mover],
    points: Sequence[Point],
    method: Method,
    passes: int,
    rules: Rules,
    moving: Callable[[], object] | None = None,
) -> list[float]:
    """Change the velocities of the bodies so that no point approaches; return the residual after each pass.

    The list begins with the residual before the first pass, after warm starting, so it has passes + 1 numbers, and one
    more for the relaxing pass of SOFT. moving: called before that last pass, when the velocities are those with which
    the bodies should move.
    """
    prepare(bodies, points)
    if method in (Method.NAIVE, Method.ACCUMULATED):
        for point in points:
            point.push = point.rub = 0.0
    else:
        warm_start(bodies, points)
    soft = spring(rules.hertz, rules.damping, rules.h) if method is Method.SOFT else RIGID
    worst = [residual(bodies, points)]
    for _ in range(passes):
        improve(bodies, points, method, rules, soft)
        worst.append(residual(bodies, points))
    if moving is not None:
        moving()
    if method is Method.SOFT:
        improve(bodies, points, Method.ACCUMULATED, rules)
        worst.append(residual(bodies, points))
    return worst


def residual(bodies: Sequence[Mover], points: Sequence[Point]) -> float:
    """Return the largest velocity error of the touching points, units/s.

    No point may approach, and no point with an impulse may separate.
    """
    worst = 0.0
    for point in points:
        if point.separation <= 0:
            speed = _speed(bodies, point, point.normal)
            worst = max(worst, abs(speed) if point.push > 0 else -speed)
    return worst


def warm_start(bodies: Sequence[Mover], points: Sequence[Point]) -> None:
    """Apply the impulses of the previous step to the bodies."""
    for point in points:
        _apply(bodies, point, point.normal, point.push)
        _apply(bodies, point, _across(point.normal), point.rub)


def improve(
    bodies: Sequence[Mover], points: Sequence[Point], method: Method, rules: Rules, soft: Spring = RIGID
) -> None:
    """Correct every point once: friction first, then the normals, because non-penetration matters more.

    soft: the spring of the method SOFT. The relaxing pass of SOFT is a pass of ACCUMULATED.
    """
    for point in points:
        _correct_friction(bodies, point, method)
    for point in points:
        _correct_normal(bodies, point, method, rules, soft)
        point.peak = max(point.peak, point.push)


def prepare(bodies: Sequence[Mover], points: Sequence[Point]) -> None:
    """Store what does not change during a step: the effective masses, and the speed at which the bodies approach."""
    for point in points:
        point.push_mass = effective_mass(bodies, point, point.normal)
        point.rub_mass = effective_mass(bodies, point, _across(point.normal))
        point.approach, point.peak = -_speed(bodies, point, point.normal), 0.0


def bounce(bodies: Sequence[Mover], points: Sequence[Point], threshold: float) -> None:
    """Apply restitution after the last pass (Catto, "Solver2D", 2024): v' = -e v along the normal.

    Points that were approached slower than the threshold (units/s) or did not push do not bounce: a body at rest would
    never come to rest otherwise.
    """
    for point in points:
        if point.restitution > 0 and point.approach > threshold and point.peak > 0:
            speed = _speed(bodies, point, point.normal)
            total = max(point.push - point.push_mass * (speed - point.restitution * point.approach), 0.0)
            _apply(bodies, point, point.normal, total - point.push)
            point.push, point.peak = total, max(point.peak, total)


def _correct_normal(bodies: Sequence[Mover], point: Point, method: Method, rules: Rules, soft: Spring) -> None:
    bias, mass_scale, impulse_scale = 0.0, 1.0, 0.0
    if point.separation > 0:
        bias = point.separation / rules.h  # speculative: the gap may close within this step
    elif method is Method.BAUMGARTE:
        bias = max(rules.baumgarte * min(0.0, point.separation + rules.slop) / rules.h, -rules.fastest)
    elif method is Method.SOFT:
        bias = max(soft.bias_rate * point.separation, -rules.fastest)
        mass_scale, impulse_scale = soft.mass_scale, soft.impulse_scale
    change = -point.push_mass * mass_scale * (_speed(bodies, point, point.normal) + bias) - impulse_scale * point.push
    if method is Method.NAIVE:
        impulse = max(change, 0.0)
        point.push += impulse
    else:
        total = max(point.push + change, 0.0)
        impulse, point.push = total - point.push, total
    _apply(bodies, point, point.normal, impulse)


def _correct_friction(bodies: Sequence[Mover], point: Point, method: Method) -> None:
    across = _across(point.normal)
    change = -point.rub_mass * _speed(bodies, point, across)
    maximum = point.friction * point.push
    if method is Method.NAIVE:
        impulse = min(max(change, -maximum), maximum)
        point.rub += impulse
    else:
        total = min(max(point.rub + change, -maximum), maximum)
        impulse, point.rub = total - point.rub, total
    _apply(bodies, point, across, impulse)


def effective_mass(bodies: Sequence[Mover], point: Point, direction: Pair) -> float:
    """Return the effective mass for an impulse at a point along a direction; 0 if neither body can move."""
    a, b = bodies[point.a], bodies[point.b]
    lever_a, lever_b = _cross(point.arm_a, direction), _cross(point.arm_b, direction)
    inverse = a.inverse_mass + b.inverse_mass
    inverse += a.inverse_inertia * lever_a * lever_a + b.inverse_inertia * lever_b * lever_b
    return 1 / inverse if inverse > 0 else 0.0


def _speed(bodies: Sequence[Mover], point: Point, direction: Pair) -> float:
    """Return the velocity of b relative to a at a point, along a direction."""
    a, b = bodies[point.a], bodies[point.b]
    x = b.velocity[0] - b.spin * point.arm_b[1] - a.velocity[0] + a.spin * point.arm_a[1]
    y = b.velocity[1] + b.spin * point.arm_b[0] - a.velocity[1] - a.spin * point.arm_a[0]
    return x * direction[0] + y * direction[1]


def _apply(bodies: Sequence[Mover], point: Point, direction: Pair, impulse: float) -> None:
    """Apply an impulse along a direction to b, and the opposite one to a: v += λ n / m, ω += λ (r × n) / I."""
    (x, y), a, b = direction, bodies[point.a], bodies[point.b]
    push_a, push_b = a.inverse_mass * impulse, b.inverse_mass * impulse
    a.velocity = a.velocity[0] - push_a * x, a.velocity[1] - push_a * y
    b.velocity = b.velocity[0] + push_b * x, b.velocity[1] + push_b * y
    a.spin -= a.inverse_inertia * impulse * _cross(point.arm_a, direction)
    b.spin += b.inverse_inertia * impulse * _cross(point.arm_b, direction)


def _cross(u: Pair, v: Pair) -> float:
    return u[0] * v[1] - u[1] * v[0]


def _across(normal: Pair) -> Pair:
    return normal[1], -normal[0]
