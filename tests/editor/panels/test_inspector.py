"""The inspector shows all fields of the selected entities, and every edit of a person is one step."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

from rish_core import Name, Tags, Transform, named
from rish_ecs import Disabled
from rish_editor.look import apply
from rish_render import Blend, Camera, Line, Shape, Sprite, Text

from .conftest import Inspector


def test_nothing_selected_says_what_to_do(inspector: Inspector) -> None:
    """Without a selection the inspector draws no fields and no error."""
    inspector.driver.step(2)
    assert inspector.driver.marks("editor.inspector/") == []
    assert inspector.driver.shell.editor.failures == 0


@pytest.mark.slow
def test_every_declared_field_has_a_widget(inspector: Inspector) -> None:
    """Each field of each component of each entity can be drawn, and none fails."""
    parts = {"camera": "Camera", "hero": "Sprite", "red": "Shape", "box": "Shape", "note": "Text", "rope": "Line"}
    for name, component in parts.items():
        inspector.select(name)
        for search in (component, "Transform", " "):
            inspector.search(search)
            assert search == " " or inspector.driver.marks(inspector.at(search))
    assert inspector.driver.shell.editor.failures == 0


def test_a_typed_number_is_one_step(inspector: Inspector) -> None:
    """A number that is typed is written when Enter is pressed, as one step that can be undone."""
    inspector.select("red")
    before = inspector.world.hash()
    inspector.enter("Transform/position.x", "123.5")
    assert inspector.read("red", Transform, "position").tolist() == [123.5, 1]
    assert inspector.steps == ["Set Transform.position"]
    inspector.driver.key("Ctrl+Z")
    assert inspector.world.hash() == before


def test_escape_leaves_the_number(inspector: Inspector) -> None:
    """Escape drops what was typed."""
    inspector.select("red")
    inspector.driver.double_click(inspector.at("Transform/position.x"))
    inspector.driver.type("77")
    inspector.driver.key("Escape")
    assert inspector.read("red", Transform, "position").tolist() == [10, 1]
    assert inspector.steps == []


def test_a_text_that_is_no_number_changes_nothing(inspector: Inspector) -> None:
    """A mistake in a number field is not written."""
    inspector.select("red")
    inspector.enter("Transform/position.x", "__import__('os')")
    assert inspector.read("red", Transform, "position").tolist() == [10, 1]
    assert inspector.steps == []


def test_tab_goes_to_the_next_number(inspector: Inspector) -> None:
    """Tab completes a number and begins to type the next one."""
    inspector.select("red")
    inspector.driver.double_click(inspector.at("Transform/position.x"))
    inspector.driver.key("Ctrl+A")
    inspector.driver.type("5")
    inspector.driver.key("Tab")
    inspector.driver.step(2)
    inspector.driver.key("Ctrl+A")
    inspector.driver.type("6")
    inspector.driver.key("Enter")
    assert inspector.read("red", Transform, "position").tolist() == [5, 6]


def test_a_drag_of_a_number_is_one_step(inspector: Inspector) -> None:
    """Dragging a number changes it with the pointer, as one step."""
    inspector.select("red")
    inspector.driver.drag(inspector.at("Transform/position.x"), by=(30, 0))
    x, y = inspector.read("red", Transform, "position").tolist()
    assert 30 <= x <= 45
    assert y == 1
    assert inspector.steps == ["Set Transform.position"]


def test_a_dragged_number_is_short(inspector: Inspector) -> None:
    """Dragging a number with many digits leaves those of its steps alone."""
    [red] = inspector.select("red")
    inspector.game.set([red], Transform, "position", (12.345678, 103.33334))
    inspector.driver.step(2)
    for end in ("x", "y"):
        inspector.driver.drag(inspector.at(f"Transform/position.{end}"), by=(31, 0))
    x, y = inspector.read("red", Transform, "position").astype(float).tolist()
    assert (x, y) == pytest.approx((round(x, 1), round(y, 1)), abs=1e-5)
    assert x > 13
    assert y > 104


def test_rotation_is_in_degrees(inspector: Inspector) -> None:
    """Angles are degrees in the inspector and radians in columns."""
    inspector.select("red")
    inspector.enter("Transform/rotation", "90")
    assert inspector.read("red", Transform, "rotation") == pytest.approx(math.pi / 2)


def test_expressions_apply_to_each_entity(inspector: Inspector) -> None:
    """A formula is computed from each entity's own value."""
    inspector.select("red", "blue")
    inspector.enter("Transform/position.x", "*2")
    assert [inspector.read(name, Transform, "position")[0] for name in ("red", "blue")] == [20, 40]
    inspector.enter("Transform/position.x", "+=10")
    assert [inspector.read(name, Transform, "position")[0] for name in ("red", "blue")] == [30, 50]
    inspector.enter("Transform/position.x", "-90")
    assert [inspector.read(name, Transform, "position")[0] for name in ("red", "blue")] == [-90, -90]
    inspector.enter("Transform/position.x", "100*i")
    assert [inspector.read(name, Transform, "position")[0] for name in ("red", "blue")] == [0, 100]
    assert len(inspector.steps) == 4


