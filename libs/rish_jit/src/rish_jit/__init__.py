"""Kernels for numba that also run as plain Python, and mathematics with the same bits on every machine. Usable alone.

A kernel is a function with explicit loops::

    from rish_jit import njit

    @njit
    def drift(x, velocity, dt):
        for i in range(len(x)):
            x[i] += velocity[i] * dt

Importing numba takes a quarter of a second, and so does compiling a kernel. So neither happens before a kernel is
called: `njit` only wraps the function in a `LazyKernel`. Kernels may call other kernels, `rish_jit.maths` and the
random functions of `rish_ecs.random`. Compiled code is cached on disk (`rish_jit.cache`). Compilations are counted
for progress bars and for tests that allow none. The arithmetic is strict: numpy's rules for division by zero, and no
`fastmath`, with which results would differ between machines.

With `RISH_NO_JIT=1`, or without numba, the same functions run in plain Python: slowly, with equal results.

The package also has what all packages of Rish share and needs no other: `errors`, and public names that are imported
at their first use (`lazy`).
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .lazy import lazy_names

if TYPE_CHECKING:
    from . import errors, lazy, maths, simd
    from .ahead.bundle import default_level, environment_for, take_in, write_bundle
    from .ahead.called import on_wait
    from .ahead.entries import stored
    from .ahead.features import Features, load, missing
    from .ahead.lists import LIST_FILE, Listed, package_folder, read_list, write_list
    from .ahead.precompiled import Ready, worth_preparing
    from .ahead.workers import IN_BACKGROUND, compile_ahead, cores
    from .arrays import Array
    from .cache import Entry, on_use
    from .compiler.code import array_of, instructions, intrinsic
    from .compiler.interpreted import plain_form
    from .compiler.kernel import (
        LazyKernel,
        available,
        cache_folder,
        can_compile,
        kernel_form,
        kernels,
        njit,
        on_compile,
        switched_off,
    )
    from .compiler.pointers import array_at, function_pointer
    from .errors.packages import how_to_get_numba
    from .machine.host import LEVELS, extension_file
    from .maths.easings import EASINGS, easing
    from .maths.matrices import hang_matrices, product
    from .maths.quaternions import angles_of, quaternions_of
    from .native.images import image_name, write_image
    from .native.specializations import plain_calls

    compilations: int
    """How many specializations of kernels this process has compiled; one loaded from the cache does not count."""

_public, __dir__ = lazy_names(
    __name__,
    {
        "ahead.bundle": "default_level environment_for take_in write_bundle",
        "ahead.entries": "stored",
        "ahead.called": "on_wait",
        "ahead.features": "Features load missing",
        "ahead.lists": "LIST_FILE Listed package_folder read_list write_list",
        "ahead.precompiled": "Ready worth_preparing",
        "ahead.workers": "IN_BACKGROUND compile_ahead cores",
        "arrays": "Array",
        "cache": "Entry on_use",
        "compiler.code": "array_of instructions intrinsic",
        "compiler.interpreted": "plain_form",
        "compiler.kernel": "LazyKernel available cache_folder can_compile kernel_form kernels njit "
        "on_compile switched_off",
        "compiler.pointers": "array_at function_pointer",
        "errors.packages": "how_to_get_numba",
        "machine.host": "LEVELS extension_file",
        "maths.easings": "EASINGS easing",
        "maths.matrices": "hang_matrices product",
        "maths.quaternions": "angles_of quaternions_of",
        "native.images": "image_name write_image",
        "native.specializations": "plain_calls",
    },
    modules=("errors", "lazy", "maths", "simd"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Return a public name; `compilations` is a number that changes over time."""
    if name == "compilations":
        kernel: Any = sys.modules.get(f"{__name__}.compiler.kernel")  # each frame asks, so nothing is imported
        return 0 if kernel is None else kernel.compilations
    return _public(name)
