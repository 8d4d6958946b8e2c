"""Bounds3D: how large what entities draw in space is, for tools that know no drawer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import resource

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
Source = Callable[["World", Array], Array]
"""Returns boxes (n, 2, 3) of entities (n,) in their own spaces; NaN for those that it does not draw."""


@resource(derived=True)
class Bounds3D:
    """The boxes around what entities draw, in the space of each entity. Plugins that draw `add` a source when ready."""

    def __init__(self) -> None:
        self._sources: dict[str, Source] = {}

    def add(self, name: str, source: Source) -> None:
        """Ask a source for boxes from now on. name: of the plugin, replaces its former source."""
        self._sources[name] = source

    def of(self, world: World, entities: Any) -> Array:
        """Return the boxes of entities, float64 (n, 2, 3): lowest and highest corner; NaN where nothing is drawn."""
        handles = np.asarray(entities, np.int64).reshape(-1)
        found = np.full((len(handles), 2, 3), np.nan)
        for source in self._sources.values():
            boxes = source(world, handles)
            found[:, 0] = np.fmin(found[:, 0], boxes[:, 0])
            found[:, 1] = np.fmax(found[:, 1], boxes[:, 1])
        return found

    def rebuild(self, world: World) -> None:
        """Keep the sources after a restore."""
