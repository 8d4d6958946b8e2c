"""Fields bound to a World: one value that can be read and written by code, rules and tools."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_core import Layers, Name, RishError, World, find, named
from rish_ecs import Table, Vector
from rish_ecs.declarations import FieldSpec
from rish_jit import maths, quaternions_of

from .children import child_names, child_of
from .errors import ExpressionError

if TYPE_CHECKING:
    from .paths import FieldPath, Target


class Field:
    """One field in a World. path: as written. target: what it names. spec: the declaration of the field, or None.

    Values are numbers, texts, True and False, handles, and `Vector` tuples; angles in degrees, enums as lower-case
    words.
    """

    def __init__(self, path: FieldPath, target: Target) -> None:
        self.path, self.target = path, target
        self.spec: FieldSpec | None = target.spec

    def read(self) -> Any:
        """Return the value. Raises ExpressionError if the entity or its component does not exist."""
        raise NotImplementedError

    def write(self, value: Any) -> None:
        """Set the value. Raises ExpressionError for another type, a value out of range, and as `read`."""
        raise NotImplementedError

    def failed(self, what: str) -> ExpressionError:
        """Return the error for a failure of this field."""
        return ExpressionError(what, self.path.text)

    def _renewed(self, old: Any, value: Any) -> Any:
        """Return a list with one number replaced."""
        whole = list(old)
        assert self.target.element is not None
        if not 0 <= self.target.element < len(whole):
            raise self.failed(f"the list has {len(whole)} items")
        whole[self.target.element] = value
        return whole


class ComponentField(Field):
    """A field of one entity. handle: of the entity, or None, in which case it is found by its name."""

    def __init__(self, world: World, path: FieldPath, target: Target, handle: int | None) -> None:
        super().__init__(path, target)
        assert target.cls is not None
        assert target.spec is not None
        self._world, self._cls, self._name = world, target.cls, target.field
        self._element, self._spec = target.element, target.spec
        self._from = reader_of(target.spec)
        self._handle, self._found, self._known = handle, 0, -1

    @property
    def entity(self) -> int:
        """The handle of the entity before the children. Raises ExpressionError if no entity has the name."""
        if self._handle is not None:
            return self._handle
        table = self._world.table(Name)
        if table.version != self._known or not self._world.alive(self._found):
            found = find(self._world, self.target.entity)
            if found is None:
                try:
                    named(self._world, self.target.entity)
                except RishError as error:
                    raise self.failed(str(error)) from None
            self._found, self._known = cast("int", found), table.version
        return self._found

    def read(self) -> Any:
        """Return the value of the entity."""
        return self.read_of(self.entity)

    def read_of(self, handle: int) -> Any:
        """Return the value of another entity, or of its child, with the same component."""
        table, row = self._row(handle)
        value = table.read_row(self._name, row)
        if self._from is not None:
            value = self._from(value)
        if self._element is None:
            return value
        if self._element >= len(value):
            raise self.failed(f"the list has {len(value)} items")
        return value[self._element]

    def write(self, value: Any) -> None:
        """Set the value of the entity; its table counts as written."""
        self.write_of(self.entity, value)

    def write_of(self, handle: int, value: Any) -> None:
        """Set the value of another entity, or of its child, with the same component."""
        table, row = self._row(handle)
        if not self._spec.view:
            self._world.check_stage(f"writing {self.path.text}")
        if self._element is not None:
            old = table.read_row(self._name, row)
            value = self._renewed(old if self._from is None else self._from(old), value)
        try:
            table.write_row(self._name, row, stored(self._spec, value))
        except (RishError, ValueError, TypeError) as error:
            raise self.failed(str(error)) from None

    def _row(self, handle: int) -> tuple[Table, int]:
        """Return the table, and the row of an entity or of its child. Raises ExpressionError."""
        table = self._world.table(self._cls)
        owner = self.owner(handle) if self.target.children else handle
        row = table.row_of(owner)
        if row < 0:
            raise self._missing(owner)
        return table, row

    def owner(self, handle: int) -> int:
        """Return the child of an entity that has the component, or the entity. Raises ExpressionError."""
        owner = handle
        for name in self.target.children:
            found = child_of(self._world, owner, name)
            if found is None:
                raise self._no_child(owner, name)
            owner = found
        return owner

    def _no_child(self, handle: int, name: str) -> ExpressionError:
        if not self._world.alive(handle):
            return self._missing(handle)
        known = child_names(self._world, handle)
        return ExpressionError(f"the entity has no child {name!r}", self.path.text, given=name, choices=known)

    def _missing(self, handle: int) -> ExpressionError:
        if not self._world.alive(handle):
            return self.failed("the entity does not exist" + (" any more" if handle else ""))
        known = [cls.__name__ for cls in self._world.components_of(handle)]
        what = f"the entity has no {self._cls.__name__}"
        return ExpressionError(what, self.path.text, given=self._cls.__name__, choices=known)


class ResourceField(Field):
    """A field of a resource."""

    def __init__(self, world: World, path: FieldPath, target: Target) -> None:
        super().__init__(path, target)
        assert target.cls is not None
        self._world, self._cls, self._name = world, target.cls, target.field
        self._from = reader_of(target.spec) if target.spec is not None else None

    def _held(self) -> Any:
        try:
            return self._world[self._cls]
        except RishError:
            raise self.failed(f"the world has no {self._cls.__name__}") from None

    def read(self) -> Any:
        """Return the value."""
        value = getattr(self._held(), self._name)
        if self.target.key:
            return plain(self._item(value))
        if self._from is not None:
            value = self._from(value)
        elif self.spec is None:
            value = plain(value)
        if self.target.element is None:
            return value
        if not isinstance(value, (list, tuple)) or not 0 <= self.target.element < len(cast("list[Any]", value)):
            raise self.failed("the value has no such item")
        return cast("list[Any]", value)[self.target.element]

    def write(self, value: Any) -> None:
        """Set the value."""
        self._world.check_stage(f"writing {self.path.text}")
        held = self._held()
        old = getattr(held, self._name)
        if self.target.key:
            item = self._fitting_item(old.get(self.target.key), value)
            setattr(held, self._name, {**old, self.target.key: item})
            return
        if self.target.element is not None:
            value = self._renewed(plain(old) if self._from is None else self._from(old), value)
        try:
            setattr(held, self._name, self._fitting(old, value))
        except (RishError, ValueError, TypeError) as error:
            raise self.failed(str(error)) from None

    def _item(self, mapping: Any) -> Any:
        """Return the item of a mapping. Raises ExpressionError if it has none of the name."""
        key = self.target.key
        if key not in mapping:
            what = f"{self._name} has no item {key!r}"
            raise ExpressionError(what, self.path.text, given=key, choices=list(mapping))
        return mapping[key]

    def _fitting_item(self, old: Any, value: Any) -> Any:
        """Return a value for an item of a mapping; one that is there keeps its type. Raises ExpressionError."""
        kinds = {
            "truth" if isinstance(each, bool) else "number" if isinstance(each, (int, float)) else type(each).__name__
            for each in (old, value)
            if each is not None
        }
        if len(kinds) != 1 or not isinstance(value, (bool, int, float, str)):
            raise self.failed(f"expected a {' or a '.join(sorted(kinds)) or 'value'}, got {value!r}")
        return value

    def _fitting(self, old: Any, value: Any) -> Any:
        if self.spec is not None:
            made: Any = self.spec.check(stored(self.spec, value))
            return cast("Any", made.item() if isinstance(made, np.generic) else made)
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if isinstance(old, float) and number:
            return float(value)
        if type(old) is not type(value) or not isinstance(value, (bool, int, float, str)):
            raise ValueError(f"expected {type(old).__name__}, got {value!r}")
        return cast("Any", value)


class LayerField(Field):
    """Whether a layer is visible, or paused."""

    def __init__(self, world: World, path: FieldPath, target: Target) -> None:
        super().__init__(path, target)
        self._world = world

    def read(self) -> bool:
        """Return whether the layer is visible or paused."""
        layers: Layers = self._world[Layers]
        test = layers.is_visible if self.target.field == "visible" else layers.is_paused
        return test(self.target.layer)

    def write(self, value: Any) -> None:
        """Show, hide, pause or resume the layer."""
        if not isinstance(value, bool):
            raise self.failed(f"expected true or false, got {value!r}")
        self._world.check_stage(f"writing {self.path.text}")
        layers: Layers = self._world[Layers]
        change = layers.show if self.target.field == "visible" else layers.pause
        change(self.target.layer, value)


def bind_target(world: World, path: FieldPath, target: Target, entity: int | None = None) -> Field:
    """Return the field that a resolved path names. Raises ExpressionError for a component without an entity."""
    if target.kind == "layer":
        return LayerField(world, path, target)
    if target.kind == "resource":
        return ResourceField(world, path, target)
    if entity is None and not target.entity:
        assert target.cls is not None
        what = f"which entity? Write NAME.{target.cls.__name__}.{target.field}"
        raise ExpressionError(what, path.text, 1)
    return ComponentField(world, path, target, None if target.entity else entity)


def reader_of(spec: FieldSpec) -> Callable[[Any], Any] | None:
    """Return the function that converts stored values to those of expressions; None if they are the same."""
    found = spec.type
    if found.enum is not None:
        return lambda value: value.name.lower()
    if spec.angle and not found.shape and not found.pooled:
        return lambda value: maths.degrees(float(value))
    if found.special == "list" or found.shape:
        return (lambda value: Vector(map(maths.degrees, value.tolist()))) if spec.angle else plain
    return None


def stored(spec: FieldSpec, value: Any) -> Any:
    """Return a value of an expression in the units of columns: degrees become radians, three angles a quaternion."""
    if spec.type.name == "Quat" and isinstance(value, (list, tuple)) and len(cast("list[float]", value)) == 3:
        return quaternions_of([maths.radians(angle) for angle in cast("list[float]", value)])
    if not spec.angle:
        return cast("Any", value)
    if isinstance(value, (list, tuple)):
        return [maths.radians(item) for item in cast("list[float]", value)]
    return maths.radians(value)


def plain(value: Any) -> Any:
    """Return arrays and lists as `Vector` tuples, numpy numbers as Python numbers, enums as lower-case words.

    Other values are unchanged.
    """
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, np.ndarray):
        array = cast("Any", value)
        return Vector(array.tolist()) if array.ndim == 1 else array
    if isinstance(value, (list, tuple)):
        return Vector(cast("list[float]", value))
    return cast("Any", value).item() if isinstance(value, np.generic) else value
