"""Data of drawers that belongs to one device, such as the programs and textures of an OpenGL context."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

_T = TypeVar("_T")


class PerContext(Generic[_T]):
    """An object for each device that a drawer draws with: created when it is first needed, dropped with the device.

    create: returns the object of a device, such as an OpenGL context. Call the `PerContext` with a device to get its
    object::

        class ArcadeSweep:
            def __init__(self):
                self._programs = PerContext(Programs)

            def draw(self, device, target, batch, pass_):
                self._programs(device).draw(batch)
    """

    def __init__(self, create: Callable[[Any], _T]) -> None:
        self._create = create
        self._objects: WeakKeyDictionary[Any, _T] = WeakKeyDictionary()

    def __call__(self, device: Any) -> _T:
        """Return the object of a device."""
        value = self._objects.get(device)
        if value is None:
            value = self._objects[device] = self._create(device)
        return value
