"""The forms of one kernel that are loaded, and what happens with a call that none of them takes.

Such a call has keywords or defaults, or arguments of types that are not loaded yet. Machine code for these types is
looked up in the image of the package (`images`) and in the cache. If there is none, numba compiles it: in a worker
process, if the game waits with a card (`rish_jit.cache.on_missing`), otherwise in this process. Without numba the
kernel runs as plain Python for this call, which is counted.
"""

from __future__ import annotations

import inspect
import logging
import threading
from collections import Counter
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from .. import cache
from .code import MachineCode
from .loading import LoadedCode
from .storage import Kernel, compile_entry, stored_entry
from .values import normalized, types_text

_log = logging.getLogger("rish.jit")
_plain_calls: Counter[tuple[str, str]] = Counter()


def plain_calls() -> Mapping[tuple[str, str], int]:
    """Return how many calls ran as plain Python because their kernel is not compiled for the types, by (kernel, types).

    Only calls on systems where compiled kernels can be loaded count, not those with `RISH_NO_JIT`.
    """
    return MappingProxyType(_plain_calls)


class NotStoredError(Exception):
    """A kernel was called within `only_stored`, and is not stored for the types of the call."""


class _Local(threading.local):
    only_stored = False


_local = _Local()


@contextmanager
def only_stored() -> Generator[None]:
    """Within this block, a kernel that this thread calls and that is not stored raises NotStoredError."""
    before, _local.only_stored = _local.only_stored, True
    try:
        yield
    finally:
        _local.only_stored = before


class Specializations:
    """The loaded forms of a kernel. `call` takes any arguments; `function` is faster, and None before the first."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._loaded: dict[str, LoadedCode] = {}
        self._last: LoadedCode | None = None
        self._without_code: set[str] = set()
        self._lock = threading.RLock()
        self.function: Callable[..., Any] | None = None

    @property
    def types(self) -> list[str]:
        """The types of the loaded forms."""
        return list(self._loaded)

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Call the kernel with arguments that no loaded form takes."""
        values = normalized(self._positional(args, kwargs))
        types = types_text(values)
        if types is None:
            return self._call_other(None, values)
        loaded = self.load(types)
        return self._call_other(types, values) if loaded is None else loaded.function(*values)

    def load(self, types: str) -> LoadedCode | None:
        """Return the form for some types, compiled now if it is not stored; None if it can only run otherwise."""
        with self._lock:
            loaded = self._loaded.get(types)
            if loaded is None and types not in self._without_code:
                entry = stored_entry(self._kernel, types)
                if entry is None and _local.only_stored:
                    raise NotStoredError(self._kernel.name, types)
                if entry is None and cache.report_missing(self._kernel.name, types):
                    entry = stored_entry(self._kernel, types)
                entry = entry or compile_entry(self._kernel, types)
                loaded = None if entry is None else self._load_entry(entry)
                if loaded is None:
                    self._without_code.add(types)
            return loaded

    def _load_entry(self, entry: cache.Entry) -> LoadedCode | None:
        """Load a form and pass calls on to it; None if numba has to run it."""
        if not entry.code:
            return None
        try:
            loaded = LoadedCode(MachineCode.unpack(entry.code), self._kernel.name, self.call)
        except (OSError, LookupError, TypeError, ValueError) as error:
            _log.warning("%s%s can't be loaded: %s", self._kernel.name, entry.key.types, error)
            return None
        if self._last is not None:
            self._last.follow(loaded)
        self._loaded[entry.key.types] = self._last = loaded
        if self.function is None:
            self.function = loaded.function
            self._kernel.run_as(loaded.function)
        cache.report_use(entry)
        return loaded

    def _call_other(self, types: str | None, values: tuple[Any, ...]) -> Any:
        """Run a call for which there is no machine code: by numba, or as plain Python."""
        dispatcher = self._kernel.dispatcher
        if dispatcher is not None:
            if self.function is None:
                self._kernel.run_as(dispatcher)
            return dispatcher(*values)
        self._count_plain(types or f"({', '.join(type(value).__name__ for value in values)})")
        return self._kernel.plain(*values)

    def _count_plain(self, types: str) -> None:
        key = self._kernel.name, types
        if not _plain_calls[key]:
            _log.warning("%s%s is not compiled and runs as plain Python, slowly", *key)
        _plain_calls[key] += 1

    def _positional(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Return all arguments in the order of the parameters. Raises TypeError as a call of the function does."""
        code = self._kernel.py_func.__code__
        if not kwargs and len(args) == code.co_argcount:
            return args
        bound = inspect.signature(self._kernel.py_func).bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args
