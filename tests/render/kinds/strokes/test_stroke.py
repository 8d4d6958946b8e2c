"""Strokes cover their area once, with smooth edges, for any points."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from rish_render.kinds.strokes import difference, weld
from rish_render.kinds.strokes.path import dashed, make_path
from rish_render.kinds.strokes.stroke import Style, make_strip

MITER, ROUND, BEVEL = 0, 1, 2
BUTT, ROUND_CAP, SQUARE = 0, 1, 2
DICE = np.random.default_rng(8)


def cut_by(kernels, monkeypatch):
    """Let kernels cut translucent strokes, or plain Python, which otherwise does so until they are compiled."""
    state = SimpleNamespace(ready=kernels, serve=lambda rows, many: kernels)
    for module in (difference, weld):
        monkeypatch.setattr(module, "READY", state)


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Compile nothing for strokes: one test compares what kernels do with what plain Python does."""
    cut_by(False, monkeypatch)


def strip_of(points, width=10.0, joint=ROUND, cap=ROUND_CAP, closed=False, apart=False, limit=4.0, end=None):
    """Return the triangles of a stroke, in pixels."""
    path = make_path(np.array(points, float).reshape(-1, 2), (width, width if end is None else end), closed, 0.02)
    return make_strip(path, Style(joint, cap, limit), 1.0, apart)


def distance(points, closed, size=80):
    """Return the distance of the middle of each pixel to a line, (size, size), y up, computed in the simple way."""
    y, x = np.mgrid[:size, :size] + 0.5
    best = np.full(x.shape, np.inf)
    points = [*points, points[0]] if closed else points
    for (ax, ay), (bx, by) in itertools.pairwise(points):
        dx, dy = bx - ax, by - ay
        t = np.clip(((x - ax) * dx + (y - ay) * dy) / max(dx * dx + dy * dy, 1e-12), 0, 1)
        best = np.minimum(best, np.hypot(x - ax - t * dx, y - ay - t * dy))
    return best


def scribbles():
    """Yield lines that cross themselves and turn sharply, closed or not."""
    for k in range(6):
        if k % 3:
            yield DICE.uniform(15, 65, (int(DICE.integers(2, 9)), 2)).tolist(), float(DICE.uniform(2, 20)), bool(k % 2)
        else:
            yield np.clip(np.cumsum(DICE.normal(0, 5, (30, 2)), axis=0) + 40, 15, 65).tolist(), 7.0, False


@pytest.mark.parametrize(("points", "width", "closed"), list(scribbles()))
@pytest.mark.parametrize("apart", [False, True], ids=["overlapping", "cut"])
def test_a_round_stroke_covers_what_is_near_the_line(draw, points, width, closed, apart):
    """A round stroke covers everything within half its width, nothing beyond, and the edges partly."""
    found = draw(strip_of(points, width, closed=closed, apart=apart))
    far = distance(points, closed and len(points) > 2) - width / 2
    assert (found[far < -0.75] > 0.98).all()
    assert (found[far > 0.85] < 0.02).all()
    edge = (far > -0.5) & (far < 0.5)
    assert np.abs(found - np.clip(0.5 - far, 0, 1))[edge].mean() < 0.12


@pytest.mark.parametrize("joint", [MITER, ROUND, BEVEL])
@pytest.mark.parametrize("cap", [BUTT, ROUND_CAP, SQUARE])
@pytest.mark.parametrize("angle", [0, 20, 90, 179, 180, 300])
def test_translucent_strokes_do_not_double(draw, joint, cap, angle):
    """No pixel of a translucent stroke is covered twice, and within the stroke none is missed."""
    turn = np.radians(angle)
    points = [(20, 40), (45, 40), (45 + 25 * np.cos(turn), 40 + 25 * np.sin(turn))]
    whole = draw(strip_of(points, 12, joint, cap))
    thin = draw(strip_of(points, 12, joint, cap, apart=True), opacity=100)
    assert thin.max() <= 101.5 / 255
    inside = whole > 0.999
    for axis, step in itertools.product((0, 1), (-1, 1)):
        inside &= np.roll(whole > 0.999, step, axis)
    assert (thin[inside] >= 98.5 / 255).all()


@pytest.mark.parametrize(("points", "width", "closed"), list(scribbles()))
def test_crossings_do_not_double(draw, points, width, closed):
    """Crossings are covered once; at most one pixel in 5,000 is missed by the rounding of corners."""
    thin = draw(strip_of(points, width, closed=closed, apart=True), opacity=100)
    far = distance(points, closed and len(points) > 2) - width / 2
    assert thin.max() <= 101.5 / 255
    assert (np.abs(thin[far < -1.5] * 255 - 100) > 1.5).sum() <= 1


def test_a_miter_reaches_its_point_and_no_further_than_its_limit(draw):
    """A miter fills a corner of 90 degrees and is cut at a sharp turn; bevel and round joints cut the corner."""
    corner = [(20, 40), (40, 40), (40, 20)]
    assert draw(strip_of(corner, 10, MITER))[44, 44] > 0.98
    assert draw(strip_of(corner, 10, BEVEL))[44, 44] < 0.02
    assert draw(strip_of(corner, 10, ROUND))[44, 44] < 0.02
    spike = [(10, 40), (40, 40), (10, 43)]
    assert draw(strip_of(spike, 4, MITER, limit=4))[39, 46] < 0.02
    assert draw(strip_of(spike, 4, MITER, limit=50))[39, 55] > 0.5


