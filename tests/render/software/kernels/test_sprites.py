"""Sprites compared with a plain loop over pixels, and drawn at unusual sizes and places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rish_jit
from long_runs import long
from rish_frame import Batch, orthographic, pack_sprites, view_2d

SIZE = (48, 32)
pytestmark = pytest.mark.skipif(not rish_jit.available(), reason="takes minutes where kernels run as plain Python")


def looked_up(kit, batch, size, sure):
    """Compute every pixel of every sprite independently; set sure to False where the result depends on rounding."""
    width, height = size
    picture, out = kit.page().astype(float), np.full((height, width, 4), (0.0, 0.0, 0.0, 255.0))
    for matrix, frame, rgba in zip(*(batch.arrays[name] for name in ("matrix", "frame", "rgba")), strict=True):
        if frame >= 6:
            continue
        a, b, c, d, tx, ty = matrix.astype(float)
        area = a * d - b * c
        _, u0, v0, u1, v1, additive = kit.TABLE[frame]
        tint = rgba.astype(float) / 255
        for y in range(height):
            for x in range(width):
                dx, dy = x + 0.5 - tx, height - y - 0.5 - ty
                s, t = (d * dx - c * dy) / area + 0.5, 0.5 - (a * dy - b * dx) / area
                u, v = u0 + s * (u1 - u0), v0 + t * (v1 - v0)
                edges = min(abs(s), abs(s - 1), abs(t), abs(t - 1))
                if not (0 <= s < 1 and 0 <= t < 1):
                    sure[y, x] &= edges > 1e-3
                    continue
                sure[y, x] &= edges > 1e-3 and min(abs(u - round(u)), abs(v - round(v))) > 2e-3
                u, v = min(max(int(u), min(u0, u1)), max(u0, u1) - 1), min(max(int(v), min(v0, v1)), max(v0, v1) - 1)
                source = picture[v, u] * np.append(tint[:3] * tint[3], tint[3])
                if additive or batch.blend == "add":
                    source[3] = 0
                    sure[y, x] &= batch.blend != "multiply"
                out[y, x] = kit.blended(out[y, x], source, batch.blend)
    return out


@given(
    seed=st.integers(0, 2**31),
    blend=st.sampled_from(["alpha", "alpha", "add", "multiply", "screen", "replace", "mask", "erase"]),
)
@settings(max_examples=long(40, 10), deadline=None)
@pytest.mark.slow
def test_any_sprites_show_what_a_plain_loop_finds(kit, seed, blend):
    """Rotated, sheared, mirrored, tiny and huge sprites equal a plain loop over pixels."""
    rng = np.random.default_rng(seed)
    n = 3
    scale = 10 ** rng.uniform(0.3, 2, (n, 1))
    matrix = np.concatenate([rng.uniform(-1, 1, (n, 4)) * scale, rng.uniform(0, 1, (n, 2)) * SIZE], axis=1)
    upright = rng.random(n) < 0.4
    matrix[np.ix_(upright, [1, 2])] = 0
    flat = np.abs(matrix[:, 0] * matrix[:, 3] - matrix[:, 1] * matrix[:, 2]) < 1
    matrix[flat, :4] = [8, 0, 0, 8]
    arrays = {
        "matrix": matrix.astype(np.float32),
        "frame": rng.choice([0, 1, 2, 3, 4, 5, 6, 99], n).astype(np.uint16),
        "rgba": np.where(rng.random((n, 1)) < 0.5, 255, rng.integers(0, 256, (n, 4))).astype(np.uint8),
    }
    batch = Batch("sprites_wide", arrays, blend=blend)
    sure = np.ones(SIZE[::-1], np.bool_)
    expected = looked_up(kit, batch, SIZE, sure)
    found = kit.Stage(SIZE).draw(batch).astype(float)
    assert np.abs(found - expected)[..., :3][sure].max(initial=0) <= n + 1


@given(
    size=st.tuples(st.integers(1, 70), st.integers(1, 70)),
    zoom=st.sampled_from([1.0, 1.0, 0.01, 0.37, 3.0, 4000.0, 1e-9, 1e9]),
    turn=st.sampled_from([0.0, 0.3, np.pi / 2]),
    unit=st.sampled_from([1.0, 1e-6, 1e6]),
    clip=st.sampled_from([None, (0.2, 0.3, 0.4, 0.2), (0.0, 0.0, 0.0, 1.0), (-2.0, -2.0, 9.0, 9.0)]),
    blend=st.sampled_from(["alpha", "add", "mask", "erase"]),
    filter_=st.sampled_from(["nearest", "linear"]),
    seed=st.integers(0, 2**31),
)
@settings(max_examples=long(80, 20), deadline=None)
def test_nothing_is_drawn_outside_its_target(kit, size, zoom, turn, unit, clip, blend, filter_, seed):
    """Random instances through any camera, onto targets of any size, write no memory outside the image.

    This holds for bitmaps and for exact drawing, and nothing outside the clip rectangle changes.
    """
    rng = np.random.default_rng(seed)
    n = 80
    instances = pack_sprites(np.zeros(n), 0, 8, 8)
    instances.view(np.uint8)[:] = rng.integers(0, 256, n * 16)
    instances["frame"] %= 9
    near = rng.random(n) < 0.7
    for name, maximum in (("x", 600), ("y", 600), ("w", 700), ("h", 700)):
        instances[name][near] = rng.integers(-maximum if name in "xy" else 0, maximum, near.sum())
    batch = Batch("sprites", {"instances": instances}, unit=unit, clip=clip, blend=blend, filter=filter_)
    for quality in ("exact", "fast"):
        stage = kit.Stage(size, quality)
        main = stage.frame.passes["main"]
        main.view = view_2d(3, 2, rotation=turn, zoom=zoom)
        main.projection = orthographic(-size[0] / 2, size[0] / 2, -size[1] / 2, size[1] / 2)
        stage.frame.set_clear((0.5, 0.5, 0.5, 1.0))
        picture = stage.again(batch, times=3)
        color = stage.backend._surfaces["screen"].colors[0]
        assert not color[:, size[0] :].any()
        x, y, w, h = main.clip(size, batch)
        outside = np.ones(picture.shape[:2], np.bool_)
        outside[size[1] - y - h : size[1] - y, x : x + w] = False
        assert (picture[outside] == [128, 128, 128, 255]).all()


def test_a_crowd_larger_than_a_part_is_drawn_in_order(kit):
    """The last of fifty thousand sprites is drawn on top, in either quality."""
    n = 50_000
    colors = np.tile(np.array([[90, 10, 10, 255]], np.uint8), (n, 1))
    colors[-1] = (0, 255, 0, 255)
    packed = pack_sprites(np.linspace(20, 24, n), 16, 16, 16, 0, 0, colors)
    page = np.full((48, 64, 4), 255, np.uint8)
    for quality in ("exact", "fast"):
        stage = kit.Stage(SIZE, quality, threads=3)
        stage.backend.image(0, page)
        picture = stage.again(Batch("sprites", {"instances": packed}), times=2)
        assert picture[16, 24].tolist() == [0, 255, 0, 255]
        stage.backend.close()
