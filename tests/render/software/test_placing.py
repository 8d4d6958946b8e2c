"""Placing: the pixels of packed sprites on a target, and the bands they touch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_frame import pack_sprites
from rish_frame.frame import affine_of
from rish_render.backends.software import placing
from rish_render.backends.software.bitmaps import MAX, NONE
from rish_render.backends.software.kernels.blend import pack_colors
from rish_render.backends.software.kernels.sprites import EXACTLY
from rish_render.backends.software.scene import into_pixels

SHIFT = 3
"""The base-2 logarithm of the rows of a band."""
KEPT = NONE.slots, NONE.table, NONE.used, 0, np.zeros(0, np.uint64)
"""No bitmaps, and none missing."""


def placed(instances, plane, clip, masks, unit=1.0, faded=0):
    """Return the rows, records, matrices and tints of sprites that are drawn exactly."""
    n = len(instances)
    sheet = np.zeros((n, 2), np.int32), np.zeros((n, 4), np.int32), np.zeros((n, 6), np.float32), np.zeros(n, np.uint32)
    steps = np.array([*(plane[:, 0] * unit / 8), *(plane[:, 1] * unit / 8), *plane[:, 2]])
    count = placing.place_instances(
        instances.view(np.uint32), 0, n, (steps, placing.CIRCLE, clip), masks, (-1, 0, 0.0), KEPT,
        (SHIFT, np.zeros(99, np.int64)), sheet, faded,
    )  # fmt: skip
    assert count == 0
    return sheet


@given(seed=st.integers(0, 2**31), unit=st.sampled_from([1.0, 0.5, 3.0]))
@settings(max_examples=long(40, 10), deadline=None)
def test_matrices_are_those_of_the_contract(seed, unit):
    """Matrices equal those of `affine_of` and the camera; rows are those whose pixel centers are inside."""
    rng = np.random.default_rng(seed)
    n = 40
    instances = pack_sprites(
        rng.uniform(-300, 300, n), rng.uniform(-300, 300, n), rng.uniform(1, 60, n), rng.uniform(1, 60, n),
        rng.uniform(-9, 9, n), rng.integers(0, 5, n), rng.integers(0, 256, (n, 4)), unit=unit,
    )  # fmt: skip
    plane = rng.uniform(-2, 2, (2, 3)) * [1, 1, 50]
    clip = np.array([-200, 0, 300, 200], np.int64)
    masks = np.array([0xFFFFFFFF, 0, 0xFFFFFF, 0xFFFFFFFF], np.uint32)
    rows, records, matrices, tints = placed(instances, plane, clip, masks, unit)
    expected = into_pixels(affine_of(instances, unit=unit).astype(float), plane)
    there = np.isin(instances["frame"], [0, 2, 3])
    assert not rows[~there].any()
    shown = rows[:, 0] < rows[:, 1]
    assert np.abs(matrices[shown] - expected[shown]).max(initial=0) < 2e-3
    assert (records[shown, 0] == EXACTLY).all()
    assert (records[shown, 3] == instances["frame"][shown]).all()
    assert (tints[shown] == pack_colors(instances["rgba"])[shown]).all()
    high, wide = np.abs(expected[:, [1, 3]]).sum(1) / 2, np.abs(expected[:, [0, 2]]).sum(1) / 2
    x, y = expected[:, 4], expected[:, 5]
    first, last = np.maximum(np.ceil(y - high - 0.5), 0), np.minimum(np.ceil(y + high - 0.5), 200)
    outside = (x + wide <= -200) | (x - wide >= 300) | (y + high <= 0) | (y - high >= 200)
    sure = there & (np.abs(y - high - 0.5 - np.round(y - high - 0.5)) > 1e-2)
    sure &= np.abs(y + high - 0.5 - np.round(y + high - 0.5)) > 1e-2
    visible = sure & ~outside & (last > first)
    assert (rows[visible] == np.stack([first, last], axis=1)[visible]).all()
    assert not shown[sure & outside].any()


def test_faded_tints_have_no_color():
    """For channels other than the image, tints use only the opacity."""
    instances = pack_sprites([10, 20], 10, 8, 8, rgba=[[10, 20, 30, 40], [255, 255, 255, 255]])
    plane = np.array([[1.0, 0, 0], [0, -1, 64]])
    tints = placed(instances, plane, np.array([0, 0, 64, 64]), np.full(1, 0xFFFFFFFF, np.uint32), faded=1)[3]
    assert tints.tolist() == [0x28282828, 0xFFFFFFFF]


@given(seed=st.integers(0, 2**31), shift=st.integers(0, 7), parts=st.integers(1, 4))
@settings(max_examples=long(60, 15), deadline=None)
def test_every_band_lists_what_touches_it_in_order(seed, shift, parts):
    """The sprites listed for each band equal a plain loop, in one or several parts, with place and tint of bitmaps."""
    rng = np.random.default_rng(seed)
    n, total, height = int(rng.integers(1, 80)), 100, 1 << shift
    instances = pack_sprites(
        0, rng.uniform(-20, total + 20, n), 8, rng.uniform(1, 40, n), rgba=rng.integers(0, 256, (n, 4))
    )
    steps, clip = np.array([1 / 8, 0, 0, -1 / 8, 20, total]), np.array([0, 0, 40, total])
    sheet = np.zeros((n, 2), np.int32), np.zeros((n, 4), np.int32), np.zeros((n, 6), np.float32), np.zeros(n, np.uint32)
    rows, records, _, tints = sheet
    bands, white = -(-total // height), np.full(1, 0xFFFFFFFF, np.uint32)
    cuts = [n * k // parts for k in range(parts + 1)]
    counts = np.zeros((parts, bands + 1), np.int64)
    for k in range(parts):
        placing.place_instances(
            instances.view(np.uint32), cuts[k], cuts[k + 1], (steps, placing.CIRCLE, clip), white, (-1, 0, 0.0), KEPT,
            (shift, counts[k]), sheet, 0,
        )  # fmt: skip
    records[:, :3] = np.stack([rng.integers(-1, 3, n), rng.integers(-9, 99, n), rng.integers(-9, 99, n)], axis=1)
    starts, cursors = placing.band_starts(counts)
    listed = np.zeros((int(starts[-1]), 4), np.int32)
    for k in reversed(range(parts)):
        placing.list_bands(rows, records, tints, cuts[k], cuts[k + 1], shift, cursors[k], listed.reshape(-1))
    for band in range(bands):
        low, high = band * height, (band + 1) * height
        numbers = [i for i, (first, last) in enumerate(rows.tolist()) if first < last and first < high and last > low]
        entries = listed[starts[band] : starts[band + 1]]
        exact = records[numbers, 0] == EXACTLY
        assert entries[:, 0].tolist() == np.where(exact, -1 - np.array(numbers, int), records[numbers, 0]).tolist()
        assert (entries[:, 1:3] == records[numbers, 1:3]).all()
        assert (entries[:, 3].view(np.uint32) == tints[numbers]).all()


@pytest.mark.slow
def test_bitmaps_are_found_again_by_their_keys():
    """Bitmap keys of thousands of images, sizes and angles do not collide, and nearly all of them find a slot.

    The share of those without a slot is that of all tables: in one of few images, two that meet are a large part.
    """
    lost = np.concatenate([_without_a_slot(seed) for seed in (4192, *range(20))])
    assert lost.mean() < 0.01


def _without_a_slot(seed):
    """Return for each key of a table of random images whether it found no slot."""
    rng = np.random.default_rng(seed)
    pictures = [(int(f), w / 2, h / 2) for f, w, h in rng.integers([0, 5, 5], [65536, 999, 999], (40, 3))]
    keys = np.array(
        [
            placing.bitmap_key(frame, w, h, np.uint32(turn * 256 + 13), style)
            for frame, w, h in pictures
            for turn in range(256)
            for style in (0, 1)
        ],
        np.uint64,
    )
    keys = np.unique(keys[keys != 0])[: MAX - 1]
    slots = np.zeros(placing.SLOTS, np.uint64)
    placing.file_bitmaps(slots, keys, 0)
    found = np.array([placing._find(slots, key) for key in keys])
    assert ((found == np.arange(len(keys))) | (found == EXACTLY)).all()
    assert placing._find(slots, np.uint64(1 << 63 | 0xFFFF << 32)) == EXACTLY
    return found == EXACTLY