def test_one_axis_keeps_the_other_of_each_entity(inspector: Inspector) -> None:
    """Editing x of several entities leaves the y that each of them has."""
    inspector.select("red", "blue")
    inspector.enter("Transform/position.x", "5")
    assert inspector.read("red", Transform, "position").tolist() == [5, 1]
    assert inspector.read("blue", Transform, "position").tolist() == [5, 2]


def test_numbers_stay_in_their_range(inspector: Inspector) -> None:
    """A number beyond the declared range is limited to it."""
    inspector.select("red")
    inspector.search("Shape opacity")
    inspector.enter("Shape/opacity", "7")
    assert inspector.read("red", Shape, "opacity") == 1
    inspector.enter("Shape/opacity", "0.25")
    assert inspector.read("red", Shape, "opacity") == 0.25


def test_a_check_box_sets_all(inspector: Inspector) -> None:
    """A check box with mixed values sets all entities."""
    inspector.world.set(inspector.handle("red"), Shape(visible=False))
    inspector.select("red", "blue")
    inspector.search("Shape visible")
    inspector.driver.click(inspector.at("Shape/visible"))
    assert inspector.read("red", Shape, "visible") == inspector.read("blue", Shape, "visible")


def test_an_enum_is_chosen_from_a_list(inspector: Inspector) -> None:
    """An enum shows its members, and a click sets the one."""
    inspector.select("red")
    inspector.search("Shape blend")
    inspector.driver.click(inspector.at("Shape/blend"))
    inspector.driver.click(inspector.at("Shape/blend:add"))
    assert inspector.read("red", Shape, "blend") is Blend.ADD
    inspector.driver.key("Ctrl+Z")
    assert inspector.read("red", Shape, "blend") is Blend.ALPHA


def test_a_color_takes_hexadecimal_digits_and_opacity(inspector: Inspector) -> None:
    """A color is typed as #rrggbb, which leaves the opacity of each entity, and the opacity is a percentage."""
    inspector.select("red", "blue")
    inspector.search("Shape color")
    inspector.enter("Shape/color.alpha", "50")
    inspector.enter("Shape/color.hex", "#00ff80")
    expected = [0, 1, 128 / 255, 128 / 255]
    assert inspector.read("red", Shape, "color") == pytest.approx(expected)
    assert inspector.read("blue", Shape, "color") == pytest.approx(expected)
    inspector.driver.key("Ctrl+Z")
    assert inspector.read("blue", Shape, "color") == pytest.approx([0, 0, 1, 128 / 255])


