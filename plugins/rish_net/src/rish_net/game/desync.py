"""What differs between two states of the same tick."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Snapshot

_MOST = 6
"""The number of fields that are named."""


def difference(own: Snapshot, other: Snapshot) -> str:
    """Return what differs, for the end of a sentence."""
    return f": {', '.join(differing_fields(own, other)) or 'resources'} differed"


def differing_fields(own: Snapshot, other: Snapshot) -> list[str]:
    """Return the names of components, fields and entities that differ, such as `rish.Transform.position of 7`."""
    names: list[str] = []
    for key in sorted(own.tables.keys() | other.tables.keys()):
        one, two = own.tables.get(key), other.tables.get(key)
        if one is None or two is None or not np.array_equal(_handles(one), _handles(two)):
            names.append(f"the entities with {key}")
            continue
        for field in sorted(one.fields.keys() & two.fields.keys()):
            rows = _differing_rows(one.fields[field], two.fields[field])
            if rows is not None:
                entity = f" of {_handles(one)[rows]}" if rows >= 0 else ""
                names.append(f"{key}.{field}{entity}")
    return names[:_MOST]


def _handles(state: Any) -> Any:
    return state.handles


def _differing_rows(one: Any, two: Any) -> int | None:
    """Return the first row that differs, -1 if it is not known, None if all are equal."""
    if isinstance(one, tuple) or isinstance(two, tuple):
        equal = all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
        return None if equal else -1
    if one.shape != two.shape or one.dtype != two.dtype:
        return -1
    bits = np.ascontiguousarray(one).view(np.uint8) != np.ascontiguousarray(two).view(np.uint8)
    if not bits.any():
        return None
    return int(np.flatnonzero(bits.reshape(len(one), -1).any(axis=1))[0])
