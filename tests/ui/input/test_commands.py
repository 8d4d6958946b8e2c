"""Commands on widgets take effect as the state of their tick says, however often pictures are drawn."""

from __future__ import annotations

import pytest

from rish_core import InputRecord, Layers, Session, UnknownName, WindowEvent
from rish_ui import Button, Screen, TextInput, Toggle, Widget, change, click, submit, valid
from ui_driver import UiDriver, ui_game

MENU = """
- name: menu
  Screen: {takes_keys: true}
  children:
    - name: box
      Layout: {}
      children:
        - {name: go, Button: {text: Go}}
        - {name: easy, Toggle: {group: level, "on": true}}
        - {name: hard, Toggle: {group: level}}
        - {name: nick, TextInput: {check: "size(text) >= 3"}}
"""
OVER = """
- name: bag
  Screen: {opens_by: bag, visible: false, pauses: true, modal: true, cancel: close}
  Dialog: {title: Bag}
  children: [{name: close, Button: {text: Close, closes: true}}]
"""


def tick(ui: UiDriver, *names: str, text: str = "", value: float = 0.0) -> None:
    """Run one tick with commands, without drawing."""
    events = [WindowEvent("command", name, text=text, value=value) for name in names]
    ui.app.tick(InputRecord(tuple(events)))


def test_a_widget_that_was_disabled_in_this_tick_does_nothing() -> None:
    """No picture was drawn since it was disabled, and none since it was enabled again."""
    with ui_game(MENU) as ui:
        go, box = ui.node("menu.box.go").entity, ui.node("menu.box").entity
        ui.world.add(box, Widget(enabled=False))
        tick(ui, "Clicked menu.box.go")
        assert not ui.heard
        ui.world.set(box, Widget(enabled=True))
        tick(ui, "Clicked menu.box.go")
        assert ui.heard == [("Clicked", "menu.box.go")]
        ui.world.add(go, Widget(visible=False))
        tick(ui, "Clicked menu.box.go")
        assert not ui.heard


def test_a_button_does_what_it_says_in_this_tick() -> None:
    """It was changed since the last picture."""
    with ui_game(MENU) as ui:
        ui.world.set(ui.node("menu.box.go").entity, Button(quits=True))
        tick(ui, "Clicked menu.box.go")
        assert ui.world[Session].quit


def test_a_group_is_read_in_this_tick() -> None:
    """A toggle that has left the group stays on."""
    with ui_game(MENU) as ui:
        easy = ui.node("menu.box.easy").entity
        ui.world.set(easy, Toggle(group="other"))
        tick(ui, "Changed menu.box.hard", value=1)
        assert ui.world.get(easy, Toggle).on


def test_what_a_tick_has_changed_is_painted() -> None:
    """A command reads its widget; the next picture shows it as it is then."""
    with ui_game(MENU) as ui:
        ui.world.set(ui.node("menu.box.go").entity, Button(text="Begin"))
        ui.world.add(ui.node("menu.box.hard").entity, Widget(visible=False))
        tick(ui, "Clicked menu.box.go", "Changed menu.box.hard")
        ui.app.draw()
        assert "Begin" in ui.texts
        assert not ui.node("menu.box.hard").shown


def test_code_operates_widgets() -> None:
    """A function for each command; they do what a player's command does."""
    with ui_game(MENU) as ui:
        click(ui.world, "menu.box.go")
        change(ui.world, "menu.box.hard", 1)
        change(ui.world, "menu.box.nick", "Ada")
        submit(ui.world, "menu.box.nick")
        tick(ui)
        assert {event[0] for event in ui.heard} == {"Clicked", "Changed", "Submitted"}
        assert not ui.world.get(ui.node("menu.box.easy").entity, Toggle).on
        with pytest.raises(UnknownName, match=r"menu\.box\.goo"):
            click(ui.world, "menu.box.goo")


def test_code_asks_whether_a_text_is_valid() -> None:
    """The check is that of the widget; widgets without a text are valid."""
    with ui_game(MENU) as ui:
        assert not valid(ui.world, "menu.box.nick")
        ui.world.set(ui.node("menu.box.nick").entity, TextInput(text="Ada"))
        assert valid(ui.world, "menu.box.nick")
        assert valid(ui.world, "menu.box.go")


def test_an_action_opens_and_closes_a_screen_that_pauses_the_game() -> None:
    """The same key closes it; the button that closes hides it, and the layers that ran run again."""
    head = "input: {bag: [I]}\nlayers: [world, far]\n"
    with ui_game(OVER, head) as ui:
        bag = ui.node("bag").entity
        layers = ui.world[Layers]
        layers.pause("far")
        ui.key("I")
        assert ui.world.get(bag, Screen).visible
        assert layers.is_paused("world")
        ui.key("I")
        ui.frame()
        assert not ui.world.get(bag, Screen).visible
        assert list(layers.stopped) == ["far"]
        ui.key("I")
        ui.click("bag.close")
        assert not ui.world.get(bag, Screen).visible
