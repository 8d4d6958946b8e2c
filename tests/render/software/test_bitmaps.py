"""Cached bitmaps show the same as an exact drawing, are made at the second use, and dropped when they are invalid."""

from __future__ import annotations

import numpy as np
import pytest

from rish_frame import Batch, pack_sprites
from rish_frame.testing import measure
from rish_render.backends.software import bitmaps, placing


def one(x, y, w, h, turn=0.0, frame=0, **options):
    """Return a batch of one sprite."""
    return Batch("sprites", {"instances": pack_sprites(x, y, w, h, turn, frame)}, **options)


def test_packed_rows_unfold_to_the_picture():
    """Any image, even with transparent rows and columns, is restored pixel by pixel, and opaque blocks are found."""
    rng = np.random.default_rng(0)
    width, height = 45, 12
    canvas = np.zeros((2 * height, width + 8), np.uint32)
    alpha = np.kron(rng.choice([0, 255], (2 * height, 5), p=[0.3, 0.7]), np.ones((1, 9), int)).astype(np.uint32)
    canvas[:, :width] = (alpha << 24) | (
        rng.integers(0, 2**24, (2 * height, width)).astype(np.uint32) & (alpha * 0x10101)
    )
    canvas[3] = 0
    boxes = np.array([[0, height, width], [height, height, width]])
    table, pool = np.zeros((2, bitmaps.COLUMNS), np.int32), np.zeros(4096, np.uint32)
    lines = np.zeros(64, np.uint64)
    filled = bitmaps.pack_bitmaps(canvas, boxes, table, pool, 16, lines, 2)
    assert table[0, :2].tolist() == [16, 2]
    for row, (first, _, _) in zip(table, boxes.tolist(), strict=True):
        shown = unpacked(row, width, height, pool, lines)
        assert (shown == canvas[first : first + height, :width]).all()
        assert row[0] + 8 * sum(int(word) & 0x1FF for word in lines[row[1] : row[1] + row[3]]) <= filled
        assert row[4] == 0


def unpacked(row, width, height, pool, lines):
    """Return the image that a row of the table describes, and check its opaque runs."""
    start, line, padded, rows, even, left, top = row.tolist()
    shown = np.zeros((height, width + 16), np.uint32)
    first_column, first_row = (left + 1 + width) // 2, (top + 1 + height) // 2
    for number in range(rows):
        word = int(lines[line + number])
        blocks, column = word & 0x1FF, word >> 9 & 0xFFF
        solid, run, offset = word >> 21 & 0x1FF, word >> 30 & 0x1FF, word >> 39
        assert (blocks, column, offset) == (even, 0, number * even) or not even
        assert column + 8 * blocks <= padded
        texels = pool[start + 8 * offset : start + 8 * (offset + blocks)]
        begin = first_column + column
        shown[first_row + number, begin : begin + 8 * blocks] = texels
        opaque = ((texels >> 24) == 255).reshape(-1, 8).all(axis=1)
        assert opaque[solid : solid + run].all()
        assert run == max((len(part) for part in "".join("x" if o else " " for o in opaque).split()), default=0)
    assert not shown[:, width:].any()
    return shown[:, :width]


