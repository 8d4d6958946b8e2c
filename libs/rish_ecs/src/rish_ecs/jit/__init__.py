"""The interface to numba: kernels that compile at their first call, or run as plain Python without numba.

A kernel is a function with explicit loops::

    @njit
    def drift(x, velocity, dt):
        for i in range(len(x)):
            x[i] += velocity[i] * dt

Importing numba takes a quarter of a second, and so does compiling a kernel. So neither happens before a kernel is
called: `njit` only wraps the function in a `LazyKernel`. Kernels may call other kernels, `rish_ecs.maths` and the
random functions of `rish_ecs.random`. Compiled code is cached on disk (`rish_ecs.jit.cache`). Compilations are counted
for progress bars and for tests that allow none. The arithmetic is strict: numpy's rules for division by zero, and no
`fastmath`, with which results would differ between machines.

With `RISH_NO_JIT=1`, or without numba, the same functions run in plain Python: slowly, with equal results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import kernel, simd
from .bundle import LEVELS, default_level, environment_for, take_in, write_bundle
from .cache import on_use
from .cache_markers import package_folder
from .code import array_of, instructions, intrinsic
from .features import Features, load, missing, on_wait, stored
from .interpreted import plain_form
from .kernel import (
    LazyKernel,
    available,
    cache_folder,
    kernel_form,
    kernels,
    njit,
    on_compile,
    switched_off,
)
from .lists import FILE as LIST_FILE
from .lists import Listed, read_list, write_list
from .pointers import array_at, function_pointer
from .precompiled import Ready, worth_preparing
from .workers import IN_BACKGROUND, compile_ahead, cores

if TYPE_CHECKING:
    compilations: int
    """How many specializations of kernels this process has compiled; one loaded from the cache does not count."""

__all__ = [
    "IN_BACKGROUND",
    "LEVELS",
    "LIST_FILE",
    "Features",
    "LazyKernel",
    "Listed",
    "Ready",
    "array_at",
    "array_of",
    "available",
    "cache_folder",
    "compilations",
    "compile_ahead",
    "cores",
    "default_level",
    "environment_for",
    "function_pointer",
    "instructions",
    "intrinsic",
    "kernel_form",
    "kernels",
    "load",
    "missing",
    "njit",
    "on_compile",
    "on_use",
    "on_wait",
    "package_folder",
    "plain_form",
    "read_list",
    "simd",
    "stored",
    "switched_off",
    "take_in",
    "worth_preparing",
    "write_bundle",
    "write_list",
]


def __getattr__(name: str) -> Any:
    """Return the current value of `compilations`, which changes over time."""
    if name == "compilations":
        return kernel.compilations
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
