"""Access: objects whose attributes are stored in the columns, for code that handles one entity at a time.

A `Binding` makes a class of light views for one component of one world. Its properties read and write a row of the
columns through memoryviews; an access costs about one Python call. A view stores its entity's row. When rows of the
table are added, removed or moved, the table empties the cached memoryviews (`table.caches`), and the next access finds
the rows of all views of the table again. Views of removed entities raise an error at the next access.

A view has no data of its own: it is a pair of numbers, and can be discarded at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_core import TICK_STAGES
from rish_ecs import UsageError, Vector, did_you_mean
from rish_ecs.declarations import FieldSpec, members_of
from rish_ecs.storage import describe

if TYPE_CHECKING:
    from rish_core import Table, World

GONE = -(1 << 40)
"""The row of an entity without a row. It is outside every column, so that reading it raises an error."""
_MAY_WRITE = (*reversed(TICK_STAGES), None)
"""The stages in which state may be written, most frequent first. A tuple, because it is searched by identity."""
_PLAIN = frozenset({"", "entity"})
_MAX_FLOAT = float(np.finfo(np.float32).max)


class Part:
    """One component of one entity; attributes read and write the columns. `entity` is the entity's handle."""

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
    """The views of one component of one World.

    objects: the views by entity. cells: the memoryview of each field; empty until `refresh` has found the columns and
    the rows of all views again. put: the function that writes each field. limits: the type, the least and the greatest
    number of the fields that need no more checks; `tuple` for pairs of float.
    """

    def __init__(self, world: World, table: Table, base: type = Part, more: dict[str, Any] | None = None) -> None:
        self.world, self.table = world, table
        self.kind = table.schema
        self.objects: dict[int, Any] = {}
        self.cells: dict[str, Any] = {}
        self.put: dict[str, Callable[[Any, Any], None]] = {}
        self.limits: dict[str, tuple[type, Any, Any]] = {}
        namespace: dict[str, Any] = {
            "__slots__": (), "__module__": base.__module__, "__kind__": self.kind, "__repr__": _repr,
            "__eq__": object.__eq__, "__hash__": object.__hash__, **(more or {}),
        }  # fmt: skip
        for spec in self.kind.fields.values():
            namespace[spec.name] = property(self._reader(spec), doc=spec.doc)
            self.put[spec.name] = self._writer(spec)
            if (limits := _limits(spec)) is not None:
                self.limits[spec.name] = limits
        namespace["__setattr__"] = self._setattr()
        self.view: type = type(base)(self.kind.name, (base,), namespace)
        self._set_row = base._row.__set__  # pyright: ignore[reportAttributeAccessIssue]
        self._set_entity = base.entity.__set__  # pyright: ignore[reportAttributeAccessIssue]
        table.caches.append(self.cells)

    def close(self) -> None:
        """Detach this binding from its table, which then no longer empties its cache."""
        self.table.caches[:] = [cache for cache in self.table.caches if cache is not self.cells]

    def at(self, handle: int) -> Any:
        """Return the view of an entity's component. Raises StaleEntity, NotYet or UnknownName if it is absent."""
        view = self.objects.get(handle)
        if view is None:
            _, row = self.world.locate(handle, self.kind.cls)
            view = self.objects[handle] = object.__new__(self.view)
            self._set_entity(view, handle)
            self._set_row(view, row)
        return view

    def nobody(self) -> Any:
        """Return a view without an entity, for messages about all scripts of a class."""
        view = object.__new__(self.view)
        self._set_entity(view, 0)
        self._set_row(view, GONE)
        return view

    def refresh(self) -> None:
        """Find the columns and the rows of all views again; forget the views of removed components."""
        table, objects = self.table, self.objects
        for name, spec in self.kind.fields.items():
            self.cells[name] = None if spec.type.pooled else memoryview(cast("Any", table.flat(name)))
        rows = table.rows_of(np.fromiter(objects, np.int64, len(objects))).tolist()
        removed: list[int] = []
        set_row = self._set_row
        for (handle, view), row in zip(objects.items(), rows, strict=True):
            set_row(view, row if row >= 0 else GONE)
            if row < 0:
                removed.append(handle)
        for handle in removed:
            del objects[handle]

    def _find(self, view: Any) -> None:
        """Update the view's row and the cells if needed. Raises if the view has no row."""
        if not self.cells:
            self.refresh()
        if view._row < 0:
            raise self._absent(view)

    def _absent(self, view: Any) -> Exception:
        """Return the error for a view of a missing component or entity."""
        try:
            self.world.locate(view.entity, self.kind.cls)
        except LookupError as error:
            return error
        return UsageError(
            f"this {self.kind.name} of entity {describe(view.entity)} is outdated: the component was removed",
            hint="Get it again: self.get(...)",
        )

    # Readers of fields

    def _reader(self, spec: FieldSpec) -> Callable[[Any], Any]:
        """Return the function that reads a field of a view."""
        column_type = spec.type
        if column_type.pooled:
            return self._pooled_reader(spec.name)
        if column_type.shape == (2,):
            return self._pair_reader(spec.name)
        if column_type.shape:
            return self._vector_reader(spec.name, column_type.width)
        if column_type.text:
            return self._number_reader(spec.name, self.world.texts.texts.__getitem__)
        if column_type.enum is not None:
            return self._number_reader(spec.name, members_of(column_type.enum).__getitem__)
        return self._number_reader(spec.name)

    def _number_reader(self, name: str, meaning: Callable[[int], Any] | None = None) -> Callable[[Any], Any]:
        cells, find = self.cells, self._find

        def read(view: Any) -> Any:
            try:
                return cells[name][view._row]
            except LookupError:
                find(view)
                return cells[name][view._row]

        return read if meaning is None else lambda view: meaning(read(view))

    def _pair_reader(self, name: str) -> Callable[[Any], Any]:
        cells, find = self.cells, self._find

        def read(view: Any) -> Any:
            try:
                cell, at = cells[name], 2 * view._row
                return Vector((cell[at], cell[at + 1]))
            except LookupError:
                find(view)
                cell, at = cells[name], 2 * view._row
                return Vector((cell[at], cell[at + 1]))

        return read

    def _vector_reader(self, name: str, width: int) -> Callable[[Any], Any]:
        cells, find = self.cells, self._find

        def read(view: Any) -> Any:
            find(view)
            at = width * view._row
            return Vector(cells[name][at : at + width].tolist())

        return read

    def _pooled_reader(self, name: str) -> Callable[[Any], Any]:
        find, table = self._find, self.table

        def read(view: Any) -> Any:
            find(view)
            return table.read_row(name, view._row)

        return read

    # Writers of fields

    def _setattr(self) -> Callable[[Any, str, Any], None]:
        """Return the `__setattr__` of a view class. It writes valid numbers and pairs itself, which saves a call."""
        limits, writers, cells, world, mark = self.limits, self.put, self.cells, self.world, self.table.mark

        def set_attribute(view: Any, name: str, value: Any) -> None:
            try:
                if name in limits and world.stage in _MAY_WRITE:
                    of, low, high = limits[name]
                    row = view._row
                    if of is tuple:
                        x, y = value
                        if type(x) is type(y) is float and low <= x <= high and low <= y <= high:
                            cell, at = cells[name], 2 * row
                            cell[at] = x
                            cell[at + 1] = y
                            return mark(row)
                    elif type(value) is of and low <= value <= high:
                        cells[name][row] = value
                        return mark(row)
            except (LookupError, TypeError, ValueError):
                pass  # the cells are empty, or the value is no pair
            try:
                write = writers[name]
            except KeyError:
                raise unknown_attribute(view, name, value) from None
            return write(view, value)

        return set_attribute

    def _writer(self, spec: FieldSpec) -> Callable[[Any, Any], None]:
        """Return the writer for all values. It raises the errors of `world.set`, and an error outside tick stages."""
        find, table, name = self._find, self.table, spec.name

        def write(view: Any, value: Any) -> None:
            if not spec.view:
                self.world.check_stage(f"writing {self.kind.name}.{name}")
            find(view)
            table.write_row(name, view._row, value)

        return write


