"""Panels of any size keep their corners and have no seams."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Assets, Transform
from rish_render import Camera
from rish_render.kinds.panels.nine_patch import NinePatch, parts_of

FRAME = np.zeros((12, 12, 4), np.uint8)
FRAME[...] = (40, 40, 200, 255)
FRAME[:4], FRAME[-4:], FRAME[:, :4], FRAME[:, -4:] = ((200, 40, 40, 255),) * 4
FRAME[0], FRAME[-1], FRAME[:, 0], FRAME[:, -1] = ((250, 250, 250, 255),) * 4


@pytest.fixture
def panel(studio):
    """Make a studio with `frame.png`, and `panel(x, y, ...)` to add a panel."""

    def make(size=(64, 64), **scene):
        found = studio(size, **scene)
        (found.world[Assets].root / "frame.png").write_bytes(found.png(FRAME))
        found.panel = lambda x, y, **values: found.put(
            x, y, NinePatch(**{"image": "frame.png", "border": (4, 4, 4, 4), **values})
        )
        return found

    return make


def parts(size, border=(4, 4, 4, 4), texels=(12, 12), scale=1.0):
    """Return the parts of one panel."""
    return parts_of(np.array([size], float), np.array([border], float), np.array([texels], float), np.array([scale]))


def test_the_corners_keep_their_size():
    """A panel has nine parts, row by row, which fill it; the corners keep their size."""
    found = parts((100, 50))
    np.testing.assert_array_equal(found.w[0], [4, 92, 4] * 3)
    np.testing.assert_array_equal(found.h[0], [4] * 3 + [42] * 3 + [4] * 3)
    np.testing.assert_array_equal(found.x[0], [0, 4, 96] * 3)
    np.testing.assert_array_equal(found.v[0], [0] * 3 + [4] * 3 + [8] * 3)
    np.testing.assert_array_equal(found.uw[0], [4] * 9)


def test_a_small_panel_shrinks_its_borders():
    """In a small panel the borders on both sides shrink by the same factor, and no size is below 0."""
    found = parts((4, 50), border=(2, 4, 6, 4))
    np.testing.assert_allclose(found.w[0], [1, 0, 3] * 3)
    found = parts((0, 0))
    assert (found.w == 0).all()
    assert (found.h == 0).all()


def test_borders_wider_than_the_picture_shrink():
    """Borders wider than the image shrink, so that no part of it is used twice."""
    found = parts((100, 100), border=(40, 1, 20, 1))
    np.testing.assert_array_equal(found.uw[0, :3], [8, 0, 4])


def test_the_border_can_be_larger_than_its_pixels():
    """`scale` is the number of units per pixel of the border."""
    assert parts((100, 100), scale=3.0).w[0, 0] == 12


@pytest.mark.parametrize("fill", ["stretch", "tile"])
def test_a_panel_is_drawn(panel, fill):
    """Rim, border and middle are drawn at their places."""
    found = panel()
    found.panel(32, 32, size=(40, 20), image_mode=fill)
    picture = found.shoot()[::-1, :, :3]
    assert picture[32, 12].tolist() == [250, 250, 250]
    assert picture[32, 14].tolist() == [200, 40, 40]
    assert picture[32, 32].tolist() == [40, 40, 200]
    assert picture[32, 11].max() < 60
    assert picture[41, 51].tolist() == [250, 250, 250]
    assert picture[42, 30].max() < 60


def test_a_hollow_panel_has_no_middle(panel):
    """A hollow panel draws only its border."""
    found = panel()
    found.panel(32, 32, size=(40, 20), hollow=True)
    picture = found.shoot()[::-1, :, :3]
    assert picture[32, 32].max() < 60
    assert picture[32, 14].tolist() == [200, 40, 40]


@pytest.mark.parametrize("fill", ["stretch", "tile"])
@pytest.mark.parametrize("tint", [(1, 1, 1, 1), (1, 1, 1, 0.5)], ids=["solid", "translucent"])
def test_there_are_no_seams(panel, fill, tint):
    """At 30 zooms and places every pixel inside is border or middle, drawn once: there are no gaps and no overlaps."""
    found, dice = panel((96, 96), strict=False), np.random.default_rng(2)
    box = found.panel(0, 0, size=(40, 30), image_mode=fill, color=tint)
    eye = found.put(0, 0, Camera())
    for _ in range(30):
        zoom, x, y = float(dice.uniform(0.7, 2.2)), *(float(v) for v in dice.uniform(-3, 3, 2))
        found.world.set(eye, Camera(zoom=zoom), Transform(position=(x, y)))
        found.world.set(box, NinePatch(size=tuple(dice.uniform(20, 40, 2).tolist())))
        w, h = found.world.get(box, NinePatch).size
        picture = found.shoot()[::-1, :, :3].astype(int)
        py, px = np.mgrid[:96, :96] + 0.5
        wx, wy = (px - 48) / zoom + x, (py - 48) / zoom + y
        inside = (np.abs(wx) < w / 2 - 1 / zoom) & (np.abs(wy) < h / 2 - 1 / zoom)
        a, back = tint[3], np.array([15, 18, 26])
        known = [np.array(c) * a + back * (1 - a) for c in ((250, 250, 250), (200, 40, 40), (40, 40, 200))]
        off = np.min([np.abs(picture - c).max(axis=2) for c in known], axis=0)
        assert off[inside].max() <= 3


def test_what_does_not_change_is_drawn_from_the_same_batches(panel):
    """An unchanged panel gives the same batches, so a backend uploads nothing."""
    found = panel(strict=False)
    found.panel(32, 32)
    found.shoot()
    before = found.batches
    found.shoot()
    assert [id(b) for b in found.batches] == [id(b) for b in before]


def test_panels_keep_their_place_in_the_order(panel):
    """A panel is sorted by its z as a unit."""
    found = panel()
    found.panel(32, 32, size=(40, 40), z=2, color=(0, 0, 0, 1))
    found.panel(32, 32, size=(30, 30), z=1, image_mode="tile")
    assert found.shoot()[32, 32, :3].max() == 0
