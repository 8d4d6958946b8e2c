"""Access: objects whose attributes are the columns' own memory, for code that handles one entity at a time.

A `Binding` makes a class of light views for one component of one world: its properties read and write a row of the
columns through memoryviews, at the price of a Python call. A view holds its entity's row; when rows of the table have
come, gone or moved (`table.membership` says so), the next access finds all rows of the table's views again. Views of
entities that are gone raise at the next access.

Nothing is kept here that is not in the columns: a view is a pair of numbers, and can be thrown away at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_core import TICK_STAGES
from rish_core.ecs.columns import members_of
from rish_core.ecs.component import FieldSpec
from rish_core.ecs.entities import describe
from rish_core.errors import UsageError

from .vector import Vector

if TYPE_CHECKING:
    from rish_core import Table, World

GONE = -(1 << 40)
"""The row of an entity that has none: outside every column, so that reading it raises."""
_MAY_WRITE = (*reversed(TICK_STAGES), None)
"""The stages in which state may be written, the commonest first; a tuple is searched by identity."""
_PLAIN = frozenset({"", "entity"})
_LARGEST = float(np.finfo(np.float32).max)


class Part:
    """One component of one entity; attributes read and write the columns. `entity` is its handle."""

    __slots__ = ("_row", "entity")
    entity: int
    _row: int


def _repr(view: Any) -> str:
    try:
        inner = ", ".join(f"{name}={getattr(view, name)!r}" for name in view.__kind__.fields)
    except LookupError:
        inner = "gone"
    return f"<{view.__kind__.name} of {describe(view.entity)}{': ' if inner else ''}{inner}>"


class Binding:
    """The views of one component of one world, by entity.

    cells: the membership that the rows are right for, then the memory of each field. seen: views by handle.
    """

    def __init__(self, world: World, table: Table, base: type = Part, more: dict[str, Any] | None = None) -> None:
        self.world, self.table = world, table
        self.kind = table.schema
        self.objects: dict[int, Any] = {}
        self.cells: list[Any] = [-1, *([None] * len(self.kind.fields))]
        self.state = vars(table)
        self.put: dict[str, Callable[[Any, Any], None]] = {}
        self.quick: dict[str, tuple[int, type | None, Any, Any]] = {}
        namespace: dict[str, Any] = {
            "__slots__": (), "__module__": base.__module__, "__kind__": self.kind, "__repr__": _repr,
            "__eq__": object.__eq__, "__hash__": object.__hash__, **(more or {}),
        }  # fmt: skip
        for place, spec in enumerate(self.kind.fields.values(), 1):
            namespace[spec.name] = property(self._reader(spec, place), doc=spec.doc)
            self._add_writer(spec, place)
        namespace["__setattr__"] = self._setattr()
        self.view: type = type(base)(self.kind.name, (base,), namespace)
        self._set_row = base._row.__set__  # pyright: ignore[reportAttributeAccessIssue]
        self._set_entity = base.entity.__set__  # pyright: ignore[reportAttributeAccessIssue]

        table.on_grow.append(self._let_go)

    def close(self) -> None:
        """Nobody looks through this any more."""
        if self._let_go in self.table.on_grow:
            self.table.on_grow.remove(self._let_go)

    def _let_go(self, *_: Any) -> None:
        """Keep no column that growth has replaced; the next access fetches the new ones."""
        self.cells[:] = [-1] * len(self.cells)

    def at(self, handle: int) -> Any:
        """The view of an entity's component. Raises StaleEntity, NotYet or UnknownName where it is absent."""
        found = self.objects.get(handle)
        if found is None:
            _, row = self.world.locate(handle, self.kind.cls)
            if self.state["membership"] != self.cells[0]:
                self.refresh()
            found = self.objects[handle] = object.__new__(self.view)
            self._set_entity(found, handle)
            self._set_row(found, row)
        return found

    def nobody(self) -> Any:
        """A view of no entity, which stands for all of them where a script is named."""
        view = object.__new__(self.view)
        self._set_entity(view, 0)
        self._set_row(view, GONE)
        return view

    def refresh(self) -> None:
        """Find the columns and the rows of all views again; views of what is gone are let go."""
        table, cells, objects = self.table, self.cells, self.objects
        for place, spec in enumerate(self.kind.fields.values(), 1):
            cells[place] = None if spec.type.pooled else memoryview(cast("Any", table.flat(spec.name)))
        cells[0] = table.membership
        if not objects:
            return
        rows = table.rows_of(np.fromiter(objects, np.int64, len(objects))).tolist()
        gone: list[int] = []
        set_row = self._set_row
        for (handle, view), row in zip(objects.items(), rows, strict=True):
            set_row(view, row if row >= 0 else GONE)
            if row < 0:
                gone.append(handle)
        for handle in gone:
            del objects[handle]

    def _absent(self, view: Any) -> Exception:
        """What to raise for a view of something that is not there."""
        try:
            self.world.locate(view.entity, self.kind.cls)
        except LookupError as error:
            return error
        return UsageError(
            f"this {self.kind.name} of entity {describe(view.entity)} is from before it was taken away",
            hint="Get it again: self.get(...)",
        )

    # How a field is read

    def _reader(self, spec: FieldSpec, place: int) -> Callable[[Any], Any]:
        found = spec.type
        if found.pooled:
            return self._pooled_reader(spec.name)
        if found.shape == (2,):
            return self._pair_reader(place)
        if found.shape:
            return self._vector_reader(place, found.width)
        if found.text:
            return self._number_reader(place, self.world.texts.texts.__getitem__)
        if found.enum is not None:
            return self._number_reader(place, members_of(found.enum).__getitem__)
        return self._number_reader(place)

    def _number_reader(self, place: int, meaning: Callable[[int], Any] | None = None) -> Callable[[Any], Any]:
        state, cells, refresh, absent = self.state, self.cells, self.refresh, self._absent

        def read(view: Any) -> Any:
            if state["membership"] != cells[0]:
                refresh()
            try:
                return cells[place][view._row]
            except IndexError:
                raise absent(view) from None

        return read if meaning is None else lambda view: meaning(read(view))

    def _pair_reader(self, place: int) -> Callable[[Any], Any]:
        state, cells, refresh, absent = self.state, self.cells, self.refresh, self._absent

        def read(view: Any) -> Any:
            if state["membership"] != cells[0]:
                refresh()
            cell, at = cells[place], 2 * view._row
            try:
                return Vector((cell[at], cell[at + 1]))
            except IndexError:
                raise absent(view) from None

        return read

    def _vector_reader(self, place: int, width: int) -> Callable[[Any], Any]:
        state, cells, refresh, absent = self.state, self.cells, self.refresh, self._absent

        def read(view: Any) -> Any:
            if state["membership"] != cells[0]:
                refresh()
            row = view._row
            if row < 0:
                raise absent(view)
            return Vector(cells[place][width * row : width * row + width].tolist())

        return read

    def _pooled_reader(self, name: str) -> Callable[[Any], Any]:
        state, cells, refresh, table = self.state, self.cells, self.refresh, self.table

        def read(view: Any) -> Any:
            if state["membership"] != cells[0]:
                refresh()
            if view._row < 0:
                raise self._absent(view)
            return table.read_row(name, view._row)

        return read

    # How a field is written

    def _setattr(self) -> Callable[[Any, str, Any], None]:
        """What an assignment does: the quick way for numbers and pairs that are surely right, else the careful one."""
        writers, quick, state, cells = self.put, self.quick, self.state, self.cells
        world, mark = self.world, self.table.marker()

        def set_attribute(view: Any, name: str, value: Any) -> None:
            known, row = quick.get(name), view._row
            if known is not None and row >= 0 and state["membership"] == cells[0] and world.stage in _MAY_WRITE:
                place, of, low, high = known
                if type(value) is of:
                    if low <= value <= high:
                        cells[place][row] = value
                        mark(row)
                        return
                elif of is None and isinstance(value, tuple) and len(value) == 2:
                    x, y = value
                    if type(x) is float and type(y) is float and low <= x <= high and low <= y <= high:
                        cell, at = cells[place], 2 * row
                        cell[at], cell[at + 1] = x, y
                        mark(row)
                        return
            try:
                write = writers[name]
            except KeyError:
                raise unknown_attribute(view, name, value) from None
            write(view, value)

        return set_attribute

    def _add_writer(self, spec: FieldSpec, place: int) -> None:
        """Note how a field is written; for the quick way also its place, type (None: a pair of floats) and range."""
        found, kind = spec.type, spec.type.dtype.kind
        self.put[spec.name] = self._writer(spec)
        if found.special not in _PLAIN or found.shape not in ((), (2,)) or (found.shape and kind != "f"):
            return
        if kind == "f":
            low, high = -_LARGEST, _LARGEST
        elif kind == "b":
            low, high = False, True
        else:
            low, high = int(np.iinfo(found.dtype).min), int(np.iinfo(found.dtype).max)
        of = None if found.shape else {"f": float, "b": bool}.get(kind, int)
        low, high = low if spec.low is None else spec.low, high if spec.high is None else spec.high
        self.quick[spec.name] = place, of, low, high

    def _writer(self, spec: FieldSpec) -> Callable[[Any, Any], None]:
        """Writes anything that the field takes. Raises what `world.set` would, and where nothing may be written."""
        state, cells, refresh, table, name = self.state, self.cells, self.refresh, self.table, spec.name

        def write(view: Any, value: Any) -> None:
            if state["membership"] != cells[0]:
                refresh()
            if not spec.view:
                self.world.check_stage(f"writing {self.kind.name}.{name}")
            if view._row < 0:
                raise self._absent(view)
            table.write_row(name, view._row, value)

        return write


