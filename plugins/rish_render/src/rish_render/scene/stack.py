"""The layer stack of the renderer: the numbers of the layers by name, and the properties of each layer.

The layers of the stack are numbered from the bottom. A group (see `groups`) has a layer of its own with a number above
these; its properties are those of the layer that the group is on. `world[Stack]` is a derived value, so it is the same
object while nothing about the layers and the groups changes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Layer, Layers, LayerStack, Name, Transform
from rish_ecs import derived, did_you_mean
from rish_ecs.declarations import distinct
from rish_frame import layer_look
from rish_jit import Array

from ..components.visible import CanvasGroup
from .groups import Groups, make_groups
from .notices import Notices

if TYPE_CHECKING:
    from rish_ecs import World

_NONE: Array = np.zeros(0, np.bool_)
_ROOM = 10
"""The binary logarithm of the number of texts for which there is room at first."""


def _layers(world: World) -> list[Layer]:
    """Return the layers from the bottom; one plain layer if the world has none."""
    layers = world[LayerStack].bottom_up(world) if LayerStack in world and Layers in world else []
    return layers or [Layer("world")]


def _declared(world: World) -> list[tuple[Any, ...]]:
    """Return what is drawn differently if it changes, for each layer, and for how many texts there is room."""
    hidden = world[Layers].hidden if Layers in world else ()
    find = world.texts.find
    layers = [
        (layer.name, layer.space, dict(layer.options), layer.name in hidden, find(layer.name))
        for layer in _layers(world)
    ]
    return [*layers, (1 << max(len(world.texts).bit_length(), _ROOM),)]


def _grouped(world: World) -> tuple[Any, ...] | None:
    """Return everything that the members of groups depend on; None without groups."""
    if CanvasGroup not in world or not len(world.table(CanvasGroup)):
        return None
    query = world.query(CanvasGroup, Transform)
    table, transforms = world.table(CanvasGroup), world.table(Transform)
    rows = query.rows(CanvasGroup)
    names = [layer.name for layer in _layers(world)]
    numbers = {world.texts.find(name): number for number, name in enumerate(names)}
    texts = table.column("layer")[rows].tolist()
    for text, entity in zip(texts, query.entities.tolist(), strict=True):
        if text and text not in numbers:
            warn_of_layer(world, names, world.text(text), entity, f"it is drawn on the layer {names[0]!r}")
    layers = np.array([numbers.get(text, 0) if text else 0 for text in texts], np.int64)
    tree = transforms.membership, transforms.column("parent")
    return len(names), rows, query.rows(Transform), layers, table.column("mask")[rows], *tree


@derived(reads=_grouped)
class GroupLayers:
    """The groups of a world, and the layers of their members; None without groups."""

    groups: Groups | None = None

    def compute(self, world: World) -> None:
        """Find the members of all groups."""
        grouped = _grouped(world)
        if grouped is not None:
            names, rows, places, layers, masks, _, parents = grouped
            self.groups = make_groups(world.table(Transform), parents, names, rows.copy(), places.copy(), layers, masks)


@derived(reads=(_declared, GroupLayers, CanvasGroup.visible, CanvasGroup.opacity))
class Stack:
    """The layers by number: first those with names, then those of groups and of their masks.

    visible, screen, lit, y_sorted, behind: bool for each layer; lights shine on the lit ones, and never on screen
    layers; the ground of the frame is drawn over those that are behind, which are the lowest ones. parallax: float32
    (layers, 2), how far each follows the camera. by_text: the number of the layer by the number of its name in the
    World's texts, with room for more texts; -1 if no layer has that name. groups: None if there are none.
    """

    names: tuple[str, ...] = ()
    visible: Array = _NONE
    screen: Array = _NONE
    lit: Array = _NONE
    y_sorted: Array = _NONE
    behind: Array = _NONE
    parallax: Array = _NONE
    by_text: Array = _NONE
    groups: Groups | None = None

    def compute(self, world: World) -> None:
        """Number the layers, and set their properties."""
        *declared, (room,) = _declared(world)
        looks = [layer_look(layer) for layer in _layers(world)]
        self.names = tuple(name for name, *_ in declared)
        self.visible = np.array([not hidden for *_, hidden, _ in declared], np.bool_)
        self.screen = np.array([space == "screen" for _, space, *_ in declared], np.bool_)
        self.lit = np.array([look.lit for look in looks], np.bool_) & ~self.screen
        self.y_sorted = np.array([look.y_sort for look in looks], np.bool_)
        self.behind = np.array([any(look.behind for look in looks[number:]) for number in range(len(looks))], np.bool_)
        self.parallax = np.array([look.parallax for look in looks], np.float32).reshape(-1, 2)
        self.by_text = np.full(room, -1, np.int64)
        self.by_text[0] = 0
        for number, (*_, text) in enumerate(declared):
            if text > 0:
                self.by_text[text] = number
        self.groups = world[GroupLayers].groups
        if self.groups is not None:
            self._add_groups(world, self.groups)

    def _add_groups(self, world: World, groups: Groups) -> None:
        """Give the layers of groups the properties of the named layers they end in; the contents of a hidden group are
        hidden.
        """
        for name in ("visible", "screen", "lit", "y_sorted", "behind", "parallax"):
            setattr(self, name, getattr(self, name)[groups.base])
        table = world.table(CanvasGroup)
        visible = table.column("visible")[groups.rows] & (table.column("opacity")[groups.rows] > 0)
        if not visible.all():
            self.visible[groups.number[~visible]] = False
            for _ in range(int(groups.depth.max()) + 1):
                self.visible[len(self.names) :] &= self.visible[groups.inside]

    def __len__(self) -> int:
        """How many layers there are, including those of groups."""
        return len(self.visible)

    @cached_property
    def has_parallax(self) -> bool:
        """Whether a layer does not follow the camera as a whole."""
        return bool((self.parallax != 1).any())

    @cached_property
    def without_screen(self) -> Stack:
        """The same layers, with those in screen space hidden."""
        return replace(self, visible=self.visible & ~self.screen)

    def numbers(self, world: World, layer: Array, entities: Array) -> Array:
        """Return the layer number for each value of a `layer` column; members of a group are on the group's layer.

        An unknown name is reported once and replaced by the first layer.
        """
        numbers = self.by_text[layer]
        strange = numbers < 0
        if np.count_nonzero(strange):
            for text in distinct(layer[strange]).tolist():
                culprit = int(entities[layer == text][0])
                outcome = f"it is drawn on the layer {self.names[0]!r}"
                warn_of_layer(world, self.names, world.text(text), culprit, outcome)
            numbers = np.where(strange, 0, numbers)
        return numbers if self.groups is None else self.groups.place(world, numbers, entities)


def warn_of_layer(world: World, names: Any, name: str, entity: int, outcome: str) -> None:
    """Report once that an entity names a layer that does not exist. names: of all layers. outcome: the end of the
    message.
    """
    if name in world[Notices]:
        return
    who = f"entity {entity}"
    if Name in world and world.has(entity, Name):
        who = f"{world.get(entity, Name).value!r} ({who})"
    world[Notices](f"{who}: there is no layer {name!r}{did_you_mean(name, names)}; {outcome}", key=name)
