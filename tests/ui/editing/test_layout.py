"""Anchors in the inspector and handles of widgets in the editor, by real events of its window."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import find
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver
from rish_ui import Layout, Place, UiState

GAME = """rish: 1
game: {title: Test, size: [640, 360]}
plugins: [render, ui]
scenes:
  main:
    - name: box
      Panel: {}
      Layout: {size: [400, 300]}
      children:
        - {name: ok, Button: {text: OK}, Layout: {place: anchored, size: [80, 40], offset: [20, 10]}}
        - {name: row, Label: {text: In a column}, Layout: {size: [120, 30]}}
"""


class Hands:
    """A person at the Game view, who selects widgets by name."""

    def __init__(self, folder: Any, settings: Settings) -> None:
        (folder / "game.yaml").write_text(GAME, encoding="utf-8")
        self.shell = Shell(settings, size=(1280, 720), headless=True, marks=True, drawn=False, saves=False)
        self.driver = UIDriver(self.shell)
        self.driver.step(2)
        assert self.shell.open(folder)
        self.editor, self.game = self.shell.editor, self.shell.editor.game
        self.editor.panels["editor.game"].shape = "game"
        self.driver.step(3)
        self.editor.show("editor.game")
        self.driver.step(4)

    def entity(self, name: str) -> int:
        """Return an entity."""
        found = find(self.game.world, name)
        assert found is not None
        return found

    def select(self, name: str) -> None:
        """Select a widget."""
        self.game.selection.set([self.entity(name)])
        self.driver.step(3)

    def drag(self, name: str, handle: str, dx: float, dy: float) -> None:
        """Drag a handle of a widget by a way in pixels of the game, y down."""
        area = self.driver.place("editor.game/view")
        scale = area.size[0] / 640
        mark = f"editor.game/layout.{self.entity(name)}.{handle}"
        with self.driver.holding("alt" if handle == "pivot" else ""):
            self.driver.step(2)
            self.driver.drag(mark, by=(dx * scale, dy * scale), steps=3)
        self.driver.step(2)

    def read(self, name: str, field: str) -> Any:
        """Return a field of a Layout."""
        return self.game.read(self.entity(name), Layout, field)

    def rect(self, name: str) -> tuple[float, ...]:
        """Return the rectangle of a widget as it was laid out."""
        node = self.game.world[UiState].node(self.entity(name))
        return node.x - node.parent.x, node.y - node.parent.y, node.w, node.h


@pytest.fixture
def hands(tmp_path, monkeypatch):
    """An editor with a game."""
    monkeypatch.setenv("RISH_CONFIG", str(tmp_path / "config"))
    made = Hands(tmp_path, Settings(language="en", autosave=0.0))
    yield made
    made.shell.close()


@pytest.mark.slow
def test_handles_move_and_resize(hands):
    """The inside moves a floating widget, sides and corners change its size, and each drag is a step that is undone."""
    hands.select("ok")
    x, y, w, h = hands.rect("ok")
    hands.drag("ok", "move", 30, 20)
    np.testing.assert_allclose(hands.read("ok", "offset"), (50, 30), atol=1)
    hands.drag("ok", "bottom_right", 40, 20)
    np.testing.assert_allclose(hands.rect("ok"), (x + 30, y + 20, w + 40, h + 20), atol=2)
    hands.drag("ok", "left", -20, 0)
    np.testing.assert_allclose(hands.rect("ok"), (x + 10, y + 20, w + 60, h + 20), atol=2)
    names = [entry.name for entry in hands.game.history.done]
    assert names == ["Move the widget", "Resize the widget", "Resize the widget"]
    for _ in names:
        hands.driver.key("Ctrl+Z")
    hands.driver.step(2)
    np.testing.assert_allclose(hands.rect("ok"), (x, y, w, h), atol=0.1)


@pytest.mark.slow
def test_what_drags_write_is_short_and_at_the_pointer(hands):
    """Drags of a widget write short numbers at the pointer; a number that a drag leaves keeps all its digits."""
    hands.select("ok")
    hands.game.set([hands.entity("ok")], Layout, "offset", (20.123456, 10.654321))
    hands.driver.step(3)
    hands.drag("ok", "move", 33.37, 0)
    x, y = hands.read("ok", "offset").tolist()
    assert 2 * x == round(2 * x) == pytest.approx(107, abs=2)
    assert y == pytest.approx(10.654321)
    hands.drag("ok", "anchor", -17.77, 23.3)
    hands.drag("ok", "bottom_right", 21.7, 13.2)
    for field in ("offset", "size", "anchor_low"):
        values = hands.read("ok", field).astype(float)
        assert values.tolist() == pytest.approx(np.round(values, 2).tolist(), abs=1e-5)


def test_pivot_and_anchor_keep_the_widget(hands):
    """Dragging the pivot or the anchor changes them and the offset, and the widget stays where it is."""
    hands.select("ok")
    before = hands.rect("ok")
    hands.drag("ok", "pivot", -40, -20)
    np.testing.assert_allclose(hands.read("ok", "pivot"), (0, 0), atol=0.06)
    hands.drag("ok", "anchor", -180, -130)
    np.testing.assert_allclose(hands.read("ok", "anchor_low"), (0.05, 0.07), atol=0.03)
    np.testing.assert_allclose(hands.rect("ok"), before, atol=2)


def test_widgets_in_a_column_have_a_size_only(hands):
    """A widget that takes part in a column is resized at its right and lower sides, and not moved."""
    hands.select("row")
    marks = {mark.rpartition(".")[2] for mark in hands.driver.marks("editor.game/layout.")}
    assert marks == {"right", "bottom", "bottom_right"}
    hands.drag("row", "right", 50, 0)
    assert hands.read("row", "size")[0] == pytest.approx(170, abs=2)


def test_the_picker_of_anchors(hands):
    """A preset sets anchors, pivot and offset in one step; a side that is stretched has no size of its own."""
    hands.select("ok")
    picker = next(mark for mark in hands.driver.marks("editor.inspector") if mark.endswith("bottom_stretch"))
    hands.driver.click(picker)
    hands.driver.step(3)
    np.testing.assert_allclose(hands.read("ok", "anchor_low"), (0, 1))
    np.testing.assert_allclose(hands.read("ok", "anchor_high"), (1, 1))
    np.testing.assert_allclose(hands.read("ok", "size"), (0, 40))
    assert [entry.name for entry in hands.game.history.done] == ["Set the anchors"]
    hands.drag("ok", "right", -30, 0)
    assert hands.read("ok", "margin")[2] == pytest.approx(30, abs=1)
    hands.driver.key("Ctrl+Z")
    hands.driver.key("Ctrl+Z")
    np.testing.assert_allclose(hands.read("ok", "size"), (80, 40))


def test_a_widget_of_a_column_can_be_made_to_float(hands):
    """The inspector offers to take a widget out of its column."""
    hands.select("row")
    hands.driver.click(next(mark for mark in hands.driver.marks("editor.inspector") if mark.endswith("/float")))
    hands.driver.step(2)
    assert hands.read("row", "place") is Place.ANCHORED


def test_a_widget_has_no_gizmo_of_its_transform(hands) -> None:
    """Its layout places it, so the arrows of the tool for moving are left out."""
    hands.select("ok")
    assert hands.driver.marks("editor.game/layout.")
    assert not [mark for mark in hands.driver.marks("editor.game") if mark.endswith("move.center")]