def test_a_text_is_written_while_it_is_typed_as_one_step(inspector: Inspector) -> None:
    """A paragraph shows in the scene as it is typed; the whole is one step."""
    inspector.select("note")
    inspector.search("Text text")
    inspector.driver.click(inspector.at("Text/text"))
    inspector.driver.key("Ctrl+A")
    inspector.driver.type("玩家 Player")
    assert inspector.read("note", Text, "text") == "玩家 Player"
    inspector.driver.key("Escape")
    inspector.driver.step(2)
    assert inspector.steps in ([], ["Set Text.text"])


def test_a_layer_is_chosen_from_the_layers_of_the_game(inspector: Inspector) -> None:
    """A text with a list of names offers that list."""
    inspector.select("red")
    inspector.search("Shape layer")
    inspector.driver.click(inspector.at("Shape/layer:list"))
    inspector.driver.click(inspector.at("Shape/layer:choices/ui"))
    assert inspector.read("red", Shape, "layer") == "ui"


def test_rename(inspector: Inspector) -> None:
    """The name is edited in the head; a name that is taken is refused with a message."""
    (red,) = inspector.select("red")
    inspector.driver.click(inspector.at("name"))
    inspector.driver.key("Ctrl+A")
    inspector.driver.type("ruby")
    inspector.driver.key("Enter")
    inspector.driver.step(2)
    assert inspector.game.read(red, Name, "value") == "ruby"
    inspector.driver.click(inspector.at("name"))
    inspector.driver.key("Ctrl+A")
    inspector.driver.type("blue")
    inspector.driver.key("Enter")
    inspector.driver.step(2)
    assert inspector.game.read(red, Name, "value") == "ruby"
    assert inspector.driver.shell.editor.failures == 1


def test_disable(inspector: Inspector) -> None:
    """The check box beside the name takes the entity out of the game, and back."""
    (red,) = inspector.select("red")
    inspector.driver.click(inspector.at("enabled"))
    inspector.driver.step()
    assert inspector.world.has(red, Disabled)
    inspector.driver.key("Ctrl+Z")
    assert not inspector.world.has(red, Disabled)
    assert inspector.game.selection.handles == [red]


def test_tags_of_several_entities(inspector: Inspector) -> None:
    """Tags that all have are removed by a click; one that only some have is added to all; a new one is typed."""
    red, blue = inspector.select("red", "blue")
    inspector.driver.click(inspector.at("tags/box"))
    inspector.driver.step(2)
    assert not inspector.world.has(blue, Tags)
    assert inspector.game.read(red, Tags, "values") == ("first",)
    inspector.driver.click(inspector.at("tags/first"))
    inspector.driver.step(2)
    assert inspector.game.read(blue, Tags, "values") == ("first",)
    inspector.driver.click(inspector.at("tags/add"))
    inspector.driver.step()
    inspector.driver.type("shiny")
    inspector.driver.key("Enter")
    inspector.driver.step(2)
    assert inspector.game.read(red, Tags, "values") == ("first", "shiny")
    assert inspector.steps == ["Remove tag", "Add tag", "Add tag"]


@pytest.mark.parametrize(
    ("leave", "entered"),
    [
        (lambda driver: driver.click("editor.scene/view"), True),
        (lambda driver: driver.click("editor.inspector/name"), True),
        (lambda driver: driver.key("Ctrl+S"), True),
        (lambda driver: driver.key("Escape"), False),
    ],
    ids=["scene", "inspector", "save", "escape"],
)
def test_a_tag_that_is_half_typed_is_entered(inspector: Inspector, leave: Any, entered: bool) -> None:
    """A click outside closes the list of tags and enters what was typed, and so does a shortcut; Escape does not."""
    (red,) = inspector.select("red")
    inspector.driver.click(inspector.at("tags/add"))
    inspector.driver.step()
    inspector.driver.type("shiny")
    leave(inspector.driver)
    inspector.driver.step(4)
    assert inspector.driver.marks("popup:") == []
    assert ("shiny" in inspector.game.read(red, Tags, "values")) == entered
    assert inspector.game.selection.handles == [red]


