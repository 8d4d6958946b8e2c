"""The editor with rish_scene3d: picking, lights, cameras, models and their inspectors, in real pictures."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gltf_models import robot
from rish_editor.panels.inspector.adding import add
from rish_editor.testing import UIDriver
from rish_scene3d import Animator3D, Billboard3D, Camera3D, Debug3D, Lamp3D, Material3D, Model3D, Sky3D
from rish_scene3d.tools.debug import bone_lines
from rish_space3d import Transform3D
from space_hands import SpaceHands

Hands = Callable[..., SpaceHands]
GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render, scene3d]
scenes:
  main:
    - {name: near, Transform3D: {position: [0, 0, 1]}, Model3D: {asset: box}, Material3D: {}}
    - {name: far, Transform3D: {position: [0, 0, -2]}, Model3D: {asset: box}}
    - {name: side, Transform3D: {position: [2, 0, 0], rotation: [0, 30, 0]}, Model3D: {asset: sphere}}
    - {name: lamp, Transform3D: {position: [-2, 2, 0]}, Lamp3D: {range: 2}}
    - {name: spot, Transform3D: {position: [-2, -1, 0]}, Lamp3D: {range: 3, angle: 60}}
    - {name: eye, Transform3D: {position: [2, 2, 2]}, Camera3D: {far: 20}}
    - {name: sky, Sky3D: {}}
"""
TRIANGLE = (
    '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, "name": "tip"}], '
    '"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], '
    '"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", '
    '"min": [0, 0, 0], "max": [1, 1, 0]}], "bufferViews": [{"buffer": 0, "byteLength": 36}], '
    '"buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,'
    'AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}'
)


@pytest.fixture
def made(hands: Hands) -> SpaceHands:
    """A person at the view of a scene with models, lights and a camera."""
    return hands(GAME)


def _read(made: SpaceHands, name: str, cls: type, field: str) -> Any:
    return made.game.read(made.entity(name), cls, field)


def test_the_picture_shows_the_scene(made: SpaceHands) -> None:
    """The view is drawn by the plugin, with the grid: a model in the middle differs from the sky beside it."""
    made.driver.move((4, 700))
    made.driver.step(2)
    picture = made.driver.picture().astype(int)
    (x, y), (u, v) = made.at(-0.2, -0.2, 1), made.at(0, 3, 0)
    assert np.abs(picture[round(y), round(x), :3] - picture[round(v), round(u), :3]).sum() > 20


def test_a_click_selects_the_nearest_and_then_what_is_behind(made: SpaceHands) -> None:
    """A click selects the model in front; a second one at the same place the one behind; the sky deselects."""
    middle = made.at(0.1, 0.1, 0)
    made.driver.click(middle)
    assert made.selected() == ["near"]
    made.driver.click(middle)
    assert made.selected() == ["far"]
    made.driver.click(made.at(0, 3.5, 0))
    assert made.selected() == []
    made.driver.click(made.at(2, 0, 0))
    made.driver.click(middle, held="ctrl")
    assert made.selected() == ["side", "near"]


def test_a_box_selects_models_and_icons(made: SpaceHands) -> None:
    """A box selects everything that it touches, and lamps by their icons."""
    made.use("select")
    made.drag_from(made.at(1.2, 1, 0), made.at(3, -1, 0))
    assert made.selected() == ["side"]
    made.drag_from(made.at(-3, 3, 0), made.at(-1, 1, 0))
    assert made.selected() == ["lamp"]


def test_a_selected_model_is_dragged_by_itself(made: SpaceHands) -> None:
    """With the tool Move, a selected model follows the pointer in the plane of the picture, as one step."""
    made.select("side")
    start = made.at(1.6, -0.1, 0)
    made.drag_from(start, (start[0], start[1] - 60))
    assert made.read("side", "position")[1] > 0.4
    assert made.game.undo() == "Move side"


def test_the_game_view_picks_in_space(made: SpaceHands) -> None:
    """A click into the picture of the game's camera selects the model that it shows there."""
    made.game.set([made.entity("eye")], Transform3D, "position", (0.0, 0.0, 6.0))
    made.editor.show("editor.game")
    made.driver.step(3)
    made.driver.click("editor.game/view")
    assert made.selected() == ["near"]
    made.driver.step(2)


def test_framing_uses_the_size_of_models(made: SpaceHands) -> None:
    """F on a scaled model shows all of it, so the view goes farther away."""
    made.select("near")
    made.editor.run("view.frame")
    small = made.camera.distance
    made.game.set([made.entity("near")], Transform3D, "scale", (5, 5, 5))
    made.driver.step()
    made.editor.run("view.frame")
    assert made.camera.distance == pytest.approx(5 * small)


