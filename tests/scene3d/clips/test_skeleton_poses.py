"""The poses of characters: the kernel, numpy, and a slow reference agree."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.helpers.gltf_models import MODELS

from long_runs import long
from rish_scene3d.clips import tables as at
from rish_scene3d.clips.clip_library import skeleton_of
from rish_scene3d.clips.interpreted import pose_plain
from rish_scene3d.clips.kernel import pose_all, scratch_for
from rish_scene3d.clips.sampling import at_rest, sampled
from rish_scene3d.clips.tables import PoseTables, Work, make_work, room_for

NAMES = ("robot", "tube", "morph cube")


class Kit:
    """The tables of all models of the tests, and random work for them."""

    def __init__(self) -> None:
        self.tables = PoseTables()
        self.models = [skeleton_of(MODELS[name]().read(), name) for name in NAMES]
        self.skeletons = [self.tables.add_skeleton(model) for model in self.models]
        self.clips = [[sampled(model, clip) for clip in model.clips] for model in self.models]
        self.offsets = [
            [self.tables.add_clip(model, clip) for clip in clips]
            for model, clips in zip(self.models, self.clips, strict=True)
        ]
        random = np.random.default_rng(5)
        self.allowed = [random.random(len(model.names) + len(model.weights)) < 0.5 for model in self.models]
        self.masks = [
            self.tables.add_mask(len(model.names), allowed)
            for model, allowed in zip(self.models, self.allowed, strict=True)
        ]

    def work(self, random: np.random.Generator, characters: int, most: int) -> tuple[Work, list[tuple[int, list]]]:
        """Return random work, and for each character its model and its sources as (clip, job, shares)."""
        who, jobs, shares, told = [], [], [], []
        ends = np.zeros(3, int)
        for _ in range(characters):
            which = int(random.integers(len(self.models)))
            model, sources = self.models[which], []
            first = len(jobs)
            for _ in range(int(random.integers(1, most + 1))):
                clip = int(random.integers(len(self.clips[which])))
                rows = self.clips[which][clip]
                kind = int(random.choice([at.BEGIN, at.MIX, at.ADD]))
                begun = any(job[at.KIND] == at.BEGIN for job in jobs[first:])
                kind = at.BEGIN if kind == at.MIX and not begun else kind
                whole = float(random.choice([0, 1, random.random()]))
                time = random.random() * rows.seconds
                row = min(int(time / rows.interval), len(rows.rows) - 2)
                share = float(random.choice([1, random.random()]))
                mask = self.masks[which] if random.random() < 0.4 else -1
                jobs.append([self.offsets[which][clip], row, kind, mask])
                shares.append([time / rows.interval - row, share, whole, time])
                sources.append((clip, jobs[-1], shares[-1]))
            who.append([self.skeletons[which], first, len(jobs), *ends])
            ends += [len(model.names), model.joints, len(model.weights)]
            told.append((which, sources))
        self.room = ends.tolist()
        return make_work(np.array(who), np.array(jobs), np.array(shares, float)), told


@pytest.fixture(scope="module")
def kit() -> Kit:
    """The tables of all models."""
    return Kit()


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether two arrays of float32 have the same bits."""
    return np.array_equal(a.view(np.uint32), b.view(np.uint32))


@pytest.mark.slow
@settings(max_examples=long(40, 10), deadline=None)
@given(seed=st.integers(0, 10**6), characters=st.integers(1, 12), most=st.integers(1, 6))
def test_kernel_and_numpy_give_the_same_bits(kit, seed, characters, most):
    """For any characters with any sources, the kernel and its numpy form give the same bits."""
    work, _ = kit.work(np.random.default_rng(seed), characters, most)
    words, ints, floats = kit.tables.arrays
    fast, plain = room_for(*kit.room), room_for(*kit.room)
    pose_plain(words, ints, floats, work, plain)
    scratch = scratch_for(words, work.characters[:, at.SKELETON_AT], work.jobs[:, at.CLIP_AT])
    flat = (part.reshape(-1) for part in fast)
    pose_all(words, ints, floats, *work, *flat, scratch)
    assert all(same_bits(a, b) for a, b in zip(fast, plain, strict=True))


