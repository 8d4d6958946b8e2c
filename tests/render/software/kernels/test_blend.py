"""Blending, pixel by pixel and in blocks of eight, equals the rounded formula."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.backends.software.kernels import blend, blocks

ALL = 0xFFFFFFFF


def some_pixels(seed, n=512):
    """Return premultiplied colors of every kind, transparent and opaque ones among them, (n, 4)."""
    rng = np.random.default_rng(seed)
    alpha = rng.choice([0, 1, 128, 254, 255], n)
    rgb = (rng.integers(0, 256, (n, 3)) * alpha[:, None] + 127) // 255
    return np.concatenate([rgb, alpha[:, None]], axis=1)


@pytest.mark.parametrize("mode", sorted(blend.MODES))
def test_blending_is_the_formula_rounded(kit, mode):
    """Every mode is within one level of its formula, and exact for transparent and opaque sources."""
    s, d = some_pixels(1), some_pixels(2)
    d[:, 3] = 255
    source, target = kit.words(s), kit.words(d).copy()
    if mode == "add":
        source = source & np.uint32(0x00FFFFFF)
    blend.blend_span(target, np.uint64(0), source, np.uint64(0), np.uint64(len(target)), blend.MODES[mode])
    got = kit.channels(target).astype(float)
    assert np.abs(got - kit.blended(d, s, mode)).max() <= 1
    opaque, clear = s[:, 3] == 255, s[:, 3] == 0
    if mode in ("alpha", "replace"):
        assert (got[opaque] == s[opaque]).all()
    if mode in ("alpha", "erase"):
        assert (got[clear] == d[clear]).all()
    if mode == "mask":
        assert (got[opaque] == d[opaque]).all()


@pytest.mark.parametrize("mode", sorted(blend.MODES))
@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 31, 64])
def test_blocks_and_single_pixels_agree(mode, size):
    """A span gives the same as its pixels one by one, for any 32 bits, and touches nothing outside it."""
    rng = np.random.default_rng(size)
    source, before = (rng.integers(0, 2**32, 100, dtype=np.uint64).astype(np.uint32) for _ in range(2))
    number = blend.MODES[mode]
    target = before.copy()
    blend.blend_span(target, np.uint64(5), source, np.uint64(3), np.uint64(size), number)
    expected = before.copy()
    for p in range(size):
        expected[5 + p] = blend.blend_pixel(before[5 + p], source[3 + p], number)
    assert (target == expected).all()


@pytest.mark.parametrize("mode", sorted(blend.MODES))
@pytest.mark.parametrize("tint", [0xFFFFFFFF, 0x80402010, 0])
def test_the_instructions_do_what_their_plain_forms_do(mode, tint):
    """The SIMD block and its numpy form give the same bits."""
    rng = np.random.default_rng(3)
    source, target = (rng.integers(0, 2**32, 16, dtype=np.uint64).astype(np.uint32) for _ in range(2))
    weights = blend.weights(blend.MODES[mode])
    plain = target.copy()
    for at in (0, 8):
        blocks.blend8(plain, at, source, at, tint, *(int(mask) for mask in weights))
    first, n = np.uint64(0), np.uint64(16)
    blend.blend_tinted(target, first, source, first, n, np.uint32(tint), *(np.uint32(mask) for mask in weights))
    assert (target == plain).all()


def test_the_plain_blocks_copy_and_blend():
    """The numpy forms of copying and blending blocks are right; they run if numba is missing."""
    rng = np.random.default_rng(4)
    source, target = (rng.integers(0, 2**32, 24, dtype=np.uint64).astype(np.uint32) for _ in range(2))
    over = target.copy()
    blocks.over8(over, 8, source, 0)
    expected = target.copy()
    blend.blend_span(expected, np.uint64(8), source, np.uint64(0), np.uint64(8), blend.MODES["alpha"])
    assert (over == expected).all()
    blocks.copy8(over, 8, source, 16)
    assert (over[8:16] == source[16:]).all()


def test_straight_colors_are_premultiplied():
    """Straight colors are premultiplied and rounded to the nearest; additive ones lose their alpha."""
    rgba = np.array([[200, 100, 50, 128], [1, 2, 3, 255], [255, 255, 255, 0]], np.uint8)
    expected = np.floor(rgba[:, :3] * (rgba[:, 3:] / 255) + 0.5)
    packed = blend.pack_colors(rgba).view(np.uint8).reshape(-1, 4)
    assert np.abs(packed[:, :3] - expected).max() == 0
    assert (packed[:, 3] == rgba[:, 3]).all()
    assert not blend.pack_colors(rgba, additive=True).view(np.uint8).reshape(-1, 4)[:, 3].any()


@pytest.mark.parametrize("mode", sorted(blend.MODES))
def test_whole_arrays_are_blended_like_pixels(mode):
    """Arrays are blended to the same bits as single pixels."""
    rng = np.random.default_rng(6)
    source, target = (rng.integers(0, 2**32, 50, dtype=np.uint64).astype(np.uint32) for _ in range(2))
    number = blend.MODES[mode]
    expected = [int(blend.blend_pixel(d, s, number)) for d, s in zip(target, source, strict=True)]
    assert blend.blend_arrays(target, source, number).tolist() == expected
