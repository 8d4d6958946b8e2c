"""The layer stack of the renderer: the numbers of the layers by name, and the properties of each layer.

The layers of the stack are numbered from the bottom. A group (see `groups`) has a layer of its own with a number above
these; its properties are those of the layer that the group is on.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Name
from rish_ecs import did_you_mean
from rish_jit import Array

if TYPE_CHECKING:
    from rish_ecs import World

    from .groups import Groups


_log = logging.getLogger("rish.render")


@dataclass
class Stack:
    """The layers of one frame by number: first those with names, then those of groups.

    visible, screen, lit, y_sorted, behind: bool for each layer; lights shine on the lit ones, and never on screen
    layers; the ground of the frame is drawn over those that are behind, which are the lowest ones. parallax: float32
    (layers, 2), how far each follows the camera. by_text: the number of the layer by the number of its name in the
    World's texts; -1 if no layer has that name. groups: None if there are none.
    """

    names: tuple[str, ...]
    visible: Array
    screen: Array
    lit: Array
    y_sorted: Array
    behind: Array
    parallax: Array
    by_text: Array
    logged: set[str] = dataclass_field(default_factory=set[str])
    groups: Groups | None = None

    def __len__(self) -> int:
        """How many layers there are, including those of groups."""
        return len(self.visible)

    @cached_property
    def stamp(self) -> tuple[Any, ...]:
        """A key that changes when the layers change."""
        parts = (self.visible, self.screen, self.lit, self.y_sorted, self.behind, self.parallax)
        return (self.names, *(part.tobytes() for part in parts))

    def numbers(self, world: World, layer: Array, entities: Array) -> Array:
        """Return the layer number for each value of a `layer` column; members of a group are on the group's layer.

        An unknown name is reported once and replaced by the first layer.
        """
        numbers = self.named(world, layer, entities)
        return numbers if self.groups is None else self.groups.place(world, numbers, entities)

    def named(self, world: World, layer: Array, entities: Array) -> Array:
        """Return the layer number for each value of a `layer` column, without regard to groups."""
        numbers = self.by_text[layer]
        strange = numbers < 0
        if strange.any():
            for text in np.unique(layer[strange]).tolist():
                culprit = int(entities[layer == text][0])
                self.warn(world, world.text(text), culprit, f"it is drawn on the layer {self.names[0]!r}")
            numbers = np.where(strange, 0, numbers)
        return numbers

    def warn(self, world: World, name: str, entity: int, outcome: str) -> None:
        """Report once that an entity names a layer that does not exist. outcome: the end of the message."""
        if name in self.logged:
            return
        self.logged.add(name)
        who = f"entity {entity}"
        if Name in world and world.has(entity, Name):
            who = f"{world.get(entity, Name).value!r} ({who})"
        _log.warning("%s: there is no layer %r%s; %s", who, name, did_you_mean(name, self.names), outcome)
