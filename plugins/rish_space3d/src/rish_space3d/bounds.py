"""Bounds3D: the bounding boxes of entities in space, for tools that don't know the plugins that draw them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import resource
from rish_jit import Array

if TYPE_CHECKING:
    from rish_core import World

Source = Callable[["World", Array], Array]
"""A function that returns boxes (n, 2, 3) of entities (n,) in their own spaces; NaN for those that it does not draw."""


@resource(derived=True)
class Bounds3D:
    """The boxes around drawn entities, in the space of each entity. Plugins that draw `add` a source when they are
    ready."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}

    def add(self, name: str, source: Source) -> None:
        """Add a source of boxes. name: of the plugin; it replaces the plugin's former source."""
        self._sources[name] = source

    def of(self, world: World, entities: Any) -> Array:
        """Return the boxes of entities, float64 (n, 2, 3): lowest and highest corner; NaN where nothing is drawn."""
        handles = np.asarray(entities, np.int64).reshape(-1)
        bounds = np.full((len(handles), 2, 3), np.nan)
        for source in self._sources.values():
            boxes = source(world, handles)
            bounds[:, 0] = np.fmin(bounds[:, 0], boxes[:, 0])
            bounds[:, 1] = np.fmax(bounds[:, 1], boxes[:, 1])
        return bounds
