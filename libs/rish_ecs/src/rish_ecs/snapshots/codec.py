"""Snapshots as bytes: a JSON header, then the raw arrays.

The bytes can't contain code: they hold numbers, texts and names of fields. Names are only used to look up enum members
and dataclasses that a resource of this world declares. A digest detects damage.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import struct
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any, cast, get_args

import numpy as np

from rish_jit.errors import SnapshotError

from ..declarations.columns import Column
from ..declarations.component import annotations_of
from ..declarations.resource import ATOMS, fields_of, mapped, not_plain, remade, resource_spec, whole_fields
from .data import QueueState, SnapshotData, TableState
from .validate import validate

MAGIC = b"RISHSNAP"
VERSION = 1
_HEAD = struct.Struct("<8sIQ16s")
_DTYPE = re.compile(r"[<>|]?[biuf][1248]")
_OWN = {"TableState": TableState, "QueueState": QueueState}
_UNREADABLE = (
    ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError, struct.error,
)  # fmt: skip


@dataclass(eq=False)
class Named:
    """An enum member or a dataclass instance in decoded bytes, whose class is not looked up yet."""

    name: str
    content: Any


def encode_snapshot(snapshot: SnapshotData) -> bytes:
    """Convert a snapshot to bytes. Raises SnapshotError if it was taken within a stage and has queued changes."""
    if snapshot.pending:
        raise SnapshotError("a snapshot taken within a stage can't be saved", hint="Take it at the tick border")
    return encode({name: value for name, value in fields_of(snapshot).items() if name != "pending"})


def encode(value: Any, magic: bytes = MAGIC) -> bytes:
    """Convert a plain value to bytes with a digest. magic: the first 8 bytes, which say what the value is."""
    encoder = _Encoder()
    header = json.dumps(encoder.encode(value), ensure_ascii=False, separators=(",", ":")).encode()
    body = b"".join([struct.pack("<Q", len(header)), header, *encoder.blobs])
    return _HEAD.pack(magic, VERSION, len(body), hashlib.blake2b(body, digest_size=16).digest()) + body


def size_of(data: bytes, magic: bytes = MAGIC) -> int:
    """Return the total number of bytes of an encoded value from its first bytes; see `Snapshot.size_of`."""
    if len(data) < _HEAD.size or data[:8] != magic:
        raise SnapshotError("these bytes are no snapshot of Rish")
    return _HEAD.size + int(_HEAD.unpack_from(data)[2])


def decode_snapshot(data: bytes) -> SnapshotData:
    """Convert bytes to a snapshot. Raises SnapshotError for bytes that are truncated, damaged, foreign or too new."""
    tree = decode(data)
    try:
        return validate(SnapshotData(**tree))
    except _UNREADABLE as error:
        raise SnapshotError(f"the snapshot can't be read: {error}") from None


def decode(data: bytes, magic: bytes = MAGIC) -> Any:
    """Convert bytes of `encode` to a value. Raises SnapshotError for bytes that are truncated, damaged or too new."""
    whole = size_of(data, magic)
    _, version, _, digest = _HEAD.unpack_from(data)
    if version > VERSION:
        raise SnapshotError(
            f"the snapshot has format {version}, this Rish reads up to {VERSION}", hint="Update rish-core"
        )
    body = memoryview(data)[_HEAD.size :]
    if len(data) != whole or hashlib.blake2b(body, digest_size=16).digest() != digest:
        raise SnapshotError("the snapshot is cut or damaged")
    try:
        (size,) = struct.unpack_from("<Q", body)
        return _Decoder(body[8 + size :]).decode(json.loads(bytes(body[8 : 8 + size])))
    except _UNREADABLE as error:
        raise SnapshotError(f"the snapshot can't be read: {error}") from None


class _Encoder:
    """Converts plain values to JSON values, and collects the arrays."""

    def __init__(self) -> None:
        self.blobs: list[bytes] = []
        self._size = 0

    def encode(self, value: Any) -> Any:
        if type(value) in ATOMS:
            return value
        if isinstance(value, Enum):
            return {"$named": [type(value).__name__, value.name]}
        if isinstance(value, str):
            return value
        if isinstance(value, np.bool_):
            return bool(cast("Any", value))
        if isinstance(value, (int, np.integer)):
            return int(cast("int", value))
        if isinstance(value, (float, np.floating)):
            return float(cast("float", value))
        if isinstance(value, bytes):
            return {"$bytes": base64.b64encode(value).decode()}
        if isinstance(value, np.ndarray):
            return self._array(np.ascontiguousarray(cast("Column", value)))
        if isinstance(value, (list, tuple)):
            items = [self.encode(item) for item in cast("list[Any]", value)]
            if hasattr(cast("Any", value), "_fields"):
                return {"$named": [type(cast("Any", value)).__name__, items]}
            return items if isinstance(value, list) else {"$tuple": items}
        if isinstance(value, dict):
            pairs = cast("dict[Any, Any]", value)
            if all(type(key) is str and not key.startswith("$") for key in pairs):
                return {key: self.encode(item) for key, item in pairs.items()}
            return {"$pairs": [[self.encode(k), self.encode(v)] for k, v in pairs.items()]}
        if not is_dataclass(value):
            raise not_plain(type(value).__name__)
        name, inner = type(value).__name__, {n: self.encode(item) for n, item in fields_of(value).items()}
        return {"$own" if type(value) is _OWN.get(name) else "$named": [name, inner]}

    def _array(self, array: Column) -> dict[str, Any]:
        offset = self._size
        self.blobs.append(array.tobytes())
        self._size += array.nbytes
        return {"$array": [array.dtype.str, list(array.shape), offset]}


class _Decoder:
    """Converts JSON values back to plain values; arrays are copied from the bytes."""

    def __init__(self, blobs: memoryview) -> None:
        self._blobs = blobs

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(item) for item in cast("list[Any]", value)]
        if not isinstance(value, dict):
            return value
        pairs = cast("dict[str, Any]", value)
        tag = next(iter(pairs), "")
        if not tag.startswith("$"):
            return {key: self.decode(item) for key, item in pairs.items()}
        content = pairs[tag]
        if tag == "$array":
            return self._array(*content)
        if tag == "$bytes":
            return base64.b64decode(content, validate=True)
        if tag == "$tuple":
            return tuple(self.decode(item) for item in content)
        if tag == "$pairs":
            return {self.decode(k): self.decode(v) for k, v in content}
        name, inner = content[0], self.decode(content[1])
        return _OWN[name](**inner) if tag == "$own" else Named(str(name), inner)

    def _array(self, dtype: str, shape: list[int], offset: int) -> Column:
        if not _DTYPE.fullmatch(dtype) or not all(type(n) is int and n >= 0 for n in (*shape, offset)):
            raise ValueError(f"an array of {dtype!r:.20} in the shape {shape!r:.40}")
        size = math.prod(shape) * np.dtype(dtype).itemsize
        if offset + size > len(self._blobs):
            raise ValueError("an array that reaches beyond the end")
        return np.frombuffer(bytes(self._blobs[offset : offset + size]), dtype).reshape(shape).copy()


def named(value: Any) -> Any:
    """Return a plain value in decoded form: enum members, named tuples and dataclasses become `Named`."""
    if isinstance(value, Enum):
        return Named(type(value).__name__, value.name)
    if hasattr(value, "_fields"):
        return Named(type(value).__name__, [named(item) for item in value])
    if is_dataclass(value) and not isinstance(value, type):
        return Named(type(value).__name__, {name: named(inner) for name, inner in fields_of(value).items()})
    return mapped(value, named)


def revive(value: Any, owner: type) -> Any:
    """Return decoded content with each `Named` replaced by an instance of the class that `owner` declares.

    Raises SnapshotError for a class that it does not declare, and for content that does not fit.
    """
    if not isinstance(value, Named):
        return mapped(value, lambda inner: revive(inner, owner))
    classes = plain_classes(owner)
    cls: Any = classes.get(value.name)
    if cls is None:
        raise SnapshotError(f"the snapshot holds a {value.name}, which no field declares", choices=classes)
    content = value.content
    try:
        if issubclass(cls, Enum):
            return cls[content]
        if hasattr(cls, "_fields"):
            return cls(*[revive(item, owner) for item in content])
        return remade(cls, whole_fields(cls, {name: revive(inner, owner) for name, inner in content.items()}))
    except _UNREADABLE as error:
        raise SnapshotError(f"the snapshot contains an invalid {cls.__name__}: {error}") from None


def plain_classes(cls: type) -> dict[str, type]:
    """Return the enums, named tuples and dataclasses that the annotations of a resource class use, and itself, by name.

    The result is cached, because resolving annotations evaluates their text.
    """
    spec = resource_spec(cls)
    if spec is not None and spec.plain is not None:
        return spec.plain
    waiting: list[Any] = [cls] if spec is None else list(spec.hints.values())
    classes: dict[str, type] = {} if spec is None else {cls.__name__: cls}
    while waiting:
        hint = waiting.pop()
        waiting.extend(get_args(hint))
        if not isinstance(hint, type) or hint.__name__ in classes:
            continue
        reached = cast("type[Any]", hint)
        if is_dataclass(reached) or hasattr(reached, "_fields"):
            classes[reached.__name__] = reached
            waiting.extend(annotations_of(reached, lenient=True).values())
        elif issubclass(reached, Enum):
            classes[reached.__name__] = reached
    if spec is not None:
        spec.plain = classes
    return classes
