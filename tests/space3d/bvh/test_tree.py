"""The tree of boxes, against comparing everything with everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import UsageError
from rish_space3d import Bvh, prepare_bvh
from rish_space3d.bvh import tree as module

NUMBER = st.sampled_from([0.0, 1.0, -1.0, 2.5, 1e-40, -1e30, 3e38, np.inf, -np.inf, np.nan])
SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture(params=[False, True], ids=["numpy", "tree"])
def trees(request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer from numpy, or from the tree however little there is to do."""
    if request.param:
        assert prepare_bvh()
        monkeypatch.setattr(module, "LITTLE", 0)


def scene(seed: int, odd: list[float]) -> tuple[Any, Any, Any, Any]:
    """Return random boxes on a coarse grid, so that many touch, and rays; some numbers are odd ones."""
    random = np.random.default_rng(seed)
    low = random.integers(-4, 5, (int(random.integers(1, 40)), 3)) / 2
    boxes = np.concatenate([low, low + random.integers(0, 4, low.shape) / 2], axis=1).astype(np.float32)
    origins = (random.integers(-6, 7, (12, 3)) / 2).astype(np.float32)
    ways = random.integers(-1, 2, (12, 3)).astype(np.float32) + random.choice([0, 0.3], (12, 1)).astype(np.float32)
    for number in odd:
        target = [boxes, origins, ways][int(random.integers(3))].reshape(-1)
        target[int(random.integers(len(target)))] = number
    return boxes, origins, ways, random.choice([0.5, 2, np.inf], 12).astype(np.float32)


def entry(box: Any, origin: Any, way: Any, reach: float) -> float:
    """Return where a ray enters a box by the definition, in float64; infinite for none."""
    if not (box[:3] <= box[3:]).all() or not np.isfinite([*origin, *way]).all() or not way.any():
        return np.inf
    near, far = 0.0, float(reach)
    for c in range(3):
        if way[c] == 0:
            if not box[c] <= origin[c] <= box[c + 3]:
                return np.inf
            continue
        ends = sorted([(float(box[c]) - origin[c]) / way[c], (float(box[c + 3]) - origin[c]) / way[c]])
        near, far = max(near, ends[0]), min(far, ends[1])
    return near if near <= far else np.inf


@pytest.mark.usefixtures("trees")
class TestAgainstDefinition:
    """Answers of numpy and of the tree."""

    @settings(max_examples=long(60, 15), deadline=None)
    @given(SEEDS)
    def test_rays_meet_what_the_definition_says(self, seed: int) -> None:
        """The nearest box and all boxes of a ray are those of the definition; numbers are multiples of ½."""
        boxes, origins, ways, reach = scene(seed, [])
        ways = np.sign(ways)
        expected = np.array([[entry(b, o, w, r) for b in boxes] for o, w, r in zip(origins, ways, reach, strict=True)])
        tree = Bvh(boxes)
        found, distances = tree.nearest(origins, ways, reach)
        assert distances.tolist() == expected.min(axis=1).tolist()
        first = np.where(np.isfinite(expected.min(axis=1)), expected.argmin(axis=1), -1)
        assert found.tolist() == first.tolist()
        hits = tree.all_hits(origins, ways, reach)
        for r in range(len(origins)):
            mine = hits.boxes[hits.rays == r].tolist()
            assert sorted(mine) == np.flatnonzero(np.isfinite(expected[r])).tolist()
            assert mine == sorted(mine, key=lambda b: (expected[r, b], b))

    @settings(max_examples=long(60, 15), deadline=None)
    @given(SEEDS)
    def test_boxes_touch_boxes(self, seed: int) -> None:
        """A region finds the boxes that share at least a point with it."""
        boxes, origins, ways, _ = scene(seed, [])
        regions = np.concatenate([origins, origins + np.abs(ways)], axis=1)
        regions[0, 0] = 99
        meet = (boxes[None, :, :3] <= regions[:, None, 3:]) & (regions[:, None, :3] <= boxes[None, :, 3:])
        meet &= (regions[:, None, :3] <= regions[:, None, 3:]).all(axis=2, keepdims=True)
        assert np.argwhere(meet.all(axis=2)).tolist() == np.column_stack(Bvh(boxes).touching(regions)).tolist()

    def test_no_boxes_and_no_rays(self) -> None:
        """Empty trees and empty questions have empty answers."""
        nobody = Bvh(np.zeros((0, 6)))
        assert len(nobody) == 0
        assert [each.tolist() for each in nobody.nearest([[0, 0, 0]], [[1, 0, 0]])] == [[-1], [np.inf]]
        assert nobody.inside(np.ones((6, 4))).tolist() == []
        tree = Bvh([[0, 0, 0, 1, 1, 1]])
        assert tree.nearest(np.zeros((0, 3)), np.zeros((0, 3)))[0].tolist() == []
        assert tree.all_hits(np.zeros((0, 3)), np.zeros((0, 3))).boxes.tolist() == []
        assert tree.touching(np.zeros((0, 6)))[0].tolist() == []

    def test_equal_boxes_are_told_apart(self) -> None:
        """A thousand equal boxes make a tree; the lowest number is the nearest, and all are found."""
        tree = Bvh(np.tile([1, 0, 0, 2, 1, 1], (1000, 1)))
        found, distances = tree.nearest([[0, 0.5, 0.5]], [[2, 0, 0]])
        assert (found.tolist(), distances.tolist()) == ([0], [0.5])
        assert tree.all_hits([[0, 0.5, 0.5]], [[2, 0, 0]]).boxes.tolist() == [*range(1000)]
        assert tree.nearest([[0, 0.5, 0.5]], [[2, 0, 0]], 0.4)[0].tolist() == [-1]


