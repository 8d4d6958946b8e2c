"""Resources: typed singletons of a World; dataclasses of plain values and arrays.

`world[Settings]` is the one `Settings` of a world. The contents of a resource are state: snapshots copy them and the
hash includes them. So only plain values are allowed: None, bool, int, float, str, bytes, enums, numpy arrays, tuples,
lists, dicts, and dataclasses of these. A resource that can be rebuilt (a GPU buffer, a cache) is declared with
`@resource(derived=True)`: it is not in snapshots, and its `rebuild(world)` is called after a restore.

`dataclasses.field(default=None, metadata={"added": True})` declares a field that was added after hashes of the class
were recorded: while it is None it is not in the hash, so that old recordings still have the same hashes.
"""

from __future__ import annotations

import copy
import dataclasses
import inspect
import math
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform, overload

import numpy as np

from rish_jit.errors import DeclarationError, place_of

from .columns import Column, column_type
from .component import Declaration, FieldSpec, annotations_of, check_annotated
from .renames import former_names

_T = TypeVar("_T")
ATOMS: frozenset[type] = frozenset({type(None), bool, int, float, str})
"""The types of plain values that need no copy and are also values of JSON."""


@dataclass(eq=False)
class ResourceSpec(Declaration):
    """The declaration of a resource class. hints: annotations of all fields, resolved. plain: see `plain_classes`."""

    derived: bool = False
    hints: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    plain: dict[str, type] | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple([each.name for each in dataclasses.fields(self.cls)])

    @cached_property
    def values_of(self) -> Callable[[Any], tuple[Any, ...]]:
        """A function that returns the field values of an instance, in the order of `names`."""
        names = self.names
        if len(names) > 1:
            return attrgetter(*names)
        return lambda instance: tuple([getattr(instance, name) for name in names])


def _declare(cls: type[Any], derived: bool, view: bool, was: str | Iterable[str] = ()) -> type[Any]:
    specs: dict[str, FieldSpec] = {}
    hints = annotations_of(cls, 3, lenient=True)
    own = inspect.get_annotations(cls)
    check_annotated(cls, hints)
    inherited = getattr(cls, "__resource__", None)
    for name, annotation in hints.items():
        if name in own:
            _declare_field(cls, specs, name, annotation)
        elif isinstance(inherited, ResourceSpec) and name in inherited.fields:
            specs[name] = inherited.fields[name]
    declared = dataclass(eq=False)(cls)
    named = cls.__name__, declared, specs, former_names(was)
    declared.__resource__ = ResourceSpec(*named, derived=derived, view=view, hints=hints)
    return declared


def _declare_field(cls: type[Any], specs: dict[str, FieldSpec], name: str, annotation: Any) -> None:
    """Add the spec of a field with a column type, and set a default that each instance copies."""
    default = cls.__dict__.get(name, dataclasses.MISSING)
    column = column_type(annotation)
    if isinstance(default, dataclasses.Field):
        return
    if isinstance(default, FieldSpec) and column is None:
        raise DeclarationError(f"{cls.__name__}.{name} has field(...) but no column type", where=place_of(cls))
    default_value: Any = default
    if column is not None:
        missing = default is dataclasses.MISSING
        spec = default if isinstance(default, FieldSpec) else FieldSpec(*(() if missing else (default,)))
        spec.bind(cls, name, column)
        specs[name] = spec
        default_value = spec.default
    if default_value is not dataclasses.MISSING:
        default_value = _plain_default(default_value)
        if _is_constant(default_value):
            setattr(cls, name, default_value)
        else:
            setattr(cls, name, dataclasses.field(default_factory=lambda value=default_value: copy.deepcopy(value)))


def _is_constant(value: Any) -> bool:
    """Return whether all instances may share a value, because nothing in it can be changed."""
    if isinstance(value, tuple):
        return all(map(_is_constant, cast("tuple[Any, ...]", value)))
    return type(value) in ATOMS


def _plain_default(value: Any) -> Any:
    """Convert a numpy scalar to a Python number; other values are returned unchanged."""
    return cast("Any", value).item() if isinstance(value, np.generic) else value


