"""Widgets that change while they are shown."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from rish_core import Disabled, Name, Transform, named
from rish_frame import Paintings
from rish_ui import Label, Layout, Screen, Slider, UiSettings, UiState, Widget
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
    """Return the places of all widgets, and all that is painted, by the parts of the paintings."""
    found: list[Any] = [
        (n.path, n.hidden) if n.hidden else (n.path, n.x, n.y, n.w, n.h, n.clip)
        for root in ui.world[UiState].tree.roots
        for n in root.nodes
    ]
    for part in (part for painting in ui.world[Paintings] for part in painting.parts):
        found.append((part.clip, part.backs, [*part.boxes], part.images, part.lines))
        found += [(t.text.text, t.x, t.y, t.color, t.opacity) for t in part.texts]
    return found


def change(ui: UiDriver, roll: random.Random) -> None:
    """Change something of a widget; sometimes its whole table counts as written."""
    world, name = ui.world, roll.choice(["head.first", "head.second", "view.long", "view.grid.cell", "foot"])
    entity = ui.node(f"screen.{name}").entity
    kind = roll.randrange(5)
    if kind == 0:
        looks = {"visible": roll.random() < 0.7, "enabled": roll.random() < 0.7, "z": roll.choice([0, 0, 1, 2])}
        world.add(entity, Widget(**looks, style=roll.choice(["", "", "title"])))
    elif kind == 1:
        world.add(entity, Layout(size=(roll.choice([0, 60, 200]), 0), grow=roll.choice([0, 1])))
    elif kind == 2:
        world.get(ui.node("screen.slide").entity, Slider).value = roll.random()
    else:
        world.get(entity, Label).text = roll.choice(TEXTS)
    if roll.random() < 0.5:
        for cls in (Label, Layout, Widget, Slider):
            world.table(cls).mark()


def rebuild(ui: UiDriver, roll: random.Random) -> None:
    """Add, remove, rename, move, disable or sort a widget."""
    world = ui.world
    entities = [n.entity for root in world[UiState].tree.roots for n in root.nodes if n.name not in ("screen", "view")]
    entity, kind = roll.choice(entities or [0]), roll.randrange(8) if len(entities) > 8 else 7
    if kind == 0:
        world.despawn(entity)
    elif kind == 1:
        world.add(entity, Disabled())
    elif kind == 2:
        world.remove(world.table(Disabled).entities.copy(), Disabled)
    elif kind == 3:
        parent = roll.choice(entities) if roll.random() < 0.9 else 0
        world.set(entity, Transform(parent=parent if parent != entity else 0))
    elif kind == 4:
        world.add(entity, Widget(order=roll.randrange(-2, 3)))
    elif kind == 5:
        world.add(entity, Name(value=roll.choice(["", "new", "head", "cell"])))
    elif kind == 6:
        world.remove(entity, *roll.sample([Layout, Widget, Label], 2))
    else:
        world.spawn(Transform(parent=entity), roll.choice([Label(text="Spawned"), Layout(), Screen(), Name()]))


def test_structure_as_if_new() -> None:
    """After widgets were added, removed, moved, renamed, disabled or sorted, all is as if it were built anew."""
    roll = random.Random(11)
    with ui_game(SCENE, size=(320, 240)) as ui:
        for _ in range(60):
            for _ in range(2):
                rebuild(ui, roll)
                ui.frame()
            now = shown(ui)
            ui.world[UiState].reset(ui.world)
            ui.frame()
            assert now == shown(ui)


@pytest.mark.parametrize("way", ["restore", "load_state"])
def test_restored(way: str) -> None:
    """After a restore, or a load of a state in memory, the interface is as it was at that moment."""
    roll = random.Random(5)
    with ui_game(SCENE, size=(320, 240)) as ui:
        for _ in range(10):
            saved = ui.world.snapshot() if way == "restore" else ui.world.save_state()
            before = shown(ui)
            for act in (rebuild, change, rebuild):
                with suppress(AssertionError):
                    act(ui, roll)
                ui.frame()
            getattr(ui.world, way)(saved)
            ui.frame()
            assert before == shown(ui)
            rebuild(ui, roll)
            ui.frame()


def test_as_if_new() -> None:
    """After any changes widgets are where they would be, and painted as they would be, if all were laid out anew."""
    roll = random.Random(7)
    with ui_game(SCENE, size=(320, 240)) as ui:
        for _ in range(20):
            for _ in range(3):
                change(ui, roll)
                ui.frame()
            while ui.world[UiState].moving:
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


def test_only_texts_that_may_change_are_filled_in_each_frame() -> None:
    """A key without expressions is shown in the language of the player, and is not read again until that changes."""
    files = {
        "locale/en.yaml": "play: Play\ntick: '{1 + 1} plays'",
        "locale/zh-Hant.yaml": "play: 開始\ntick: '{1 + 1} 次'",
    }
    scene = "- {name: s, Screen: {}, children: [{name: a, Label: {text: $play}}, {name: b, Label: {text: $tick}}]}"
    with ui_game(scene, head="settings: {ui: {language: en}}", files=files) as ui:
        ui.frame()
        assert ui.texts == ["Play", "2 plays"]
        assert (ui.node("s.a").polls, ui.node("s.b").polls) == (False, True)
        ui.world[UiSettings].language = "zh-Hant"
        ui.frame()
        assert ui.texts == ["開始", "2 次"]


BOUND = """
- {name: hero, Transform: {position: [1, 0]}}
- name: screen
  Screen: {}
  children:
    - {name: box, Layout: {direction: row}, children: [{name: place, Label: {text: "{hero.Transform.position.x:.0f}"}}]}
"""


def test_the_text_of_a_hidden_widget_is_read_when_it_is_shown() -> None:
    """While a widget or its parent is hidden its text stays; the first frame that shows it again has the present one,
    and later frames follow."""
    with ui_game(BOUND) as ui:
        world, hero = ui.world, named(ui.world, "hero")
        place, box = ui.node("screen.box.place"), ui.node("screen.box").entity
        for hidden in (box, place.entity):
            world.add(hidden, Widget(visible=False))
            ui.frame()
            before = place.shows
            world.set(hero, Transform(position=(world.tick + 7, 0)))
            ui.frame(3)
            assert place.shows is before
            world.set(hidden, Widget(visible=True))
            for number in (world.tick + 30, 25):
                world.set(hero, Transform(position=(number, 0)))
                ui.frame()
                assert str(number) in ui.texts


def test_a_widget_gets_another_parent_while_all_transforms_are_written() -> None:
    """When a system writes all rows of Transform, a widget whose parent it changes is moved in the tree."""
    with ui_game(SCENE) as ui:
        table, foot = ui.world.table(Transform), ui.node("screen.foot").entity
        for above in ("screen.view", "screen.head"):
            table.mark()
            ui.frame()
            table.column("parent")[table.row_of(foot)] = ui.node(above).entity
            table.mark()
            ui.frame()
            assert ui.node(f"{above}.foot").entity == foot
