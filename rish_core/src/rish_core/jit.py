"""The one door to numba: kernels that compile at their first call, and run as plain Python where they can't.

A kernel is a function with its loops written out::

    @njit
    def drift(x, velocity, dt):
        for i in range(len(x)):
            x[i] += velocity[i] * dt

Importing numba costs a quarter of a second and compiling a kernel as much again, so neither happens before a kernel
is called: `njit` only wraps the function in a `LazyKernel`. Kernels may call one another, `rish_core.maths` and the
random twins of `rish_core.ecs.random`. Compiled code is cached on disk (`rish_core.jit_cache`), compilations are
counted for progress bars and for tests that allow none, and the arithmetic is strict: numpy's rules for division
by zero, never `fastmath`, which would change results from machine to machine.

`RISH_NO_JIT=1`, or a machine without numba, runs the same functions in plain Python: slowly, with equal results.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import logging
import os
import threading
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

import numpy as np

from . import jit_cache

_P = ParamSpec("_P")
_R = TypeVar("_R")
_log = logging.getLogger("rish.jit")
_lock = threading.RLock()
_kernels: dict[str, LazyKernel[..., Any]] = {}
_listeners: list[Callable[[str, int], object]] = []

compilations = 0
"""How many specialisations of kernels this process has compiled; loading one from the cache does not count."""


class LazyKernel(Generic[_P, _R]):
    """A function that is compiled when it is first called.

    Called like the function it wraps. Each combination of argument types is a specialisation of its own, compiled or
    loaded from the cache when it first occurs. `py_func` is the plain function, `name` is `module.function`.
    """

    def __init__(self, fn: Callable[_P, _R], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, fn)
        self.py_func = fn
        self.name = f"{fn.__module__}.{fn.__qualname__}"
        self.targetoptions = options
        self._dispatcher: Any = None
        self._call: Callable[_P, _R] = self._first_call

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        return self._call(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> LazyKernel[_P, _R]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _kernel_called, (self.name,)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    @property
    def compiled(self) -> bool:
        """Whether at least one specialisation is there, compiled or loaded from the cache."""
        return self._dispatcher is not None and bool(self._dispatcher.signatures)

    @property
    def dispatcher(self) -> Any:
        """numba's own object for this kernel, made now if need be; None where kernels run as plain Python."""
        if self._dispatcher is None and available():
            with _lock:
                if self._dispatcher is None:
                    self._dispatcher = _make_dispatcher(self)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """What numba sees when another kernel names this one."""
        return self.dispatcher._numba_type_

    def _first_call(self, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        self._call = self.dispatcher or _plain(self.py_func)
        return self._call(*args, **kwargs)


@overload
def njit(fn: Callable[_P, _R], /) -> LazyKernel[_P, _R]: ...
@overload
def njit(
    *, parallel: bool = ..., inline: str | None = ..., nogil: bool = ...
) -> Callable[[Callable[_P, _R]], LazyKernel[_P, _R]]: ...
def njit(
    fn: Callable[..., Any] | None = None, /, *, parallel: bool = False, inline: str | None = None, nogil: bool = True
) -> Any:
    """Make a kernel of a function; used as `@njit` or `@njit(parallel=True)`.

    parallel: numba spreads `prange` loops over threads. inline: "always" pastes the body into every kernel that
    calls it, for small helpers with many arguments. nogil: other Python threads run on while the kernel does.
    """
    options: dict[str, Any] = {"nogil": nogil, "error_model": "numpy"}
    if parallel:
        options["parallel"] = True
    if inline is not None:
        options["inline"] = inline

    def wrap(function: Callable[..., Any]) -> LazyKernel[..., Any]:
        kernel = LazyKernel(function, options)
        _kernels[kernel.name] = kernel
        return kernel

    return wrap if fn is None else wrap(fn)


def kernels() -> list[LazyKernel[..., Any]]:
    """Every kernel defined so far, in the order of definition; a redefined one (after a reload) only once."""
    return list(_kernels.values())


def on_compile(callback: Callable[[str, int], object]) -> Callable[[], None]:
    """Call `callback(name, n)` whenever the n-th compilation of this process begins; returns what ends that."""
    _listeners.append(callback)
    return functools.partial(_listeners.remove, callback)


def available() -> bool:
    """Whether kernels compile here: numba is installed and `RISH_NO_JIT` is not set."""
    return _numba() is not None


def cache_folder(fn: Callable[..., Any] | None = None) -> str | None:
    """The folder that holds the compiled form of `fn`, or of the engine's own kernels; None where none is writable."""
    target = fn.py_func if isinstance(fn, LazyKernel) else (fn or available)
    folder = jit_cache.folder_for(cast("Any", target).__code__.co_filename)
    return None if folder is None else str(folder)


def _kernel_called(name: str) -> LazyKernel[..., Any]:
    return _kernels[name]


def _plain(fn: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the arithmetic of kernels: dividing numpy numbers by zero gives infinity without a warning."""

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            return fn(*args, **kwargs)

    return run
