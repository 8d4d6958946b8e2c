"""Data that a backend or a drawer prepares from a batch, a page or an array, and reuses until that has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

_T = TypeVar("_T")


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
        self._entries: WeakKeyDictionary[Any, tuple[int, Any, _T]] = WeakKeyDictionary()
        self._common: _T | None = None

    def get(self, owner: Any, key: Any = None) -> _T | None:
        """Return what was put for the present version of an owner and for this key; otherwise None.

        key: what the object depends on besides the owner, such as a camera; it is compared by its value.
        """
        entry = self._entries.get(owner)
        return entry[2] if entry is not None and entry[0] == owner.version and entry[1] == key else None

    def put(self, owner: Any, value: _T, key: Any = None) -> _T:
        """Store an object for the present version of an owner, in place of the last one, and return it."""
        if owner.version is not None:
            self._entries[owner] = owner.version, key, value
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
            entry = self._entries.get(owner)
            value = make() if entry is None else entry[2]
        write(value, owner)
        return self.put(owner, value)

    def clear(self) -> None:
        """Drop all objects."""
        self._entries.clear()
        self._common = None