def slow_times(a: list[float], b: list[float]) -> list[float]:
    """Return the product of two quaternions."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]  # fmt: skip


def slow_unit(q: list[float]) -> list[float]:
    """Return a quaternion of length 1."""
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def slow_mix(a: list[float], b: list[float], share: float) -> list[float]:
    """Return ten numbers between those of two nodes."""
    found = [p + share * (q - p) for p, q in zip(a, b, strict=False)]
    sign = -1 if sum(p * q for p, q in zip(a[3:7], b[3:7], strict=False)) < 0 else 1
    found[3:7] = slow_unit([p + share * (sign * q - p) for p, q in zip(a[3:7], b[3:7], strict=False)])
    return found


def slow_add(now: list[float], row: list[float], base: list[float], share: float) -> list[float]:
    """Return ten numbers to which a share of a change is added."""
    found = [p + share * (q - r) for p, q, r in zip(now, row, base, strict=False)]
    found[7:] = [p * (1 + share * (q / r - 1)) for p, q, r in zip(now[7:], row[7:], base[7:], strict=False)]
    change = slow_times([-base[3], -base[4], -base[5], base[6]], row[3:7])
    if change[3] < 0:
        change = [-x for x in change]
    way = [share * change[0], share * change[1], share * change[2], 1 + share * (change[3] - 1)]
    found[3:7] = slow_unit(slow_times(now[3:7], way))
    return found


def slow_pose(kit: Kit, which: int, sources: list) -> tuple[list, list]:
    """Return the numbers of all nodes, and all weights, by layers that are mixed one after another."""
    model = kit.models[which]
    now, weights = at_rest(model).astype(float).tolist(), model.weights.astype(float).tolist()
    layer: dict[int, tuple[list[float], float]] = {}
    sway: dict[int, tuple[float, float]] = {}
    for clip, (_, index, kind, mask), (between, share, whole, time) in sources:
        rows = kit.clips[which][clip]
        a, b = rows.rows[index].astype(float), rows.rows[index + 1].astype(float)
        row = a + between * (b - a)
        for step in rows.steps:
            key = max([k for k, t in enumerate(step.times) if t <= time + 1e-4], default=0)
            row[step.column : step.column + step.values.shape[1]] = step.values[key]
        moved = {int(node): row[10 * k : 10 * k + 10].tolist() for k, node in enumerate(rows.nodes)}
        swayed = {int(w): float(row[10 * len(rows.nodes) + k]) for k, w in enumerate(rows.weights)}
        allowed = kit.allowed[which] if mask >= 0 else np.ones(len(now) + len(weights), bool)
        if kind == at.ADD:
            base = rows.rows[0].astype(float)
            for k, (node, value) in enumerate(moved.items()):
                if allowed[node]:
                    now[node] = slow_add(now[node], value, base[10 * k : 10 * k + 10].tolist(), whole)
            for k, (w, value) in enumerate(swayed.items()):
                if allowed[len(now) + w]:
                    weights[w] += whole * (value - base[10 * len(rows.nodes) + k])
            continue
        layer = {} if kind == at.BEGIN else {n: (v, c * (1 - share)) for n, (v, c) in layer.items() if share < 1}
        sway = {} if kind == at.BEGIN else {n: (v, c * (1 - share)) for n, (v, c) in sway.items() if share < 1}
        for node, value in moved.items():
            old, cover = layer.get(node, (value, 0.0))
            filled = cover + share
            layer[node] = (slow_mix(old, value, share / filled) if cover else value, filled)
        for w, value in swayed.items():
            old_weight, cover = sway.get(w, (value, 0.0))
            filled = cover + share
            sway[w] = (old_weight + share / filled * (value - old_weight) if cover else value, filled)
        for node, (value, cover) in layer.items():
            if whole > 0 and allowed[node]:
                now[node] = slow_mix(now[node], value, cover * whole)
        for w, (value_of_weight, cover) in sway.items():
            if whole > 0 and allowed[len(now) + w]:
                weights[w] += cover * whole * (value_of_weight - weights[w])
    return now, weights


def slow_matrix(numbers: list[float]) -> np.ndarray:
    """Return the matrix (4, 4) of ten numbers."""
    x, y, z, w = numbers[3:7]
    found = np.eye(4)
    found[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    found[:3, :3] *= numbers[7:]
    found[:3, 3] = numbers[:3]
    return found


@settings(max_examples=long(25, 10), deadline=None)
@given(seed=st.integers(0, 10**6), most=st.integers(1, 5))
def test_poses_are_those_of_a_slow_reference(kit, seed, most):
    """Interpolation, cross-fades, layers, masks and additive clips give what plain arithmetic gives."""
    work, told = kit.work(np.random.default_rng(seed), 3, most)
    out = room_for(*kit.room)
    pose_plain(*kit.tables.arrays, work, out)
    for row, (which, sources) in zip(work.characters, told, strict=True):
        model = kit.models[which]
        now, weights = slow_pose(kit, which, sources)
        made = []
        for node, parent in enumerate(model.parents.tolist()):
            made.append(slow_matrix(now[node]) if parent < 0 else made[parent] @ slow_matrix(now[node]))
        first = row[at.NODE_AT]
        assert np.allclose(out.nodes[first : first + len(made)], np.array(made)[:, :3], atol=2e-5)
        joints = [int(joint) for skin in model.skins for joint in skin.joints]
        binds = [np.vstack([bind, [0, 0, 0, 1]]) for skin in model.skins for bind in skin.inverse_binds]
        for j, (joint, bind) in enumerate(zip(joints, binds, strict=True)):
            assert np.allclose(out.palettes[row[at.JOINT_AT] + j], (made[joint] @ bind)[:3], atol=3e-5)
        assert np.allclose(out.weights[row[at.WEIGHT_AT] :][: len(weights)], weights, atol=1e-5)


def test_a_model_without_sources_is_at_rest(kit):
    """Without any clip the palette maps each point to itself."""
    model = kit.models[0]
    work = make_work(np.array([[kit.skeletons[0], 0, 0, 0, 0, 0]]), np.zeros((0, 4)), np.zeros((0, 4)))
    out = room_for(len(model.names), model.joints, 0)
    pose_plain(*kit.tables.arrays, work, out)
    assert np.allclose(out.palettes, np.eye(3, 4), atol=1e-6)
    assert np.allclose(out.nodes, model.rest, atol=1e-6)
