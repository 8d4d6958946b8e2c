"""What a package keeps outside the World: variables of modules, attributes of classes and functions, closures, caches.

To keep things there is allowed where they can be made again. A search for state that is hidden begins there, and what
grows from one game to the next is a leak.
"""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .checked_plugin import Subject

_LIMIT = 30_000
"""The number of objects after which a search stops."""
_CONTAINERS = (list, dict, set, frozenset, tuple, deque)
_PLAIN = (str, bytes, int, float, complex, bool, type(None), types.ModuleType, types.CodeType)


def kept_sizes(subject: Subject) -> dict[str, int]:
    """Return the number of items of each container that the modules of the package keep, by the path of names to it."""
    return {path: size for path, size, _ in _walk(subject)}


def suspects(subject: Subject) -> list[str]:
    """Return what changed since `remember`: the paths of containers and plain variables that hold something else."""
    before, now = subject.kept, values_kept(subject)
    return [path for path, value in now.items() if before.get(path, value) != value]


def values_kept(subject: Subject) -> dict[str, str]:
    """Return a short text for each plain variable and container that the package keeps, by path."""
    texts = {path: text for path, _, text in _walk(subject)}
    for name, module in subject.loaded.items():
        for key, value in list(vars(module).items()):
            if isinstance(value, (int, float, str)) and not key.startswith("__"):
                texts[f"{name}.{key}"] = repr(value)[:80]
    return texts


def _walk(subject: Subject) -> Iterator[tuple[str, int, str]]:
    """Yield path, size and a short text of each container."""
    waiting: deque[tuple[Any, str]] = deque()
    for name, module in subject.loaded.items():
        waiting += [(value, f"{name}.{key}") for key, value in list(vars(module).items()) if not key.startswith("__")]
    seen: set[int] = set()
    while waiting and len(seen) < _LIMIT:
        thing, path = waiting.popleft()
        if isinstance(thing, _PLAIN) or id(thing) in seen:
            continue
        seen.add(id(thing))
        size = _size(thing)
        if size is not None:
            yield path, size, _text(thing)
        waiting.extend(_inside(subject, thing, path))


def _size(thing: Any) -> int | None:
    if isinstance(thing, functools._lru_cache_wrapper):
        return thing.cache_info().currsize
    if isinstance(thing, np.ndarray):
        return thing.size
    if isinstance(thing, (*_CONTAINERS, bytearray)):
        return len(thing)
    return None


def _text(thing: Any) -> str:
    if isinstance(thing, functools._lru_cache_wrapper):
        return str(thing.cache_info().currsize)
    try:
        return repr(thing)[:200] if _size(thing) is not None and len(thing) < 50 else str(_size(thing))
    except Exception:
        return str(_size(thing))


def _inside(subject: Subject, thing: Any, path: str) -> Iterator[tuple[Any, str]]:
    """Yield what is inside: items of containers, and what functions, classes and objects of the package keep."""
    if isinstance(thing, Mapping):
        yield from ((value, f"{path}[{key!r}]") for key, value in list(thing.items())[:200])
    elif isinstance(thing, _CONTAINERS):
        yield from ((value, f"{path}[{index}]") for index, value in enumerate(list(thing)[:200]))
    elif isinstance(thing, functools._lru_cache_wrapper):
        return
    elif isinstance(thing, functools.partial):
        yield from ((value, f"an argument of {path}") for value in (*thing.args, *thing.keywords.values()))
    elif isinstance(thing, types.FunctionType):
        if _belongs(subject, thing.__module__):
            yield from ((value, f"a default of {path}") for value in thing.__defaults__ or ())
            yield from ((value, f"a default of {path}") for value in (thing.__kwdefaults__ or {}).values())
            yield from ((value, f"{path}.{key}") for key, value in vars(thing).items())
            for name, cell in zip(thing.__code__.co_freevars, thing.__closure__ or (), strict=True):
                yield from _content(cell, f"{name} of {path}")
    elif _belongs(subject, getattr(thing if isinstance(thing, type) else type(thing), "__module__", "")):
        namespace = getattr(thing, "__dict__", None)
        if isinstance(namespace, Mapping):
            items = [(key, value) for key, value in namespace.items() if not str(key).startswith("__")]
            yield from ((value, f"{path}.{key}") for key, value in items)


def _content(cell: types.CellType, path: str) -> Iterator[tuple[Any, str]]:
    try:
        yield cell.cell_contents, path
    except ValueError:
        return  # the cell is still empty


def _belongs(subject: Subject, module: str | None) -> bool:
    return (module or "").partition(".")[0] == subject.top
