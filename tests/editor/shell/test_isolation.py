"""Faults of panels, commands and drawers: each is named and set aside, and the rest of the editor goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from imgui_bundle import imgui

from rish_core import named
from rish_editor.plugin.readers import read_commands, read_panels
from rish_editor.testing import UIDriver
from rish_editor.ui.widgets.base import Base
from rish_render import Shape

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


# Stacks


def stacks() -> list[int]:
    """Return the sizes of Dear ImGui's stacks; called between two frames of a part and at its end they are equal."""
    state = imgui.internal.ErrorRecoveryState()
    imgui.internal.error_recovery_store_state(state)
    sizes = [getattr(state, name) for name in dir(state) if name.startswith("size_of_")]
    window = imgui.internal.get_current_window_read()
    data = window.dc
    return [*sizes, len(window.draw_list._clip_rect_stack), len(data.item_width_stack), len(data.text_wrap_pos_stack)]


def windows(ui: Any) -> None:
    """Leave windows, identifiers, styles and a popup open."""
    imgui.push_id("left open")
    imgui.begin_child("a child")
    imgui.push_style_var(imgui.StyleVar_.alpha, 0.3)
    imgui.begin_group()
    ui._path.append("lost")


def clips(ui: Any) -> None:
    """Leave clip rectangles, widths and colors."""
    imgui.push_clip_rect((0, 0), (4, 4), True)
    imgui.get_window_draw_list().push_clip_rect((0, 0), (2, 2), True)
    imgui.push_item_width(7.0)
    imgui.push_text_wrap_pos(9.0)
    imgui.push_style_color(imgui.Col_.text, 0)


def parts(ui: Any) -> None:
    """Leave a part of the panel, a table in a disabled block, and a tooltip."""
    ui.begin_part("mine")
    imgui.begin_disabled()
    imgui.begin_table("cells", 2)
    imgui.begin_tooltip()


LEFT_OPEN = (windows, clips, parts)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["panel", "inspector", "gizmo", "form"])
@pytest.mark.parametrize(
    ("error", "good"), [(ValueError, 0), (SystemExit, 0), (KeyError, 1), (None, 0)],
    ids=["at once", "exit", "later", "none"],
)  # fmt: skip
def test_stacks_are_balanced_after_any_plugin(
    driver: UIDriver, open_text: Callable[..., Any], where: str, error: Any, good: int
) -> None:
    """What a panel, inspector, gizmo or form of a plugin leaves open is closed, whether it raises at once, in a later
    frame or not at all; the fault names the plugin, and the rest of the window is as before.
    """
    game = open_text()
    editor: Any = driver.shell.editor
    calls, sizes = list[int](), list[list[int]]()
    with game.edit("Select"):
        game.selection.set([named(game.world, "red")])
    plant(driver)
    isolated = Base.isolated

    def measured(self: Any) -> Any:
        sizes.append(stacks())
        return Measured(isolated(self), lambda: sizes.append(stacks()))

    def draw(*_: Any) -> bool:
        calls.append(1)
        if len(calls) > good:
            for leave in LEFT_OPEN:
                leave(editor.ui)
            if error is not None:
                raise error("planted")
        return False

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Base, "isolated", measured)
        if where == "panel":
            editor.panels.use(
                [
                    *(type(held.panel) for held in editor.panels),
                    panel_of(lambda panel, ui, editor: (draw(), None)[1]),
                ],
                {},
            )
            editor.panels.show("editor.planted")
        elif where == "inspector":
            editor.inspectors = {**editor.inspectors, Shape: draw}
        elif where == "gizmo":
            editor.gizmos = [(Shape, draw)]
        else:
            editor.dialogs.form(type("Form", (), {"title": "Planted", "draw": draw})())
        driver.step(5)
    assert calls
    assert sizes[::2]
    assert nested(sizes)
    assert editor.failures == (error is not None)
    if error is not None:
        assert any("(plugin tests)" in line.text for line in driver.shell.log.lines)
    if editor.dialogs.open:
        driver.key("Escape")
    driver.step(2)
    for mark in ("editor.good/button", "editor.scene/view", "menu/File"):
        assert driver.sees(mark)


class Measured(AbstractContextManager[None]):
    """Another block, and a call after its end."""

    def __init__(self, block: Any, after: Callable[[], None]) -> None:
        self._block, self._after = block, after

    def __enter__(self) -> None:
        self._block.__enter__()

    def __exit__(self, *error: Any) -> Any:
        found = self._block.__exit__(*error)
        self._after()
        return found


