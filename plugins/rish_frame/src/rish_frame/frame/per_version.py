"""Data that a backend or a drawer prepares from a batch, a page or an array, and reuses until that has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import ref

_T = TypeVar("_T")


class _Entry(NamedTuple, Generic[_T]):
    """An object, and what it is valid for. Its owner is found by its id, which is faster than by a weak reference."""

    owner: ref[Any]
    version: int
    key: Any
    value: _T


class PerVersion(Generic[_T]):
    """A prepared object for each owner: valid for one version of the owner, and dropped with it.

    An owner is a `Batch`, a `DeviceArray`, or another object with a `version` that can be referenced weakly. Nothing is
    stored for an owner whose version is None::

        class SoftwareSweep:
            def __init__(self):
                self._outlines = PerVersion()

            def draw(self, device, target, batch, pass_):
                outline = self._outlines.get(batch)
                if outline is None:
                    outline = self._outlines.put(batch, outline_of(batch))
    """

    def __init__(self) -> None:
        self._entries: dict[int, _Entry[_T]] = {}
        self._common: _T | None = None

    def get(self, owner: Any, key: Any = None) -> _T | None:
        """Return what was put for the present version of an owner and for this key; otherwise None.

        key: what the object depends on besides the owner, such as a camera; it is compared by its value.
        """
        entry = self._entries.get(id(owner))
        if entry is None or entry.version != owner.version or entry.key != key or entry.owner() is not owner:
            return None
        return entry.value

    def put(self, owner: Any, value: _T, key: Any = None) -> _T:
        """Store an object for the present version of an owner, in place of the last one, and return it."""
        version, entry = owner.version, self._entries.get(id(owner))
        if version is not None:
            reference = entry.owner if entry is not None and entry.owner() is owner else self._reference(owner)
            self._entries[id(owner)] = _Entry(reference, version, key, value)
        return value

    def written(self, owner: Any, make: Callable[[], _T], write: Callable[[_T, Any], object]) -> _T:
        """Return an object with the present contents of an owner: `write(object, owner)` is called if they are new.

        An object that was written for a former version is written again, and so is the one object that all owners
        without a version share. make: returns an empty object.
        """
        value = self.get(owner)
        if value is not None:
            return value
        if owner.version is None:
            value = self._common = make() if self._common is None else self._common
        else:
            entry = self._entries.get(id(owner))
            value = entry.value if entry is not None and entry.owner() is owner else make()
        write(value, owner)
        return self.put(owner, value)

    def clear(self) -> None:
        """Drop all objects."""
        self._entries.clear()
        self._common = None

    def _reference(self, owner: Any) -> ref[Any]:
        """Return a reference to an owner whose entry is dropped with it."""
        number, this = id(owner), ref(self)  # without a cycle, so that buffers are freed at once

        def drop(gone: ref[Any]) -> None:
            prepared = this()
            entry = None if prepared is None else prepared._entries.get(number)
            if prepared is not None and entry is not None and entry.owner is gone:
                del prepared._entries[number]

        return ref(owner, drop)
