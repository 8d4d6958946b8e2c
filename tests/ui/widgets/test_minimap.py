"""The slot for the picture of a camera, with marks of entities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import Transform, named
from rish_frame import Frame, Paintings, Region
from ui_driver import UiDriver, ui_game

SCENE = """
- {name: here, tags: [foe], at: [150, 75]}
- {name: far, tags: [foe], at: [1000, 75]}
- name: hud
  Screen: {}
  Layout: {align: start}
  children: [{name: map, Minimap: {camera: over, marked: foe}, Layout: {size: [204, 104]}}]
"""


def show(ui: UiDriver, angle: float = 0.0) -> None:
    """Let a camera show 200 by 100 units around (100, 50), turned by an angle."""
    cos, sin = math.cos(angle), math.sin(angle)
    across, up = np.array([200 * cos, 200 * sin]), np.array([-100 * sin, 100 * cos])
    corners = [(i * across + j * up) / 2 + (100, 50) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    area = Region(np.array(corners), np.array(corners))
    ui.world[Frame].area_of = lambda world, target: area if target == "over" else None
    ui.world.get(named(ui.world, "here"), Transform).rotation = angle  # so that the picture is made again
    ui.frame(2)


def marks(ui: UiDriver) -> list[tuple[float, float]]:
    """Return the middles of the marks within the picture, fractions from its bottom left."""
    parts = [part for painting in ui.world[Paintings] for part in painting.parts if part.backs]
    picture = parts[0].backs[0]
    return [
        (round((box.x + box.w / 2 - picture.x) / picture.w, 2), round((box.y + box.h / 2 - picture.y) / picture.h, 2))
        for box in parts[0].boxes
        if box.round
    ]


def test_marks_are_where_the_entities_are_in_the_picture() -> None:
    """An entity outside of what the camera shows has no mark."""
    with ui_game(SCENE) as ui:
        show(ui)
        assert marks(ui) == [pytest.approx((0.75, 0.75), abs=0.02)]


def test_marks_follow_a_turned_camera() -> None:
    """Seen from a camera that is upside down, the mark is on the opposite side."""
    with ui_game(SCENE) as ui:
        show(ui, math.pi)
        assert marks(ui) == [pytest.approx((0.25, 0.25), abs=0.02)]


def test_the_picture_keeps_its_shape() -> None:
    """A slot of another shape leaves room beside the picture."""
    with ui_game(SCENE.replace("[204, 104]", "[204, 204]")) as ui:
        show(ui)
        picture = next(p.backs[0] for painting in ui.world[Paintings] for p in painting.parts if p.backs)
        assert picture.w / picture.h == pytest.approx(2, abs=0.05)


def test_without_cameras_the_slot_is_empty() -> None:
    """No plugin shows pictures of cameras; nothing is marked, and the game goes on."""
    with ui_game(SCENE) as ui:
        ui.frame(2)
        assert not marks(ui)
