"""Compute: work on arrays that a graphics card does where it can, and a Python function everywhere else.

A plugin declares a `Compute` with the hook `rish_compute`: a GLSL file, its arrays and uniforms, and a fallback that
does the same on numpy arrays. In EXTRACT it calls `Frame.compute` with arrays that it keeps, each in a `DeviceArray`.
A backend with the capability `compute` runs the GLSL on copies that stay on the device; for any other backend the host
runs the fallback on the arrays themselves. Batches are made of `DeviceArray.array` in both cases: a backend draws the
copy on the device if that is newer.

The author writes a GLSL 4.3 compute shader without its declarations:

    void main() {
        uint i = gl_GlobalInvocationID.x;
        if (i >= threads.x) return;               // the last group is filled up
        place[i] += speed[i] * dt;
    }

The engine declares `#version 430`, the size of a group, each array as a buffer of that name, each uniform, and
`uniform uvec3 threads`. An element of an array in GLSL is a number (float32, int32, uint32), a vector if the last
length is the number 2 or 4 (`vec4` for float32 (n, 4)), a `uint` for four bytes (uint8 (n, 4)), and a `uvec4` for
`INSTANCE`, which `uvec4 sprite(vec2 at, vec2 size, float rotation, uint frame, vec4 rgba)` packs as `pack_sprites`
does. Other lengths make the array longer: float32 (n, 3) has 3·n elements, float32 (h, w) has h·w, row by row.

Compute makes only what is drawn. It never changes hashed state: a device rounds in its own way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from rish_ecs import UnknownName, UsageError
from rish_jit import Array

from .instances import INSTANCE
from .kinds import ArraySpec, BatchKind
from .shaders import UNIFORMS, uniform_value

Work: TypeAlias = Callable[[Mapping[str, Array], Mapping[str, Any]], None]
"""A fallback: a function of arrays, which it changes in place, and uniforms; `threads` is among them."""

MAX_ARRAYS = 8
"""The most arrays of a `Compute`, which every device with compute shaders supports."""
MAX_GROUP_SIZE = (1024, 1024, 64)
MAX_GROUP_THREADS = 1024
MAX_GROUPS = 65535
"""The most groups in one dimension."""
THREADS = "threads"
_SCALARS = {"float32": ("float", "vec"), "int32": ("int", "ivec"), "uint32": ("uint", "uvec")}


class DeviceArray:
    """An array that a device may have a newer copy of.

    array: the numpy array, contiguous; always the same object. Make batches of it; read it only through `fetch`, and
    change it only with `write`. version: rises with each change, on the device too.
    """

    def __init__(self, array: Array) -> None:
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise UsageError("a DeviceArray needs a contiguous, writable array; copy it with np.array")
        self.array = array
        self.version = 0
        self._pull: Callable[[Array], object] | None = None

    @property
    def on_device(self) -> bool:
        """Whether a device has a newer copy than `array`."""
        return self._pull is not None

    def write(self, values: npt.ArrayLike) -> None:
        """Replace the contents, wherever they are. values: of the array's shape, or one that it can be filled with."""
        self._pull = None
        self.array[...] = values
        self.version += 1

    def fetch(self) -> Array:
        """Return `array` with the newest contents. A copy from a device waits for the device, so do it rarely."""
        pull, self._pull = self._pull, None
        if pull is not None:
            pull(self.array)
        return self.array

    def changed(self, pull: Callable[[Array], object] | None = None) -> None:
        """Record that the contents have changed; for backends and fallbacks. pull: copies them from the device to an
        array."""
        self._pull = pull
        self.version += 1


