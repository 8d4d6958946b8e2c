"""Screens in the world: whose they are, when they are shown, and what the pointer finds in them."""

from __future__ import annotations

import pytest

from rish_core import Layers, Name, Transform, WindowEvent, named, spawn_prefab
from rish_ecs import Disabled
from rish_frame import Paintings
from rish_render import Camera, to_screen
from rish_ui import Label, ProgressBar, Screen, UiState, click
from ui_driver import PROBE, ui_game

HEAD = """
plugins: [render, ui]
layers: [ground, {hills: {parallax: [0.5, 0.5]}}, hidden]
prefabs:
  orc:
    Transform: {}
    Health: {}
    children:
      - name: bar
        Transform: {}
        Screen: {space: world, lift: [0, 20]}
        ProgressBar: {bind: self.Health.now, bind_high: self.Health.most, show: "{self.Health.now:.0f}"}
        Layout: {size: [40, 8]}
"""
SCENE = """
- {name: eye, at: [320, 180], Transform: {}, Camera: {}}
- {name: grok, prefab: orc, at: [100, 100], Health: {now: 30}}
- {name: hero, at: [300, 150], Transform: {}}
- name: bubble
  Transform: {}
  Screen: {space: world, follow: hero, lift: [0, 30]}
  Panel: {}
  children:
    - {name: yes, Button: {text: "Yes"}}
    - {name: much, Slider: {high: 100}, Layout: {size: [100, 20]}}
    - {name: which, Dropdown: {options: "a\\nb\\nc"}}
"""
HEALTH = """
from rish_core import component

@component
class Health:
    now: float = 50.0
    most: float = 100.0

def rish_components():
    return [Health]
"""


@pytest.fixture
def field():
    """A game with an orc that has a bar, and a hero with a bubble."""
    with ui_game(SCENE, HEAD, files={"plugin.py": PROBE + HEALTH}) as ui:
        yield ui


def spot(ui, path, x=0.5, y=0.5):
    """Return a point of a widget in the world on the screen, logical pixels."""
    node = ui.node(path)
    root = node.root
    carrier = ui.world.get(root.follow or root.entity, Transform)
    parent = carrier.parent
    place = carrier.position + (ui.world.get(parent, Transform).position if parent else 0)
    left = place[0] + root.lift[0] - root.pivot[0] * root.width * root.unit
    top = place[1] + root.lift[1] + root.pivot[1] * root.height * root.unit
    point = left + (node.x + node.w * x) * root.unit, top - (node.y + node.h * y) * root.unit
    return to_screen(ui.world, point).tolist()


def tap(ui, path, x=0.5, y=0.5):
    """Click on a widget in the world."""
    px, py = spot(ui, path, x, y)
    ui.send(WindowEvent("mouse_move", x=px, y=py), WindowEvent("mouse_button", "mouse.left", True, px, py))
    ui.send(WindowEvent("mouse_button", "mouse.left", False, px, py))
    ui.frame()


def painting(ui, path):
    """Return the painting of a screen, or None."""
    return ui.world[Paintings].items.get(ui.node(path).root.name)


def health(ui):
    """Return the component of the game."""
    return next(cls for cls in ui.world.tables if cls.__name__ == "Health")


def test_self_is_the_entity_that_a_screen_is_a_child_of(field):
    """In a screen in the world, bindings and templates with `self` are about the entity below it."""
    assert field.texts[0] == "30"
    assert field.node("grok.bar").shows["=value"] == 30
    field.world.set(named(field.world, "grok"), health(field)(now=70.0))
    field.frame()
    assert field.texts[0] == "70"


def test_self_is_the_entity_that_a_screen_follows(field):
    """A screen that follows an entity shows its fields, and those of another one when it follows that."""
    world = field.world
    world.set(named(world, "bubble"), Screen(follow=named(world, "grok")))
    world.spawn(Transform(parent=named(world, "bubble")), Label(text="{self.Health.now:.0f} {self.Name.value}"))
    field.frame(2)
    assert "30 grok" in field.texts
    other = world.spawn(Transform(), Name(value="mog"), health(field)(now=5.0))
    world.set(named(world, "bubble"), Screen(follow=other))
    world.set(field.node("grok.bar").entity, Screen(follow=other))
    field.frame(2)
    assert "5 mog" in field.texts
    assert field.node("grok.bar").shows["=value"] == 5


def test_self_is_the_widget_on_the_screen():
    """In a widget that belongs to no other entity, `self` is the widget."""
    with ui_game("- {name: a, Slider: {value: 0.5}}\n- {Label: {text: '{self.Name.value}'}, name: me}") as ui:
        assert "me" in ui.texts


