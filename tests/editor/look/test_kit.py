"""Widgets of the kit react to the mouse."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from imgui_bundle import imgui

from rish_editor.look import DARK, Kit, Language, icons

pytestmark = pytest.mark.gl


@pytest.fixture
def page(studio) -> Callable[..., list]:
    """Return a function that draws a widget, clicks on its middle, and returns what it returned in each frame."""
    made = studio((400, 200))
    kit, found, middle = Kit(DARK, made.fonts, Language("zh-TW")), [], []

    def draw(widget: Callable[[Kit], object]) -> None:
        imgui.set_next_window_size((400, 200))
        imgui.begin("page")
        found.append(widget(kit))
        low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
        middle[:] = [(low.x + high.x) / 2, (low.y + high.y) / 2]
        imgui.end()

    def click(widget: Callable[[Kit], object]) -> list:
        io = imgui.get_io()
        made.shoot(lambda: draw(widget), 2)
        io.add_mouse_pos_event(*middle)
        for down in (True, False):
            io.add_mouse_button_event(0, down)
            made.shoot(lambda: draw(widget), 2)
        return found

    return click


def test_a_section_closes_and_opens(page) -> None:
    """A section is open at first, a click on its heading closes it, and another opens it again."""
    assert page(lambda kit: kit.section(icons.SPRITE, "Sprite"))[::5] == [True, False]
    assert page(lambda kit: kit.section(icons.SPRITE, "Sprite"))[-1] is True


def test_a_tool_is_clicked_once(page) -> None:
    """A button of the toolbar returns True in one frame for each click."""
    assert page(lambda kit: kit.tool(icons.SAVE, "Save")).count(True) == 1


def test_a_field_shows_its_choices_after_a_click(page) -> None:
    """The choices are drawn from the frame of the click on."""

    def field(kit: Kit) -> bool:
        with kit.combo("##layer", "World") as shown:
            return shown

    found = page(field)
    assert found[:2] == [False, False]
    assert found[-1] is True


def test_labels_are_translated(studio) -> None:
    """A label is the icon and the text in the language of the kit."""
    kit = Kit(DARK, studio((40, 40)).fonts, Language("zh-TW"))
    assert kit.label(icons.SAVE, "Save") == f"{icons.SAVE}  儲存"
