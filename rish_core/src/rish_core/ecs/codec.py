"""Snapshots as bytes: a JSON header, then the arrays as they lie.

No code can hide in the bytes: they hold numbers, texts and names of fields, and nothing is looked up by a name except
the members of enums and dataclasses that a resource of this world declares. A digest finds damage.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import struct
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Any, cast, get_args

import numpy as np

from ..errors import SnapshotError
from .columns import Column
from .component import annotations_of
from .resource import copy_plain, fields_of
from .snapshot import QueueState, Snapshot, TableState

MAGIC = b"RISHSNAP"
VERSION = 1
_HEAD = struct.Struct("<8sIQ16s")
_KINDS = "biuf"
_OWN = {"TableState": TableState, "QueueState": QueueState}




@dataclass
class Named:
    """An enum member or a dataclass instance in decoded bytes, before the World says which class is meant."""

    name: str
    content: Any


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """Snapshot to bytes. Raises SnapshotError within a stage, where queued changes can't be written."""
    if snapshot.pending:
        raise SnapshotError("a snapshot taken within a stage can't be saved", hint="Take it at the tick border")
    encoder = _Encoder()
    tree = {name: encoder.encode(value) for name, value in fields_of(snapshot).items() if name != "pending"}
    header = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()
    body = b"".join([struct.pack("<Q", len(header)), header, *encoder.blobs])
    return _HEAD.pack(MAGIC, VERSION, len(body), hashlib.blake2b(body, digest_size=16).digest()) + body


def decode_snapshot(data: bytes) -> Snapshot:
    """Bytes to a snapshot. Raises SnapshotError for bytes that are cut, damaged, foreign or of a newer version."""
    if len(data) < _HEAD.size or data[:8] != MAGIC:
        raise SnapshotError("these bytes are no snapshot of Rish")
    _, version, length, digest = _HEAD.unpack_from(data)
    if version > VERSION:
        raise SnapshotError(f"the snapshot has format {version}, this Rish reads up to {VERSION}", hint="Update rish-core")
    body = memoryview(data)[_HEAD.size :]
    if len(body) != length or hashlib.blake2b(body, digest_size=16).digest() != digest:
        raise SnapshotError("the snapshot is cut or damaged")
    try:
        (size,) = struct.unpack_from("<Q", body)
        tree = json.loads(bytes(body[8 : 8 + size]))
        return Snapshot(**{name: _decode(value, body[8 + size :]) for name, value in tree.items()})
    except (ValueError, KeyError, TypeError, IndexError, struct.error, RecursionError) as error:
        raise SnapshotError(f"the snapshot can't be read: {error}") from None


class _Encoder:
    """Turns plain values into JSON's, and collects the arrays."""

    def __init__(self) -> None:
        self.blobs: list[bytes] = []
        self._size = 0

    def encode(self, value: Any) -> Any:
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, Enum):
            return {"$named": [type(value).__name__, value.name]}
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, (float, np.floating)):
            return float(value)
        if isinstance(value, bytes):
            return {"$bytes": base64.b64encode(value).decode()}
        if isinstance(value, np.ndarray):
            return self._array(np.ascontiguousarray(cast("Column", value)))
        if isinstance(value, (list, tuple)):
            items = [self.encode(item) for item in cast("list[Any]", value)]
            return items if isinstance(value, list) else {"$tuple": items}
        if isinstance(value, dict):
            pairs = cast("dict[Any, Any]", value)
            if all(isinstance(key, str) and not key.startswith("$") for key in pairs):
                return {key: self.encode(item) for key, item in pairs.items()}
            return {"$pairs": [[self.encode(k), self.encode(v)] for k, v in pairs.items()]}
        inner = {name: self.encode(item) for name, item in fields_of(value).items()}
        return {"$named": [type(value).__name__, inner]}

    def _array(self, array: Column) -> dict[str, Any]:
        offset = self._size
        self.blobs.append(array.tobytes())
        self._size += array.nbytes
        return {"$array": [array.dtype.str, list(array.shape), offset]}


def _decode(value: Any, blobs: memoryview) -> Any:
    if isinstance(value, list):
        return [_decode(item, blobs) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    pairs = cast("dict[str, Any]", value)
    tag, content = next(iter(pairs.items()), ("", None))
    if tag == "$array":
        dtype, shape = np.dtype(content[0]), tuple(int(n) for n in content[1])
        if dtype.kind not in _KINDS or any(n < 0 for n in shape):
            raise ValueError(f"an array of {dtype}")
        count = math.prod(shape)
        return np.frombuffer(blobs, dtype, count, int(content[2])).reshape(shape).copy()
    if tag == "$bytes":
        return base64.b64decode(content)
    if tag == "$tuple":
        return tuple(_decode(item, blobs) for item in content)
    if tag == "$pairs":
        return {_decode(k, blobs): _decode(v, blobs) for k, v in content}
    if tag == "$named":
        name, inner = content[0], _decode(content[1], blobs)
        known = _OWN.get(name)
        return known(**inner) if known is not None else Named(name, inner)
    return {key: _decode(item, blobs) for key, item in pairs.items()}


def revive(value: Any, cls: type) -> Any:
    """Decoded content with every `Named` turned into the class of that name that `cls` declares in its fields."""
    return _revive(value, plain_classes(cls)) if _has_named(value) else copy_plain(value)


def _has_named(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_has_named(item) for item in cast("list[Any]", value))
    if isinstance(value, dict):
        return any(_has_named(item) for pair in cast("dict[Any, Any]", value).items() for item in pair)
    return isinstance(value, Named)


def _revive(value: Any, classes: dict[str, type]) -> Any:
    if isinstance(value, Named):
        cls = classes.get(value.name)
        if cls is None:
            raise SnapshotError(f"the snapshot holds a {value.name}, which no field declares", choices=classes)
        if issubclass(cls, Enum):
            return cls[value.content]
        made = object.__new__(cls)
        for name, inner in value.content.items():
            object.__setattr__(made, name, _revive(inner, classes))
        return made
    if isinstance(value, (list, tuple)):
        items = [_revive(item, classes) for item in cast("list[Any]", value)]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value)
        return {_revive(k, classes): _revive(v, classes) for k, v in pairs.items()}
    return copy_plain(value)


def plain_classes(cls: type) -> dict[str, type]:
    """The enums and dataclasses that the annotations of a resource class reach, by name."""
    found: dict[str, type] = {}
    waiting: list[Any] = [cls]
    while waiting:
        hint = waiting.pop()
        waiting.extend(get_args(hint))
        if isinstance(hint, type) and hint.__name__ not in found and (is_dataclass(hint) or issubclass(hint, Enum)):
            found[hint.__name__] = hint
            if is_dataclass(hint):
                waiting.extend(annotations_of(hint, lenient=True).values())
    return found
