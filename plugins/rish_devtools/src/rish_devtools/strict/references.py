"""Finds out whether a function still has a reference to arrays that it should have released, and by which names.

The search covers everything that a function keeps between two calls: the globals that its code names, its closure,
its defaults and attributes, the object that it is a method of, and from there containers, objects and the functions
that they name. It does not enter modules, classes of the engine and of numpy, compilers, and the World.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, cast

import numpy as np

from rish_ecs import engine_packages

_MAX_OBJECTS = 20_000
"""The number of objects after which the search stops."""
_COMPILERS = ("numba", "llvmlite", "rish_jit")
"""Modules that are not searched: a kernel stores nothing between two calls, but references the compiler's data."""
_CLOSED = ("builtins", "numpy", "rish_ecs", *_COMPILERS)
_PLAIN = (str, bytes, int, float, complex, bool, type(None), ModuleType, CodeType)


def find_array(root: Any, arrays: Sequence[np.ndarray[Any, Any]], skip: Any = None) -> tuple[int, str] | None:
    """Return the index of the first array found that `root` references, and the path of names to it, or None.

    A view of an array counts as the array. skip: an object that may reference the arrays and is not entered.
    """
    places = {id(array): index for index, array in enumerate(arrays)}
    waiting: deque[tuple[Any, str]] = deque([(root, _name(root))])
    seen: set[int] = {id(skip)} if skip is not None else set()
    kept_alive: list[Any] = []  # so that no id in `seen` is reused for a second object
    while waiting and len(seen) < _MAX_OBJECTS:
        value, path = waiting.popleft()
        if isinstance(value, _PLAIN) or id(value) in seen:
            continue
        seen.add(id(value))
        kept_alive.append(value)
        if isinstance(value, np.ndarray):
            index = _viewed(cast("np.ndarray[Any, Any]", value), places)
            if index is not None:
                return index, path
            continue
        waiting.extend(_inside(value, path))
    return None


def _viewed(array: np.ndarray[Any, Any], places: dict[int, int]) -> int | None:
    base: Any = array
    while base is not None:
        if id(base) in places:
            return places[id(base)]
        base = getattr(base, "base", None)
    return None


def _inside(thing: Any, path: str) -> Iterator[tuple[Any, str]]:
    if isinstance(thing, FunctionType):
        yield from _function(thing, path)
    elif isinstance(thing, MethodType):
        yield thing.__self__, f"{path}.__self__"
        yield thing.__func__, path
    elif isinstance(thing, partial):
        partial_function = cast("partial[Any]", thing)
        yield partial_function.func, f"{path}.func"
        yield partial_function.args, f"{path}.args"
        yield partial_function.keywords, f"{path}.keywords"
    elif isinstance(thing, dict):
        yield from ((value, f"{path}[{key!r}]") for key, value in cast("dict[Any, Any]", thing).items())
    elif isinstance(thing, (list, tuple, set, frozenset, deque)):
        yield from ((value, f"{path}[{i}]") for i, value in enumerate(cast("list[Any]", thing)))
    elif isinstance(thing, type):
        if not thing.__module__.startswith(("builtins", "numpy", "typing", *engine_packages(), *_COMPILERS)):
            yield from ((value, f"{path}.{name}") for name, value in vars(thing).items())
    elif not type(thing).__module__.startswith(_CLOSED):
        yield from _object(thing, path)


def _function(fn: FunctionType, path: str) -> Iterator[tuple[Any, str]]:
    for name in _names(fn.__code__):
        if name in fn.__globals__:
            yield fn.__globals__[name], f"global {name!r}"
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            yield cell.cell_contents, f"closure {name!r} of {path}"
        except ValueError:
            continue  # the cell is still empty
    yield from ((value, f"a default of {path}") for value in fn.__defaults__ or ())
    yield from ((value, f"default {name!r} of {path}") for name, value in (fn.__kwdefaults__ or {}).items())
    yield from ((value, f"{path}.{name}") for name, value in vars(fn).items())


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _object(thing: Any, path: str) -> Iterator[tuple[Any, str]]:
    namespace: Any = getattr(thing, "__dict__", None)
    if isinstance(namespace, Mapping):  # a mock that returns something for every attribute has no real namespace
        for name, value in cast("Mapping[str, Any]", namespace).items():
            yield value, f"{path}.{name}"
    for cls in type(thing).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            value = getattr(thing, name, None)
            if value is not None:
                yield value, f"{path}.{name}"


def _name(thing: Any) -> str:
    return getattr(thing, "__qualname__", type(thing).__name__)
