"""Drawing over a view: places, colors that fit the picture, the grid, and what the pointer reaches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_editor.look.theme import DARK, LIGHT
from rish_editor.views.geometry import ticks_between

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render]
settings: {render: {background: white}}
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: red, Transform: {position: [-100, 0]}, Shape: {size: [60, 60], color: red}}
"""
Make = Callable[..., Any]


def test_places_return_from_the_screen(hands: Make) -> None:
    """A point that is converted to the window and back is the same, at any zoom; a unit is as many pixels as shown."""
    made = hands()
    for density in (0.37, 5.0):
        made.panel.views["2d"].camera.density = density
        made.driver.step()
        scene = made.panel.views["2d"].scene
        np.testing.assert_allclose(scene.to_world(scene.to_screen((12.5, -7.25))), (12.5, -7.25), atol=1e-9)
        points = np.array([(0.0, 0.0), (3.0, 4.0)])
        np.testing.assert_allclose(scene.to_world(scene.to_screen(points)), points, atol=1e-9)
        assert abs(scene.pixel * density - 1.0) < 1e-9


def test_colors_fit_the_picture_and_not_the_window(hands: Make) -> None:
    """Over a bright picture the lines have the colors of the light theme, also in the dark one."""
    made = hands(GAME)
    assert made.panel.views["2d"].scene.theme is LIGHT
    assert made.editor.ui.theme is DARK


def test_the_grid_is_drawn_at_multiples_of_its_unit(hands: Make) -> None:
    """With the grid on, the picture changes along a line of the grid, and not between two lines."""
    made = hands()
    made.panel.views["2d"].camera.density = 4.0
    made.driver.step(2)
    made.driver.move(made.at(0, 60))
    seen = made.driver.picture().astype(int)
    made.editor.run("view.grid")
    made.driver.step(2)
    plain = made.driver.picture().astype(int)
    changed = np.abs(seen - plain).sum(axis=2)
    x, y = (int(value) for value in made.at(16, 24))
    assert changed[y - 8 : y + 8, x].min() > 0
    x = int(made.at(24, 0)[0])
    assert changed[y - 8 : y + 8, x].max() == 0


def test_too_many_ticks_are_none() -> None:
    """The multiples of a step between two values; a step that is far too small gives none instead of millions."""
    assert list(ticks_between(-2.5, 4.0, 2.0)) == [-1, 0, 1, 2]
    assert len(ticks_between(0.0, 1e9, 1.0)) == 0


def test_ten_thousand_icons_are_limited(hands: Make) -> None:
    """Icons are drawn for what is in the view, and for no more than a limit."""
    from rish_core import Transform
    from rish_editor.views.canvas import MAX_ICONS

    made = hands()
    places = np.zeros((1000, 2), np.float32)
    handles = made.world.spawn_many(1000, Transform(position=places))
    drawn: list[int] = []

    def drawer(scene: Any, editor: Any, known: Any) -> None:
        scene.icons(handles, "x")
        drawn.append(len(scene.pickable))

    made.editor.gizmos = [(Transform, drawer)]
    made.driver.step(2)
    assert drawn[-1] == MAX_ICONS
    made.panel.views["2d"].camera.x = 1e6
    made.driver.step(2)
    assert drawn[-1] == 0