def nested(sizes: list[list[int]]) -> bool:
    """Return whether begins and ends of blocks that may be inside of others have the same sizes, as brackets match."""
    waiting: list[list[int]] = []
    for each in sizes:
        if waiting and waiting[-1] == each:
            waiting.pop()
        else:
            waiting.append(each)
    return not waiting


@pytest.mark.parametrize("member", ["title", "width", "stays"])
def test_a_form_that_can_not_tell_what_it_is(driver: UIDriver, member: str) -> None:
    """A form whose title or other property raises is closed and named by its class."""
    ran: list[int] = []
    members = {"title": "Planted", "draw": lambda *_: bool(ran.append(1)), member: property(refuse)}
    driver.shell.editor.dialogs.form(type("Form", (), members)())
    driver.step(4)
    if member == "title":
        assert not driver.shell.editor.dialogs.open
        assert any(line.text.startswith("Form") for line in driver.shell.log.lines)
        assert not ran
    else:
        assert ran
    driver.key("Escape")
    driver.step(2)
    assert not driver.shell.editor.dialogs.open


@pytest.mark.parametrize("member", ["typing", "keys", "entities", "dock"])
def test_a_panel_whose_property_raises(driver: UIDriver, open_text: Callable[..., Any], member: str) -> None:
    """A panel whose properties raise shows that instead of its content; keys and other panels work."""
    open_text()
    plant(driver, panel_of(lambda *_: None, **{member: property(refuse)}))
    panels: Any = driver.shell.editor.panels
    panels.show("editor.planted")
    driver.step(4)
    driver.key("G")
    driver.click("editor.good/button")
    assert driver.sees("editor.good/button")
    assert panels._windows["editor.planted"].failed


@pytest.mark.parametrize("error", [ValueError, SystemExit])
def test_a_failed_gizmo_is_tried_again(
    driver: UIDriver, open_text: Callable[..., Any], error: type[BaseException]
) -> None:
    """The view names a failed gizmo with a button that draws it again, and the click selects nothing below."""
    game = open_text()
    broken, calls = [True], list[int]()

    def draw(scene: Any, editor: Any, handles: Any) -> None:
        calls.append(1)
        if broken[0]:
            raise error("planted")

    driver.shell.editor.gizmos = [(Shape, draw)]
    driver.step(4)
    again = "editor.scene/failed/retry.Shape"
    driver.click(again)
    driver.step(3)
    assert (len(calls), driver.shell.editor.failures) == (2, 2)
    broken[0] = False
    driver.click(again)
    driver.step(3)
    assert len(calls) > 2
    assert not driver.sees(again)
    assert game.selection.handles == []


def test_a_gizmo_that_can_not_tell_what_it_places(driver: UIDriver, open_text: Callable[..., Any]) -> None:
    """An attribute `places` that raises fails the gizmo, and the gizmo of the Transform goes on."""
    game = open_text()

    def draw(scene: Any, editor: Any, handles: Any) -> None:
        """Draw nothing."""

    draw.places = refuse  # pyright: ignore[reportFunctionMemberAccess]
    editor = driver.shell.editor
    editor.gizmos = [*editor.gizmos, (Shape, draw)]
    with game.edit("Select"):
        game.selection.set([named(game.world, "red")])
    editor.view.tool = "move"
    driver.step(4)
    assert editor.failures == 1
    assert driver.sees("editor.scene/failed/retry.Shape")


@pytest.mark.parametrize("option", ["label", "choices"])
def test_a_command_that_can_not_tell_its_name(driver: UIDriver, option: str) -> None:
    """A command whose label or further commands can't be asked is named once and has its title."""
    command(driver, run=lambda editor: None, **{option: refuse})
    driver.click("menu/Tools")
    driver.step(3)
    assert driver.sees("menu/Tools/editor.planted")
    driver.key("Escape")
    driver.key("Ctrl+P")
    driver.type("Planted")
    driver.step(3)
    assert driver.marks("palette/")
    assert sum("editor.planted" in line.text for line in driver.shell.log.lines) == 1


@pytest.mark.parametrize("option", [{"order": "first"}, {"icon": 3}, {"open": "yes"}, {"dock": "middle"}, {"title": 3}])
def test_options_of_a_panel_that_do_not_fit_are_refused(option: dict[str, Any]) -> None:
    """A hook that declares a panel with a wrong option is refused with the option's name."""
    with pytest.raises(Exception, match=next(iter(option))):
        read_panels("editor", [panel_of(lambda *_: None, **option)])
