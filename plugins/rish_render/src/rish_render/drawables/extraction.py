"""The input that the extraction of each kind reads, and the data that it keeps from frame to frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Transform
from rish_ecs import Inputs, resource
from rish_frame import WorldMatrices
from rish_jit import Array

from ..materials.material_images import Pictures
from ..scene.frame_reuse import FrameSources, LastFrame, Picture
from ..scene.stack import Stack
from ..scene.view import View
from .drawables import Drawables, Things, among, same

if TYPE_CHECKING:
    from rish_ecs import World


@resource(derived=True)
class RenderCache:
    """Data that extraction keeps from frame to frame: text layouts, cut polygons.

    sources: what frames are made from. plan, picture: the parts of the last frame that the next one may reuse.
    """

    parts: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    kinds: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    batches: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    selected: dict[Any, Any] = dataclass_field(default_factory=dict[Any, Any])
    sources: FrameSources = dataclass_field(default_factory=FrameSources)
    plan: LastFrame | None = None
    picture: Picture | None = None

    def clear(self) -> None:
        """Clear the cached data, as after a reload of code. A restore marks what it changes, so it clears nothing."""
        self.parts.clear()
        self.kinds.clear()
        self.batches.clear()
        self.selected.clear()
        self.sources.forget()
        self.plan = self.picture = None


class Seen(NamedTuple):
    """The rows of a component that may be visible: int n, their matrices float32 (n, 6), and their layers, int n."""

    rows: Array
    matrix: Array
    numbers: Array

    def some(self, which: Array) -> Seen:
        """Return the rows that a bool array selects."""
        if np.count_nonzero(which) == len(which):
            return self
        return Seen(self.rows[which], self.matrix[which], self.numbers[which])

    def equals(self, other: Seen | None) -> bool:
        """Return whether the rows, matrices and layers are the same."""
        return other is not None and all(map(same, self, other))


@dataclass
class Extraction:
    """The context of extraction for all kinds, for one view.

    stack: the layers. view: that of the camera. flat: that of layers in screen space. pictures: images and their
    frames. cache: data that is kept from frame to frame. layers: bool, for each layer whether the view shows it.
    """

    world: World
    stack: Stack
    view: View
    flat: View
    pictures: Pictures
    cache: RenderCache
    layers: Array

    def visible(self, kind: Any) -> Seen:
        """Return the rows of a component that may be visible.

        Invisible things and those on hidden layers are left out. The matrices include each layer's parallax.
        """
        selected = self._selected(kind)
        if not len(selected.rows):
            return Seen(selected.rows, np.zeros((0, 6), np.float32), selected.numbers)
        matrix = selected.matrix(self.world[WorldMatrices])
        if self.stack.has_parallax:
            matrix = matrix.copy()
            self.add_parallax(matrix, selected.numbers)
        return Seen(selected.rows, matrix, selected.numbers)

    def _selected(self, kind: Any) -> _Selected:
        """Return the rows of a component that are visible on a shown layer; those of the last frame if they still
        are.
        """
        query, key = self.world.query(kind, Transform), (self.view.name, kind)
        rows, places = query.rows(kind), query.rows(Transform)
        source = rows, places, self.stack, self.layers
        last: _Selected | None = self.cache.selected.get(key)
        inputs = Inputs((kind,)) if last is None else last.inputs
        if inputs.changed(self.world) or last is None or not all(map(is_, source, last.source)):
            table = self.world[kind]
            numbers = self.stack.numbers(self.world, table.layer[rows], query.entities)
            shown = table.visible[rows] & self.layers[numbers]
            if np.count_nonzero(shown) < len(shown):
                rows, places, numbers = rows[shown], places[shown], numbers[shown]
            if last is None or not last.equals(rows, places, numbers):
                last = self.cache.selected[key] = _Selected(inputs, source, rows, places, numbers)
            last.source = source
        return last

    def add_parallax(self, matrix: Array, numbers: Array) -> None:
        """Move matrices, float32 (n, 6), by the parallax of the layers with these numbers."""
        if self.stack.has_parallax:
            follow = np.where(self.stack.screen[:, None], np.float32(1), self.stack.parallax)
            matrix[:, 4:] += (1 - follow[numbers]) * np.array(self.view.center, np.float32)

    def seen(self, center: Array, reach: Array, numbers: Array) -> Array:
        """Return bool n: whether boxes (center and half extents, float32 (n, 2)) touch the visible area of their
        layers.
        """
        bounds = np.array([self.view.bounds, self.flat.bounds], np.float32)
        screen = self.stack.screen[numbers].astype(np.intp)
        low, high = bounds[screen, :2], bounds[screen, 2:]
        inside: Array = (center + reach >= low) & (center - reach <= high)
        return inside[:, 0] & inside[:, 1]

    def density(self, numbers: Array) -> Array:
        """Return float32 n: pixels of the target per unit on the layers with these numbers."""
        return np.where(self.stack.screen[numbers], np.float32(self.flat.resolution), np.float32(self.view.resolution))

    def remembered(
        self, name: str, component: type, seen: Seen, make: Callable[[Extraction, Seen], Sequence[Things]],
        key: Any = None,
    ) -> Sequence[Things]:  # fmt: skip
        """Return the result of `make`, or its result of the last frame if nothing has changed since.

        It is made again when one of the visible rows is written, when these rows or their matrices change, the layers,
        the images, or the key. key: what the result depends on besides; if it is not given, the view. name:
        unique among the results that are kept.
        """
        if not len(seen.rows):
            return []
        name = f"{self.view.name} {name}"
        last = self.cache.kinds.pop(name, None) or _Extracted(Inputs((component, Pictures)))
        key = self.stack, self.view if key is None else key
        if last.written(self.world, component, seen) or last.key != key or not seen.equals(last.seen):
            things = make(self, seen)
            for each, before in zip(things, last.things, strict=False):
                if isinstance(each, Drawables):
                    each.reuse_order(before)
            last.key, last.seen, last.things = key, seen, things
        self.cache.kinds[name] = last
        return last.things


@dataclass(eq=False)
class _Selected:
    """The rows of a component that a view may show, with those of their Transforms and the numbers of their layers.

    source: what they were selected from, besides the values of the component.
    """

    inputs: Inputs
    source: tuple[Any, ...]
    rows: Array
    places: Array
    numbers: Array
    _matrix: Array | None = None
    _moves: int = -1

    def equals(self, rows: Array, places: Array, numbers: Array) -> bool:
        """Return whether these are the same rows, Transforms and layers."""
        return same(self.rows, rows) and same(self.places, places) and same(self.numbers, numbers)

    def matrix(self, drawn: WorldMatrices) -> Array:
        """Return the matrices of the rows, float32 (n, 6), the same array while none of them moves. Do not write."""
        matrix, moved = self._matrix, drawn.moved_since(self._moves)
        if matrix is None or moved is None:
            matrix = drawn.rows(self.places)
        elif len(moved) and len(which := among(self.places, moved).nonzero()[0]):
            matrix = matrix.copy()
            matrix[which] = drawn.rows(self.places[which])
        self._matrix, self._moves = matrix, drawn.version
        return matrix


@dataclass(eq=False)
class _Extracted:
    """The things of a kind in one view, and what they were made from."""

    inputs: Inputs
    key: Any = None
    seen: Seen | None = None
    things: Sequence[Things] = ()

    def written(self, world: World, component: type, seen: Seen) -> bool:
        """Return whether one of the visible rows may have been written, or an image."""
        changes = self.inputs.take(world)
        rows = None if changes is None else changes.of_table(component)
        return changes is not None and (rows is None or rows.all or bool(among(rows.rows, seen.rows).any()))