def test_caps_end_where_they_should(draw):
    """A butt cap ends at the end of the line; a round or square cap extends half the width beyond it."""
    line = [(20, 40), (60, 40)]
    butt, rounded, square = (draw(strip_of(line, 10, cap=cap)) for cap in (BUTT, ROUND_CAP, SQUARE))
    assert butt[40, 60] < 0.02 < 0.98 < butt[40, 59]
    assert rounded[40, 64] > 0.9
    assert rounded[44, 64] < 0.02
    assert square[44, 64] > 0.98
    assert square[40, 65] < 0.02


@pytest.mark.parametrize("width", [0.25, 0.5, 1, 1.5, 2.25, 3])
def test_a_thin_line_is_as_dark_as_it_is_wide(draw, width):
    """The coverage across a thin line adds up to its width, on and between the rows of pixels."""
    for y in (40, 40.25, 40.5):
        found = draw(strip_of([(10, y), (70, y)], width, cap=BUTT))
        assert found[:, 40].sum() == pytest.approx(width, abs=0.26)


def test_a_line_can_run_out_into_nothing(draw):
    """A line can narrow from wide to a point, without a hole at the joint."""
    found = draw(strip_of([(10, 20), (40, 60), (70, 20)], 16, end=0, apart=True), opacity=200)
    assert found.max() <= 202 / 255
    assert found[58, 40] == pytest.approx(200 / 255, abs=0.01)
    assert found[21, 69] < 0.4


@pytest.mark.parametrize("joint", [MITER, ROUND, BEVEL])
@pytest.mark.parametrize("apart", [False, True], ids=["overlapping", "cut"])
@pytest.mark.parametrize(
    "points",
    [
        [],
        [(1, 1)],
        [(1, 1), (1, 1)],
        [(0, 0), (10, 0), (0, 0), (10, 0)],
        [(0, 0), (10, 0), (5, 0)],
        [(np.nan, 0), (0, 0), (10, np.inf), (10, 10)],
        [(0, 0), (1e-6, 0), (2e-6, 0), (20, 20)],
        [(1e8, 1e8), (1e8 + 100, 1e8)],
        [(0, 0), (30, 0)] * 20,
        DICE.normal(0, 0.5, (60, 2))[:24],
    ],
    ids=["none", "one", "same", "there and back", "u-turn", "nan", "tiny", "far", "many turns", "knot"],
)
def test_hostile_points_break_nothing(points, joint, apart):
    """Degenerate points give finite triangles with valid indices, or none, for caps of every kind."""
    for cap, closed in itertools.product((BUTT, ROUND_CAP, SQUARE), (False, True)):
        found = strip_of(points, 8, joint, cap, closed, apart)
        assert np.isfinite(found.points).all()
        assert ((found.cover >= 0) & (found.cover <= 1.0001)).all()
        assert not len(found.indices) or 0 <= found.indices.min() <= found.indices.max() < len(found.points)


@pytest.mark.parametrize("width", [np.nan, np.inf])
def test_a_width_that_is_no_number_draws_nothing(width):
    """A line with an infinite or undefined width is not drawn."""
    assert not len(strip_of([(0, 0), (10, 0), (20, 5)], width, apart=True).indices)


def test_one_place_is_a_dot_if_it_has_caps(draw):
    """A line of one point is a round or square dot; with butt caps it is empty."""
    assert draw(strip_of([(40, 40)], 20)).sum() == pytest.approx(np.pi * 100, rel=0.02)
    assert draw(strip_of([(40, 40)], 20, cap=SQUARE)).sum() == pytest.approx(400, rel=0.02)
    assert not len(strip_of([(40, 40)], 20, cap=BUTT).indices)


def test_dashes_have_caps_of_their_own(draw):
    """Dashes have their own caps; a dash of length 0 is a dot."""
    path = dashed(make_path(np.array([(10.0, 40), (70, 40)]), (6, 6), False, 0.02), np.array([0.0, 20]), 0)
    found = draw(make_strip(path, Style(ROUND, ROUND_CAP), 1.0, True))
    assert found.sum() == pytest.approx(4 * np.pi * 9, rel=0.05)


@pytest.mark.slow
def test_a_stroke_may_have_tens_of_thousands_of_points():
    """Tens of thousands of points are drawn in linear time, and a long translucent stroke as well."""
    walk = np.cumsum(DICE.normal(0, 3, (30_000, 2)), axis=0)
    assert len(strip_of(walk, 2).indices) > 30_000
    t = np.linspace(0, 70, 1000)
    assert len(strip_of(np.stack([t, np.sin(t)], 1) * 40, 2, apart=True).indices) > 1000


def test_kernels_cut_translucent_strokes_to_the_same_bits(monkeypatch):
    """The triangles of a translucent stroke are the same, to the bit, whether kernels cut it or plain Python does."""
    lines = [
        *scribbles(),
        ([(0, 0), (30, 0), (30, 0), (0, 0), (15, 9)], 12.0, False),
        ([(k % 7, k % 5) for k in range(60)], 9.0, True),
    ]
    found = []
    for ready in (False, True):
        cut_by(ready, monkeypatch)
        found.append([strip_of(points, width, closed=closed, apart=True) for points, width, closed in lines])
    for plain, compiled in zip(*found, strict=True):
        assert {name: column.tobytes() for name, column in vars(plain).items()} == {
            name: column.tobytes() for name, column in vars(compiled).items()
        }