@dataclass(frozen=True, eq=False)
class Compute:
    """A declaration of work on arrays, see the module.

    name: begins with the plugin's name, as in `boids.steer`. file: an asset with the GLSL, `effects/steer.comp` or
    `package:steer.comp`. arrays: at most 8, by name. fallback: the same in Python. uniforms: the type of each, see
    UNIFORMS. group: the threads of a group, or up to three lengths. source: the GLSL itself; the host reads it from
    `file`. version: rises when the source changes.
    """

    name: str
    file: str
    arrays: Mapping[str, ArraySpec]
    fallback: Work
    uniforms: Mapping[str, str] = field(default_factory=dict[str, str])
    group: int | tuple[int, ...] = 64
    source: str = ""
    version: int = 0

    def __post_init__(self) -> None:
        where = f"compute '{self.name}'"
        if not 0 < len(self.arrays) <= MAX_ARRAYS:
            raise UsageError(f"it needs 1 to {MAX_ARRAYS} arrays, not {len(self.arrays)}", where=where)
        for name, spec in self.arrays.items():
            element_of(spec, f"{where}, array '{name}'")
        for name, kind in self.uniforms.items():
            if kind not in UNIFORMS:
                message = f"no type of uniforms is called '{kind}'"
                raise UnknownName(message, where=f"{where}, uniform '{name}'", given=kind, choices=UNIFORMS)
        names = [*self.arrays, *self.uniforms, THREADS]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UsageError(f"'{twice}' is declared twice; arrays and uniforms share their names", where=where)
        group = self.group_size
        if any(not 1 <= n <= limit for n, limit in zip(group, MAX_GROUP_SIZE, strict=True)) or (
            math.prod(group) > MAX_GROUP_THREADS
        ):
            message = f"a group has 1 to {MAX_GROUP_THREADS} threads, at most 64 in its third length, not {self.group}"
            raise UsageError(message, where=where)

    @property
    def group_size(self) -> tuple[int, int, int]:
        """The three lengths of a group."""
        return three(self.group, f"compute '{self.name}', group")

    def dispatch(
        self, threads: int | tuple[int, ...], arrays: Mapping[str, DeviceArray], uniforms: Mapping[str, Any]
    ) -> Dispatch:
        """Return the order for this work. Raises UsageError if an array or a uniform does not fit the declaration."""
        where = f"compute '{self.name}'"
        for name, array in arrays.items():
            if not isinstance(array, DeviceArray):  # pyright: ignore[reportUnnecessaryIsInstance]
                message = f"the array '{name}' is {type(array).__name__}, it must be a DeviceArray"
                hint = "Keep DeviceArray(array) in a derived resource and pass that"
                raise UsageError(message, where=where, hint=hint)
        problem = BatchKind(self.name, "", self.arrays).problem({name: array.array for name, array in arrays.items()})
        if problem is not None:
            raise UsageError(problem, where=where)
        for name in [*uniforms, *self.uniforms]:
            if name not in self.uniforms:
                raise UnknownName(f"no uniform is called '{name}'", where=where, given=name, choices=self.uniforms)
            if name not in uniforms:
                raise UsageError(f"the uniform '{name}' has no value; it is a {self.uniforms[name]}", where=where)
        values = {
            name: uniform_value(uniforms[name], kind, f"{where}, uniform '{name}'")
            for name, kind in self.uniforms.items()
        }
        whole = three(threads, f"{where}, threads")
        groups = [-(-n // size) for n, size in zip(whole, self.group_size, strict=True)]
        if max(groups) > MAX_GROUPS:
            message = f"{threads} threads make {max(groups)} groups in one dimension, at most {MAX_GROUPS} are allowed"
            raise UsageError(message, where=where, hint="Use a larger group, or more dimensions")
        return Dispatch(self, {name: arrays[name] for name in self.arrays}, values, whole, (*groups,))


@dataclass(eq=False)
class Dispatch:
    """An order of a frame to do the work of a `Compute` once, before its passes are drawn.

    arrays: in the order of `Compute.arrays`. values: of all uniforms. threads, groups: how many, three lengths each.
    done: whether a backend or the host has done it; a frame that is drawn again does not do it again.
    """

    compute: Compute
    arrays: dict[str, DeviceArray]
    values: dict[str, Any]
    threads: tuple[int, int, int]
    groups: tuple[int, ...]
    done: bool = False

    def run_fallback(self) -> None:
        """Do the work with the fallback, unless it is done."""
        if self.done:
            return
        self.done = True
        arrays = {name: array.fetch() for name, array in self.arrays.items()}
        self.compute.fallback(arrays, {**self.values, THREADS: self.threads})
        for array in self.arrays.values():
            array.changed()


def three(lengths: int | tuple[int, ...], where: str) -> tuple[int, int, int]:
    """Return one to three lengths as three, filled up with 1. Raises UsageError for numbers below 1 and other
    counts."""
    values = (lengths,) if isinstance(lengths, int) else tuple(lengths)
    if not 1 <= len(values) <= 3 or any(n < 1 for n in values):
        raise UsageError(f"it is one to three numbers above 0, not {lengths!r}", where=where)
    x, y, z = (*values, 1, 1)[:3]
    return x, y, z


def element_of(spec: ArraySpec, where: str = "") -> str:
    """Return the GLSL type of an array's elements, see the module. Raises UsageError for other dtypes."""
    last = spec.shape[-1] if len(spec.shape) > 1 else 1
    if spec.dtype == INSTANCE:
        return "uvec4"
    if spec.dtype == np.uint8 and last == 4:
        return "uint"
    names = _SCALARS.get(spec.dtype.name)
    if names is None:
        message = f"{spec} can't be an array of a compute shader"
        raise UsageError(message, where=where, hint="Use float32, int32, uint32, uint8 (n, 4) or INSTANCE")
    return f"{names[1]}{last}" if last in (2, 4) else names[0]