def test_a_component_is_added_and_removed(inspector: Inspector) -> None:
    """The list of components is searched by typing; Enter adds the first; the menu of a component removes it."""
    (note,) = inspector.select("note")
    before = inspector.world.hash()
    inspector.driver.click(inspector.at("add"))
    inspector.driver.step()
    inspector.driver.type("nine")
    inspector.driver.key("Enter")
    inspector.driver.step(3)
    names = {cls.__name__ for cls, table in inspector.world.tables.items() if table.row_of(note) >= 0}
    assert "NinePatch" in names
    inspector.search("NinePatch hollow")
    inspector.driver.click(inspector.at("NinePatch:menu"))
    inspector.driver.click(inspector.at("NinePatch/menu/remove"))
    inspector.driver.step(2)
    assert inspector.world.hash() == before
    inspector.driver.key("Ctrl+Z")
    inspector.driver.key("Ctrl+Z")
    assert inspector.world.hash() == before


def test_components_that_only_some_have_are_named(inspector: Inspector) -> None:
    """Components that only some of the entities have are listed, and a click adds one to all."""
    red, note = inspector.select("red", "note")
    inspector.search(" ")
    inspector.driver.wait(lambda: inspector.driver.sees(inspector.at("some/Text")), 5)
    inspector.driver.click(inspector.at("some/Text"))
    inspector.driver.step(2)
    assert inspector.world.has(red, Text)
    assert inspector.game.read(note, Text, "text") == "Hi"


def test_reset_and_menu_of_a_field(inspector: Inspector) -> None:
    """The menu of a field resets it, copies its value, and pastes it into another one."""
    inspector.select("red")
    inspector.search("Shape color")
    inspector.driver.click(inspector.at("Shape/color:label"), button=4)
    inspector.driver.click(inspector.at("Shape/color:menu/copy"))
    assert inspector.driver.shell.editor.clipboard().strip("'\"") == "#ff0000"
    inspector.driver.click(inspector.at("Shape/color_end:label"), button=4)
    inspector.driver.click(inspector.at("Shape/color_end:menu/paste"))
    assert inspector.read("red", Shape, "color_end").tolist() == [1, 0, 0, 1]
    inspector.driver.click(inspector.at("Shape/color:label"), button=4)
    inspector.driver.click(inspector.at("Shape/color:menu/reset"))
    assert inspector.read("red", Shape, "color").tolist() == [1, 1, 1, 1]


def test_copy_and_paste_of_a_component(inspector: Inspector) -> None:
    """A component is copied as YAML, and its values are pasted into those of other entities as one step."""
    inspector.select("red")
    inspector.search("Shape size")
    inspector.driver.click(inspector.at("Shape:menu"))
    inspector.driver.click(inspector.at("Shape/menu/copy"))
    assert inspector.driver.shell.editor.clipboard().startswith("Shape:")
    inspector.select("blue")
    inspector.driver.click(inspector.at("Shape:menu"))
    inspector.driver.click(inspector.at("Shape/menu/paste"))
    assert inspector.read("blue", Shape, "color").tolist() == [1, 0, 0, 1]
    assert inspector.steps == ["Paste Shape"]


def test_a_value_that_differs_from_the_prefab_is_reverted(inspector: Inspector) -> None:
    """The menu of an overridden field gives it the value of the prefab; that of the component all of them."""
    inspector.select("box")
    inspector.search("Shape")
    inspector.driver.click(inspector.at("Shape/color:label"), button=4)
    assert not inspector.driver.place(inspector.at("Shape/color:menu/revert")).enabled
    inspector.driver.key("Escape")
    inspector.search("Shape opacity")
    inspector.driver.click(inspector.at("Shape/opacity:label"), button=4)
    inspector.driver.click(inspector.at("Shape/opacity:menu/revert"))
    assert inspector.read("box", Shape, "opacity") == 0.5
    inspector.enter("Shape/opacity", "0.75")
    inspector.driver.click(inspector.at("Shape:menu"))
    inspector.driver.click(inspector.at("Shape/menu/revert"))
    assert inspector.read("box", Shape, "opacity") == 0.5
    assert inspector.steps == ["Revert Shape.opacity", "Set Shape.opacity", "Revert Shape"]


