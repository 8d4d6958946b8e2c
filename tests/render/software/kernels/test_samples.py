"""Samples along a line equal those of a plain loop, and nothing outside the image is read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rish_jit
from long_runs import long
from rish_jit import njit
from rish_render.backends.software.kernels.samples import linear8, nearest8

BASE, STRIDE, WIDTH, HEIGHT = 8, 13, 11, 7


@njit
def nearest(row, texels, first, size, u, v, du, dv, left, top, right, bottom, base, stride, blank):
    """Call the compiled form."""
    nearest8(row, texels, first, size, u, v, du, dv, left, top, right, bottom, base, stride, blank)


@njit
def linear(row, texels, first, size, u, v, du, dv, left, top, right, bottom, base, stride, blank):
    """Call the compiled form."""
    linear8(row, texels, first, size, u, v, du, dv, left, top, right, bottom, base, stride, blank)


def picture(seed):
    """Return uint32 texels of an image, among others that must not be read, with a clear one at 0; and the image."""
    texels = np.full(BASE + STRIDE * HEIGHT + 40, 0xFFFFFFFF, np.uint32)
    texels[:BASE] = 0
    inside = np.random.default_rng(seed).integers(0, 0x80000000, (HEIGHT, WIDTH)).astype(np.uint32)
    texels[BASE : BASE + STRIDE * HEIGHT].reshape(HEIGHT, STRIDE)[:, :WIDTH] = inside
    return texels, inside


def sampled(kernel, texels, first, size, line):
    """Return the 8 samples of one call."""
    f32, i32 = np.float32, np.int32
    row = np.zeros(8, np.uint32)
    box = f32(0), f32(0), f32(WIDTH - 1), f32(HEIGHT - 1)
    numbers = [f32(x) for x in line]
    kernel(row, texels, i32(first), i32(size), *numbers, *box, i32(BASE), i32(STRIDE), i32(0))
    return row


def by_hand(inside, first, size, line, smooth):
    """Return the same samples, computed texel by texel."""
    u, v, du, dv = (np.float32(x) for x in line)
    row = []
    for number in range(first, first + 8):
        if number >= size:
            row.append(0)
            continue
        x, y = u + np.float32(number) * du, v + np.float32(number) * dv
        if not smooth:
            row.append(int(inside[min(max(int(y), 0), HEIGHT - 1), min(max(int(x), 0), WIDTH - 1)]))
            continue
        column, across = divmod(int(np.floor((x + np.float32(0.5)) * np.float32(256))) - 256, 256)
        at, down = divmod(int(np.floor((y + np.float32(0.5)) * np.float32(256))) - 256, 256)
        lines = [min(max(k, 0), HEIGHT - 1) for k in (at, at + 1)]
        columns = [min(max(k, 0), WIDTH - 1) for k in (column, column + 1)]
        four = inside[np.ix_(lines, columns)].view(np.uint8).reshape(2, 2, 4).astype(int)
        above, below = ((two[0] * (256 - across) + two[1] * across) >> 8 for two in four)
        mixed = (above * (256 - down) + below * down) >> 8
        row.append(int(mixed.astype(np.uint8).view(np.uint32)[0]))
    return row


@given(
    line=st.tuples(st.floats(-3, 14), st.floats(-3, 10), st.floats(-2, 2), st.floats(-2, 2)),
    first=st.sampled_from([0, 8, 16]),
    size=st.integers(0, 24),
    seed=st.integers(0, 9),
)
@settings(max_examples=long(150, 30), deadline=None)
def test_a_line_is_followed_texel_by_texel(line, first, size, seed):
    """Nearest and linear samples, compiled and plain, equal those of a plain loop; beyond the line they are clear."""
    texels, inside = picture(seed)
    for kernel, plain, smooth in ((nearest, nearest8, False), (linear, linear8, True)):
        expected = by_hand(inside, first, size, line, smooth)
        assert sampled(plain, texels, first, size, line).tolist() == expected
        assert sampled(kernel, texels, first, size, line).tolist() == expected


@pytest.mark.skipif(not rish_jit.available(), reason="the plain forms warn of what they are given here")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e38, -1e38])
def test_no_number_leads_outside_the_picture(value):
    """NaN, infinite and huge coordinates and steps read no texel outside the image."""
    texels, _ = picture(0)
    for place in range(4):
        line = [3.0, 3.0, 0.5, 0.5]
        line[place] = value
        for kernel in (nearest, linear):
            assert (sampled(kernel, texels, 0, 8, line) <= 0x7FFFFFFF).all()
