"""The forms of one kernel that are loaded, and what happens with a call that none of them takes.

Such a call has keywords or defaults, or arguments of types that are not loaded yet. Machine code for these types is
looked up in the image of the package (`images`) and in the cache. If there is none, numba compiles it: in another
process, if a window is open (`rish_jit.cache.on_missing`), otherwise in this process. While another process compiles,
calls run as plain Python or wait (`meanwhile`). Without numba the kernel runs as plain Python, and the call is counted.
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
from .meanwhile import Meanwhile, PlainFailedError, run_plain
from .storage import Kernel, compile_entry, stored_entry
from .values import normalized, types_text

_log = logging.getLogger("rish.jit")
_plain_calls: Counter[tuple[str, str]] = Counter()


def plain_calls() -> Mapping[tuple[str, str], int]:
    """Return how many calls ran as plain Python because their kernel is not compiled for the types, by (kernel, types).

    Only calls on systems where compiled kernels can be loaded count, not those with `RISH_NO_JIT`, and not those while
    another process compiles the kernel.
    """
    return MappingProxyType(_plain_calls)


class NotStoredError(Exception):
    """A kernel was called within `only_stored`, and is not stored for the types of the call."""


class _Local(threading.local):
    only_stored = False
    compiled_calls = False


_local = _Local()


@contextmanager
def only_stored() -> Generator[None]:
    """Within this block, a kernel that this thread calls and that is not stored raises NotStoredError."""
    before, _local.only_stored = _local.only_stored, True
    try:
        yield
    finally:
        _local.only_stored = before


@contextmanager
def compiled_calls() -> Generator[None]:
    """Within this block, calls of this thread wait until their kernel is compiled, however small they are."""
    before, _local.compiled_calls = _local.compiled_calls, True
    try:
        yield
    finally:
        _local.compiled_calls = before


class Specializations:
    """The loaded forms of a kernel. `call` takes any arguments; `function` is faster, and None before the first."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._loaded: dict[str, LoadedCode] = {}
        self._last: LoadedCode | None = None
        self._without_code: set[str] = set()
        self._compiling: dict[str, Meanwhile] = {}
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
        found = self._find(types)
        if isinstance(found, Meanwhile) and not _local.compiled_calls and found.serves(values):
            try:
                return found.call(values)
            except PlainFailedError:
                pass
        loaded = self.load(types)
        return self._call_other(types, values) if loaded is None else loaded.function(*values)

    def load(self, types: str) -> LoadedCode | None:
        """Return the form for some types, compiled now if it is not stored; None if it can only run otherwise."""
        found = self._find(types)
        if not isinstance(found, Meanwhile):
            return found
        found.compilation.wait()
        with self._lock:
            if self._compiling.pop(types, None) is not None:
                self._load_or_compile(types, stored_entry(self._kernel, types))
            return self._loaded.get(types)

    def _find(self, types: str) -> LoadedCode | Meanwhile | None:
        """Return the form for some types, or its compilation in another process; None if it can only run otherwise."""
        with self._lock:
            if types in self._loaded or types in self._without_code:
                return self._loaded.get(types)
            if types in self._compiling and not _local.only_stored:
                return self._compiling[types]
            entry = stored_entry(self._kernel, types)
            if entry is None and _local.only_stored:
                raise NotStoredError(self._kernel.name, types)
            compilation = None if entry is not None else cache.report_missing(self._kernel.name, types)
            if compilation is not None:
                self._compiling[types] = Meanwhile(self._kernel, compilation)
                return self._compiling[types]
            return self._load_or_compile(types, entry)

    def _load_or_compile(self, types: str, entry: cache.Entry | None) -> LoadedCode | None:
        """Load an entry, compiled in this process if there is none; None if it has no machine code."""
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
        return run_plain(self._kernel, values)

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
