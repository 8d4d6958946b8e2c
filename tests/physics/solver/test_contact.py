"""The contact solver compared with a simple one: contact by contact, point by point, in float64."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from physics_rig import empty_world, t

from long_runs import long
from rish_physics.contacts.state import State
from rish_physics.solver import contact, contact_extra
from rish_physics.solver.color import COLD, PARTS, STILL
from rish_physics.solver.soft import CLOSED, IMPULSE, INVERSE_H, MASS, PUSH, RATE, numbers_of
from rish_physics.solver.soft import STILL as SOFT_STILL
from rish_physics.solver.solve import Contacts


def random_state(seed: int, *, points: tuple[int, ...] = (1, 2), cold: bool = False, closed: bool = False) -> State:
    """Return forty bodies with ninety random contacts; some bodies are static or kinematic. closed: without gravity."""
    random = np.random.default_rng(seed)
    bodies, contacts = 40, 90
    world = empty_world(gravity=(0, 0)) if closed else empty_world()
    kinds = random.choice([t.DYNAMIC, t.DYNAMIC, t.DYNAMIC, t.KINEMATIC, t.STATIC], bodies).astype(np.int32)
    moves = kinds == t.DYNAMIC
    state = random.normal(size=(bodies, 8)).astype(np.float32)
    state[:, 4:7] *= 0.05
    state[:, [3, 7]] = np.where(moves[:, None], random.uniform(0.2, 3, (bodies, 2)), 0)
    state[kinds == t.STATIC, :3] = 0
    state[kinds == t.STATIC, 4:7] = 0
    flags = kinds | t.USED | t.ENABLED | np.where(kinds != t.STATIC, t.AWAKE, 0).astype(np.int32)
    world[t.Bodies].append(bodies, state=state, flags=flags.astype(np.int32))
    surface = np.zeros((bodies + 1, 8), np.float32)
    surface[:, 0], surface[:, 1] = random.uniform(0, 1, bodies + 1), -1
    world[t.Shapes].append(bodies + 1, surface=surface)
    a = random.integers(1, bodies + 1, contacts)
    b = (a - 1 + random.integers(1, bodies, contacts)) % bodies + 1
    low, high = np.minimum(a, b), np.maximum(a, b)
    pair = np.stack([low, high, low, high], 1).astype(np.int32)
    angle = random.uniform(0, 2 * math.pi, contacts)
    manifold = random.normal(size=(contacts, 24)).astype(np.float32)
    manifold[:, 0], manifold[:, 1] = np.cos(angle), np.sin(angle)
    for p in (t.POINT0, t.POINT1):
        manifold[:, p + 4] = random.uniform(-0.1, 0.05, contacts)
        manifold[:, p + 6] = abs(manifold[:, p + 6])
    info = np.stack([random.choice(points, contacts), np.full(contacts, t.IS_COLD if cold else 0)], 1).astype(np.int32)
    world[t.Contacts].append(contacts, pair=pair, manifold=manifold, info=info)
    made = State.of(world)
    made.refresh()
    return made


def blocks_of(state: State) -> Contacts:
    """Return the contacts in blocks, prepared."""
    contacts = Contacts()
    contacts.arrange(state)
    contacts.prepare(state)
    return contacts


class Reference:
    """The same passes over the same contacts in the same order, one by one.

    It goes through the blocks in order, and in a relaxing pass through the blocks of each part in reverse order.
    """

    def __init__(self, state: State, contacts: Contacts) -> None:
        self.body = state.bodies.state.astype(np.float64)
        self.numbers = numbers_of(state).astype(np.float64)
        self.rows: list[tuple[int, int]] = []
        self.back: list[tuple[int, int]] = []
        for part in range(PARTS):
            blocks = contacts.order[8 * contacts.parts[part] : 8 * contacts.parts[part + 1]].reshape(-1, 8)
            for rows, some in ((self.rows, blocks), (self.back, blocks[::-1])):
                rows += [(int(c), part) for c in some.ravel() if c >= 0]
        for rows in (self.rows, self.back):
            rows.sort(key=lambda row: row[1] % STILL == COLD)  # the cold ones are last
        self.manifold = state.contacts.manifold.astype(np.float64)
        self.count, self.pair = state.contacts.info[:, 0], state.contacts.pair
        surface = state.shapes.surface[:, 0].astype(np.float64)
        self.friction = np.sqrt(surface[self.pair[:, 0]] * surface[self.pair[:, 1]])
        self.closed = bool(self.numbers[CLOSED])
        pose = state.bodies.pose.astype(np.float64)
        for c, _ in self.rows if self.closed else ():
            a, b, m = self.pair[c, 2], self.pair[c, 3], self.manifold[c]
            for p in (t.POINT0, t.POINT1):
                self._share(m[p : p + 4], pose[b, :2] - pose[a, :2] + m[p + 2 : p + 4] - m[p : p + 2], a, b)

    def _share(self, anchors: Any, apart: Any, a: int, b: int) -> None:
        """Move the two anchors of a point to one place; the more inertia a body has, the less its anchor moves."""
        turns = self.body[[a, b], 7]
        if turns.sum():
            anchors[:2] += apart * turns[1] / turns.sum()
            anchors[2:] -= apart * turns[0] / turns.sum()

    def anchors(self, c: int, p: int) -> tuple[Any, Any]:
        """Return the places where point p of a contact is pushed, relative to the centers of both bodies."""
        a, b = self.pair[c, 2:]
        made = self.manifold[c, p : p + 4].copy()
        way = self.body[b, 4:6] - self.body[a, 4:6]
        if self.closed and way @ way <= self.numbers[CLOSED]:
            self._share(made, way, a, b)
        return made[:2], made[2:]

    def push(self, c: int, p: int, x: float, y: float) -> None:
        """Apply an impulse at point p of a contact."""
        a, b = self.body[self.pair[c, 2]], self.body[self.pair[c, 3]]
        (ax, ay), (bx, by) = self.anchors(c, p)
        a[:2] -= a[3] * np.array([x, y])
        a[2] -= a[7] * (ax * y - ay * x)
        b[:2] += b[3] * np.array([x, y])
        b[2] += b[7] * (bx * y - by * x)

    def warm(self) -> None:
        """Apply the impulses of the manifolds."""
        for c, _ in self.rows:
            nx, ny = self.manifold[c, :2]
            for p in (t.POINT0, t.POINT1)[: self.count[c]]:
                n, s = self.manifold[c, p + 6 : p + 8]
                self.push(c, p, n * nx + s * ny, n * ny - s * nx)

    def along(self, c: int, p: int, x: float, y: float) -> tuple[float, float]:
        """Return the speed of B relative to A at a point along (x, y), and the inverse of the effective mass."""
        a, b, m = self.body[self.pair[c, 2]], self.body[self.pair[c, 3]], self.manifold[c]
        (ax, ay), (bx, by) = self.anchors(c, p)
        va = a[:2] + a[2] * np.array([-ay, ax])
        vb = b[:2] + b[2] * np.array([-by, bx])
        arm_a, arm_b = m[p] * y - m[p + 1] * x, m[p + 2] * y - m[p + 3] * x
        return float((vb - va) @ np.array([x, y])), a[3] + b[3] + a[7] * arm_a**2 + b[7] * arm_b**2

    def gap(self, c: int, p: int) -> float:
        """Return the current separation."""
        a, b, m = self.body[self.pair[c, 2]], self.body[self.pair[c, 3]], self.manifold[c]
        ways = []
        for body, x, y in ((a, m[p], m[p + 1]), (b, m[p + 2], m[p + 3])):
            cosine, sine = 1 - body[6] ** 2 / 2, body[6] - body[6] ** 3 / 6  # for rotations within a step
            ways.append(body[4:6] + np.array([cosine * x - sine * y - x, sine * x + cosine * y - y]))
        return float(m[p + 4] + (ways[1] - ways[0]) @ m[:2])

    def alone(self, c: int, p: int, soft: int, bias: bool) -> tuple[float, float]:
        """Return by how much the normal impulse of a point would change alone, and less for each unit of speed."""
        m = self.manifold[c]
        gap = self.gap(c, p)
        mass, impulse, wanted = 1.0, 0.0, 0.0
        if gap > 0:
            wanted = gap * self.numbers[INVERSE_H]
        elif bias:
            rate, mass, impulse = self.numbers[[soft + RATE, soft + MASS, soft + IMPULSE]]
            wanted = max(rate * gap, -self.numbers[PUSH])
        speed, k = self.along(c, p, *m[:2])
        return -(mass * speed + wanted) / k - impulse * m[p + 6], mass / k

    def together(self, c: int, alone: list[tuple[float, float]]) -> tuple[float, float]:
        """Return the changes of both impulses, so that none gets negative: the first of all four cases that holds."""
        a, b, m = self.body[self.pair[c, 2]], self.body[self.pair[c, 3]], self.manifold[c]
        arms = [[x * m[1] - y * m[0] for x, y in self.anchors(c, p)] for p in (t.POINT0, t.POINT1)]
        k = a[3] + b[3] + a[7] * arms[0][0] * arms[1][0] + b[7] * arms[0][1] * arms[1][1]
        (c0, s0), (c1, s1) = alone
        o0, o1 = m[t.POINT0 + 6], m[t.POINT1 + 6]
        det = 1 - s0 * s1 * k * k
        d0, d1 = (c0 - s0 * k * c1) / det, (c1 - s1 * k * c0) / det
        if d0 >= -o0 and d1 >= -o1:
            return d0, d1
        one = max(c1 + s1 * k * o0, -o1)
        if c0 - s0 * k * one <= -o0:
            return -o0, one
        return max(c0 + s0 * k * o1, -o0), -o1

    def solve(self, bias: bool) -> None:
        """Run one pass. The two points of a cold contact are solved together, others one after the other."""
        for c, part in self.rows if bias else self.back:
            m = self.manifold[c]
            nx, ny = m[:2]
            soft = SOFT_STILL if part >= STILL else 0
            points = (t.POINT0, t.POINT1)[: self.count[c]]
            if part % STILL == COLD and len(points) == 2:
                changes = self.together(c, [self.alone(c, p, soft, bias) for p in points])
                for p, change in zip(points, changes, strict=True):
                    self.push(c, p, change * nx, change * ny)
                    m[p + 6] += change
            else:
                for p in points:
                    change = max(self.alone(c, p, soft, bias)[0], -m[p + 6])
                    self.push(c, p, change * nx, change * ny)
                    m[p + 6] += change
            for p in points if not bias else ():
                speed, k = self.along(c, p, ny, -nx)
                limit = self.friction[c] * m[p + 6]
                new = min(max(m[p + 7] - speed / k, -limit), limit)
                self.push(c, p, (new - m[p + 7]) * ny, -(new - m[p + 7]) * nx)
                m[p + 7] = new


def run(state: State, contacts: Contacts, reference: Reference, passes: str) -> None:
    """Run passes in both solvers. w: warm start, b: with bias, r: relax."""
    parts, speeds, blocks, lanes = contacts.parts, state.bodies.flat("state"), contacts.blocks, contacts.lanes
    numbers = numbers_of(state)
    for each in passes:
        if each == "w":
            contact.warm(parts, speeds, blocks, lanes)
            if reference.closed:
                contact.warm_closed(parts, speeds, blocks, lanes, numbers)
            reference.warm()
        elif contacts.cold:
            contact_extra.solve_extra(parts, speeds, blocks, contacts.extra, lanes, numbers, each == "b")
            reference.solve(each == "b")
        else:
            contact.solve(parts, speeds, blocks, lanes, numbers, each == "b")
            reference.solve(each == "b")


@pytest.mark.parametrize(("cold", "closed"), [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("points", [(1,), (2,), (1, 2)])
@pytest.mark.parametrize("passes", ["w", "b", "r", "wbr", "wbrbr"])
def test_blocks_solve_what_a_plain_solver_solves(
    passes: str, points: tuple[int, ...], cold: bool, closed: bool
) -> None:
    """Velocities and impulses agree after any passes, for one and two points, for all masses.

    Without gravity, both bodies are pushed at one place.
    """
    for seed in range(long(4, 1)):
        state = random_state(seed, points=points, cold=cold, closed=closed)
        contacts = blocks_of(state)
        reference = Reference(state, contacts)
        run(state, contacts, reference, passes)
        scale = abs(reference.body).max()
        np.testing.assert_allclose(state.bodies.state, reference.body, atol=3e-5 * scale)
        contacts.remember(state)
        impulses = [t.POINT0 + 6, t.POINT0 + 7, t.POINT1 + 6, t.POINT1 + 7]
        there = np.concatenate([np.ones((90, 2), bool), np.repeat(state.contacts.info[:, :1] == 2, 2, 1)], 1)
        chosen = np.zeros(90, bool)
        chosen[[c for c, _ in reference.rows]] = True
        found, wanted = state.contacts.manifold[:, impulses], reference.manifold[:, impulses]
        there &= chosen[:, None]
        np.testing.assert_allclose(found[there], wanted[there], atol=3e-5 * scale)


def test_bodies_that_cannot_be_moved_are_not() -> None:
    """Static bodies stay at rest and kinematic ones keep their velocities, bit for bit."""
    state = random_state(7)
    before = state.bodies.state.copy()
    contacts = blocks_of(state)
    run(state, contacts, Reference(state, contacts), "wbrbr")
    fixed = (state.bodies.flags & t.TYPE) != t.DYNAMIC
    assert (state.bodies.state[fixed] == before[fixed]).all()


def test_numbers_that_are_none_do_not_spread() -> None:
    """A body with a velocity of NaN gives no impulse to the bodies it touches."""
    state = random_state(3)
    speeds = state.bodies.state
    ill = int(np.flatnonzero((state.bodies.flags & t.TYPE) == t.DYNAMIC)[0])
    speeds[ill, :3] = np.nan
    contacts = blocks_of(state)
    contact.solve(contacts.parts, state.bodies.flat("state"), contacts.blocks, contacts.lanes, numbers_of(state), True)
    contact.solve(contacts.parts, state.bodies.flat("state"), contacts.blocks, contacts.lanes, numbers_of(state), False)
    others = np.arange(len(speeds)) != ill
    assert np.isfinite(speeds[others]).all()


def test_friction_is_mixed_as_the_settings_say() -> None:
    """Friction is mixed by geometric mean, average, minimum, maximum or product."""
    from rish_physics.solver.prepare import AVERAGE, GEOMETRIC, MAX, MIN, MULTIPLY, mixed

    f, g = np.float32(0.25), np.float32(1.0)
    expected: dict[int, Any] = {GEOMETRIC: 0.5, AVERAGE: 0.625, MIN: 0.25, MAX: 1.0, MULTIPLY: 0.25}
    for mix, value in expected.items():
        assert mixed(f, g, mix) == value
