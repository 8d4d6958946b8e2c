"""The atlas packs images without overlap, keeps a gutter, and publishes only changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import AssetError
from rish_frame import Frame
from rish_render.materials.atlas import Atlas, Skyline, premultiply


def picture(width, height, color=(10, 20, 30, 255)):
    """Return an image of one color."""
    return np.full((height, width, 4), color, np.uint8)


@settings(max_examples=long(60, 15), deadline=None)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=60))
def test_a_skyline_never_overlaps_and_never_leaves_the_page(sizes):
    """For any sizes, each placed rectangle is within the page and overlaps no other."""
    skyline = Skyline(100, 90)
    taken = np.zeros((90, 100), np.bool_)
    for width, height in sizes:
        spot = skyline.place(width, height)
        if spot is None:
            continue
        x, y = spot
        assert x + width <= 100
        assert y + height <= 90
        assert not taken[y : y + height, x : x + width].any()
        taken[y : y + height, x : x + width] = True


def test_a_skyline_fills_a_page_of_equal_squares():
    """Sixteen squares of a quarter of the side fit exactly; the seventeenth does not."""
    skyline = Skyline(64, 64)
    assert all(skyline.place(16, 16) is not None for _ in range(16))
    assert skyline.place(16, 16) is None


def test_the_gutter_repeats_the_rim():
    """The texels around an image repeat its outermost texels, corners included."""
    atlas = Atlas(64)
    frame = atlas.put(picture(4, 3))
    page, (x, y, w, h) = atlas.place_of(frame)
    around = atlas.pages[page].pixels[y - 1 : y + h + 1, x - 1 : x + w + 1]
    assert (around == (10, 20, 30, 255)).all()


def test_flips_are_rows_of_the_frame_table():
    """An image with flips has four rows: unchanged, mirrored in x, in y and in both; the rectangle stays the same."""
    atlas = Atlas(64)
    frame = atlas.put(picture(4, 3), flips=True)
    rows = atlas.table[frame : frame + 4, 1:5]
    u0, v0, u1, v1 = rows[0]
    assert rows[1].tolist() == [u1, v0, u0, v1]
    assert rows[2].tolist() == [u0, v1, u1, v0]
    assert rows[3].tolist() == [u1, v1, u0, v0]


def test_a_picture_larger_than_a_page_gets_its_own():
    """An image larger than a page gets its own page without a gutter."""
    atlas = Atlas(64)
    frame = atlas.put(picture(200, 10))
    page, rect = atlas.place_of(frame)
    assert rect == (0, 0, 200, 10)
    assert atlas.pages[page].pixels.shape == (10, 200, 4)


def test_full_pages_are_followed_by_new_ones():
    """When a page is full a new one is added; page numbers used by others are left alone."""
    atlas, frame = Atlas(64), Frame()
    from rish_frame import Page

    frame.pages.append(Page(7, picture(2, 2)))
    atlas.reserve(frame)
    for _ in range(3):
        atlas.put(picture(60, 60))
    atlas.publish(frame)
    assert [page.id for page in frame.pages] == [7, 8, 9, 10]


def test_only_what_changed_is_published():
    """A change raises the page's version, and the dirty rectangle covers only the change."""
    atlas, frame = Atlas(64), Frame()
    atlas.put(picture(4, 4))
    atlas.publish(frame)
    version, table = frame.pages[0].version, frame.frames_version
    atlas.publish(frame)
    assert (frame.pages[0].version, frame.frames_version) == (version, table)
    atlas.put(picture(5, 5))
    atlas.publish(frame)
    assert frame.pages[0].version == version + 1
    assert frame.pages[0].dirty == (6, 0, 7, 7)
    assert frame.frames_version == table + 1


def test_more_frames_than_a_number_holds_are_refused():
    """An image that would need a frame number above 65,535 raises AssetError."""
    atlas = Atlas(64)
    atlas._used = 65_534
    atlas._table = np.zeros((65_536, 6), np.float32)
    with pytest.raises(AssetError, match="different pictures"):
        atlas.put(picture(1, 1), flips=True)


def test_premultiplying():
    """Colors are multiplied by their alpha and rounded; transparent texels become zero."""
    straight = np.array([[[200, 100, 50, 255], [200, 100, 50, 128], [9, 9, 9, 0]]], np.uint8)
    there = premultiply(straight)
    assert there[0, 1].tolist() == [100, 50, 25, 128]
    assert there[0, 2].tolist() == [0, 0, 0, 0]
