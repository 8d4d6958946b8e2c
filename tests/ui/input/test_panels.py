"""Widgets on panels in space: the pointer operates what a surface shows in the picture of a camera."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from rish_core import WindowEvent, named
from rish_scene3d import Material3D, Model3D, to_screen_3d
from rish_space3d import Transform3D
from rish_ui import Screen, Slider, UiState
from ui_driver import UiDriver, ui_game

HEAD = "plugins: [ui, render, scene3d]\n"
SCENE = """
- {name: eye, Transform3D: {position: [0, 0, 4]}, Camera3D: {fov: 60deg}}
- {name: wall, Transform3D: {position: [-1, 0, 0], rotation: [90, 0, 0], scale: [2, 1, 1]}, Model3D: {asset: plane},
   Material3D: {shading: unlit, map: "camera:left"}}
- {name: slope, Transform3D: {position: [1.2, 0, 0], rotation: [0, 40, 0], scale: [2, 1, 0.01]}, Model3D: {asset: box},
   Material3D: {shading: unlit, emission_map: "camera:right"}}
- name: a
  Transform: {position: [9000, 0]}
  Camera: {target: left, target_size: [400, 200]}
  Screen: {space: world, pivot: [0.5, 0.5], size: [400, 200]}
  children:
    - {name: go, Button: {text: Go}}
    - {name: much, Slider: {high: 100}, Layout: {size: [300, 30]}}
    - {name: word, TextInput: {}}
- name: b
  Transform: {position: [9000, 500]}
  Camera: {target: right, target_size: [400, 200]}
  Screen: {space: world, pivot: [0.5, 0.5], size: [400, 200]}
  children: [{name: stop, Button: {text: Stop}}]
- {name: crate, Transform3D: {position: [-1, 5, 1]}, Model3D: {asset: box}}
- name: menu
  Screen: {modal: true, visible: false}
  children: [{name: over, Button: {text: Over}, Layout: {size: [640, 360]}}]