def unknown_attribute(view: Any, name: str, value: Any) -> Exception:
    """What to raise where something is assigned that is no field."""
    kind = type(view).__kind__
    if hasattr(type(view), name):
        return UsageError(f"{kind.name}.{name} can't be assigned: it is no field")
    return UsageError(
        f"{kind.name} has no field {name!r}, so what it holds would be lost",
        given=name,
        choices=kind.fields,
        hint=f"Write in class {kind.name}:  {name}: {annotation_for(value)}",
    )


def annotation_for(value: Any) -> str:
    """The annotation, with its default, that a field needs to hold such a value."""
    if isinstance(value, bool):
        return f"bool = {value}"
    if isinstance(value, (int, np.integer)):
        return "Entity" if value >= 1 << 32 else f"int = {value}"
    if isinstance(value, (float, np.floating)):
        return f"float = {float(value):g}"
    if isinstance(value, str):
        return f"Str = {value!r}" if len(value) < 24 else "Chars"
    if isinstance(value, (tuple, list, np.ndarray)):
        kinds = {type(item).__name__ for item in value}
        if 2 <= len(value) <= 4 and kinds <= {"float", "int", "float32", "float64"}:
            return f"Vec{len(value)}"
        return f"list[{'Str' if kinds == {'str'} else 'int' if kinds == {'int'} else 'float'}]"
    if hasattr(value, "entity"):
        return "Entity  (and assign its .entity)"
    return "float, or another column type; a script's memory is columns, which hold no Python objects"
