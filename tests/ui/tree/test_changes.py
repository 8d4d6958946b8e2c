"""Widgets that change while they are shown."""

from __future__ import annotations

import random
from typing import Any

from rish_frame import Paintings
from rish_ui import Label, Layout, Slider, UiState, Widget
from ui_driver import UiDriver, ui_game

SCENE = """
- name: screen
  Screen: {}
  Layout: {gap: [0, 4]}
  children:
    - name: head
      Layout: {direction: row, gap: [6, 0]}
      children:
        - {name: first, Label: {text: One}}
        - {name: second, Label: {text: Two}, Layout: {grow: 1}}
        - {name: third, Label: {text: Three}}
    - {name: slide, Slider: {show: "{value:.2f}"}}
    - name: view
      ScrollView: {}
      Layout: {size: [0, 100]}
      children:
        - {name: long, Label: {text: A text that is broken into many lines if it is long enough}}
        - {name: grid, Grid: {columns: 2}, children: [{name: cell, Label: {text: Cell}}, {Button: {text: Go}}]}
    - name: foot
      Label: {text: End}
      Layout: {place: anchored, anchor_low: [1, 1], anchor_high: [1, 1], pivot: [1, 1]}
"""
TEXTS = ("One", "Two", "Longer", "Several words that need some room", "A\nB\nC", "")


def shown(ui: UiDriver) -> list[Any]:
    """Return the places of all widgets, and all texts and boxes that are painted."""
    found: list[Any] = [
        (n.path, n.hidden) if n.hidden else (n.path, n.x, n.y, n.w, n.h, n.clip)
        for root in ui.world[UiState].tree.roots
        for n in root.nodes
    ]
    for part in (part for painting in ui.world[Paintings] for part in painting.parts):
        found += [(t.text.text, t.x, t.y) for t in part.texts] + [(b.x, b.y, b.w, b.h) for b in part.boxes]
    return found


def change(ui: UiDriver, roll: random.Random) -> None:
    """Change something of a widget."""
    world, name = ui.world, roll.choice(["head.first", "head.second", "view.long", "view.grid.cell", "foot"])
    entity = ui.node(f"screen.{name}").entity
    kind = roll.randrange(5)
    if kind == 0:
        world.add(entity, Widget(visible=roll.random() < 0.7))
    elif kind == 1:
        world.add(entity, Layout(size=(roll.choice([0, 60, 200]), 0), grow=roll.choice([0, 1])))
    elif kind == 2:
        world.get(ui.node("screen.slide").entity, Slider).value = roll.random()
    else:
        world.get(entity, Label).text = roll.choice(TEXTS)


def test_as_if_new() -> None:
    """After any changes widgets are where they would be, and painted as they would be, if all were laid out anew."""
    roll = random.Random(7)
    with ui_game(SCENE, size=(320, 240)) as ui:
        for _ in range(20):
            for _ in range(3):
                change(ui, roll)
                ui.frame()
            now = shown(ui)
            ui.world[UiState].reset(ui.world)
            ui.frame()
            assert now == shown(ui)


def test_text_changes() -> None:
    """A text that changes is painted, and its neighbor moves if it got longer."""
    with ui_game(SCENE, size=(640, 240)) as ui:
        label = ui.world.get(ui.node("screen.head.first").entity, Label)
        before = ui.node("screen.head.second").x
        label.text = "Six"
        ui.frame()
        assert "Six" in ui.texts
        assert ui.node("screen.head.second").x == before
        label.text = "Seven"
        ui.frame()
        assert ui.node("screen.head.second").x > before