def test_a_screen_is_where_its_entity_is(field):
    """The pivot of a screen lies at the place of its entity plus the lift."""
    bar = painting(field, "grok.bar")
    assert bar.entity == field.node("grok.bar").root.entity
    assert bar.offset == (-20, 20)
    bubble = painting(field, "bubble")
    assert bubble.entity == named(field.world, "hero")
    field.world.set(named(field.world, "bubble"), Screen(pivot=(0, 0), scale=0.5))
    field.frame(2)
    root = field.node("bubble").root
    assert painting(field, "bubble").offset == (0, 30 - root.height / 2)


def test_it_goes_with_its_entity(field):
    """A screen in the world is not shown while its entity is disabled or gone, and can't be used then."""
    world = field.world
    hero, grok = named(world, "hero"), named(world, "grok")
    world.add(hero, Disabled())
    field.frame(2)
    assert painting(field, "bubble") is None
    click(world, "bubble.yes")
    assert field.heard == []
    world.remove(hero, Disabled)
    field.frame(2)
    assert painting(field, "bubble") is not None
    world.despawn(hero)
    world.despawn(grok)
    field.frame(2)
    assert painting(field, "bubble") is None
    assert [root.label for root in world[UiState].tree.roots] == ["bubble"]


@pytest.mark.parametrize(
    ("camera", "turn"),
    [
        ({}, 0.0),
        ({"zoom": 2.0}, 0.0),
        ({"zoom": 0.5}, 0.7),
        ({"height": 90.0}, -2.0),
        ({"viewport": (0.5, 0, 0.5, 1)}, 0.3),
    ],
)
def test_the_pointer_works_in_the_world(field, camera, turn):
    """A press hits the widget that is drawn there, however the camera is moved, zoomed or turned."""
    world = field.world
    eye = named(world, "eye")
    world.set(eye, Transform(position=(310, 190), rotation=turn), Camera(**camera))
    field.frame(2)
    tap(field, "bubble.yes")
    assert ("Clicked", "bubble.yes") in field.heard
    tap(field, "bubble.much", 0.75)
    slider = [each for each in field.heard if each[0] == "Changed"]
    assert slider[-1][1] == "bubble.much"
    assert slider[-1][2] == pytest.approx(81, abs=1)


def test_lists_of_dropdowns_are_in_the_world(field):
    """The open list of a Dropdown in the world lies below it there, and takes the pointer."""
    tap(field, "bubble.which")
    popup = field.world[UiState].popup
    node = field.node("bubble.which")
    x, y = spot(field, "bubble.which", 0.5, 1 + popup.row * 1.6 / node.h)
    field.send(WindowEvent("mouse_move", x=x, y=y), WindowEvent("mouse_button", "mouse.left", True, x, y))
    field.send(WindowEvent("mouse_button", "mouse.left", False, x, y))
    field.frame()
    assert [each[2] for each in field.heard if each[0] == "Changed"] == [1.0]


def test_what_the_camera_does_not_show_takes_no_pointer(field):
    """A screen on a layer that the camera leaves out, or that is hidden, is not pressed."""
    world = field.world
    world.set(named(world, "eye"), Camera(layers=["hills"]))
    field.frame(2)
    tap(field, "bubble.yes")
    assert field.heard == []
    world.set(named(world, "eye"), Camera(layers=[]))
    world[Layers].show("ground", False)
    field.frame(2)
    tap(field, "bubble.yes")
    assert field.heard == []


def test_parallax(field):
    """On a layer that moves less than the camera, the pointer finds a widget where it is drawn."""
    world = field.world
    world.set(named(world, "bubble"), Screen(layer="hills"))
    world.set(named(world, "eye"), Transform(position=(400, 180)))
    field.frame(3)
    px, py = spot(field, "bubble.yes")
    px, py = px + 200, py + 90
    field.send(WindowEvent("mouse_move", x=px, y=py), WindowEvent("mouse_button", "mouse.left", True, px, py))
    field.frame()
    assert ("Pressed", "bubble.yes") in field.heard


def test_paths_begin_with_the_entity(field):
    """Screens of entities of one prefab have different paths, so that a command means one of them."""
    spawn_prefab(field.world, "orc")
    spawn_prefab(field.world, "orc")
    field.frame()
    labels = {root.label for root in field.world[UiState].tree.roots}
    assert labels == {"grok.bar", "bar", "bar#2", "bubble"}


def test_others_stay_as_they_are(field):
    """When an entity with a bar comes, the painting of another bar is not painted again."""
    part = painting(field, "grok.bar").parts[0]
    before = part.version
    spawn_prefab(field.world, "orc")
    field.frame(2)
    assert painting(field, "grok.bar").parts[0] is part
    assert part.version == before
    field.world.set(field.node("grok.bar").entity, ProgressBar(low=-100.0))
    field.frame(2)
    assert part.version > before
