"""Resources: the World's typed singletons, dataclasses of plain values and arrays.

`world[Settings]` is the one `Settings` of a world. What a resource holds is state, so it is copied by snapshots and
counted by the hash; hence only plain values are allowed: None, bool, int, float, str, bytes, enums, numpy arrays,
tuples, lists, dicts, and dataclasses of these. What can be rebuilt (a GPU buffer, a cache) is marked
`@resource(derived=True)`: left out of snapshots, and asked to `rebuild(world)` after a restore.
"""

from __future__ import annotations

import copy
import dataclasses
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar, cast, dataclass_transform, overload

import numpy as np

from ..errors import DeclarationError, place_of
from .columns import Column, column_type
from .component import FieldSpec, _annotations, field  # pyright: ignore[reportPrivateUsage]

_T = TypeVar("_T")


@dataclass(eq=False)
class ResourceSpec:
    """What is known of a resource class; `fields` holds those whose types are column types, for settings."""

    name: str
    cls: type
    derived: bool
    view: bool
    fields: dict[str, FieldSpec]
    owner: str = ""

    @property
    def key(self) -> str:
        """The full name, `plugin.Name`; the short one while no plugin owns it."""
        return f"{self.owner}.{self.name}" if self.owner else self.name


def _declare(cls: type[Any], derived: bool, view: bool) -> type[Any]:
    specs: dict[str, FieldSpec] = {}
    for name, annotation in _annotations(cls, 3).items():
        default = cls.__dict__.get(name, dataclasses.MISSING)
        found = column_type(annotation)
        given: Any = default
        if isinstance(default, FieldSpec):
            if found is None:
                raise DeclarationError(f"{cls.__name__}.{name} has field(...) but no column type", where=place_of(cls))
            default.bind(name, found)
            specs[name] = default
            given = default.default
        elif found is not None and not isinstance(default, dataclasses.Field):
            spec = FieldSpec(*(() if default is dataclasses.MISSING else (default,)))
            spec.bind(name, found)
            specs[name] = spec
        if given is dataclasses.MISSING:
            if name in specs:
                given = specs[name].default
            else:
                continue
        if not isinstance(given, dataclasses.Field):
            given = _plain_default(given)
            setattr(cls, name, dataclasses.field(default_factory=lambda value=given: copy.deepcopy(value)))
    made = dataclass(eq=False)(cls)
    spec = ResourceSpec(cls.__name__, made, derived, view, specs)
    made.__resource__ = spec
    return made


def _plain_default(value: Any) -> Any:
    """Numbers of a column become Python's own, so that a resource reads naturally."""
    return value.item() if isinstance(value, np.generic) else value


@overload
@dataclass_transform(field_specifiers=(field, dataclasses.field))
def resource(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(field_specifiers=(field, dataclasses.field))
def resource(*, derived: bool = ..., view: bool = ...) -> Callable[[type[_T]], type[_T]]: ...
def resource(cls: Any = None, /, *, derived: bool = False, view: bool = False) -> Any:
    """Declare a resource; the class becomes a dataclass whose mutable defaults are copied for each instance.

    derived: can be rebuilt, so it is in no snapshot and no hash; after a restore its `rebuild(world)` is called
    if it has one. view: for the eye only, kept in snapshots but never hashed.
    """
    if cls is not None:
        return _declare(cls, derived, view)
    return lambda cls: _declare(cls, derived, view)  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType, reportUnknownArgumentType]


def resource_spec(cls: Any) -> ResourceSpec | None:
    """What is known of a resource class, or None where it is none."""
    return cls.__dict__.get("__resource__") if isinstance(cls, type) else None


def is_plain(value: Any) -> bool:
    """Whether a value is of the kinds that a resource may hold, all the way down."""
    if value is None or isinstance(value, (bool, int, float, str, bytes, Enum)):
        return True
    if isinstance(value, (np.ndarray, np.generic)):
        return cast("Column", value).dtype.kind in "fiub"
    if isinstance(value, (list, tuple)):
        return all(is_plain(item) for item in cast("list[Any]", value))
    if isinstance(value, dict):
        return all(is_plain(k) and is_plain(v) for k, v in cast("dict[Any, Any]", value).items())
    return dataclasses.is_dataclass(value) and all(is_plain(v) for v in fields_of(value).values())


def fields_of(instance: Any) -> dict[str, Any]:
    """The field values of a dataclass instance, by name, in the order of declaration."""
    return {f.name: getattr(instance, f.name) for f in dataclasses.fields(instance)}


def copy_plain(value: Any) -> Any:
    """A copy that shares nothing mutable with `value`."""
    if value is None or isinstance(value, (bool, int, float, str, bytes, Enum, np.generic)):
        return value
    if isinstance(value, np.ndarray):
        return cast("Column", value).copy()
    if isinstance(value, list):
        return [copy_plain(item) for item in cast("list[Any]", value)]
    if isinstance(value, tuple):
        items = [copy_plain(item) for item in cast("tuple[Any, ...]", value)]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, dict):
        return {copy_plain(k): copy_plain(v) for k, v in cast("dict[Any, Any]", value).items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        made = object.__new__(type(value))
        for name, inner in fields_of(value).items():
            object.__setattr__(made, name, copy_plain(inner))
        return made
    raise DeclarationError(
        f"a resource holds {type(value).__name__}, which is no plain value",
        hint="Keep plain values and arrays, or mark the resource derived=True and rebuild it",
    )


def feed_plain(sink: Callable[[bytes], Any], value: Any) -> None:
    """Feed a value to a hash in a form that is equal exactly for equal values, whatever the order of a dict."""
    if value is None or isinstance(value, (bool, np.bool_)):
        sink({None: b"n", True: b"t", False: b"f"}[None if value is None else bool(value)])
    elif isinstance(value, Enum):
        _feed_bytes(sink, b"e", f"{type(value).__name__}.{value.name}".encode())
    elif isinstance(value, (int, np.integer)):
        _feed_bytes(sink, b"i", str(int(value)).encode())
    elif isinstance(value, (float, np.floating)):
        sink(b"d" + struct.pack("<d", float(value)))
    elif isinstance(value, str):
        _feed_bytes(sink, b"s", value.encode())
    elif isinstance(value, bytes):
        _feed_bytes(sink, b"b", value)
    elif isinstance(value, np.ndarray):
        array = cast("Column", value)
        _feed_bytes(sink, b"a", f"{array.dtype.str}{array.shape}".encode())
        sink(np.ascontiguousarray(array).tobytes())
    elif isinstance(value, (list, tuple)):
        items = cast("list[Any]", value)
        sink(b"l" + struct.pack("<q", len(items)))
        for item in items:
            feed_plain(sink, item)
    elif isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value)
        sink(b"m" + struct.pack("<q", len(pairs)))
        for key in sorted(pairs, key=lambda k: (type(k).__name__, k)):
            feed_plain(sink, key)
            feed_plain(sink, pairs[key])
    else:
        sink(b"c")
        feed_plain(sink, fields_of(value))


def _feed_bytes(sink: Callable[[bytes], Any], tag: bytes, data: bytes) -> None:
    sink(tag + struct.pack("<q", len(data)) + data)
