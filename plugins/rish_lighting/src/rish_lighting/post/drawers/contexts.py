"""Helpers of the drawers with OpenGL: an object for each context, and a triangle that covers the complete target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

_T = TypeVar("_T")
VERTEX = """#version 330
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
"""
"""A vertex shader that covers the complete target with one triangle."""


class PerContext(Generic[_T]):
    """An object for each context: made by `make` when it is first needed, and removed with the context."""

    def __init__(self, make: Callable[[Any], _T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[Any, _T] = WeakKeyDictionary()

    def __call__(self, ctx: Any) -> _T:
        """Return the object of a context."""
        value = self._made.get(ctx)
        if value is None:
            value = self._made[ctx] = self._make(ctx)
        return value
