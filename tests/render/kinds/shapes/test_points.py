"""Polygons, images, outlines and lines, from columns to pixels."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Assets, Transform
from rish_render import Camera, Shape

SQUARE = [(-20, -20), (20, -20), (20, 20), (-20, 20)]
FRAME = [*SQUARE, (-8, -8), (8, -8), (8, 8), (-8, 8)]
TILE = np.zeros((8, 8, 4), np.uint8)
TILE[...] = (0, 200, 0, 255)
TILE[0], TILE[:, 0] = (200, 0, 0, 255), (200, 0, 0, 255)


@pytest.fixture
def desk(studio):
    """Make a studio without strict mode, with `tile.png` and with shapes in the middle."""

    def make(*shapes, size=(64, 64), **place):
        found = studio(size, strict=False)
        (found.world[Assets].root / "tile.png").write_bytes(found.png(TILE))
        found.shapes = [found.put(32, 32, shape, **place) for shape in shapes]
        return found

    return make


def view(found):
    """Return the image, bottom row first."""
    return found.shoot()[::-1, :, :3].astype(int)


def polygon(points=SQUARE, **values):
    """Return a polygon shape."""
    return Shape(shape="polygon", points=points, **values)


@pytest.mark.slow
@pytest.mark.parametrize("image", ["", "tile.png"])
@pytest.mark.parametrize("turned", [1, -1])
def test_holes_show_what_is_below(desk, image, turned):
    """Holes show what is below, plain or with an image, whichever direction the points have."""
    picture = view(desk(polygon(FRAME[:4][::turned] + FRAME[4:], holes=[4], image=image, color=(0.5, 1, 1, 1))))
    assert picture[32, 32].max() < 40
    assert picture[32, 17].max() > 150
    assert picture[32, 47].max() > 150


def test_a_picture_repeats_at_its_own_size(desk):
    """An image repeats at its own size from the offset, its bottom left corner there, tinted by the fill."""
    found = desk(polygon(image="tile.png", image_offset=(-20, -20)))
    picture = view(found)
    assert picture[12 + 3, 12 + 4].tolist() == [0, 200, 0]
    assert picture[12 + 3, 12 + 8].tolist() == [200, 0, 0]
    assert picture[12 + 7, 12 + 4].tolist() == [200, 0, 0]
    assert picture[12 + 15, 12 + 4].tolist() == [200, 0, 0]
    found.world.set(found.shapes[0], Shape(color=(1, 0.5, 1, 1), image_scale=(2, 2)))
    picture = view(found)
    assert picture[12 + 8, 12 + 8].tolist() == [0, 100, 0]
    assert picture[12 + 14, 12 + 8].tolist() == [200, 0, 0]


def test_a_turned_picture_has_no_seams(desk):
    """With a rotated image every pixel inside is drawn exactly once."""
    for turn in (0.3, 1.1, 2.0):
        picture = view(desk(polygon(image="tile.png", image_rotation=turn, color=(1, 1, 1, 0.5))))[14:50, 14:50]
        back = np.array([15, 18, 26])
        known = [(np.array(color) + back) / 2 for color in ((0, 200, 0), (200, 0, 0))]
        assert np.min([np.abs(picture - color).max(axis=2) for color in known], axis=0).max() <= 2


@pytest.mark.parametrize("kind", ["box", "circle"])
def test_boxes_and_circles_take_pictures(desk, kind):
    """Boxes and circles can have images, with their own anchor, corners and an outline inside the shape."""
    found = desk(Shape(shape=kind, size=(40, 40), image="tile.png", outline=(0, 0, 1, 1), outline_width=3))
    picture = view(found)
    assert picture[32, 30, 2] == 0
    assert picture[32, 13].tolist() == [0, 0, 255]
    assert picture[32, 10].max() < 40
    assert (picture[13, 13].max() < 40) == (kind == "circle")


@pytest.mark.parametrize("points", [SQUARE, [(-20, -20), (20, 20), (20, -20), (-20, 20)]], ids=["square", "crossing"])
def test_a_translucent_outline_does_not_double(desk, points):
    """A translucent outline is not drawn twice at its corners and crossings."""
    picture = view(desk(polygon(points, color=(0, 0, 0, 0), outline=(1, 1, 1, 0.4), outline_width=8)))
    assert picture[..., 0].max() <= round(15 * 0.6 + 255 * 0.4) + 2
    assert picture[11, 11, 0] > 100


def test_lines_with_corners_do_not_double(desk):
    """A translucent line is not drawn twice at its corners; straight lines stay `lines` batches."""
    bent = Shape(shape="line", points=[(-20, 0), (0, 20), (20, 0)], color=(1, 1, 1, 0.4), outline_width=8)
    found = desk(bent, Shape(shape="line", points=[(-20, -20), (20, -20)], color=(1, 0, 0, 1)))
    assert view(found)[..., 1].max() <= round(18 * 0.6 + 255 * 0.4) + 2
    assert sorted(batch.kind for batch in found.batches) == ["lines", "mesh"]


def test_fills_lie_below_outlines(desk):
    """Fills are drawn below outlines."""
    found = desk(polygon(color=(1, 0, 0, 1), outline=(0, 1, 0, 1), outline_width=4))
    picture = view(found)
    assert picture[32, 32].tolist() == [255, 0, 0]
    assert picture[32, 12].tolist() == [0, 255, 0]


def test_what_does_not_change_keeps_its_batches(desk):
    """Unchanged shapes keep their batches while the camera scrolls; outside the screen nothing is drawn."""
    found = desk(polygon(outline=(1, 1, 1, 0.5), outline_width=4), polygon(image="tile.png"))
    eye = found.put(32, 32, Camera())
    found.shoot()
    before = found.batches
    found.world.set(eye, Transform(position=(35, 30)))
    found.shoot()
    assert [id(batch) for batch in found.batches] == [id(batch) for batch in before]
    assert {batch.kind for batch in before} == {"polygons", "mesh"}
    found.world.set(eye, Transform(position=(500, 30)))
    found.shoot()
    assert not found.batches


@pytest.mark.slow
@pytest.mark.parametrize("image", ["", "tile.png", "missing.png"])
@pytest.mark.parametrize(
    "points",
    [
        [],
        [(0, 0)],
        [(0, 0), (1, 1)],
        [(0, 0)] * 5,
        [(0, 0), (9, 0), (18, 0)],
        [(0, 0), (0, 0), (9, 0), (9, 9), (9, 9)],
        np.random.default_rng(1).uniform(-30, 30, (24, 2)).tolist(),
        [(-1e7, -1e7), (1e7, -1e7), (0, 1e7)],
    ],
    ids=["none", "one", "two", "same", "flat", "doubled", "tangle", "huge"],
)
def test_hostile_points_break_nothing(desk, points, image):
    """Degenerate points give valid batches, with holes, outlines and images."""
    found = desk(polygon(points, holes=[3, 1, 99], image=image, outline=(1, 1, 1, 0.5), outline_width=3))
    found.put(32, 32, Shape(shape="line", points=points, color=(1, 1, 1, 0.5), outline_width=5))
    found.shoot()
    for batch in found.batches:
        batch.check()


def test_numbers_that_are_none_break_nothing(desk):
    """NaN and infinity, written past the checks, give valid batches."""
    found = desk(*(polygon(image="tile.png", outline=(1, 1, 1, 1), outline_width=2) for _ in range(4)))
    table = found.world[Shape]
    table.outline_width[0] = np.nan
    table.image_rotation[1] = np.nan
    table.image_scale[2] = [0, np.inf]
    table.points.items[:4] = np.nan
    found.shoot()