def _limits(spec: FieldSpec) -> tuple[type, Any, Any] | None:
    """Return the type of a plain number, and the least and the greatest that the field may hold; `tuple` for a pair of
    float, None for other fields.
    """
    column, kind = spec.type, spec.type.dtype.kind
    if column.special not in _PLAIN or column.shape not in ((), (2,)) or (column.shape and kind != "f"):
        return None
    if kind == "f":
        of, low, high = float, -_MAX_FLOAT, _MAX_FLOAT
    elif kind == "b":
        of, low, high = bool, False, True
    else:
        of, low, high = int, int(np.iinfo(column.dtype).min), int(np.iinfo(column.dtype).max)
    low, high = low if spec.low is None else spec.low, high if spec.high is None else spec.high
    return tuple if column.shape else of, low, high


def unknown_attribute(view: Any, name: str, value: Any) -> Exception:
    """Return the error for an assignment to a name that is not a field."""
    kind = type(view).__kind__
    if hasattr(type(view), name):
        return UsageError(f"{kind.name}.{name} can't be assigned, because it is not a field")
    return UsageError(
        f"{kind.name} has no field {name!r}, so the value would not be saved",
        given=name,
        choices=kind.shown,
        hint=f"Write in class {kind.name}:  {name}: {annotation_for(value)}",
    )


def attribute_hint(error: BaseException) -> str:
    """Return the hint for an attribute of a view that does not exist; "" for any other error.

    The hint is made after the error, since a `__getattr__` would make all accesses of views slower.
    """
    if not isinstance(error, AttributeError):
        return ""
    view = error.obj
    kind = getattr(type(view), "__kind__", None)
    if kind is None or error.name is None or hasattr(type(view), error.name):
        return ""
    near = did_you_mean(error.name, [name for name in dir(view) if not name.startswith("_")])
    return f"{near}. Its fields: {', '.join(kind.fields) or 'none'}"


def annotation_for(value: Any) -> str:
    """Return the annotation, with its default, of a field that can store such a value."""
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