@pytest.mark.slow
def test_an_entity_is_dropped_chosen_and_cleared(inspector: Inspector) -> None:
    """A reference is chosen from the list of entities by its name, and cleared."""
    inspector.select("camera")
    inspector.search("Camera follow")
    inspector.driver.click(inspector.at("Camera/follow"))
    inspector.driver.step()
    inspector.driver.type("her")
    inspector.driver.click(inspector.at("Camera/follow:list/hero"))
    assert inspector.read("camera", Camera, "follow") == inspector.handle("hero")
    inspector.driver.click(inspector.at("Camera/follow:clear"))
    assert inspector.read("camera", Camera, "follow") == 0


def test_an_entity_is_picked_by_selecting_it(inspector: Inspector) -> None:
    """With the pipette the entity that is selected next becomes the reference, and the selection stays."""
    (camera,) = inspector.select("camera")
    inspector.search("Camera follow")
    inspector.driver.click(inspector.at("Camera/follow:pick"))
    inspector.game.selection.set([inspector.handle("blue")])
    inspector.driver.step(2)
    assert inspector.read("camera", Camera, "follow") == inspector.handle("blue")
    assert inspector.game.selection.handles == [camera]


def test_a_file_is_chosen_from_those_of_the_game(inspector: Inspector) -> None:
    """An asset is chosen from a list of the files that fit."""
    inspector.select("hero")
    inspector.search("Sprite image")
    inspector.driver.click(inspector.at("Sprite/image"))
    inspector.driver.step(3)
    inspector.driver.click(inspector.at("Sprite/image:files/tree.png"))
    assert inspector.read("hero", Sprite, "image") == "tree.png"
    inspector.driver.click(inspector.at("Sprite/image:clear"))
    assert inspector.read("hero", Sprite, "image") == ""


class _Sources:
    """A panel of a test from which an entity and a file can be dragged."""

    id, title, dock = "editor.sources", "Sources", "left"

    def draw(self, ui: Any, editor: Any) -> None:
        """Draw a row for each."""
        ui.selectable("an entity", "entity")
        ui.drag_source("entities", [named(editor.game.world, "blue")], "blue")
        ui.selectable("a file", "file")
        ui.drag_source("asset", "tree.png", "tree.png")


def test_entities_and_files_are_dropped(inspector: Inspector) -> None:
    """A row of the hierarchy is dropped onto a reference, a file onto a path; each is one step."""
    editor = inspector.driver.shell.editor
    editor.panels.use([type(held.panel) for held in editor.panels] + [_Sources], {})
    editor.layouts.reset()
    inspector.driver.step(2)
    editor.show("editor.sources")
    inspector.select("camera")
    inspector.search("Camera follow")
    inspector.driver.drag("editor.sources/entity", inspector.at("Camera/follow"))
    assert inspector.read("camera", Camera, "follow") == inspector.handle("blue")
    inspector.select("hero")
    inspector.search("Sprite image")
    inspector.driver.drag("editor.sources/file", inspector.at("Sprite/image"))
    assert inspector.read("hero", Sprite, "image") == "tree.png"
    assert inspector.steps == ["Set Camera.follow", "Set Sprite.image"]


def test_a_reference_is_gone_to(inspector: Inspector) -> None:
    """A button selects the entity that a field refers to."""
    inspector.world.set(inspector.handle("camera"), Camera(follow=inspector.handle("red")))
    inspector.select("camera")
    inspector.search("Camera follow")
    inspector.driver.click(inspector.at("Camera/follow:go"))
    inspector.driver.step(2)
    assert inspector.game.selection.handles == [inspector.handle("red")]