@overload
@dataclass_transform()
def resource(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform()
def resource(
    *, derived: bool = ..., view: bool = ..., was: str | Iterable[str] = ...
) -> Callable[[type[_T]], type[_T]]: ...
def resource(cls: Any = None, /, *, derived: bool = False, view: bool = False, was: str | Iterable[str] = ()) -> Any:
    """Declare a resource; the class becomes a dataclass whose mutable defaults are copied for each instance.

    derived: can be rebuilt, so it is in no snapshot and no hash; after a restore its `rebuild(world)` is called if it
    has one. If it has the methods `remember(world)` and `recall(world, memory)`, then `world.save_state` stores what
    the first one returns, and `world.load_state`, which marks the rows that it writes, calls the second one with it
    instead of `rebuild`; with None if the resource is newer than the state. view: for drawing only; it is in
    snapshots but never hashed. was: former names of the class, under which saves can still be read.
    """
    if cls is not None:
        return _declare(cls, derived, view)
    return lambda cls: _declare(cls, derived, view, was)  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType, reportUnknownArgumentType]


def resource_spec(cls: Any) -> ResourceSpec | None:
    """Return the declaration of a resource class, or None for another class."""
    return cls.__dict__.get("__resource__") if isinstance(cls, type) else None


def fields_of(instance: Any) -> dict[str, Any]:
    """Return the field values of a dataclass instance, by name, in the order of declaration."""
    return {f.name: getattr(instance, f.name) for f in dataclasses.fields(instance)}


def copy_fields(spec: ResourceSpec, instance: Any) -> dict[str, Any]:
    """Return copies of a resource's field values. Raises DeclarationError with the field that is not a plain value."""
    copied: dict[str, Any] = {}
    for name, value in zip(spec.names, spec.values_of(instance), strict=True):
        try:
            copied[name] = copy_plain(value)
        except DeclarationError as error:
            raise DeclarationError(error.what, where=f"{spec.key}.{name}", hint=error.hint) from None
    return copied


def copy_plain(value: Any) -> Any:
    """Return a deep copy of a plain value. Raises DeclarationError for other values."""
    if type(value) in ATOMS or isinstance(value, (int, float, str, bytes, Enum)):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        array = cast("Column", value)
        if array.dtype.kind not in "fiub":
            raise not_plain(f"an array of {array.dtype}")
        return array.copy()
    if hasattr(value, "_fields"):
        return type(value)(*map(copy_plain, value))
    if isinstance(value, (list, tuple, dict)):
        return mapped(value, copy_plain)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return remade(type(value), {name: copy_plain(inner) for name, inner in fields_of(value).items()})
    raise not_plain(type(value).__name__)


