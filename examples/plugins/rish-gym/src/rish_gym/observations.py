"""Observations: the parts that a task declares, read from a World into arrays that are given.

An observation of one array is that array; otherwise it is a dictionary of arrays by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from gymnasium import spaces

from rish_core import App, Name, Transform, UnknownName, World, find, tagged
from rish_ecs import Inputs
from rish_expressions import ExpressionError, FieldPath, Target, Vocabulary
from rish_jit import Array

from .pictures import reduced
from .task import Bounds, Part, Picture, Rows, Text, Value

Arrays = dict[str, Array]
Finder = Callable[[], tuple[Array, Mapping[Any, Array]]]
_KINDS = ("number", "truth", "any", "list")
_MAX_DISTANCE = 1e4
"""The bounds, in world units, of the positions in the summary of a game without pictures."""
SMALL = (84, 84)
"""The size of the picture of a task that declares no observation."""
MASK = "_mask"
"""The end of the name of a mask, which follows the name of its part."""


class ValueReader:
    """Reads a part that is an expression."""

    def __init__(self, world: World, name: str, part: Value, names: Mapping[str, Any]) -> None:
        self._part, self._name, self._names = part, name, names
        self._bound = part.text.bind(world, dict.fromkeys(names, "number"), _KINDS)
        shape = np.shape(self._value())
        self.spaces: dict[str, spaces.Space[Any]] = {name: spaces.Box(part.low, part.high, shape or (1,), np.float32)}

    def _value(self) -> Any:
        try:
            return self._bound(self._names)
        except ExpressionError as error:
            raise self._part.text.missing(error) from None

    def write(self, out: Arrays) -> None:
        """Write the clipped value. Raises ManifestError if it has none."""
        value = self._value()
        array = out[self._name]
        if isinstance(value, (float, int)):
            array[0] = min(max(value, self._part.low), self._part.high)
            return
        try:
            np.clip(value, self._part.low, self._part.high, out=array, casting="unsafe")
        except (TypeError, ValueError):
            size = array.shape[0]
            raise self._part.text.failed(f"must stay {size} number{'s' * (size > 1)}, and is {value!r}") from None


@dataclass(frozen=True)
class Block:
    """Neighboring numbers of a row that are read together from one column.

    elements: those of the column's vectors, None for a column of single numbers. places: in the row. angle: radians,
    which become degrees.
    """

    cls: type
    field: str
    elements: slice | None
    places: slice
    angle: bool


def _blocks(targets: Sequence[Target]) -> list[Block]:
    """Return the blocks of fields: x and y of a position, one after the other, are one block."""
    blocks: list[Block] = []
    for k, target in enumerate(targets):
        assert target.cls is not None
        assert target.spec is not None
        n, last = target.element, blocks[-1] if blocks else None
        if (
            last is not None and (last.cls, last.field) == (target.cls, target.field)
            and last.elements is not None and last.elements.stop == n
        ):  # fmt: skip
            elements, places = slice(last.elements.start, last.elements.stop + 1), slice(last.places.start, k + 1)
            blocks[-1] = replace(last, elements=elements, places=places)
            continue
        elements = None if n is None else slice(n, n + 1)
        blocks.append(Block(target.cls, target.field, elements, slice(k, k + 1), target.spec.angle))
    return blocks


class RowsReader:
    """Reads a part with a row for each entity of a kind."""

    def __init__(self, world: World, name: str, part: Rows) -> None:
        self._world, self._name, self._part = world, name, part
        words = Vocabulary.of_world(world)
        self._blocks = _blocks([_field(path, words) for path, _ in part.fields])
        components = [block.cls for block in self._blocks] + ([Transform] if part.near is not None else [])
        self._find = _finder(world, part.each, words, list(dict.fromkeys(components)))
        self._names, self._nearest = Inputs([Name]), -1
        self._low, self._high = (np.array([ends[k] for _, ends in part.fields], np.float32) for k in (0, 1))
        shape = (part.count, len(part.fields))
        self.spaces: dict[str, spaces.Space[Any]] = {
            # rows without an entity are 0, which may be out of the bounds
            name: spaces.Box(np.tile(np.minimum(self._low, 0), (shape[0], 1)),
                             np.tile(np.maximum(self._high, 0), (shape[0], 1)), shape, np.float32),
            name + MASK: spaces.MultiBinary(part.count),
        }  # fmt: skip
        if part.near is not None:
            self._place(part.near.text)

    def write(self, out: Arrays) -> None:
        """Write a row for each entity, and the mask. Raises ManifestError for a value that is not a number."""
        values, mask = out[self._name], out[self._name + MASK]
        handles, rows = self._find()
        count = self._fill(values, handles, rows) if len(handles) else 0
        values[count:], mask[:count], mask[count:] = 0, 1, 0

    def _fill(self, values: Array, handles: Array, rows: Mapping[Any, Array]) -> int:
        """Write these entities, whose rows in each table are given; return the number of rows written."""
        count = min(len(handles), self._part.count)
        origin = self._place(self._part.near.text) if self._part.near is not None else None
        if len(handles) > 1:
            ranks = handles if origin is None else _squares(self._world[Transform].position[rows[Transform]] - origin)
            order = np.argsort(ranks, kind="stable")[:count]
            rows = {cls: each[order] for cls, each in rows.items()}
        numbers = np.empty((count, len(self._low)))
        for block in self._blocks:
            values_read = self._world.table(block.cls).column(block.field).take(rows[block.cls], axis=0)
            if block.elements is None:
                numbers[:, block.places.start] = values_read
            else:
                numbers[:, block.places] = values_read[:, block.elements]
            if block.angle:
                numbers[:, block.places] = np.degrees(numbers[:, block.places])
            elif origin is not None and block.cls is Transform and block.field == "position":
                numbers[:, block.places] -= origin[block.elements]
        if np.isnan(numbers).any():
            raise self._part.each.failed("a field of an entity is not a number (NaN)")
        np.maximum(numbers, self._low, out=numbers)
        np.minimum(numbers, self._high, out=values[:count], casting="unsafe")
        return count

    def _place(self, name: str) -> Array:
        near = self._part.near
        assert near is not None
        if self._names.changed(self._world):
            handle = find(self._world, name)
            self._nearest = -1 if handle is None else handle
        table = self._world.table(Transform)
        row = table.row_of(self._nearest) if self._nearest >= 0 else -1
        if row < 0:
            raise near.failed(f"no entity with a Transform is called {name!r}")
        return table.position[row].astype(np.float64)


def _squares(offsets: Array) -> Array:
    return offsets[:, 0] * offsets[:, 0] + offsets[:, 1] * offsets[:, 1]


def _finder(world: World, each: Text, words: Vocabulary, needed: Sequence[type]) -> Finder:
    """Return the function that finds the entities of a component, in CapWords, or of a tag, that have all needed ones.

    It returns their handles and their rows in the table of each needed component.
    """
    if not each.text.rpartition(".")[2][:1].isupper():

        def find_tagged() -> tuple[Array, Mapping[Any, Array]]:
            handles = tagged(world, each.text)
            rows = {cls: world.table(cls).rows_of(handles) for cls in needed}
            kept = np.logical_and.reduce([found >= 0 for found in rows.values()])
            return handles[kept], {cls: found[kept] for cls, found in rows.items()}

        return find_tagged
    try:
        cls = words.registry.component(each.text).cls
    except UnknownName as error:
        raise each.failed(str(error)) from None

    def find_all() -> tuple[Array, Mapping[Any, Array]]:
        query = world.query(cls, *needed)
        return query.entities, {other: query.rows(other) for other in needed}

    return find_all


def _field(path: Text, words: Vocabulary) -> Target:
    try:
        target = FieldPath.parse(path.text).resolve(words, below=True)
    except ExpressionError as error:
        raise path.failed(error.line) from None
    if target.type not in ("number", "truth", "text") or target.kind != "component" or target.children:
        raise path.failed("must name one number of a component, such as Transform.position.x")
    if target.spec is None or (target.type == "text" and target.spec.type.enum is None):
        raise path.failed("is text, and an observation has numbers")
    return target


class PictureReader:
    """Reads a part that is the drawn frame."""

    def __init__(self, app: App, name: str, part: Picture) -> None:
        self._app, self._name, self._part = app, name, part
        shape = (part.size[1], part.size[0], 1 if part.gray else 3)
        self.spaces: dict[str, spaces.Space[Any]] = {name: spaces.Box(0, 255, shape, np.uint8)}

    def write(self, out: Arrays) -> None:
        """Draw, and write the reduced picture."""
        self._app.draw()
        out[self._name][...] = reduced(self._app.pixels()[..., :3], self._part.size, gray=self._part.gray)


class Observer:
    """Reads all parts of an observation. names: the values of the names that expressions may use.

    space: of the observation. Raises ManifestError.
    """

    def __init__(self, app: App, parts: Mapping[str, Part], names: Mapping[str, Any]) -> None:
        self._readers: list[ValueReader | RowsReader | PictureReader] = []
        for name, part in parts.items():
            if isinstance(part, Value):
                self._readers.append(ValueReader(app.world, name, part, names))
            elif isinstance(part, Rows):
                self._readers.append(RowsReader(app.world, name, part))
            else:
                self._readers.append(PictureReader(app, name, part))
        self.spaces = {name: space for reader in self._readers for name, space in reader.spaces.items()}
        self._alone = next(iter(self.spaces)) if len(self.spaces) == 1 else None
        self._forms = [(name, space.shape or (), space.dtype) for name, space in self.spaces.items()]
        self.space = self.spaces[self._alone] if self._alone is not None else spaces.Dict(self.spaces)

    def arrays(self, count: int | None = None) -> Arrays:
        """Return arrays for one observation, or for a batch."""
        before = () if count is None else (count,)
        return {name: np.zeros((*before, *shape), dtype) for name, shape, dtype in self._forms}

    def write(self, out: Arrays) -> None:
        """Read all parts into arrays."""
        for reader in self._readers:
            reader.write(out)

    def shown(self, arrays: Arrays) -> Any:
        """Return arrays in the form of the space."""
        return arrays[self._alone] if self._alone is not None else arrays


def default_parts(app: App) -> dict[str, Part]:
    """Return the parts of a task that declares none: a small picture, or positions if the game draws nothing."""
    if app.host.has_pixels:
        return {"picture": Picture(SMALL)}
    each = Text("Transform", app.manifest.document.place(), "observation")
    bounds: Bounds = (-_MAX_DISTANCE, _MAX_DISTANCE)
    paths = [Text(f"Transform.position.{axis}", each.place, each.path) for axis in "xy"]
    return {"entities": Rows(each, 32, tuple((path, bounds) for path in paths))}
