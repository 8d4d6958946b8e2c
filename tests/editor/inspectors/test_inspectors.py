"""The inspectors of kernel and render components: what they offer beyond the declared fields."""

from __future__ import annotations

import pytest

from rish_core import Transform
from rish_editor.inspectors.animation import cells_in
from rish_render import Camera, NinePatch, Sprite, view_of

from ..panels.conftest import Inspector


@pytest.mark.slow
def test_a_cell_of_a_sheet_is_chosen_by_a_click(inspector: Inspector) -> None:
    """A click into the preview of a sheet sets the frame to that cell, as one step."""
    inspector.select("walker")
    inspector.search("Sprite frame")
    inspector.driver.step(3)
    place = inspector.driver.place(inspector.at("Sprite/preview"))
    wide, tall = place.size
    inspector.driver.click((place.left + wide * 0.62, place.top + tall * 0.75))
    assert inspector.read("walker", Sprite, "frame") == 6
    assert inspector.steps == ["Set Sprite.frame"]


def test_a_region_is_dragged_in_the_picture(inspector: Inspector) -> None:
    """Without a sheet, dragging a box in the preview chooses a part of the picture, as one step."""
    inspector.select("plain")
    inspector.search("Sprite frame")
    inspector.driver.step(3)
    place = inspector.driver.place(inspector.at("Sprite/preview"))
    unit = place.size[0] / 64
    inspector.driver.drag((place.left + 16.5 * unit, place.top + 8.5 * unit), by=(15 * unit, 7 * unit))
    assert inspector.read("plain", Sprite, "region").tolist() == [16, 8, 16, 8]
    assert inspector.steps == ["Set Sprite.region"]


def test_a_sheet_says_how_many_cells_it_has(inspector: Inspector) -> None:
    """The sheet shows its number of cells."""
    inspector.select("walker")
    inspector.search("SpriteSheet cell")
    inspector.driver.step(3)
    assert inspector.driver.sees(inspector.at("SpriteSheet/cells"))


def test_the_animation_has_a_preview(inspector: Inspector) -> None:
    """An animation beside a sheet plays in the inspector."""
    inspector.select("walker")
    inspector.search("Animation clip")
    inspector.driver.step(3)
    assert inspector.driver.sees(inspector.at("Animation/preview"))
    assert inspector.driver.shell.editor.failures == 0


@pytest.mark.parametrize(
    ("text", "cells"), [("0-3", [0, 1, 2, 3]), ("2, 0-1", [2, 0, 1]), ("3-1", [3, 2, 1]), ("a", []), ("", [])]
)
def test_cells_in_text(text: str, cells: list[int]) -> None:
    """Lists of cells are read as the Animation reads them."""
    assert cells_in(text) == cells


@pytest.mark.slow
def test_a_border_of_a_nine_patch_is_dragged(inspector: Inspector) -> None:
    """The lines of the preview set the border in whole pixels, as one step for one drag."""
    inspector.select("panel")
    inspector.search("NinePatch border")
    inspector.driver.step(3)
    place = inspector.driver.place(inspector.at("NinePatch/preview"))
    unit = place.size[0] / 64
    inspector.driver.drag(inspector.at("NinePatch/border.left"), by=(6 * unit, 0))
    assert inspector.read("panel", NinePatch, "border").tolist() == [10, 4, 4, 4]
    inspector.driver.drag(inspector.at("NinePatch/border.bottom"), by=(0, -5 * unit))
    assert inspector.read("panel", NinePatch, "border").tolist() == [10, 4, 4, 9]
    assert len(inspector.steps) == 2


@pytest.mark.slow
def test_one_camera_is_made_primary(inspector: Inspector) -> None:
    """The button makes one camera primary and the others not, and one undo takes both back."""
    inspector.select("second")
    inspector.search("Camera primary")
    inspector.driver.click(inspector.at("Camera/make_primary"))
    assert inspector.read("second", Camera, "primary")
    assert not inspector.read("camera", Camera, "primary")
    inspector.driver.key("Ctrl+Z")
    assert inspector.read("camera", Camera, "primary")


def test_the_scene_view_looks_through_a_camera(inspector: Inspector) -> None:
    """The scene view shows what the camera sees, without a change of the World."""
    inspector.select("second")
    before = inspector.world.hash()
    inspector.search("Camera primary")
    inspector.driver.click(inspector.at("Camera/look"))
    inspector.driver.step(2)
    camera = inspector.driver.shell.editor.panels["editor.scene"].views["2d"].camera
    x0, y0, x1, y1 = view_of(inspector.world, inspector.handle("second")).bounds
    assert camera.center == pytest.approx(((x0 + x1) / 2, (y0 + y1) / 2))
    assert inspector.world.hash() == before


@pytest.mark.slow
def test_linked_scales_change_by_the_same_factor(inspector: Inspector) -> None:
    """With the link, typing one scale multiplies the other one too, as one step; without it, it does not."""
    inspector.select("top")
    inspector.enter("Transform/scale.x", "4")
    assert inspector.read("top", Transform, "scale").tolist() == [4, 8]
    assert inspector.steps == ["Set Transform.scale"]
    inspector.driver.click(inspector.at("Transform/link"))
    inspector.enter("Transform/scale.x", "1")
    assert inspector.read("top", Transform, "scale").tolist() == [1, 8]
    inspector.driver.click(inspector.at("Transform/link"))


def test_the_place_in_the_world_is_shown_for_children(inspector: Inspector) -> None:
    """An entity with a parent shows where it is in the world."""
    inspector.select("below")
    assert inspector.driver.sees(inspector.at("Transform/world"))
    inspector.select("top")
    assert not inspector.driver.sees(inspector.at("Transform/world"))


def test_a_shape_shows_the_fields_of_its_form(inspector: Inspector) -> None:
    """A box has no points and no radius."""
    inspector.select("box")
    inspector.search("Shape radius")
    assert inspector.driver.sees(inspector.at("Shape/corner_radius:label"))
    assert not inspector.driver.sees(inspector.at("Shape/radius:label"))


def test_a_tile_map_shows_its_size_and_layers(inspector: Inspector) -> None:
    """The size and the layers of the map's file are shown."""
    inspector.select("ground")
    inspector.search("TileMap map")
    inspector.driver.step(2)
    assert inspector.driver.sees(inspector.at("TileMap/size"))
    assert inspector.driver.sees(inspector.at("TileMap/layers"))
