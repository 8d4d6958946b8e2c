"""Builds the layers of a frame: those of the stack, and above them those of groups and their masks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Layer, Layers, LayerStack, Transform
from rish_frame import layer_look
from rish_jit import Array

from ..components.visible import CanvasGroup
from .groups import Groups, make_groups
from .stack import Stack

if TYPE_CHECKING:
    from rish_ecs import World

_SCREEN = "screen"
_KEPT = "groups"


def stack_of(world: World, warned: set[str], cache: dict[str, Any] | None = None) -> Stack:
    """Return the layers of a world; one plain layer if it has none.

    warned: the unknown names that were reported. cache: data about the groups that is kept from frame to frame.
    """
    layers = [Layer("world")]
    hidden: list[str] = []
    if LayerStack in world and Layers in world:
        layers = world[LayerStack].bottom_up(world) or layers
        hidden = world[Layers].hidden
    looks = [layer_look(layer) for layer in layers]
    by_text = np.full(len(world.texts), -1, np.int64)
    by_text[0] = 0
    for number, layer in enumerate(layers):
        text = world.texts.find(layer.name)
        if text > 0:
            by_text[text] = number
    stack = Stack(
        tuple(layer.name for layer in layers),
        np.array([layer.name not in hidden for layer in layers], np.bool_),
        np.array([layer.space == _SCREEN for layer in layers], np.bool_),
        np.array([look.lit and layer.space != _SCREEN for look, layer in zip(looks, layers, strict=True)], np.bool_),
        np.array([look.y_sort for look in looks], np.bool_),
        np.array([any(look.behind for look in looks[number:]) for number in range(len(looks))], np.bool_),
        np.array([look.parallax for look in looks], np.float32).reshape(-1, 2),
        by_text,
        warned,
    )
    if CanvasGroup in world and len(world.table(CanvasGroup)):
        _add_groups(world, stack, {} if cache is None else cache)
    return stack


def _add_groups(world: World, stack: Stack, cache: dict[str, Any]) -> None:
    """Add the layers of the world's groups and of their masks to a stack.

    cache: data that is kept from frame to frame. The groups are computed again only if a parent of an entity or a layer
    or mask of a group has changed.
    """
    query = world.query(CanvasGroup, Transform)
    rows, places = query.rows(CanvasGroup), query.rows(Transform)
    table, transforms = world.table(CanvasGroup), world.table(Transform)
    parents = transforms.column("parent")
    layers = stack.named(world, table.column("layer")[rows], query.entities)
    masks = table.column("mask")[rows]
    stamp = (len(stack.names), transforms.membership, rows.tobytes(), places.tobytes(), layers.tobytes())
    stamp = (*stamp, masks.tobytes())
    memory = cache.get(_KEPT)
    if memory is None or memory[0] != stamp or not np.array_equal(memory[1], parents):
        groups = make_groups(transforms, parents, len(stack.names), rows.copy(), places.copy(), layers, masks)
        cache[_KEPT] = memory = (stamp, parents.copy(), groups)
    stack.groups = memory[2]
    _extend(stack, memory[2], table.column("visible")[rows] & (table.column("opacity")[rows] > 0))


def _extend(stack: Stack, groups: Groups, visible: Array) -> None:
    """Give the layers of groups the properties of the named layers they end in; the contents of a hidden group are
    hidden.
    """
    base = groups.base
    stack.screen, stack.lit = stack.screen[base], stack.lit[base]
    stack.y_sorted, stack.parallax = stack.y_sorted[base], stack.parallax[base]
    stack.behind = stack.behind[base]
    shown = stack.visible[base]
    if not visible.all():
        names = len(stack.names)
        shown[groups.number[~visible]] = False
        for _ in range(int(groups.depth.max()) + 1):
            shown[names:] &= shown[groups.inside]
    stack.visible = shown