def test_a_missing_file_is_marked(inspector: Inspector) -> None:
    """A path without a file is kept and drawn as a mistake, without an error."""
    inspector.world.set(inspector.handle("hero"), Sprite(image="gone.png"))
    inspector.select("hero")
    inspector.search("Sprite image")
    inspector.driver.step(3)
    state = inspector.driver.shell.editor.panels["editor.inspector"]._state
    assert not state.exists("gone.png")
    assert state.exists("hero.png")
    assert inspector.read("hero", Sprite, "image") == "gone.png"


def test_a_drag_in_the_color_picker_is_one_step(inspector: Inspector) -> None:
    """The picker changes the color while it is dragged; the drag is one step."""
    inspector.select("red")
    inspector.search("Shape color")
    inspector.driver.click(inspector.at("Shape/color"))
    inspector.driver.step(2)
    place = inspector.driver.place(inspector.at("Shape/color:picker/color:area"))
    middle = place.left + place.size[0] * 0.4, place.top + place.size[0] * 0.4
    inspector.driver.drag(middle, by=(15, 10))
    assert inspector.read("red", Shape, "color").tolist() != [1, 0, 0, 1]
    assert inspector.steps == ["Set Shape.color"]


def test_colors_are_saved_as_a_person_writes_them(inspector: Inspector) -> None:
    """A color that was picked, typed or made transparent is saved as hexadecimal digits; one that these can't express
    is saved as numbers, exactly.
    """
    blue, rope = inspector.handle("blue"), inspector.handle("rope")
    inspector.select("red")
    inspector.search("Shape color")
    inspector.driver.click(inspector.at("Shape/color"))
    inspector.driver.step(2)
    place = inspector.driver.place(inspector.at("Shape/color:picker/color:area"))
    middle = place.left + place.size[0] * 0.4, place.top + place.size[0] * 0.4
    inspector.driver.drag(middle, by=(15, 10))
    inspector.driver.key("Escape")
    inspector.enter("Shape/color.alpha", "33")
    with inspector.game.edit("Set"):
        inspector.game.set([blue], Shape, "color", (0.3, 0.1, 0.7, 0.123456))
        inspector.game.set([rope], Line, "colors", [(1, 0.5, 0, 1), (1, 128 / 255, 0, 0)])
    inspector.driver.key("Ctrl+S")
    inspector.driver.step(3)
    text = (inspector.game.path / "game.yaml").read_text(encoding="utf-8")
    assert re.search(r'name: red,.*Shape: .*color: "#[0-9a-f]{6}54"', text)
    assert "color: [0.3, 0.1, 0.7, 0.123456]" in text
    assert '[[1, 0.5, 0, 1], "#ff800000"]' in text


def test_a_component_of_the_prefab_that_was_removed_comes_back(inspector: Inspector) -> None:
    """A component that the prefab has and the entity has not is named, and a click restores it."""
    (box,) = inspector.select("box")
    inspector.search("Shape color")
    inspector.driver.click(inspector.at("Shape:menu"))
    inspector.driver.click(inspector.at("Shape/menu/remove"))
    inspector.driver.step(2)
    assert not inspector.world.has(box, Shape)
    inspector.driver.click(inspector.at("removed/Shape"))
    inspector.driver.step(2)
    assert inspector.game.read(box, Shape, "opacity") == 0.5
    assert inspector.steps == ["Remove Shape", "Revert Shape"]


def test_all_uses_of_a_prefab_are_selected(inspector: Inspector) -> None:
    """The name of the prefab is a link that selects all entities of it."""
    inspector.select("box")
    inspector.driver.click(inspector.at("prefab"))
    inspector.driver.step(2)
    assert inspector.game.selection.handles == [inspector.handle("box")]


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_narrow_panels_keep_all_widgets_inside(inspector: Inspector, scale: float) -> None:
    """At twice the size in a small window no widget of the inspector reaches beyond its panel."""
    shell = inspector.driver.shell
    shell.editor.ui.scale = scale
    apply(shell.editor.ui.theme, scale)
    shell.editor.layouts.reset()
    for name in ("red", "camera", "box"):
        inspector.select(name)
        panel = inspector.driver.place("editor.inspector")
        for mark in inspector.driver.marks("editor.inspector/"):
            place = inspector.driver.place(mark)
            assert place.right <= panel.right + 1, mark


