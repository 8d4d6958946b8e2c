"""The narrow phase, compared with an exhaustive reference; cached manifolds and flags of contacts."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import plain_hulls as reference
from long_runs import long
from rish_physics.components import tables as t
from rish_physics.contacts import narrow_kernels as kernels
from rish_physics.geometry.collide.convex import PAIR_SIZE
from rish_physics.geometry.hull import chain_rows, convex_hull, hull_rows

f = np.float32
LIMIT, SLOP, TIE = f(0.02), f(0.005), f(0.0005)
TRIANGLE = convex_hull([[-0.5, -0.3], [0.6, -0.2], [0, 0.6]])
FORMS: dict[str, tuple[np.ndarray, float]] = {
    "circle": (np.array([[0.0, 0.0]]), 0.3),
    "off-center circle": (np.array([[0.2, -0.1]]), 0.25),
    "capsule": (np.array([[-0.4, 0.0], [0.4, 0.0]]), 0.15),
    "segment": (np.array([[-0.5, 0.1], [0.6, -0.2]]), 0.0),
    "box": (np.array([[-0.5, -0.3], [0.5, -0.3], [0.5, 0.3], [-0.5, 0.3]]), 0.0),
    "rounded box": (np.array([[-0.4, -0.3], [0.4, -0.3], [0.4, 0.3], [-0.4, 0.3]]), 0.1),
    "triangle": (TRIANGLE, 0.0),
    "rounded triangle": (TRIANGLE, 0.2),
    "octagon": (convex_hull([[0.6 * np.cos(k * np.pi / 4), 0.5 * np.sin(k * np.pi / 4)] for k in range(8)]), 0.0),
}
PAIRS = [(a, b) for a in FORMS for b in FORMS]


class Bench:
    """Two shapes at many poses: contact k is between body k with the first shape and body n + k with the second."""

    def __init__(self, poses: np.ndarray, forms: list[tuple[Any, float]], flags: tuple[int, int] = (0, 0)) -> None:
        n = self.n = len(poses) // 2
        self.pose = poses
        self.hull, self.size = np.zeros((2, 32), f), np.zeros((2, 4), f)
        self.flags, self.middle = np.array(flags, np.int32), np.zeros((2, 2), f)
        for k, (points, radius) in enumerate(forms):
            chain = np.ndim(points) == 1
            self.hull[k] = points if chain else hull_rows(points[None])[0]
            self.flags[k] |= t.CHAIN | 4 if chain else len(points)
            corners = self.hull[k, :16].reshape(8, 2)[: self.flags[k] & t.POINTS]
            self.middle[k], self.size[k] = (
                corners.mean(0),
                (*abs(corners).max(0), radius, np.hypot(*corners.T).max() + radius),
            )
        self.pair = np.zeros((n, 4), np.int32)
        self.pair[:, 1], self.pair[:, 2], self.pair[:, 3] = 1, np.arange(n), n + np.arange(n)
        self.manifold, self.ids, self.info = (
            np.zeros((n, 24), f),
            np.zeros((n, 2), np.int32),
            np.zeros((n, 2), np.int32),
        )
        self.motion, self.surface = np.zeros((2 * n, 8), f), np.zeros((2, 8), f)
        self.fat = np.array([[-1e9, -1e9, 1e9, 1e9]] * 2, f)
        self.rows = np.arange(n, dtype=np.int32)
        self.lists = [np.zeros(n, np.int32) for _ in range(5)]
        self.work = np.zeros(40, np.int32), np.zeros(16, f), np.zeros(n, np.int32)

    def simple(self, rows: slice = slice(None)) -> tuple[int, ...]:
        """Run `meet_simple` on some contacts; return how many were added to each list."""
        return kernels.meet_simple(
            self.rows[rows],
            (self.pair.ravel(), self.manifold.ravel(), self.ids.ravel(), self.info.ravel()),
            self.pose.ravel(),
            (self.flags, self.size.ravel(), self.fat.ravel()),
            (LIMIT, f(0.05), TIE),
            self.work,
            tuple(self.lists),
        )

    def hulls(self) -> None:
        """Run the kernels for hulls or chains, and `settle`."""
        names, counts = np.zeros(2 * self.n, np.int32), np.zeros(self.n, np.int32)
        pair, manifold, pose = self.pair.ravel(), self.manifold.ravel(), self.pose.ravel()
        size, hull, both = self.size.ravel(), self.hull.ravel(), np.zeros(PAIR_SIZE, f)
        if (self.flags & t.CHAIN).any():
            middle = self.middle.ravel()
            kernels.meet_chains(
                self.rows, pair, manifold, self.flags, size, hull, middle, pose, LIMIT, TIE, both, names, counts
            )
        else:
            kernels.meet_hulls(self.rows, pair, manifold, self.flags, size, hull, pose, LIMIT, TIE, both, names, counts)
        kernels.settle(
            self.rows, pair, manifold, self.ids.ravel(), self.info.ravel(), pose, self.motion.ravel(), self.flags, hull,
            self.surface.ravel(), SLOP, f(1 / 60), names, counts, self.lists[1], 0,
        )  # fmt: skip

    def placed(self) -> list[np.ndarray]:
        """Return the cores of both shapes in the world, float64, relative to the first body."""
        made = []
        origin = self.pose[: self.n, :2].astype(float)
        for k in range(2):
            start = 1 if self.flags[k] & t.CHAIN else 0
            count = 2 if start else self.flags[k] & t.POINTS
            points = self.hull[k, 2 * start : 2 * (start + count)].reshape(-1, 2).astype(float)
            pose = self.pose[k * self.n : (k + 1) * self.n].astype(float)
            made.append(reference.placed(points, pose) - origin[:, None])
        return made

    def check(self, tie: float = float(TIE)) -> int:
        """Compare all manifolds with the reference; return how many touch.

        tie: the amount by which a normal may be worse than the best one.
        """
        a, b = self.placed()
        radii = float(self.size[:, 2].sum())
        expected = reference.separation(a, b) - radii
        made = self.manifold.astype(float)
        count = self.info[:, 0]
        hit = count > 0
        assert not (hit & (expected > LIMIT + 1e-5)).any()
        assert not (~hit & (expected < LIMIT - TIE)).any()
        minimum = np.where(count > 1, np.minimum(made[:, 12], made[:, 20]), made[:, 12])
        assert minimum[hit] == pytest.approx(expected[hit], abs=tie + 1e-5)
        along = reference.along(a, b, made[:, :2]) - radii
        assert along[hit] == pytest.approx(expected[hit], abs=tie + 1e-5)
        assert np.hypot(made[hit, 0], made[hit, 1]) == pytest.approx(1, abs=1e-6)
        assert (made[~hit, 12] <= expected[~hit] + 1e-5).all()
        self.check_points(a, b, hit, count)
        return int(hit.sum())

    def check_points(self, a: np.ndarray, b: np.ndarray, hit: np.ndarray, count: np.ndarray) -> None:
        """Assert that points are midway between the surfaces, and that both anchors are the same place."""
        between = (self.pose[self.n :, :2] - self.pose[: self.n, :2]).astype(float)
        made = self.manifold.astype(float)
        for k in range(2):
            rows = hit & (count > k)
            at = 8 + 8 * k
            assert made[rows, at : at + 2] - made[rows, at + 2 : at + 4] == pytest.approx(between[rows], abs=1e-5)
            for hull, radius in ((a, self.size[0, 2]), (b, self.size[1, 2])) if rows.any() else ():
                near = reference.separation(made[rows, None, at : at + 2], hull[rows]) - radius
                assert (near <= abs(made[rows, at + 4]) / 2 + 1e-3).all()


def scattered(count: int, seed: int, spread: float = 1.5) -> np.ndarray:
    """Return poses of 2 * count bodies, pairs near each other."""
    random = np.random.default_rng(seed)
    angle = random.uniform(0, 2 * np.pi, 2 * count)
    pose = np.zeros((2 * count, 4), f)
    pose[:count, :2] = random.uniform(-50, 50, (count, 2))
    pose[count:, :2] = pose[:count, :2] + random.uniform(-spread, spread, (count, 2)).astype(f)
    pose[:, 2], pose[:, 3] = np.cos(angle), np.sin(angle)
    return pose


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_every_pair_of_forms_agrees_with_the_reference(first: str, second: str) -> None:
    """For many poses of every ordered pair, contact, depth and normal agree with the reference."""
    bench = Bench(scattered(long(10_000, 500), 1), [FORMS[first], FORMS[second]])
    bench.hulls()
    assert bench.check() > 20


QUICK = {
    "box": (FORMS["box"], t.BOX, (0.5, 0.3, 0, 0.584)),
    "square": ((np.array([[-0.4, -0.4], [0.4, -0.4], [0.4, 0.4], [-0.4, 0.4]]), 0.0), t.BOX, (0.4, 0.4, 0, 0.566)),
    "ball": (FORMS["circle"], t.BALL, (0, 0, 0.3, 0.3)),
}


@pytest.mark.slow
@pytest.mark.parametrize("first", QUICK)
@pytest.mark.parametrize("second", QUICK)
def test_boxes_and_balls_agree_with_the_reference(first: str, second: str) -> None:
    """The kernels for boxes and balls agree with the reference, for 10,000 poses of every ordered pair."""
    (a, kind_a, size_a), (b, kind_b, size_b) = QUICK[first], QUICK[second]
    bench = Bench(scattered(10_000, 3, 1.2), [a, b], (kind_a, kind_b))
    bench.size[:] = size_a, size_b
    assert bench.simple()[2:] == (0, 0, 0)
    assert bench.check(tie=0.003) > 1000


@pytest.mark.parametrize("second", [name for name in FORMS if name != "segment"])
@pytest.mark.parametrize("swap", [False, True])
def test_a_chain_of_one_segment_is_solid_on_its_right_side(second: str, swap: bool) -> None:
    """A chain segment agrees with the reference on its right side, and does not touch anything behind it."""
    row = chain_rows([[0.6, 0.1], [-0.5, -0.1]], loop=False)[0]
    forms = [(row, 0.0), FORMS[second]]
    bench = Bench(scattered(2000, 4), forms[::-1] if swap else forms)
    bench.hulls()
    a, b = bench.placed()[:: -1 if swap else 1]
    radii = float(bench.size[:, 2].sum())
    expected = reference.separation(a, b) - radii
    side = reference.normals_of(a)[:, 0]
    made = bench.manifold.astype(float) * (-1 if swap else 1)
    hit = bench.info[:, 0] > 0
    facing = (made[:, :2] * side).sum(1)
    assert (facing[hit] > -0.02).all()
    way = reference.nearest(a, b)
    distance = np.hypot(*way.T)
    middle = np.einsum("kni->ki", b) / b.shape[1] - a[:, 0]
    ahead = (middle * side).sum(1) > 0.01
    apart = (expected + radii > 0.01) & ahead & ((way * side).sum(1) > 0.02 * distance)
    assert hit[apart & (expected < LIMIT - TIE)].all()
    along = reference.along(a, b, made[:, :2]) - radii
    assert along[hit & apart] == pytest.approx(expected[hit & apart], abs=float(TIE) + 1e-5)
    minimum = np.where(bench.info[:, 0] > 1, np.minimum(abs(made[:, 12]), abs(made[:, 20])), abs(made[:, 12]))
    assert (minimum[hit & apart] <= abs(expected[hit & apart]) + 0.001).all()
    behind = (middle * side).sum(1) < -1.2
    assert not hit[behind].any()


def test_a_kept_manifold_measures_as_a_new_one_does() -> None:
    """After a small shift the separations of a reused manifold are those that the shift gives."""
    near = scattered(2000, 5, 0.8)
    bench = Bench(near, [QUICK["box"][0], QUICK["square"][0]], (t.BOX, t.BOX))
    bench.size[:] = QUICK["box"][2], QUICK["square"][2]
    bench.simple()
    before = bench.info[:, 0].copy()
    random = np.random.default_rng(6)
    bench.pose[:, :2] += random.uniform(-0.004, 0.004, (4000, 2)).astype(f)
    made = bench.manifold.copy()
    between = bench.pose[2000:, :2] - bench.pose[:2000, :2]
    bench.simple()
    kept = (before > 0) & (bench.manifold[:, 13] == made[:, 13]) & (bench.manifold[:, 6:8] == made[:, 6:8]).all(1)
    assert kept.sum() > 500
    shift = between - (made[:, 8:10] - made[:, 10:12])
    for k in range(2):
        rows = kept & (before > k)
        expected = made[rows, 13 + 8 * k] + (made[rows, :2] * shift[rows]).sum(1)
        assert bench.manifold[rows, 12 + 8 * k] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("first", "second"), [("box", "square"), ("box", "ball"), ("ball", "ball")])
def test_eight_at_a_time_are_kept_as_one_by_one(first: str, second: str) -> None:
    """Manifolds reused eight at a time are equal to the bit to those reused singly, with two, one and no points."""
    ends = []
    for alone in (False, True):
        bench = Bench(scattered(801, 9, 0.9), [QUICK[first][0], QUICK[second][0]], (QUICK[first][1], QUICK[second][1]))
        bench.size[:] = QUICK[first][2], QUICK[second][2]
        random = np.random.default_rng(10)
        for _ in range(6):
            for k in range(0, bench.n, 7 if alone else bench.n):
                bench.simple(slice(k, k + (7 if alone else bench.n)))
            assert len(np.unique(bench.info[:, 0])) > 1
            bench.pose[:, :2] += random.uniform(-0.02, 0.02, (2 * bench.n, 2)).astype(f)
            turn = random.uniform(-0.05, 0.05, 2 * bench.n)
            turned = (bench.pose[:, 2] + 1j * bench.pose[:, 3]) * np.exp(1j * turn)
            bench.pose[:, 2], bench.pose[:, 3] = turned.real, turned.imag
        ends.append(bench)
    for name in ("manifold", "ids", "info"):
        assert getattr(ends[0], name).tobytes() == getattr(ends[1], name).tobytes()


def test_points_keep_their_names_and_impulses_when_reference_faces_take_turns() -> None:
    """When two aligned boxes tilt a little in both directions, every contact point keeps its id and impulse."""
    rng = np.random.default_rng(7)
    n = 500
    bench = Bench(np.zeros((2 * n, 4), f), [QUICK["square"][0]] * 2, (t.BOX, t.BOX))
    bench.size[:] = QUICK["square"][2]
    for step in range(6):
        tilt = rng.uniform(-0.02, 0.02, 2 * n)
        bench.pose[:, 2], bench.pose[:, 3] = np.cos(tilt), np.sin(tilt)
        bench.pose[n:, 0], bench.pose[n:, 1] = 0.1, 0.79
        bench.manifold[:, 2:6] = 0
        bench.simple()
        assert (bench.info[:, 0] == 2).mean() > 0.99
        if step:
            both = bench.info[:, 0] == 2
            order = np.argsort(bench.ids[both], 1)
            kept = np.take_along_axis(bench.manifold[both][:, [14, 22]], order, 1)
            assert (kept > 0).all()
        bench.manifold[:, 14] = bench.manifold[:, 22] = 1


def test_a_contact_tells_when_it_begins_and_ends() -> None:
    """BEGAN is set only in the step in which two balls touch first, and ENDED only in the one in which they part."""
    bench = Bench(np.array([[0, 0, 1, 0], [0.7, 0, 1, 0]], f), [FORMS["circle"]] * 2, (t.BALL, t.BALL))
    seen = []
    for x in (0.7, 0.65, 0.59, 0.5, 0.58, 0.7, 0.71):
        bench.pose[1, 0] = x
        changed = bench.simple()[1]
        seen.append((changed, int(bench.info[0, 1])))
    touching = t.TOUCHING
    assert seen == [(0, 0), (0, 0), (1, touching | t.BEGAN), (0, touching), (0, touching), (1, t.ENDED), (0, 0)]


def test_pairs_whose_boxes_part_are_listed() -> None:
    """Contacts whose fat boxes no longer overlap are listed for removal."""
    bench = Bench(scattered(4, 8), [FORMS["circle"]] * 2, (t.BALL, t.BALL))
    bench.fat[1] += 1e10
    assert bench.simple()[0] == 4
    assert bench.lists[0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("first", "second", "flags"),
    [
        *(("box", form, (0, 0)) for form in FORMS),
        ("box", "circle", (t.BOX, t.BALL)), ("circle", "box", (t.BALL, t.BOX)), ("circle", "circle", (t.BALL, t.BALL)),
        ("box", "box", (t.BOX, t.BOX)),
    ],
)  # fmt: skip
def test_sensors_find_out_whether_they_overlap(first: str, second: str, flags: tuple[int, int]) -> None:
    """Sensors find overlaps like the reference, for a box and every form, and for boxes and circles without GJK."""
    bench = Bench(scattered(1000, 9), [FORMS[first], FORMS[second]], (t.SENSOR | flags[0], flags[1]))
    bench.info[:, 1] = t.IS_SENSOR
    listed = bench.simple()
    assert listed[4] == 1000
    args = (
        bench.pair.ravel(),
        bench.info.ravel(),
        bench.pose.ravel(),
        bench.flags,
        bench.size.ravel(),
        bench.hull.ravel(),
    )
    changed = kernels.sense(bench.lists[4], *args, bench.lists[1], 0, np.zeros(PAIR_SIZE, f))
    a, b = bench.placed()
    expected = reference.separation(a, b) - bench.size[:, 2].sum()
    touching = (bench.info[:, 1] & t.TOUCHING) != 0
    sure = abs(expected) > 1e-5
    assert (touching == (expected <= 0))[sure].all()
    assert changed == touching.sum()
    assert not bench.info[:, 0].any()


@pytest.mark.parametrize(
    ("place", "velocity", "solid"),
    [
        ((0, 0.59), (0, -5), True),
        ((0, 0.55), (0, -5), True),
        ((0, 0.59), (3, 0), True),
        ((0, 0.59), (0, 5), False),
        ((0, -0.59), (0, 5), False),
        ((0, 0.1), (0, -5), False),
        ((0.79, 0), (-5, -1), False),
    ],
)
@pytest.mark.parametrize("swap", [False, True])
def test_a_one_way_shape_stops_only_what_comes_against_its_direction(
    place: tuple[float, float], velocity: tuple[float, float], solid: bool, swap: bool
) -> None:
    """A one-way shape is solid only from above; bodies from below, the side or inside pass until they have parted."""
    pose = np.array([[0, 0, 1, 0], [*place, 1, 0]], f)
    forms = [FORMS["box"], FORMS["circle"]]
    k = 1 if swap else 0
    bench = Bench(
        pose[::-1].copy() if swap else pose, forms[::-1] if swap else forms, (0, t.ONE_WAY) if swap else (t.ONE_WAY, 0)
    )
    bench.surface[k, 6:] = 0, 1
    bench.motion[1 - k, :2] = velocity
    bench.hulls()
    assert (bench.info[0, 0] > 0) == solid
    assert bool(bench.info[0, 1] & t.PASSES_THROUGH) != solid
    if not solid:
        bench.motion[1 - k, :2] = 0, -5
        bench.hulls()
        assert bench.info[0, 0] == 0
        bench.pose[1 - k, 1] = 5
        bench.hulls()
        assert not bench.info[0, 1] & t.PASSES_THROUGH


JOINTS = long(1000, 250)
SLIDERS = {
    "box": FORMS["box"],
    "ball": FORMS["circle"],
    "capsule": FORMS["capsule"],
    "rounded box": FORMS["rounded box"],
}


@pytest.mark.slow
@pytest.mark.parametrize("form", SLIDERS)
def test_nothing_stumbles_over_hundreds_of_joints(rig: ModuleType, form: str) -> None:
    """A body that slides along a flat chain without friction keeps its height, speed and contact."""
    from rish_physics.sync.step import step

    points, radius = SLIDERS[form]
    world = rig.empty_world()
    ground = np.stack([np.arange(JOINTS + 1) * 0.5, np.zeros(JOINTS + 1)], 1)[::-1]
    for row in chain_rows(ground, loop=False):
        rig.add_hull(world, 0, 0, row[2:6].reshape(2, 2), 0.0, t.STATIC, flags=t.CHAIN, row=row, friction=0)
    height = radius - points[:, 1].min()
    slot = rig.add_hull(world, 2, height, points, radius, velocity=(20, 0, 0), friction=0)
    state = rig.State.of(world)
    left = 0
    for _ in range(JOINTS * 37 // 25):
        step(state)
        left += not (world[t.Contacts].info[:, 0] > 0).any()
    bodies = world[t.Bodies]
    assert left == 0
    assert bodies.pose[slot, 0] > 0.49 * JOINTS
    assert bodies.state[slot, 0] == pytest.approx(20, rel=0.01)
    assert bodies.pose[slot, 1] == pytest.approx(height, abs=0.003)
