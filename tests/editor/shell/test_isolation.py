"""Faults of panels, commands and drawers: each is named and set aside, and the rest of the editor goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from imgui_bundle import imgui

from rish_editor.plugin.readers import read_commands, read_panels
from rish_editor.testing import UIDriver

Draw = Callable[[Any, Any, Any], None]


def first_frame(panel: Any, ui: Any, editor: Any) -> None:
    """Raise at once."""
    raise ValueError("planted")


def in_an_area(panel: Any, ui: Any, editor: Any) -> None:
    """Raise with areas, identifiers and fonts open, which ImGui has to close."""
    imgui.push_id("left open")
    imgui.begin_child("inner")
    imgui.push_font(ui.fonts.bold, 30.0)
    raise ValueError("planted")


def in_a_table(panel: Any, ui: Any, editor: Any) -> None:
    """Raise in a cell of a table within a tree."""
    with ui.tree("open", "node", opened=True):
        imgui.begin_table("cells", 3)
        imgui.table_next_column()
        imgui.push_style_color(imgui.Col_.text, (1, 0, 0, 1))
        imgui.push_style_var(imgui.StyleVar_.alpha, 0.2)
        raise ValueError("planted")


def in_a_popup(panel: Any, ui: Any, editor: Any) -> None:
    """Raise while a popup, a group and a disabled block are open."""
    ui.open_popup("mine")
    if imgui.begin_popup("###mine"):
        imgui.begin_group()
        imgui.begin_disabled()
        raise ValueError("planted")


def in_another_window(panel: Any, ui: Any, editor: Any) -> None:
    """Raise in a window that the panel has begun itself."""
    imgui.begin("own window")
    imgui.push_item_width(30)
    imgui.begin_tooltip()
    raise ValueError("planted")


def in_named_blocks(panel: Any, ui: Any, editor: Any) -> None:
    """Raise inside of blocks of names, so that the marks of other panels must not be below them."""
    ui._path.append("lost")
    with ui.inside("a"), ui.disabled(), ui.section("Section", "section"):
        raise KeyError("planted")


def without_end(panel: Any, ui: Any, editor: Any) -> None:
    """Recurse without end."""
    without_end(panel, ui, editor)


def wrong_types(panel: Any, ui: Any, editor: Any) -> None:
    """Give ImGui something that it does not take."""
    ui.number("x", "no number")


def leaves(panel: Any, ui: Any, editor: Any) -> None:
    """Try to end the program."""
    raise SystemExit(3)


def later(panel: Any, ui: Any, editor: Any) -> None:
    """Raise after some good frames."""
    panel.count = getattr(panel, "count", 0) + 1
    if panel.count > 3:
        raise ValueError("planted")
    ui.text("fine")


def leak(panel: Any, ui: Any, editor: Any) -> None:
    """Leave blocks open without raising at all, then raise in the next frame."""
    imgui.push_id("again")
    imgui.begin_child("and again")
    panel.count = getattr(panel, "count", 0) + 1
    if panel.count > 1:
        raise RuntimeError("planted")
    imgui.end_child()
    imgui.pop_id()


def panel_of(draw: Draw, **members: Any) -> type:
    """Return a class of a panel that is drawn on the right."""
    return type("Planted", (), {"id": "editor.planted", "title": "Planted", "dock": "right", "draw": draw, **members})


class Good:
    """A panel beside it."""

    id, title, dock = "editor.good", "Good", "left"

    def draw(self, ui: Any, editor: Any) -> None:
        """Draw a button."""
        ui.button("Good", "button")


def plant(driver: UIDriver, *classes: Any) -> None:
    """Add panels to those of the editor, in front."""
    panels = driver.shell.editor.panels
    panels.use([*(type(held.panel) for held in panels), *classes, Good], {})
    for cls in (*classes, Good):
        panels.show(cls.id)
        driver.step(4)


FAULTS = (
    first_frame, in_an_area, in_a_table, in_a_popup, in_another_window, in_named_blocks, without_end, wrong_types,
    leaves, later, leak,
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("draw", FAULTS, ids=lambda draw: draw.__name__)
def test_a_panel_that_raises_is_named_and_the_others_are_drawn(
    driver: UIDriver, open_text: Callable[..., Any], draw: Draw
) -> None:
    """The panel shows its error and a way to try again, the log names it, and the other panels work as before."""
    open_text()
    plant(driver, panel_of(draw))
    editor = driver.shell.editor
    assert editor.failures == 1
    assert sum("Planted" in line.text for line in driver.shell.log.lines) == 1
    assert driver.sees("editor.planted/retry")
    assert driver.sees("editor.good/button")
    assert driver.sees("editor.scene/view")
    driver.click("editor.good/button")
    driver.click("menu/File")
    assert driver.sees("menu/File/file.open")


def test_try_again_draws_the_panel_again(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """After its cause is gone, the panel can be drawn again."""
    broken = [True]

    def draw(panel: Any, ui: Any, editor: Any) -> None:
        if broken[0]:
            raise ValueError("planted")
        ui.button("Well", "well")

    open_text()
    plant(driver, panel_of(draw))
    broken[0] = False
    driver.click("editor.planted/retry")
    driver.step(2)
    assert driver.sees("editor.planted/well")


def refuse(*_: Any) -> Any:
    """Raise."""
    raise ValueError("planted")


@pytest.mark.parametrize("member", ["__init__", "load", "save"])
def test_a_panel_that_fails_outside_of_drawing(driver: UIDriver, member: str) -> None:
    """A panel that can't be made is left out; one that can't be loaded or saved is drawn, and the others are saved."""
    cls = panel_of(lambda panel, ui, editor: None, **{member: refuse})
    editor = driver.shell.editor
    editor.panels.use([cls, Good], {"editor.planted": {"kept": 1}})
    driver.step(3)
    assert ("editor.planted" in editor.panels) == (member != "__init__")
    assert "editor.good" in editor.panels
    assert editor.panels.save() == {}
    assert editor.failures == 1


def test_data_that_is_not_plain_does_not_lose_the_settings(driver: UIDriver) -> None:
    """What a panel keeps must be plain data; anything else is named and left out."""
    keeps = panel_of(lambda *_: None, save=lambda panel: {"game": object()})
    driver.shell.editor.panels.use([keeps], {})
    assert driver.shell.editor.panels.save() == {}
    assert driver.shell.editor.settings.save() is None


def named_as_slow(driver: UIDriver) -> int:
    """Return how often the planted panel was named as slow."""
    return sum("editor.planted' is slow" in line.text for line in driver.shell.log.lines)


@pytest.mark.slow
def test_a_slow_panel_is_named_once(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """A panel that takes more than 50 ms again and again is named in the log, once; a few slow frames are not."""
    open_text()
    plant(driver, panel_of(lambda panel, ui, editor: time.sleep(0.06)))
    assert named_as_slow(driver) == 0
    driver.step(14)
    assert named_as_slow(driver) == 1


@pytest.mark.slow
def test_the_picture_of_a_game_is_no_time_of_its_panel(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """A panel that shows a game whose picture takes long is not named as slow."""
    game = open_text()
    draw = game.app.draw

    def slowly(*arguments: Any, **options: Any) -> None:
        time.sleep(0.06)
        draw(*arguments, **options)

    game.app.draw = slowly
    plant(driver, panel_of(lambda panel, ui, editor: game.draw((64, 64))))
    driver.step(18)
    assert named_as_slow(driver) == 0


def command(driver: UIDriver, **options: Any) -> None:
    """Add a command to the editor."""
    made = read_commands("editor", {"editor.planted": {"title": "Planted", "menu": "Tools", **options}})
    driver.shell.editor.use_commands([*driver.shell.editor.commands, *(found for _, found in made)])


@pytest.mark.parametrize("option", ["when", "checked"])
def test_a_command_that_can_not_be_asked(driver: UIDriver, option: str) -> None:
    """A command whose state can't be asked is named once, however often its menu is drawn."""
    command(driver, run=lambda editor: None, **{option: refuse})
    driver.click("menu/Tools")
    driver.step(5)
    assert driver.sees("menu/Tools/editor.planted")
    assert sum("editor.planted" in line.text for line in driver.shell.log.lines) == 1


