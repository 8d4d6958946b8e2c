"""The numbers of layers, and their properties."""

from __future__ import annotations

import numpy as np

from rish_core import Layers, Transform
from rish_render import CanvasGroup, Shape
from rish_render.scene.stack import Stack


def shapes(stage, *names):
    """Return the layer column and the entities of shapes on these layers."""
    made = [stage.put(0, 0, Shape(layer=name)) for name in names]
    table = stage.world.table(Shape)
    return table.column("layer"), np.array(made, np.int64)


def test_layers_are_numbered_from_the_bottom(studio, caplog):
    """Layers are numbered from the bottom; an empty or unknown name is the first layer, and unknown ones are logged."""
    stage = studio(layers=["ground", {"hud": {"space": "screen"}}, {"sky": {"parallax": [0.5, 0], "y_sort": True}}])
    stage.world[Layers].show("ground", False)
    column, entities = shapes(stage, "sky", "", "hud", "grond")
    stack = stage.world[Stack]
    for _ in range(2):
        assert stack.numbers(stage.world, column, entities).tolist() == [2, 0, 1, 0]
    assert [record.getMessage().split("there is no layer ")[1][:7] for record in caplog.records] == ["'grond'"]
    assert (stack.visible.tolist(), stack.screen.tolist()) == ([False, True, True], [False, True, False])
    assert (stack.y_sorted.tolist(), stack.parallax[2].tolist()) == ([False, False, True], [0.5, 0])


def test_groups_have_layers_of_their_own(studio):
    """A group's own layer is numbered above the named ones and has the properties of the group's layer."""
    stage = studio(layers=["ground", {"hud": {"space": "screen"}}])
    outer = stage.put(0, 0, CanvasGroup(layer="hud"), Shape())
    inner = stage.put(0, 0, CanvasGroup(layer="ground"), Shape(), parent=outer)
    part = stage.put(0, 0, Shape(), parent=inner)
    other = stage.put(0, 0, Shape(layer="hud"))
    stack = stage.world[Stack]
    layer = stage.world.table(Shape).column("layer")
    entities = np.array([outer, inner, part, other], np.int64)
    assert stack.numbers(stage.world, layer, entities).tolist() == [2, 3, 3, 1]
    assert stack.groups is not None
    assert stack.groups.home.tolist() == [1, 2]
    assert (len(stack), stack.screen.tolist()) == (4, [False, True, True, True])


def test_the_stack_stays_the_same_until_a_layer_or_a_group_changes(studio):
    """The stack is the same object until a layer or the member of a group changes; a group that fades keeps its
    members.
    """
    stage = studio(layers=["ground", "sky"])
    world = stage.world
    part, group = stage.put(0, 0, Shape()), stage.put(0, 0, CanvasGroup(), Shape())
    first = world[Stack]
    world.set(part, Transform(position=(3, 4)))
    world.intern("a new text")
    assert world[Stack] is first
    world[Layers].show("sky", False)
    second = world[Stack]
    assert second is not first
    assert (second.visible.tolist(), second.groups) == ([True, False, True], first.groups)
    world.get(group, CanvasGroup).opacity = 0
    assert world[Stack].visible.tolist() == [True, False, False]
    assert world[Stack].groups is first.groups
    world.get(part, Transform).parent = group
    third = world[Stack]
    assert third.numbers(world, world.table(Shape).column("layer"), world.table(Shape).entities).tolist() == [2, 2]
