"""The one door to numba: kernels that compile at their first call, and run as plain Python where they can't.

A kernel is a function with its loops written out::

    @njit
    def drift(x, velocity, dt):
        for i in range(len(x)):
            x[i] += velocity[i] * dt

Importing numba costs a quarter of a second and compiling a kernel as much again, so neither happens before
a kernel is called: `njit` only wraps the function in a `LazyKernel`. Kernels may call one another,
`rish_ecs.maths` and the random functions of `rish_ecs.random`. Compiled code is cached on disk
(`rish_ecs.jit.cache`), compilations are counted for progress bars and for tests that allow none, and the
arithmetic is strict: numpy's rules for division by zero, never `fastmath`, which would change results from
machine to machine.

`RISH_NO_JIT=1`, or a machine without numba, runs the same functions in plain Python: slowly, with equal
results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import kernel
from .cache import on_use
from .code import instructions, intrinsic
from .features import Features
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
from .marks import package_folder
from .ready import Ready, worth_preparing

if TYPE_CHECKING:
    compilations: int
    """How many specialisations of kernels this process has compiled; one loaded from the cache does not count."""

__all__ = [
    "Features",
    "LazyKernel",
    "Ready",
    "available",
    "cache_folder",
    "compilations",
    "instructions",
    "intrinsic",
    "kernel_form",
    "kernels",
    "njit",
    "on_compile",
    "on_use",
    "package_folder",
    "switched_off",
    "worth_preparing",
]


def __getattr__(name: str) -> Any:
    """`compilations`, a number that rises."""
    if name == "compilations":
        return kernel.compilations
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
