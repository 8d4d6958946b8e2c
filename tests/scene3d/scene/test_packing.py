"""Placing and culling of instances: kernels, numpy, and a plain reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame import look_at, perspective
from rish_scene3d.scene.listing import packing
from rish_scene3d.scene.listing.packing import WORDS, inside, mirrors, place, take_inside
from rish_scene3d.scene.listing.sorted_rows import SortedRows
from rish_space3d import frustum_planes, quaternions
from rish_space3d.matrices import local_matrices

COUNT = 400


@pytest.fixture(params=["numpy", "kernels"])
def way(request: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which of the two forms is called."""
    monkeypatch.setattr(packing, "MIN_KERNEL_INSTANCES", 1 if request.param == "kernels" else 1 << 30)
    if request.param == "kernels" and not packing.READY.now():
        pytest.skip("without numba there are no kernels")
    if request.param == "numpy":
        monkeypatch.setattr(packing, "READY", packing.Ready(lambda: None))
    return str(request.param)


def poses(count: int, seed: int) -> np.ndarray:
    """Return random matrices, some of which mirror."""
    random = np.random.default_rng(seed)
    position, scale = (
        random.normal(0, 5, (count, 3)),
        random.uniform(0.2, 2, (count, 3)) * random.choice([-1, 1], (count, 3)),
    )
    rotation = quaternions.normalized(random.normal(size=(count, 4)))
    a, b, c = (part.astype(np.float32) for part in (position, rotation, scale))
    return local_matrices(a, b, c, a, b, c, np.float32(0))


def whole(matrix: np.ndarray) -> np.ndarray:
    """Return a matrix (3, 4) as (4, 4)."""
    return np.vstack([matrix, [0, 0, 0, 1]]).astype(np.float64)


def test_instances_are_placed_by_entity_and_node(way: str):
    """Each instance gets its entity's matrix times its node's, and a sphere around its ball; mirrors are noticed."""
    random = np.random.default_rng(1)
    world, offsets = poses(50, 2), np.concatenate([np.eye(3, 4, dtype=np.float32)[None], poses(9, 3)])
    row, offset = (random.integers(0, high, COUNT).astype(np.int32) for high in (50, 10))
    ball = random.uniform(0, 1, (COUNT, 4)).astype(np.float32)
    out, spheres = np.zeros((COUNT, 16), np.float32), np.zeros((COUNT, 4), np.float32)
    turned = np.full(COUNT, 9, np.uint8)
    which = np.arange(0, COUNT, 2, dtype=np.int32)
    place(which, row, offset, ball, world, offsets, out, spheres, turned)
    assert not out[1::2].any()
    assert (turned[1::2] == 9).all()
    for i in which.tolist():
        wanted = whole(world[row[i]]) @ whole(offsets[offset[i]])
        np.testing.assert_allclose(out[i, :12].reshape(3, 4), wanted[:3], atol=1e-4)
        np.testing.assert_allclose(spheres[i, :3], (wanted @ [*ball[i, :3], 1])[:3], atol=1e-4)
        longest = np.sqrt((wanted[:3, :3] ** 2).sum(0).max())
        assert spheres[i, 3] == pytest.approx(longest * ball[i, 3], rel=1e-4)
        assert turned[i] == (np.linalg.det(world[row[i], :, :3].astype(np.float64)) < 0)
    np.testing.assert_array_equal(mirrors(world)[row[which]], turned[which])


def camera() -> np.ndarray:
    """Return a camera matrix."""
    return perspective(0.9, 1.5, 0.1, 30) @ look_at((3, 2, 9), (0, 0, 0))


def spheres_of(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return spheres around a camera, bits of layers, and the bytes of instances."""
    random = np.random.default_rng(seed)
    spheres = np.concatenate([random.normal(0, 12, (COUNT, 3)), random.uniform(0, 2, (COUNT, 1))], axis=1)
    rows = random.integers(0, 1 << 60, (COUNT, WORDS))
    return spheres.astype(np.float32), random.choice([1, 2, 4], COUNT).astype(np.int32), rows


def shuffled(seed: int) -> SortedRows:
    """Return the slots in another order, with rising keys."""
    order = SortedRows(np.int32)
    order.fill(np.arange(COUNT) * 3, np.random.default_rng(seed).permutation(COUNT).astype(np.int32))
    return order


@pytest.mark.parametrize("seed", range(3))
def test_what_touches_the_volume_of_view_is_seen(way: str, seed: int):
    """A sphere is left out only if it lies behind a plane completely, or has no bit that is shown."""
    spheres, bits, rows = spheres_of(seed)
    planes = frustum_planes(camera())
    seen, order, last = SortedRows(np.int64, WORDS), shuffled(seed), 300
    take_inside(seen, spheres, bits, planes, 5, rows, order, last)
    wanted = [
        i for i in order.values[:last].tolist()
        if bits[i] & 5 and all(p[:3] @ spheres[i, :3] + p[3] >= -spheres[i, 3] for p in planes)
    ]  # fmt: skip
    assert 0 < len(wanted) < last
    np.testing.assert_array_equal(order.values[np.searchsorted(order.keys, seen.keys)], wanted)
    np.testing.assert_array_equal(seen.values.reshape(-1, WORDS), rows[wanted])
    which = order.values[:last]
    assert which[inside(spheres[which], bits[which], planes, 5)].tolist() == wanted


def test_nothing_in_the_volume_is_left_out():
    """A point that a camera shows is never culled, however small its sphere."""
    spheres, bits, _ = spheres_of(7)
    clip = np.concatenate([spheres[:, :3], np.ones((COUNT, 1))], axis=1) @ camera().T
    shown = (np.abs(clip[:, :3]) < clip[:, 3:]).all(axis=1)
    spheres[:, 3] = 0
    assert shown.any()
    assert set(np.flatnonzero(shown)) <= set(np.flatnonzero(inside(spheres, bits, frustum_planes(camera()), 7)))


def test_taking_tells_whether_anything_changed(way: str):
    """`take_inside` returns False while the same bytes are seen, and True when one changes, comes or goes."""
    spheres, bits, rows = spheres_of(1)
    planes, seen, order = frustum_planes(camera()), SortedRows(np.int64, WORDS), shuffled(1)

    def take() -> bool:
        return take_inside(seen, spheres, bits, planes, 7, rows, order, COUNT)

    assert take()
    shown = order.values[np.searchsorted(order.keys, seen.keys)]
    assert not take()
    rows[shown[3], 5] += 1
    assert take()
    hidden = np.setdiff1d(np.arange(COUNT), shown)
    rows[hidden] += 1
    assert not take()
    bits[shown[-1]] = 0
    assert take()
    assert seen.count == len(shown) - 1
