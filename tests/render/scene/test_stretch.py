"""Stretch: the image in a window that differs from the game's size, and the place of the pointer."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import Input, WindowEvent
from rish_frame import Frame
from rish_render import Aspect, Camera, Shape, Stretch, main_view, to_world
from rish_render.scene.stretch import fit_of

KEEP, EXPAND, IGNORE = Aspect
SIDES = st.integers(1, 3000)


@pytest.mark.parametrize("aspect", Aspect)
def test_a_window_of_the_games_size_needs_nothing(aspect):
    """A window of the game's own size needs no fit."""
    for stretch in Stretch:
        assert fit_of((320, 240), (320, 240), stretch, aspect) is None


def test_none_shows_more_of_the_world():
    """Without stretch a logical pixel stays a pixel of the screen, and a larger window shows more of the world."""
    assert fit_of((1001, 613), (320, 240), Stretch.NONE, KEEP) is None


@pytest.mark.parametrize(
    ("stretch", "aspect", "logical", "place"),
    [
        (Stretch.CANVAS, KEEP, (320, 240), (92, 0, 817, 613)),
        (Stretch.VIEWPORT, KEEP, (320, 240), (92, 0, 817, 613)),
        (Stretch.INTEGER, KEEP, (320, 240), (180, 66, 640, 480)),
        (Stretch.CANVAS, EXPAND, (392, 240), (0, 0, 1001, 613)),
        (Stretch.INTEGER, EXPAND, (500, 306), (0, 0, 1000, 612)),
        (Stretch.VIEWPORT, IGNORE, (320, 240), (0, 0, 1001, 613)),
        (Stretch.INTEGER, IGNORE, (320, 240), (20, 66, 960, 480)),
    ],
)
def test_an_odd_window(stretch, aspect, logical, place):
    """The fit of a game of 320x240 in a window of 1001x613 equals the one computed by hand."""
    fit = fit_of((1001, 613), (320, 240), stretch, aspect)
    assert (fit.logical, fit.place) == (logical, place)


@given(SIDES, SIDES, st.sampled_from(list(Stretch)), st.sampled_from(list(Aspect)))
def test_any_window_is_filled_without_going_beyond(width, height, stretch, aspect):
    """The image stays on the screen, the game is never cropped, and "keep" preserves the aspect within a pixel."""
    fit = fit_of((width, height), (320, 240), stretch, aspect)
    if fit is None:
        return
    x, y, w, h = fit.place
    assert 0 <= x <= x + w <= width
    assert 0 <= y <= y + h <= height
    if aspect is KEEP:
        assert fit.logical == (320, 240)
        assert abs(w * 240 - h * 320) <= 320
    if aspect is EXPAND and stretch is not Stretch.INTEGER:
        assert fit.logical[0] >= 319
        assert fit.logical[1] >= 239


@given(st.integers(320, 3000), st.integers(240, 3000))
def test_whole_factors_are_whole(width, height):
    """Every logical pixel is the same whole number of screen pixels in both directions."""
    fit = fit_of((width, height), (320, 240), Stretch.INTEGER, KEEP)
    if fit is not None:
        assert fit.place[2] % 320 == fit.place[3] % 240 == 0
        assert fit.place[2] // 320 == fit.place[3] // 240


def _windowed(studio, size=(80, 60), window=(200, 120), **settings):
    stage = studio(
        size, settings={"render": {"bars": "#ff0000", "background": "#0000ff", **settings}}, layers=["world"]
    )
    stage.app.host.backend.configure(size=window)
    return stage


@pytest.mark.parametrize("stretch", ["canvas", "viewport", "integer"])
def test_bars_beside_the_picture(studio, stretch):
    """A game of 80x60 in a window of 200x120 fills 160x120 in the middle; the rest has the color of the bars."""
    stage = _windowed(studio, stretch=stretch)
    stage.put(40, 30, Shape(size=(20, 20), color=(0, 1, 0, 1)))
    assert stage.shoot().shape == (120, 200, 4)
    assert [stage.pixel(x, 60) for x in (19, 20, 100, 179, 180)] == [
        [255, 0, 0], [0, 0, 255], [0, 255, 0], [0, 0, 255], [255, 0, 0],
    ]  # fmt: skip