@pytest.mark.parametrize(
    ("left", "right", "top", "bottom"),
    [(3, 11, 2, 9), (0, 16, 0, 12), (4, 21, 11, 12), (0, 1, 0, 1), (5, 5, 6, 6), (29, 30, 11, 12)],
)
def test_clear_borders_are_left_out(left, right, top, bottom):
    """Transparent borders are cut off: a narrow image has rows of one width, a fully transparent one has none."""
    canvas = np.zeros((12, 30 + 8), np.uint32)
    canvas[top:bottom, left:right] = 0x80402010
    table, pool, lines = np.zeros((1, bitmaps.COLUMNS), np.int32), np.zeros(1024, np.uint32), np.zeros(64, np.uint64)
    filled = bitmaps.pack_bitmaps(canvas, np.array([[0, 12, 30]]), table, pool, 0, lines, 0)
    assert (unpacked(table[0], 30, 12, pool, lines) == canvas[:, :30]).all()
    blocks = -(-(right - left) // 8)
    assert table[0, 3] == bottom - top
    assert table[0, 4] == (blocks if blocks <= bitmaps.DENSE else 0)
    assert filled == 8 * blocks * (bottom - top)


@pytest.mark.parametrize("blend", ["alpha", "add", "multiply", "screen", "erase"])
@pytest.mark.parametrize("filter_", ["nearest", "linear"])
def test_what_stands_upright_at_its_own_size_is_exact(kit, blend, filter_):
    """Upright sprites at their own size are drawn with exactly the same pixels, at any place and with any tint."""
    if filter_ == "linear":
        rng = np.random.default_rng(1)
        x, y = rng.integers(0, 96, 60), rng.integers(0, 64, 60)
        batch = Batch(
            "sprites",
            {"instances": pack_sprites(x, y, 16, 16, frame=rng.integers(0, 2, 60))},
            blend=blend,
            filter=filter_,
        )
    else:
        batch = kit.crowd(60, turned=False, scaled=False, blend=blend, filter=filter_)
    ground = kit.crowd(40, seed=9, turned=False, scaled=False)
    batch.layer = 1
    exact = kit.Stage().draw(ground, batch)
    fast = kit.Stage(quality="fast")
    assert (fast.again(ground, batch) == exact).all()
    assert len(fast.backend._bitmaps[""].table)


@pytest.mark.parametrize("quarter", [1, 2, 3])
def test_quarter_turns_are_exact(kit, quarter):
    """Quarter turns at whole sizes and places are exact."""
    batch = one(40, 30, 16, 8, quarter * np.pi / 2, 3)
    assert (kit.Stage(quality="fast").again(batch) == kit.Stage().draw(batch)).all()


def test_neighbors_at_odd_sizes_leave_no_gap(kit):
    """Upright scaled sprites side by side leave no gap, because they are not rounded to bitmaps."""
    packed = pack_sprites(7.125 + 7.75 * np.arange(10), 32, 7.75, 20, rgba=(255, 255, 255, 128))
    stage = kit.Stage(quality="fast")
    stage.backend.image(0, np.full((48, 64, 4), 255, np.uint8))
    row = stage.again(Batch("sprites", {"instances": packed}))[32, :, 0]
    assert {128} >= set(row[4:79].tolist())


def test_fast_looks_like_exact(kit):
    """In "fast" quality rotated and scaled sprites have a similarity (SSIM) of more than 0.85 with "exact"."""
    rng = np.random.default_rng(5)
    n, size = 60, (320, 240)
    packed = pack_sprites(
        rng.uniform(0, 320, n), rng.uniform(0, 240, n), 24, 24, rng.uniform(0, 7, n), rng.integers(0, 5, n)
    )
    batch = Batch("sprites", {"instances": packed})
    found = measure(kit.Stage(size, "fast").again(batch), kit.Stage(size).draw(batch), (0, 0, 0))
    assert found.busy > 0.3
    assert found.ssim > 0.85


def test_a_bitmap_is_made_when_it_is_wanted_again(kit):
    """At its first use an image is drawn exactly; at the second a bitmap is made for it."""
    stage = kit.Stage(quality="fast")
    batch = one(40, 30, 16, 16, 0.5)
    stage.draw(batch)
    assert not len(stage.backend._bitmaps[""].table)
    stage.draw(batch)
    assert len(stage.backend._bitmaps[""].table) == 1
    stage.draw(one(20.4, 11.2, 16, 16, 0.51))
    assert len(stage.backend._bitmaps[""].table) == 1


def test_a_changed_page_is_seen(kit):
    """When a rectangle of a page changes, only the bitmaps in it are made again."""
    stage = kit.Stage(quality="fast")
    here, there = one(30, 30, 16, 16, 0.5, 0), one(60, 30, 16, 16, 0.5, 1)
    stage.again(here, there)
    numbers = set(stage.backend._bitmaps[""].owners.tolist())
    changed = kit.page(3)
    picture = kit.page(0)
    picture[:16, :16] = changed[:16, :16]
    stage.backend.image(0, picture, (0, 0, 16, 16))
    stage.again(here, there)
    left = set(stage.backend._bitmaps[""].owners.tolist()) - {0}
    assert len(numbers & left) == 2
    fresh = kit.Stage(quality="fast")
    fresh.backend.image(0, picture)
    assert (stage.again(here, there) == fresh.again(here, there)).all()


def test_a_changed_frame_table_is_seen(kit):
    """When a frame's rectangle in the table moves, the new texels are drawn."""
    stage, fresh = kit.Stage(quality="fast"), kit.Stage(quality="fast")
    batch = one(30, 30, 16, 16, 0.5, 0)
    stage.again(batch)
    table = np.array(kit.TABLE, np.float32)
    table[0] = table[1]
    stage.frame.set_frames(table)
    fresh.frame.set_frames(table)
    assert (stage.again(batch) == fresh.again(batch)).all()


def test_the_budget_is_kept_and_what_was_used_last_stays(kit):
    """Many sizes do not exceed the budget, recently used bitmaps stay, and the images stay right."""
    stage = kit.Stage(quality="fast")
    stage.backend._bitmaps[""] = kept = bitmaps.Bitmaps(budget=200_000)
    steady = one(20, 20, 16, 16, 0.3)
    for size in range(8, 60):
        picture = stage.again(one(50, 30, size, size, 0.7), steady, times=3)
    assert 4 * len(kept.pool) <= 2 * 200_000
    assert 4 * kept._filled <= 200_000
    key = placing.bitmap_key.py_func(0, 16.0, 16.0, np.uint32(round(0.3 / (2 * np.pi) * 65536)), 0)
    assert int(key) in kept.owners.tolist()
    assert (picture == kit.Stage(quality="fast").again(one(50, 30, 59, 59, 0.7), steady)).all()


def test_too_small_a_budget_means_exact_pictures(kit):
    """With a budget that is too small, sprites are drawn exactly and nothing is cached."""
    stage = kit.Stage(quality="fast")
    stage.backend._bitmaps[""] = bitmaps.Bitmaps(budget=100)
    batch = one(40, 30, 24, 24, 0.4)
    assert (stage.again(batch) == kit.Stage().draw(batch)).all()


def test_a_camera_that_distorts_gets_no_bitmaps(kit):
    """Images stretched or mirrored by the camera are drawn exactly."""
    batch = one(40, 30, 24, 24, 0.4)
    for row, factor in ((0, 2.0), (1, -1.0)):
        fast, exact = kit.Stage(quality="fast"), kit.Stage()
        for stage in (fast, exact):
            stage.frame.passes["main"].projection[row] *= np.float32(factor)
        assert (fast.again(batch) == exact.draw(batch)).all()


def test_a_turned_and_zoomed_camera_still_finds_them(kit):
    """With a rotated and zoomed camera bitmaps are found: the camera's angle is added to that of the sprite."""
    from rish_frame import orthographic, view_2d

    batch = kit.crowd(30, seed=4)
    pictures = {}
    for quality in ("fast", "exact"):
        stage = kit.Stage((192, 128), quality)
        main = stage.frame.passes["main"]
        main.view = view_2d(48, 32, rotation=0.6, zoom=2)
        main.projection = orthographic(-96, 96, -64, 64)
        pictures[quality] = stage.again(batch)
    assert measure(pictures["fast"], pictures["exact"], (0, 0, 0)).ssim > 0.85
