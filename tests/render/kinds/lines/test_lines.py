"""The component Line, from columns to pixels."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Assets, Transform
from rish_render import Camera, Line

ROPE = np.zeros((4, 8, 4), np.uint8)
ROPE[...] = (0, 0, 250, 255)
ROPE[:, :4] = (250, 0, 0, 255)
ROPE[0] = (0, 250, 0, 255)


@pytest.fixture
def desk(studio):
    """Make a studio without strict mode, with `rope.png`."""

    def make(size=(96, 64), **scene):
        found = studio(size, **{"strict": False, **scene})
        (found.world[Assets].root / "rope.png").write_bytes(found.png(ROPE))
        return found

    return make


def view(found):
    """Return the image, bottom row first."""
    return found.shoot()[::-1, :, :3].astype(int)


def test_a_line_is_drawn_where_it_is(desk):
    """A line is moved, rotated and scaled by its Transform."""
    found = desk()
    found.put(20, 20, Line(points=[(0, 0), (10, 0)], width=4, cap="butt"), rotation=np.pi / 2, scale=(2, 2))
    picture = view(found)
    assert picture[30, 20].tolist() == [255, 255, 255]
    assert picture[30, 17].tolist() == [255, 255, 255]
    assert picture[30, 14].max() < 40
    assert picture[41, 20].max() < 40


def test_colors_run_along_the_line(desk):
    """The colors run evenly from the first through the others to the last, multiplied by the line's color."""
    found = desk()
    line = Line(
        points=[(0, 0), (80, 0)], width=8, cap="butt", colors=[(1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1)], opacity=1
    )
    found.put(8, 32, line)
    picture = view(found)[32]
    assert picture[9, 0] > 240
    assert picture[28].tolist() == pytest.approx([125, 130, 0], abs=10)
    assert picture[48, 1] > 240
    assert picture[86, 2] > 240


def test_a_picture_lies_along_the_line(desk):
    """An image is stretched or repeated along the line, its top on the left, without texels of its page neighbors."""
    for along in ("stretch", "tile"):
        found = desk()
        found.put(8, 32, Line(points=[(0, 0), (80, 0)], width=8, cap="butt", image="rope.png", image_mode=along))
        picture = view(found)
        assert picture[35, 20].tolist() == [0, 250, 0]
        row = picture[30, 9:87]
        changes = int((np.abs(np.diff(row[:, 0])) > 100).sum())
        assert changes == (1 if along == "stretch" else 9)
        assert set(map(tuple, row[1:-1].tolist())) <= {(250, 0, 0), (0, 0, 250)}


def test_a_line_that_does_not_change_keeps_its_batches(desk):
    """An unchanged line keeps its batches while the camera scrolls; a moved line only has its corners shifted."""
    found = desk()
    line = found.put(20, 20, Line(points=[(0, 0), (30, 5), (0, 10)], color=(1, 1, 1, 0.5)))
    eye = found.put(48, 32, Camera())
    found.shoot()
    before = found.batches
    found.world.set(eye, Transform(position=(47.3, 31)))
    found.shoot()
    assert [id(batch) for batch in found.batches] == [id(batch) for batch in before]
    found.world.set(line, Transform(position=(22, 20), last_position=(22, 20)))
    found.shoot()
    way = found.batches[0].arrays["positions"] - before[0].arrays["positions"]
    np.testing.assert_allclose(way, np.broadcast_to([2, 0, 0], way.shape), atol=1e-4)


def test_coming_nearer_makes_it_finer(desk):
    """Zooming in far makes the strip finer: the fringe stays one pixel wide; zooming in a little changes nothing."""
    found = desk()
    found.put(0, 0, Line(points=[(-10, 0), (10, 0)], width=8))
    eye = found.put(0, 0, Camera())
    found.shoot()
    coarse = len(found.batches[0].arrays["positions"])
    found.world.set(eye, Camera(zoom=1.05))
    found.shoot()
    assert len(found.batches[0].arrays["positions"]) == coarse
    found.world.set(eye, Camera(zoom=4))
    picture = view(found)
    assert len(found.batches[0].arrays["positions"]) > coarse
    assert ((picture[:, 48] > 40).any(axis=1) & (picture[:, 48] < 250).any(axis=1)).sum() <= 4


def test_lines_out_of_sight_are_left_out(desk):
    """Lines that are far away, transparent, or without points or width are not drawn."""
    found = desk()
    found.put(500, 500, Line(points=[(0, 0), (10, 0)]))
    found.put(20, 20, Line(points=[(0, 0), (10, 0)], opacity=0))
    found.put(20, 20, Line())
    found.put(20, 20, Line(points=[(0, 0), (10, 0)], width=0, width_end=0))
    assert view(found).max() < 40


def test_a_hundred_lines_are_one_batch(desk):
    """A hundred lines of one blend mode are one batch, whatever their joints and dashes."""
    found = desk()
    for k in range(100):
        found.put(20, 20, Line(points=[(0, 0), (k, 5)], joint=["miter", "round"][k % 2], dashes=[3.0] * (k % 3)))
    found.shoot()
    assert [batch.kind for batch in found.batches] == ["mesh"]


def test_hostile_values_break_nothing(desk):
    """NaN and infinity, written past the checks, raise no error."""
    found = desk()
    for _ in range(6):
        found.put(20, 20, Line(points=[(0, 0), (10, 10)], dashes=[4.0, 2.0], width=3))
    table = found.world[Line]
    table.width[:3] = [np.nan, np.inf, -5]
    table.dash_offset[3] = np.nan
    table.miter_limit[4] = np.nan
    found.world[Transform].scale[5] = [np.nan, 0]
    view(found)
