"""Fast bodies do not pass through thin ones."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_physics.broad.grid import Grid
from rish_physics.broad.index import BRANCHED, LOOSE, SORTED
from rish_physics.broad.tree import Tree
from rish_physics.components import tables as t
from rish_physics.geometry.hull import chain_rows, convex_hull
from rish_physics.geometry.toi import NEVER
from rish_physics.solver import ccd, impact

SIDE = 12.0
"""The distance between the centers of cells, in units."""


def _form(random: np.random.Generator) -> tuple[Any, float]:
    size = random.uniform(0.05, 0.4)
    flat = random.uniform(0.2, 1) * size
    box = [[-size, -flat], [size, -flat], [size, flat], [-size, flat]]
    forms = [
        ([[0, 0]], size), ([[-size, 0], [size, 0]], 0.6 * flat), (box, 0.0), (box, 0.3 * size),
        (convex_hull([[-size, -0.6 * size], [size, -0.5 * size], [0.1 * size, size]]), 0.0),
    ]  # fmt: skip
    return forms[random.integers(len(forms))]


def _cell(rig: ModuleType, world: Any, x: float, y: float, kind: str) -> None:
    """Add a closed room of half size 3 with thin walls."""
    corners = np.array([[-3, -3], [3, -3], [3, 3], [-3, 3]], float)
    if kind == "boxes":
        for dx, dy, hx, hy in ((0, -3, 3.02, 0.02), (0, 3, 3.02, 0.02), (-3, 0, 0.02, 3.02), (3, 0, 0.02, 3.02)):
            rig.add_hull(world, x + dx, y + dy, [[-hx, -hy], [hx, -hy], [hx, hy], [-hx, hy]], 0.0, t.STATIC)
    elif kind == "segments":
        for i in range(4):
            rig.add_hull(world, x, y, corners[[i, (i + 1) % 4]], 0.0, t.STATIC)
    else:
        inside = corners[::-1]
        points = [a + (b - a) * k / 5 for a, b in zip(inside, np.roll(inside, -1, 0), strict=True) for k in range(5)]
        for row in chain_rows(points, loop=True):
            rig.add_hull(world, x, y, row[2:6].reshape(2, 2), 0.0, t.STATIC, flags=t.CHAIN, row=row)


def _escaped(
    rig: ModuleType, count: int, seed: int, kind: str, *, speed: float = 400, restitution: float = 0.5, steps: int = 60,
    paddle: bool = False, bullet: bool = False,
) -> int:  # fmt: skip
    """Shoot `count` forms, each in its own cell; return how many are outside at any time."""
    from rish_physics.sync.step import step

    random = np.random.default_rng(seed)
    world = rig.empty_world(gravity=(0.0, 0.0))
    rows = int(np.ceil(count**0.5))
    middles = np.array([((i % rows - rows / 2) * SIDE, (i // rows - rows / 2) * SIDE) for i in range(count)])
    slots = []
    for x, y in middles:
        _cell(rig, world, x, y, kind)
        points, radius = _form(random)
        heading, fast = random.uniform(0, 2 * np.pi), random.uniform(0.2, 1) * speed
        place = random.uniform(-1.5, 1.5, 2)
        if paddle:
            turn = random.uniform(5, 40) * random.choice([-1, 1])
            blade = [[-1.5, -0.05], [1.5, -0.05], [1.5, 0.05], [-1.5, 0.05]]
            rig.add_hull(world, x, y, blade, 0.0, t.KINEMATIC, velocity=(0, 0, turn), angle=random.uniform(0, 3))
            place = 2.2 * np.array([np.cos(heading + 2), np.sin(heading + 2)])
        velocity = (fast * np.cos(heading), fast * np.sin(heading), random.uniform(-30, 30))
        slots.append(rig.add_hull(
            world, x + place[0], y + place[1], points, radius, angle=random.uniform(0, 6), velocity=velocity,
            restitution=restitution, flags=t.COLD,
        ))  # fmt: skip
    if bullet:
        world[t.Bodies].flags[slots] |= t.BULLET
    state = rig.State.of(world)
    outside = np.zeros(count, bool)
    for _ in range(steps):
        step(state)
        outside |= ~(abs(world[t.Bodies].pose[slots, :2] - middles).max(1) <= 3.02)
    return int(outside.sum())


SHOTS, BLADES = long(270, 30), long(190, 30)


@pytest.mark.slow
@pytest.mark.parametrize("seed", long(range(10), [4]))
def test_shots_stay_in_their_rooms(rig: ModuleType, seed: int) -> None:
    """Circles, capsules, boxes and triangles at up to 400 m/s stay in their rooms.

    They hit walls, corners, joints of chains and spinning blades at any angle. The seeds differ in bounce, speed, and
    whether the forms are bullets.
    """
    bounce = (0.0, 0.5, 1.0)[seed % 3]
    for kind in ("boxes", "segments", "chain"):
        assert _escaped(rig, SHOTS, 10 + seed, kind, restitution=bounce, steps=120) == 0
    speed, bullet = (30, 100, 300)[seed % 3], bool(seed % 2)
    assert _escaped(rig, BLADES, 30 + seed, "boxes", speed=speed, paddle=True, bullet=bullet) == 0


def test_a_moving_wall_takes_along_what_it_meets(rig: ModuleType) -> None:
    """A ball that meets a thin moving wall is never behind it."""
    from rish_physics.sync.step import step

    world = rig.empty_world(gravity=(0.0, 0.0))
    wall = rig.add_hull(
        world, 0, 0, [[-0.02, -2], [0.02, -2], [0.02, 2], [-0.02, 2]], 0.0, t.KINEMATIC, velocity=(40, 0, 0)
    )
    ball = rig.add_hull(world, 8, 0.3, [[0, 0]], 0.1, velocity=(-150, 0, 0))
    state = rig.State.of(world)
    for _ in range(60):
        step(state)
        pose = world[t.Bodies].pose
        assert pose[ball, 0] > pose[wall, 0]


def _swept(rig: ModuleType, count: int, seed: int, *, turning: bool, sleeping: bool) -> int:
    """Return how many resting forms are behind a thin kinematic wall that passed them within one step.

    Each form has its own cell. Walls are checked for four steps, rotating blades for one.
    """
    from rish_physics.sync.step import step

    random = np.random.default_rng(seed)
    world = rig.empty_world(gravity=(0.0, 0.0))
    rows = int(np.ceil(count**0.5))
    movers, forms = [], []
    for i in range(count):
        middle = np.array([(i % rows - rows / 2) * 50.0, (i // rows - rows / 2) * 50.0])
        heading, thick = random.uniform(0, 6), random.uniform(0.02, 0.1)
        speed = random.uniform(45, 60) if turning else random.uniform(100, 380)
        turn = heading + random.uniform(0.8, 0.95) * speed / 60 if turning else heading
        place = np.array([np.cos(turn), np.sin(turn)])
        velocity = (0, 0, float(speed)) if turning else (*(speed * place).tolist(), 0)
        place = place * (random.uniform(1.5, 1.8) if turning else random.uniform(0.6, 0.9 * speed / 60))
        long, wide = (2, thick) if turning else (thick, 2)
        outline = [[-long, -wide], [long, -wide], [long, wide], [-long, wide]]
        movers.append(
            rig.add_hull(world, *middle.tolist(), outline, 0.0, t.KINEMATIC, angle=float(heading), velocity=velocity)
        )
        points, radius = _form(random)
        forms.append(rig.add_hull(world, *(middle + place).tolist(), points, radius, angle=random.uniform(0, 6)))
    bodies = world[t.Bodies]
    if sleeping:
        bodies.flags[forms] &= ~t.AWAKE
    state = rig.State.of(world)
    behind = np.zeros(count, bool)
    for _ in range(1 if turning else 4):
        step(state)
        assert (bodies.flags[forms] & t.AWAKE).all()
        pose = bodies.pose[movers]
        x, y = (bodies.pose[forms, :2] - pose[:, :2]).T
        behind |= (pose[:, 2] * y - pose[:, 3] * x if turning else pose[:, 2] * x + pose[:, 3] * y) < 0
    return int(behind.sum())


@pytest.mark.slow
@pytest.mark.parametrize("sleeping", [False, True])
@pytest.mark.parametrize("turning", [False, True])
def test_nothing_that_lies_still_is_run_over(rig: ModuleType, turning: bool, sleeping: bool) -> None:
    """Forms at rest, awake or asleep, are never behind a fast wall or blade; they wake and are pushed.

    The walls have 100 to 380 m/s, and the blades rotate by up to a radian per step.
    """
    assert _swept(rig, 100, 3, turning=turning, sleeping=sleeping) == 0


@pytest.mark.parametrize("kind", [t.STATIC, t.KINEMATIC, t.DYNAMIC])
def test_no_impact_is_before_the_circles_of_both_overlap(rig: ModuleType, kind: int) -> None:
    """A fast body hits a shape after the circles around both overlap, and not at all if they never do."""
    random, far, hits = np.random.default_rng(kind), 0, 0
    slop, dt = np.float32(0.005), np.float32(1 / 60)
    for _ in range(150):
        world = rig.empty_world(gravity=(0.0, 0.0))
        x, y = random.uniform(-1, 1, 2) * random.choice([1.0, 300.0])
        slots = []
        for place, type_ in (((x, y), t.DYNAMIC), (np.add((x, y), random.uniform(-1.5, 1.5, 2)), kind)):
            points, radius = _form(random)
            velocity = tuple((random.uniform(-1, 1, 3) * (120, 120, 20)).tolist())
            angle = float(random.uniform(0, 6))
            slots.append(rig.add_hull(world, *place, points, radius, type_, angle=angle, velocity=velocity))
        state = rig.State.of(world)
        bodies, shapes = state.flats(state.bodies), state.flats(state.shapes)
        state.bodies.state[slots[0], 4:7] = dt * state.bodies.state[slots[0], :3]
        fast, ways = np.array(slots[:1], np.int32), np.zeros(8, np.float32)
        ccd.begin(fast, bodies.pose, bodies.state, ways, np.zeros(1, np.float32), np.zeros(1, np.int32))
        columns = (
            shapes.fat, shapes.flags, shapes.body, shapes.filter, shapes.next, shapes.hull, shapes.size, shapes.middle,
            shapes.surface,
        )  # fmt: skip
        of_bodies = bodies.flags, bodies.pose, bodies.state, bodies.extent, bodies.first_shape
        earliest = impact.approach(1, 0, state.bodies.extent[slots[0], 2], ways, columns, of_bodies, slop, dt)
        time = impact.impact(0, 1, 0, ways, columns, of_bodies, slop, dt, np.zeros(64, np.float32))
        assert min(earliest, NEVER) <= time
        far += earliest > 1
        hits += time <= 1
    assert far > 20
    assert hits > 20


def test_bullets_hit_bodies_and_others_may_pass_them(rig: ModuleType) -> None:
    """A bullet at 300 m/s stops at a thin plate that floats freely."""
    from rish_physics.sync.step import step

    world = rig.empty_world(gravity=(0.0, 0.0))
    plate = rig.add_hull(world, 0, 0, [[-0.03, -1], [0.03, -1], [0.03, 1], [-0.03, 1]], 0.0, density=500)
    shot = rig.add_hull(world, -4.1, 0.1, [[0, 0]], 0.05, velocity=(300, 0, 0))
    world[t.Bodies].flags[shot] |= t.BULLET
    state = rig.State.of(world)
    for _ in range(30):
        step(state)
        pose = world[t.Bodies].pose
        assert pose[shot, 0] < pose[plate, 0]
    assert world[t.Bodies].state[plate, 0] > 0


def test_what_was_stopped_lies_in_its_box_and_forgets_its_way(rig: ModuleType) -> None:
    """The fat box of a stopped body is around its new pose, and its displacement is zero again."""
    from rish_physics.sync.step import step

    world = rig.empty_world(gravity=(0.0, 0.0))
    rig.add_hull(world, 0, 0, [[-0.05, -5], [0.05, -5], [0.05, 5], [-0.05, 5]], 0.0, t.STATIC)
    ball = rig.add_hull(world, -3, 0, [[0, 0]], 0.1, velocity=(390, 0, 0))
    state = rig.State.of(world)
    step(state)
    assert state.fast.tolist() == [ball]
    pose, motion = world[t.Bodies].pose[ball], world[t.Bodies].state[ball]
    assert pose[0] == pytest.approx(-0.145, abs=0.003)
    assert not motion[4:7].any()
    shape = world[t.Bodies].first_shape[ball]
    tight, fat = world[t.Shapes].tight[shape], world[t.Shapes].fat[shape]
    assert tight == pytest.approx([pose[0] - 0.1, -0.1, pose[0] + 0.1, 0.1], abs=1e-5)
    assert (fat[:2] < tight[:2]).all()
    assert (fat[2:] > tight[2:]).all()
    assert shape in state.moved


@pytest.mark.slow
def test_twenty_balls_bounce_for_a_while_and_none_escapes(rig: ModuleType) -> None:
    """With restitution 1 and 200 m/s no ball escapes from a box of four thin walls."""
    from rish_physics.sync.step import step

    random = np.random.default_rng(5)
    world = rig.empty_world(gravity=(0.0, 0.0))
    _cell(rig, world, 0, 0, "boxes")
    balls = []
    for k in range(20):
        angle = random.uniform(0, 2 * np.pi)
        balls.append(rig.add_hull(
            world, (k % 5 - 2) * 1.0, (k // 5 - 1.5) * 1.2, [[0, 0]], 0.15, restitution=1, friction=0, flags=t.COLD,
            velocity=(200 * np.cos(angle), 200 * np.sin(angle), 0),
        ))  # fmt: skip
    state = rig.State.of(world)
    for _ in range(long(3600, 900)):
        step(state)
        assert abs(world[t.Bodies].pose[balls, :2]).max() < 3


def test_shapes_are_hit_at_the_same_times_wherever_they_are_found(rig: ModuleType) -> None:
    """Fast bodies hit static shapes at the same times, whether these are in a list, in a tree or in a grid."""
    random, world = np.random.default_rng(8), rig.empty_world(gravity=(0.0, 0.0))
    for x, y in random.uniform(-4, 4, (37, 2)):
        points, radius = _form(random)
        rig.add_hull(world, x, y, points, radius, t.STATIC, angle=float(random.uniform(0, 6)))
    still = np.arange(37, dtype=np.int32)
    slots = []
    for x, y in random.uniform(-4, 4, (50, 2)):
        points, radius = _form(random)
        velocity = tuple((random.uniform(-1, 1, 3) * (200, 200, 20)).tolist())
        slots.append(rig.add_hull(world, x, y, points, radius, velocity=velocity))
    state = rig.State.of(world)
    bodies, fast, n = state.flats(state.bodies), np.array(slots, np.int32), len(slots)
    state.bodies.state[fast, 4:7] = np.float32(state.dt) * state.bodies.state[fast, :3]
    fat, tree, grid, none = state.shapes.flat("fat"), Tree(), Grid(), (Tree(), Grid())
    tree.build(still, fat)
    grid.sort(still, state.shapes.flat("flags"), fat)
    assert grid.count + grid.bigs == len(still)
    found = []
    for home, places, listed in (
        (LOOSE, none, still), (BRANCHED, (tree, none[1]), still[:0]), (BRANCHED, (tree, none[1]), still[:9]),
        (SORTED, (none[0], grid), still[:0]),
    ):  # fmt: skip
        state.index.homes[still] = home
        ways, times, hits = np.zeros(8 * n, np.float32), np.zeros(n, np.float32), np.zeros(n, np.int32)
        ccd.begin(fast, bodies.pose, bodies.state, ways, times, hits)
        ccd._find(state, fast, (ways, times, hits), *places, listed)
        found.append(times)
    assert (found[0] <= 1).sum() > 10
    for times in found[1:]:
        np.testing.assert_array_equal(times, found[0])