"""


@pytest.fixture(scope="module")
def room() -> Iterator[UiDriver]:
    """A game with two panels, one of them turned, and a crate and a menu that may be in the way."""
    with ui_game(SCENE, HEAD) as ui:
        ui.frame()
        yield ui


@pytest.fixture
def panels(room: UiDriver) -> Iterator[UiDriver]:
    """The room, with nothing pressed and nothing heard."""
    room.heard.clear()
    yield room
    room.send(WindowEvent("mouse_button", "mouse.left", False, 2, 2), WindowEvent("mouse_move", x=2, y=2))


def spot(ui: UiDriver, path: str, x: float = 0.5, y: float = 0.5) -> tuple[float, float]:
    """Return where a point of a widget is seen on the screen, logical pixels; x and y are fractions from its top left.

    Computed from the pose of the panel, without rays.
    """
    node, world = ui.node(path), ui.world
    u, v = (node.x + node.w * x) / 400, (node.y + node.h * y) / 200
    panel = "wall" if path.startswith("a") else "slope"
    place = world.get(named(world, panel), Transform3D).position
    turn = 0.0 if panel == "wall" else np.radians(40)
    across = 2 * (u - 0.5)
    point = place + np.array([across * np.cos(turn), 0.5 - v, -across * np.sin(turn)])
    px, py = to_screen_3d(world, point)[0].tolist()
    return px, py


def tap(ui: UiDriver, path: str, x: float = 0.5, y: float = 0.5) -> None:
    """Click on a widget of a panel."""
    px, py = spot(ui, path, x, y)
    ui.send(WindowEvent("mouse_move", x=px, y=py), WindowEvent("mouse_button", "mouse.left", True, px, py))
    ui.send(WindowEvent("mouse_button", "mouse.left", False, px, py))
    ui.frame()


@pytest.mark.parametrize("path", ["a.go", "b.stop"])
def test_a_click_reaches_the_widget_that_is_seen_there(panels: UiDriver, path: str) -> None:
    """A panel is operated where it is seen, facing the camera or turned, whichever map shows the picture."""
    for x in (0.02, 0.5, 0.98):
        tap(panels, path, x)
    assert [each for each in panels.heard if each[0] == "Clicked"] == [("Clicked", path)] * 3
    px, py = spot(panels, path)
    panels.send(WindowEvent("mouse_move", x=px, y=py))
    assert panels.world[UiState].hovered == panels.node(path).entity


def test_a_drag_goes_on_beyond_the_edges_of_the_panel(panels: UiDriver) -> None:
    """A slider follows the pointer along the plane of its panel, also where the panel ends or another thing is before
    it."""
    world, node = panels.world, panels.node("a.much")
    start = spot(panels, "a.much", 0.5)
    panels.send(WindowEvent("mouse_move", x=start[0], y=start[1]))
    panels.send(WindowEvent("mouse_button", "mouse.left", True, *start))
    for x, y, value in ((0.25, 9.0, 23), (0.75, -20.0, 77), (2.0, 0.5, 100)):
        px, py = spot(panels, "a.much", x, y)
        panels.send(WindowEvent("mouse_move", x=px, y=py))
        panels.frame()
        assert world.get(node.entity, Slider).value == pytest.approx(value, abs=2)
    panels.send(WindowEvent("mouse_button", "mouse.left", False, *start))
    assert not world[UiState].presses


def test_a_hidden_panel_is_not_operated(panels: UiDriver) -> None:
    """What stands before a panel takes the pointer, until it is hidden; the back of a plane shows no panel."""
    world, crate = panels.world, named(panels.world, "crate")
    world.get(crate, Transform3D).position = (-1, 0, 1)
    panels.frame(2)
    tap(panels, "a.go")
    assert panels.heard == []
    world.set(crate, Model3D(visible=False))
    panels.frame(2)
    tap(panels, "a.go")
    assert ("Clicked", "a.go") in panels.heard
    panels.heard.clear()
    world.get(named(world, "wall"), Transform3D).rotation = (0.5**0.5, 0, 0, -(0.5**0.5))
    panels.frame(2)
    tap(panels, "a.go")
    assert panels.heard == []
    world.get(named(world, "wall"), Transform3D).rotation = (0.5**0.5, 0, 0, 0.5**0.5)
    world.get(crate, Transform3D).position = (-1, 5, 1)


def test_a_screen_over_the_picture_is_before_all_panels(panels: UiDriver) -> None:
    """A menu over the picture takes the pointer, whatever the layers of the panels are."""
    world, menu = panels.world, named(panels.world, "menu")
    world.set(menu, Screen(visible=True))
    panels.frame(2)
    tap(panels, "a.go")
    world.set(menu, Screen(visible=False))
    panels.frame(2)
    assert [each for each in panels.heard if each[0] == "Clicked"] == [("Clicked", "menu.over")]


def test_keys_go_to_the_widget_that_was_pressed(panels: UiDriver) -> None:
    """A press gives a text input of a panel the focus; then it gets the text."""
    tap(panels, "a.word")
    panels.send(WindowEvent("text", text="hi"))
    panels.frame()
    assert ("Changed", "a.word") in [each[:2] for each in panels.heard]


def test_a_picture_may_be_repeated(panels: UiDriver) -> None:
    """Each copy of a picture that a material repeats is operated."""
    world, wall = panels.world, named(panels.world, "wall")
    world.set(wall, Material3D(repeat=(2, 1)))
    panels.frame(2)
    node = panels.node("a.go")
    for tile in (0, 1):
        x = ((node.x + node.w / 2) / 400 + tile) / 2 * 400  # in units of the whole surface
        tap(panels, "a.go", (x - node.x) / node.w)
    world.set(wall, Material3D(repeat=(1, 1)))
    assert [each for each in panels.heard if each[0] == "Clicked"] == [("Clicked", "a.go")] * 2
