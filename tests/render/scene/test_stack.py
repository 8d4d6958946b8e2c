"""The numbers of layers, and their properties."""

from __future__ import annotations

import numpy as np

from rish_core import Layers
from rish_render import CanvasGroup, Shape
from rish_render.scene.layer_stack import stack_of


def shapes(stage, *names):
    """Return the layer column and the entities of shapes on these layers."""
    made = [stage.put(0, 0, Shape(layer=name)) for name in names]
    table = stage.world.table(Shape)
    return table.column("layer"), np.array(made, np.int64)


def test_layers_are_numbered_from_the_bottom(studio):
    """Layers are numbered from the bottom; an empty or unknown name is the first layer, and unknown ones are logged."""
    stage = studio(layers=["ground", {"hud": {"space": "screen"}}, {"sky": {"parallax": [0.5, 0], "y_sort": True}}])
    stage.world[Layers].show("ground", False)
    told: set[str] = set()
    column, entities = shapes(stage, "sky", "", "hud", "grond")
    stack = stack_of(stage.world, told)
    assert stack.numbers(stage.world, column, entities).tolist() == [2, 0, 1, 0]
    assert told == {"grond"}
    assert (stack.visible.tolist(), stack.screen.tolist()) == ([False, True, True], [False, True, False])
    assert (stack.y_sorted.tolist(), stack.parallax[2].tolist()) == ([False, False, True], [0.5, 0])


def test_groups_have_layers_of_their_own(studio):
    """A group's own layer is numbered above the named ones and has the properties of the group's layer."""
    stage = studio(layers=["ground", {"hud": {"space": "screen"}}])
    outer = stage.put(0, 0, CanvasGroup(layer="hud"), Shape())
    inner = stage.put(0, 0, CanvasGroup(layer="ground"), Shape(), parent=outer)
    part = stage.put(0, 0, Shape(), parent=inner)
    other = stage.put(0, 0, Shape(layer="hud"))
    stack = stack_of(stage.world, set())
    layer = stage.world.table(Shape).column("layer")
    entities = np.array([outer, inner, part, other], np.int64)
    assert stack.numbers(stage.world, layer, entities).tolist() == [2, 3, 3, 1]
    assert stack.groups is not None
    assert stack.groups.home.tolist() == [1, 2]
    assert (len(stack), stack.screen.tolist()) == (4, [False, True, True, True])


def test_what_is_known_of_groups_is_kept(studio):
    """The group data is the same object until a group changes."""
    stage = studio()
    group = stage.put(0, 0, CanvasGroup(), Shape())
    kept: dict[str, object] = {}
    first = stack_of(stage.world, set(), kept).groups
    assert stack_of(stage.world, set(), kept).groups is first
    stage.put(0, 0, Shape(), parent=group)
    assert stack_of(stage.world, set(), kept).groups is not first