@pytest.mark.parametrize("error", [ValueError, SystemExit])
def test_a_command_that_raises(driver: UIDriver, error: type[BaseException]) -> None:
    """A command that raises, even one that tries to end the program, is reported."""

    def run(editor: Any) -> None:
        raise error("planted")

    command(driver, run=run, shortcut="Ctrl+J")
    driver.key("Ctrl+J")
    driver.step(3)
    assert driver.shell.editor.failures == 1
    assert not driver.shell.editor.closing


@pytest.mark.parametrize("error", [ValueError, SystemExit])
def test_a_drawer_of_gizmos_that_raises_is_not_called_again(
    driver: UIDriver, open_text: Callable[..., Any], error: type[BaseException]
) -> None:
    """A gizmo that raises with blocks open, or tries to end the program, is named once; the scene view goes on."""
    from rish_render import Shape

    open_text()
    calls: list[int] = []

    def draw(scene: Any, editor: Any, handles: Any) -> None:
        calls.append(1)
        imgui.push_id("left open")
        imgui.begin_child("and a child")
        raise error("planted")

    driver.shell.editor.gizmos = [(Shape, draw)]
    driver.step(4)
    assert len(calls) == 1
    assert driver.shell.editor.failures == 1
    assert driver.sees("editor.scene/view")
    assert driver.sees("editor.hierarchy/rows/red")


@pytest.mark.parametrize("option", [{"order": "first"}, {"icon": 3}, {"open": "yes"}, {"dock": "middle"}, {"title": 3}])
def test_options_of_a_panel_that_do_not_fit_are_refused(option: dict[str, Any]) -> None:
    """A hook that declares a panel with a wrong option is refused with the option's name."""
    with pytest.raises(Exception, match=next(iter(option))):
        read_panels("editor", [panel_of(lambda *_: None, **option)])