def test_the_range_of_a_lamp_is_dragged(made: SpaceHands) -> None:
    """A handle on the ball of a lamp sets its range, in one step that Escape or undo takes back."""
    made.select("lamp")
    name = f"lamp.{made.entity('lamp')}.range.0"
    goal = made.at(1, 2, 0)
    made.drag(name, to=goal)
    assert float(_read(made, "lamp", Lamp3D, "range")) == pytest.approx(3, abs=0.05)
    made.driver.key("Ctrl+Z")
    assert float(_read(made, "lamp", Lamp3D, "range")) == pytest.approx(2)


def test_the_cone_of_a_spot_is_dragged(made: SpaceHands) -> None:
    """A handle at the side of the cone sets its angle; the one at its end sets the range."""
    made.look("top")
    made.select("spot")
    spot = made.entity("spot")
    depth = 3 * 0.6
    made.drag(f"lamp.{spot}.angle.0", to=made.at(-2 + depth * math.tan(math.radians(20)), -1, -depth))
    assert math.degrees(float(_read(made, "spot", Lamp3D, "angle"))) == pytest.approx(40, abs=2)
    made.drag(f"lamp.{spot}.range.0", to=made.at(-2, -1, -4))
    assert float(_read(made, "spot", Lamp3D, "range")) == pytest.approx(4, abs=0.1)


def test_the_angle_of_a_camera_is_dragged(made: SpaceHands) -> None:
    """The upper edge of what a camera sees sets its angle of view."""
    made.look("right", (2, 2, -2), 16.0)
    made.select("eye")
    eye = made.entity("eye")
    made.drag(f"camera.{eye}.lens.0", to=made.at(2, 2 + 8 * math.tan(math.radians(20)), -6))
    assert math.degrees(float(_read(made, "eye", Camera3D, "fov"))) == pytest.approx(40, abs=1.5)


def test_the_view_looks_through_a_camera(made: SpaceHands) -> None:
    """A button of the inspector shows what the camera sees, whose middle is ahead of it."""
    made.select("eye")
    made.driver.click("editor.inspector/Camera3D/look")
    made.driver.step(3)
    assert made.camera.eye == pytest.approx([2, 2, 2], abs=1e-4)
    place = made.driver.place("editor.scene/view")
    assert made.at(2, 2, -5) == pytest.approx(place.center, abs=1.5)


def test_rotations_are_entered_as_angles(made: SpaceHands) -> None:
    """The inspector shows a quaternion as three angles in degrees, which can be typed; they stay as they were typed."""
    made.select("side")
    driver = made.driver
    assert not driver.sees("editor.inspector/Transform3D/rotation.w")
    driver.enter("editor.inspector/Transform3D/rotation.y", "90")
    driver.step(2)
    assert made.axis("side", 0) == pytest.approx([0, 0, -1], abs=1e-5)
    driver.enter("editor.inspector/Transform3D/rotation.x", "120")
    driver.step(2)
    from rish_editor.panels.inspector.fields.rotations import shown_angles

    class Same:
        editor, cls, handles = made.editor, Transform3D, made.game.selection.array

        def values(self, name: str) -> Any:
            return made.world[Transform3D].rotation[made.world.table(Transform3D).rows_of(self.handles)]

    assert shown_angles(Same(), "rotation")[0].tolist() == [120, 90, 0]  # type: ignore[arg-type]
    assert made.game.undo() == "Set Transform3D.rotation"


def test_inspectors_show_what_matters(made: SpaceHands) -> None:
    """Fields that the kind of a thing does not use are left out."""
    driver = made.driver
    made.select("lamp")
    assert not driver.sees("editor.inspector/Lamp3D/edge")
    made.select("spot")
    assert driver.sees("editor.inspector/Lamp3D/edge")
    assert not driver.sees("editor.inspector/Lamp3D/map_size")
    made.select("near")
    driver.step(2)
    assert made.game.read(made.entity("near"), Material3D, "metallic") == 0


def test_shapes_are_chosen_by_name(made: SpaceHands) -> None:
    """The inspector of a model offers the shapes, and choosing one is a step."""
    made.select("near")
    driver = made.driver
    driver.click("editor.inspector/Model3D/shape")
    driver.step(2)
    driver.click(next(mark for mark in driver.marks() if mark.endswith("torus")))
    driver.step(2)
    assert _read(made, "near", Model3D, "asset") == "torus"
    assert made.game.undo() == "Set Model3D.asset"


def test_a_model_is_dragged_into_the_view(
    driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path
) -> None:  # fmt: skip
    """A .gltf of the assets that is dropped into the view becomes an entity where it was dropped."""
    folder = tmp_path / "game" / "models"
    folder.mkdir(parents=True)
    (folder / "tip.gltf").write_text(TRIANGLE, encoding="utf-8")
    made = SpaceHands(driver, open_text(GAME))
    made.look("top")
    made.editor.show("editor.assets")
    driver.step(3)
    folders = [mark for mark in driver.marks("editor.assets") if mark.endswith("models")]
    if not any(mark.endswith("tip.gltf") for mark in driver.marks("editor.assets")):
        driver.double_click(folders[0])
        driver.step(3)
    mark = next(mark for mark in driver.marks("editor.assets") if mark.endswith("tip.gltf"))
    driver.drag(mark, made.at(1, 0, 1), steps=8)
    driver.step(3)
    assert made.selected() == ["tip"]
    assert made.read("tip", "position") == pytest.approx([1, 0, 1], abs=0.05)
    assert _read(made, "tip", Model3D, "asset") == "models/tip.gltf"
    assert made.game.undo() == "Create tip"