@settings(max_examples=long(150, 30), deadline=None)
@given(SEEDS, st.lists(NUMBER, max_size=12))
def test_the_tree_and_numpy_agree_on_everything(seed: int, odd: list[float]) -> None:
    """With NaN, infinities and huge numbers as well, tree and numpy give the same bits, also after a refit."""
    assert prepare_bvh()
    boxes, origins, ways, reach = scene(seed, odd)
    planes = np.concatenate([ways[:6], origins[:6, :1]], axis=1)
    tree, answers = Bvh(boxes[::-1]), []
    tree.refit(boxes)
    for little in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "LITTLE", little)
            patch.setattr(module, "MUCH", little)
            near, hits = tree.nearest(origins, ways, reach), tree.all_hits(origins, ways, reach)
            regions = np.concatenate([origins, np.maximum(origins, ways)], axis=1)
            answers.append([*near, *hits, *tree.touching(regions), tree.inside(planes)])
    for one, two in zip(*answers, strict=True):
        assert (one.dtype, one.tobytes()) == (two.dtype, two.tobytes())


def test_large_trees_stay_right_after_a_refit() -> None:
    """A tree of thousands of boxes that all moved answers as a new one does."""
    random = np.random.default_rng(5)
    low = random.uniform(-50, 50, (5000, 3))
    tree = Bvh(np.concatenate([low, low + 1], axis=1))
    ways = random.normal(size=(200, 3))
    tree.nearest(np.zeros((200, 3)), ways)
    moved = low[random.permutation(5000)]
    boxes = np.concatenate([moved, moved + 2], axis=1)
    tree.refit(boxes)
    for one, two in zip(
        tree.nearest(np.zeros((200, 3)), ways), Bvh(boxes).nearest(np.zeros((200, 3)), ways), strict=True
    ):
        assert one.tolist() == two.tolist()


def test_a_tree_without_boxes_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels find nothing in a tree without boxes, and in one whose boxes are all empty."""
    assert prepare_bvh()
    monkeypatch.setattr(module, "LITTLE", -1)
    monkeypatch.setattr(module, "MUCH", -1)
    for tree in (Bvh(np.zeros((0, 6))), Bvh(np.full((20, 6), np.nan))):
        assert tree.nearest([[0, 0, 0]], [[1, 0, 0]])[0].tolist() == [-1]
        assert tree.all_hits([[0, 0, 0]], [[1, 0, 0]]).boxes.tolist() == []
        assert tree.touching([[-9, -9, -9, 9, 9, 9]])[1].tolist() == []
        assert tree.inside(np.ones((6, 4))).tolist() == []
        tree.refit(np.zeros((len(tree), 6)))
        assert tree.touching([[-9, -9, -9, 9, 9, 9]])[1].tolist() == [*range(len(tree))]


def test_wrong_shapes_are_refused() -> None:
    """Other shapes and other numbers of boxes and directions raise a located error."""
    with pytest.raises(UsageError, match=r"boxes are an array \(n, 6\)"):
        Bvh(np.zeros((3, 4)))
    with pytest.raises(UsageError, match="can't be refitted to 2"):
        Bvh(np.zeros((1, 6))).refit(np.zeros((2, 6)))
    with pytest.raises(UsageError, match="2 origins and 1 directions"):
        Bvh(np.zeros((1, 6))).nearest(np.zeros((2, 3)), np.zeros((1, 3)))


def test_kernels_are_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the kernels are not ready, numpy answers, up to a limit."""
    monkeypatch.setattr(module, "READY", lambda: False)
    monkeypatch.setattr(module, "cast_nearest", None)
    tree = Bvh(np.tile([1, 0, 0, 2, 1, 1], (30_000, 1)))
    assert tree.nearest([[0, 0.5, 0.5]], [[1, 0, 0]])[0].tolist() == [0]