def test_canvas_draws_at_the_windows_resolution(studio):
    """With "canvas" edges have the resolution of the window, with "viewport" that of the game."""
    steps = {}
    for stretch in ("canvas", "viewport"):
        stage = _windowed(studio, window=(320, 240), stretch=stretch)
        stage.put(40, 30, Shape(size=(60, 60), color=(0, 1, 0, 1)), rotation=0.3)
        picture = stage.shoot()
        steps[stretch] = picture
    squares = steps["viewport"].reshape(60, 4, 80, 4, 4)
    assert (squares == squares[:, :1, :, :1]).all()
    squares = steps["canvas"].reshape(60, 4, 80, 4, 4)
    assert (squares != squares[:, :1, :, :1]).any()


def test_viewport_scales_the_picture_of_the_games_size(studio):
    """Scaled by a whole factor the image is the same with larger pixels."""
    plain = studio((80, 60), layers=["world"], settings={"render": {"background": "#0000ff"}})
    large = _windowed(studio, window=(160, 120), stretch="viewport")
    for stage in (plain, large):
        stage.put(33, 30, Shape(size=(30, 20), color=(0, 1, 0, 1)), rotation=0.4)
    expected = plain.shoot().repeat(2, axis=0).repeat(2, axis=1)
    assert np.array_equal(large.shoot(), expected)


def test_a_camera_sees_the_same_whatever_the_window(studio):
    """Positions of pointer and world are in logical pixels, so they do not depend on the window."""
    for window in ((80, 60), (200, 120), (31, 77)):
        stage = _windowed(studio, window=window)
        stage.put(7, 9, Camera(zoom=2))
        stage.shoot()
        assert main_view(stage.world).size == (80, 60)
        assert to_world(stage.world, (40, 30)) == pytest.approx([7, 9])


def test_expand_shows_more_on_two_sides(studio):
    """With "expand" a wider window shows more on both sides, and the camera's center stays in the middle."""
    stage = _windowed(studio, aspect="expand")
    stage.put(0, 0, Camera())
    stage.shoot()
    assert main_view(stage.world).size == (100, 60)
    assert to_world(stage.world, (50, 30)) == pytest.approx([0, 0])
    assert stage.pixel(0, 60) == [0, 0, 255]


def test_the_pointer_is_in_logical_pixels(rish_app):
    """The pointer is reported in logical pixels, to handlers and in the input that is recorded."""
    from rish_frame import NullBackend
    from rish_render import plugin

    heard = []
    backend = NullBackend()
    game = {"game": {"title": "t", "size": [80, 60]}}
    app = rish_app(game, plugins={"render": plugin}, backend=backend)
    backend.configure(size=(200, 120))
    app.frame()
    layer = app.world[_stack()].declared["world"]
    app.world[_stack()].declared["world"] = _with_handler(layer, lambda world, event: heard.append(event) or False)
    backend.send(WindowEvent("mouse_move", x=100, y=60), WindowEvent("scroll", x=0, y=3))
    app.frame()
    assert (app.world[Input].pointer_x, app.world[Input].pointer_y) == (40, 30)
    assert [(event.kind, event.x, event.y) for event in heard] == [("mouse_move", 40, 30), ("scroll", 0, 3)]


def _stack():
    from rish_core import LayerStack

    return LayerStack


def _with_handler(layer, handler):
    from dataclasses import replace

    return replace(layer, on_event=handler)


def test_a_window_can_be_resized_at_any_time(studio):
    """Targets and passes of a scaled image exist only while the window's size needs them."""
    stage = _windowed(studio, stretch="viewport")
    for window in ((200, 120), (80, 60), (161, 64), (1, 1), (80, 60)):
        stage.app.host.backend.configure(size=window)
        assert stage.shoot().shape == (window[1], window[0], 4)
        frame = stage.world[Frame]
        assert ("picture" in frame.targets) == ("picture" in frame.passes) == (window != (80, 60))
        assert frame.canvas_size == (80, 60)