def mapped(value: Any, each: Callable[[Any], Any]) -> Any:
    """Return a list, tuple or dict with `each` applied to all values in it; copies of other plain values."""
    if isinstance(value, list):
        return [each(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {each(k): each(v) for k, v in cast("dict[Any, Any]", value).items()}
    if isinstance(value, tuple) and not hasattr(cast("Any", value), "_fields"):
        return tuple([each(item) for item in cast("tuple[Any, ...]", value)])
    return copy_plain(value)


def remade(cls: type[Any], values: dict[str, Any]) -> Any:
    """Return a dataclass instance with these field values, created without its `__init__`."""
    instance = object.__new__(cls)
    for name, value in values.items():
        object.__setattr__(instance, name, value)
    return instance


def whole_fields(cls: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of all current fields of a dataclass: the given values, otherwise the defaults.

    Values are also found under former names, given by `dataclasses.field(metadata={"was": ("old",)})`. Raises KeyError
    for a field without a value and a default.
    """
    whole: dict[str, Any] = {}
    for field in dataclasses.fields(cls):
        stored_name = next((name for name in (field.name, *field.metadata.get("was", ())) if name in values), None)
        if stored_name is not None:
            whole[field.name] = values[stored_name]
        elif field.default_factory is not dataclasses.MISSING:
            whole[field.name] = field.default_factory()
        elif field.default is not dataclasses.MISSING:
            whole[field.name] = field.default
        else:
            raise KeyError(f"{cls.__name__}.{field.name} is not there and has no default")
    return whole


def fitted(spec: ResourceSpec, values: dict[str, Any]) -> dict[str, Any]:
    """Return field values of an older version of a resource, converted to the current names and types.

    Values of fields with column types are also found under former names (`was="old"`). A value that can't be converted
    is replaced by the default.
    """
    fitting = dict(values)
    for name, field in spec.fields.items():
        stored_name = next((alias for alias in (name, *field.was) if alias in values), None)
        if stored_name is not None:
            fitting[name] = coerced(field, values[stored_name], _plain_default(field.default))
    return fitting


def coerced(field: FieldSpec, value: Any, default: Any) -> Any:
    """Convert a value to the field's current type; a value that already has it is returned unchanged."""
    if type(value) is type(default) and getattr(value, "shape", ()) == field.type.shape:
        return value
    try:
        stored: Any = field.type.coerce(value)
        return stored.item() if np.ndim(stored) == 0 and hasattr(stored, "item") else stored
    except (ValueError, OverflowError):
        pass
    try:
        number = isinstance(value, (int, float)) and type(default) in (bool, int, float)
        return type(default)(value) if number else default
    except (ValueError, OverflowError):
        return default


def not_plain(what: str) -> DeclarationError:
    """Return the error about a value of a resource that is not plain; what: its description."""
    return DeclarationError(
        f"a resource holds {what}, which is no plain value",
        hint="Keep plain values and arrays, or mark the resource derived=True and rebuild it",
    )


def feed_plain(sink: Callable[[bytes], Any], value: Any) -> None:
    """Feed a value to a hash in a form that is equal exactly for equal values, independent of the order of dicts."""
    if value is None or isinstance(value, (bool, np.bool_)):
        sink(b"n" if value is None else b"t" if value else b"f")
    elif isinstance(value, Enum):
        _feed_bytes(sink, b"e", f"{type(value).__name__}.{value.name}".encode())
    elif isinstance(value, (int, np.integer)):
        _feed_bytes(sink, b"i", str(int(cast("Any", value))).encode())
    elif isinstance(value, (float, np.floating)):
        number = float(cast("Any", value))
        sink(b"d" + struct.pack("<d", math.nan if math.isnan(number) else number))  # all NaN count as one
    elif isinstance(value, str):
        _feed_bytes(sink, b"s", value.encode(errors="surrogatepass"))
    elif isinstance(value, bytes):
        _feed_bytes(sink, b"b", value)
    elif isinstance(value, np.ndarray):
        array = cast("Column", value)
        if array.dtype.kind not in "fiub":
            raise not_plain(f"an array of {array.dtype}")
        _feed_bytes(sink, b"a", f"{array.dtype.str}{array.shape}".encode())
        sink(np.ascontiguousarray(array).tobytes())
    elif isinstance(value, (list, tuple)):
        items = cast("list[Any]", value)
        sink(b"l" + struct.pack("<q", len(items)))
        for item in items:
            feed_plain(sink, item)
    elif isinstance(value, dict):
        _feed_dict(sink, cast("dict[Any, Any]", value))
    elif dataclasses.is_dataclass(value):
        sink(b"c")
        feed_plain(sink, fields_of(value))
    else:
        raise not_plain(type(value).__name__)


def _feed_dict(sink: Callable[[bytes], Any], pairs: dict[Any, Any]) -> None:
    """Feed the pairs sorted by the bytes of their keys, which works for keys of mixed types."""
    sink(b"m" + struct.pack("<q", len(pairs)))
    fed: list[tuple[bytes, Any]] = []
    for key, item in pairs.items():
        chunks: list[bytes] = []
        feed_plain(chunks.append, key)
        fed.append((b"".join(chunks), item))
    for key, item in sorted(fed, key=lambda pair: pair[0]):
        sink(key)
        feed_plain(sink, item)


def _feed_bytes(sink: Callable[[bytes], Any], tag: bytes, data: bytes) -> None:
    sink(tag + struct.pack("<q", len(data)) + data)
