"""The search for arrays that a function can reach, with the names on the path; unreachable arrays are not found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from rish_devtools.strict.references import find_array

TARGET = np.arange(10)
OTHER = np.arange(10)
kept: list[Any] = []


class Cache:
    """An object that keeps a value."""

    shared: Any = None

    def __init__(self, value: Any) -> None:
        self.value = value

    def method(self, world: object, dt: float) -> None:
        """A system that is a method."""


class Slotted:
    """An object that keeps a value in a slot."""

    __slots__ = ("empty", "value")

    def __init__(self, value: Any) -> None:
        self.value = value


def path_to(root: Any, array: Any, skip: Any = None) -> str | None:
    """Return the path to an array that is searched together with another one."""
    found = find_array(root, [np.zeros(2), array], skip)
    assert found is None or found[0] == 1
    return None if found is None else found[1]


def by_global(world: object, dt: float) -> None:
    """Use a global list."""
    kept.append(dt)


def by_helper(world: object, dt: float) -> None:
    """Call a helper that uses the list."""
    by_global(world, dt)


def by_inner(world: object, dt: float) -> None:
    """Use the list in an inner function."""
    _ = [lambda: kept for _ in range(2)]


def innocent(world: object, dt: float) -> None:
    """Use nothing that keeps the array."""
    np.add(OTHER, 1)


def closure(value: Any) -> Callable[..., None]:
    """Return a function that closes over a value."""

    def fn(world: object, dt: float) -> None:
        _ = value

    return fn


def test_a_global_is_found_by_name() -> None:
    """A view in a global list is found from the function, its helpers and its inner functions."""
    kept[:] = [1, {"x": TARGET[3:].reshape(7, 1)}]
    try:
        assert path_to(by_global, TARGET) == "global 'kept'[1]['x']"
        assert path_to(by_helper, TARGET) == "global 'kept'[1]['x']"
        assert path_to(by_inner, TARGET) == "global 'kept'[1]['x']"
        assert path_to(innocent, TARGET) is None
    finally:
        kept.clear()
    assert path_to(by_global, TARGET) is None


def default(world: object, dt: float, cache: Any = TARGET) -> None:
    """A function with the array in a default."""


def keyword(world: object, dt: float, *, cache: Any = (TARGET,)) -> None:
    """A function with the array in a keyword default."""


@pytest.mark.parametrize(
    ("fn", "path"),
    [
        (closure(TARGET[::2]), "closure 'value' of closure.<locals>.fn"),
        (closure(Cache(Slotted(TARGET))), "closure 'value' of closure.<locals>.fn.value.value"),
        (Cache(TARGET).method, "Cache.method.__self__.value"),
        (default, "a default of default"),
        (keyword, "default 'cache' of keyword[0]"),
        (partial(innocent, cache=TARGET), "partial.keywords['cache']"),
    ],
)
def test_every_way_to_keep_is_found(fn: Callable[..., None], path: str) -> None:
    """Closures, objects, slots, methods, defaults and partials lead to the array that they keep."""
    assert path_to(fn, TARGET) == path
    assert path_to(fn, np.arange(10)) is None


def test_class_attributes_and_function_attributes_are_found() -> None:
    """An array kept on a class or on the function itself is found as well."""
    fn = closure(Cache)
    Cache.shared = TARGET
    try:
        assert path_to(fn, TARGET) == "closure 'value' of closure.<locals>.fn.shared"
    finally:
        Cache.shared = None
    fn.cache = TARGET  # type: ignore[attr-defined]
    assert path_to(fn, TARGET) == "closure.<locals>.fn.cache"


@pytest.mark.slow
def test_rings_and_large_graphs_end() -> None:
    """The search ends for objects that refer to each other, and for more objects than it examines."""
    ring: list[Any] = []
    ring.append(ring)
    assert path_to(closure(ring), TARGET) is None
    assert path_to(closure([[i] for i in range(100_000)]), TARGET) is None


def test_what_may_know_it_is_not_entered() -> None:
    """An object passed as `skip` is not searched, so a watcher does not find its own reference."""
    watcher = [TARGET]
    assert path_to(closure([watcher]), TARGET) is not None
    assert path_to(closure([watcher]), TARGET, watcher) is None