def test_pictures_and_prefabs_are_dragged_into_the_view(
    driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path
) -> None:  # fmt: skip
    """A dropped picture stands on the ground as a billboard of its shape; keys move it; a prefab keeps its scale."""
    (tmp_path / "game").mkdir()
    Image.new("RGBA", (32, 64), "green").save(tmp_path / "game" / "tree.png")
    prefab = "prefabs:\n  pillar: {Transform3D: {scale: [0.4, 2, 0.4]}, Model3D: {asset: cylinder}}\nscenes:"
    made = SpaceHands(driver, open_text(GAME.replace("scenes:", prefab)))
    made.look("top")
    made.editor.show("editor.assets")
    driver.step(3)
    driver.drag("editor.assets/files/tree.png", made.at(1, 0, 1), steps=8)
    driver.step(3)
    assert made.selected() == ["tree"]
    assert made.read("tree", "position") == pytest.approx([1, 0, 1], abs=0.05)
    assert _read(made, "tree", Billboard3D, "image") == "tree.png"
    assert _read(made, "tree", Billboard3D, "size").tolist() == [0.5, 1]
    driver.key("Shift+Right")
    assert made.read("tree", "position")[0] == pytest.approx(1.5, abs=0.05)
    driver.click(next(mark for mark in driver.marks("editor.assets/folders") if mark.lower().endswith("prefabs")))
    driver.step(3)
    driver.drag(next(mark for mark in driver.marks("editor.assets") if mark.endswith("pillar")), made.at(-1, 0, 1))
    driver.step(3)
    assert made.read("pillar", "position") == pytest.approx([-1, 0, 1], abs=0.05)
    assert made.read("pillar", "scale") == pytest.approx([0.4, 2, 0.4])
    assert made.game.undo() == "Create pillar"


def test_several_models_are_moved_together(made: SpaceHands) -> None:
    """What a box has selected is moved by one arrow, in one step."""
    made.look("top")
    made.use("select")
    made.drag_from(made.at(-0.8, 0, -2.8), made.at(0.8, 0, 1.8))
    assert sorted(made.selected()) == ["far", "near"]
    made.use("move")
    (x0, _), (x1, _) = made.at(0, 0, 0), made.at(1, 0, 0)
    made.drag("move.x", by=(x1 - x0, 0))
    assert [made.read(name, "position")[0] for name in ("near", "far", "side")] == pytest.approx([1, 1, 2], abs=0.03)
    assert made.game.undo() == "Move 2 Entities"


def test_an_animation_is_seen_at_its_time(driver: UIDriver, open_text: Callable[..., Any], tmp_path: Path) -> None:
    """An animator that is added in the inspector poses its model in the view, at the time that is entered there."""
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "robot.glb").write_bytes(robot().glb())
    game = GAME.replace("Model3D: {asset: sphere}", "Model3D: {asset: robot.glb}")
    made = SpaceHands(driver, open_text(game))
    made.select("side")
    add(made.editor, made.game.selection.array, Animator3D)
    driver.step(2)
    lines = bone_lines(made.world, made.entity("side"))
    made.game.set([made.entity("side")], Animator3D, "time", 0.3)
    driver.step(2)
    assert np.abs(bone_lines(made.world, made.entity("side")) - lines).max() > 0.01
    assert made.game.undo() == "Set Animator3D.time"


def test_the_debug_view_is_switched(made: SpaceHands) -> None:
    """Commands show parts of the debug view, for the selection only if that is wanted."""
    assert made.editor.run("scene3d.debug.boxes")
    made.select("near")
    assert made.editor.run("scene3d.debug.selected")
    debug = made.world[Debug3D]
    assert debug.parts == ("boxes",)
    assert debug.entities == (made.entity("near"),)
    made.driver.step(2)


def test_a_sky_is_set_to_a_mood(made: SpaceHands) -> None:
    """A mood sets several fields of the sky in one step."""
    made.select("sky")
    driver = made.driver
    driver.click("editor.inspector/Sky3D/mood")
    driver.step(2)
    driver.click(next(mark for mark in driver.marks() if mark.endswith("night")))
    driver.step(2)
    assert float(_read(made, "sky", Sky3D, "stars")) == 1
    assert made.game.undo() == "Set the sky to Night"
    assert float(_read(made, "sky", Sky3D, "stars")) == 0