def test_lists_are_added_to_and_removed_from(inspector: Inspector) -> None:
    """Items of a list are added, edited and removed."""
    inspector.select("rope")
    inspector.search("Line points")
    inspector.driver.click(inspector.at("Line/points/add"))
    assert inspector.read("rope", Line, "points").tolist() == [[0, 0], [10, 20], [20, 40]]
    inspector.enter("Line/points/2/value.y", "7")
    assert inspector.read("rope", Line, "points").tolist()[2] == [20, 7]
    inspector.driver.click(inspector.at("Line/points/0/remove"))
    assert inspector.read("rope", Line, "points").tolist() == [[10, 20], [20, 7]]


def test_a_pinned_inspector_keeps_its_entity(inspector: Inspector) -> None:
    """With the pin the inspector shows its entity whatever is selected."""
    inspector.select("red")
    inspector.driver.click(inspector.at("pin"))
    inspector.select("blue")
    inspector.enter("Transform/position.x", "1")
    assert inspector.read("red", Transform, "position")[0] == 1
    assert inspector.read("blue", Transform, "position")[0] == 20
    inspector.driver.click(inspector.at("pin"))
    inspector.driver.step()
    inspector.enter("Transform/position.x", "2")
    assert inspector.read("blue", Transform, "position")[0] == 2


def test_sections_are_folded_and_stay_so(inspector: Inspector) -> None:
    """A click on the heading of a component hides its fields, and this is kept."""
    inspector.select("red")
    inspector.driver.click(inspector.at("Transform:header"))
    inspector.driver.step()
    assert not inspector.driver.sees(inspector.at("Transform/position.x"))
    assert inspector.driver.shell.editor.panels["editor.inspector"].save() == {"closed": ["Transform"]}


def test_edits_of_a_running_game_are_listed(inspector: Inspector) -> None:
    """While the game plays an edit changes the running World and is listed as a change that can be kept."""
    inspector.select("red")
    inspector.driver.click("toolbar/play.start")
    inspector.driver.step(2)
    inspector.enter("Transform/position.x", "55")
    assert inspector.read("red", Transform, "position")[0] == 55
    assert [(change.field, change.cls) for change in inspector.game.play.changes.values()] == [("position", Transform)]
    inspector.driver.click("toolbar/play.stop")
    assert inspector.read("red", Transform, "position")[0] == 10


def test_a_drawer_that_raises_is_named_and_the_fields_are_shown(inspector: Inspector) -> None:
    """A plugin's drawer that raises is reported once, and the declared fields are drawn instead."""
    editor = inspector.driver.shell.editor

    def broken(ui: object, editor: object, target: object) -> None:
        raise ZeroDivisionError("planted")

    editor.inspectors = {**editor.inspectors, Transform: broken}
    inspector.select("red")
    inspector.driver.step(3)
    assert editor.failures == 1
    assert inspector.driver.sees(inspector.at("Transform/position.x"))
    assert inspector.driver.sees(inspector.at("Transform/retry"))


def test_mixed_values_of_many_entities_are_found(inspector: Inspector) -> None:
    """What differs is found for numbers, each axis, texts and lists."""
    handles = inspector.world.spawn_many(1000, Transform(position=(3, 4)), Text(text="same"), Line(points=[(0, 0)]))
    inspector.world.set(handles[500], Transform(position=(3, 5)), Text(text="more"), Line(points=[(0, 1)]))
    with inspector.game.edit("Select"):
        inspector.game.selection.set(handles.tolist())
    inspector.driver.step(2)
    targets = inspector.driver.shell.editor.panels["editor.inspector"]._targets[1]
    assert targets[Transform].mixed_parts("position") == (False, True)
    assert targets[Text].mixed("text")
    assert targets[Line].mixed("points")
    assert not targets[Text].mixed("size")
    assert np.array_equal(targets[Transform].values("position")[500], [3, 5])
