"""Batches: the arrays of the things to draw.

A batch is a sequence of things of one kind: the kind's name, the arrays of that kind, and the state they are drawn with
(blend mode, material, filter, texture). Extraction systems make the batches, culled and sorted; backends read them and
keep only data that they can make again. Inside a pass, batches are drawn by layer, then z, then the order in which they
were added, whatever their kinds. A backend may merge neighbors whose `state` is equal; the kernel never does.

Blend modes, with s the source and d the target, both premultiplied, and a the source's alpha:

    alpha     s + d·(1-a)             add      s + d, alpha of the target kept
    multiply  s·d + d·(1-a)           screen   s + d·(1-s)           replace   s
    mask      d·a                     erase    d·(1-a)

The last two add no color of the source: they keep, or remove, the target's content where the source is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy.typing as npt

from ..errors import BackendError
from .instances import INSTANCE, fits, pack_sprites, unpack_sprites
from .kinds import STANDARD_KINDS, ArraySpec, BatchKind, find_kind

__all__ = [
    "BLENDS",
    "FILTERS",
    "INSTANCE",
    "STANDARD_KINDS",
    "ArraySpec",
    "Batch",
    "BatchKind",
    "Blend",
    "Filter",
    "Material",
    "Patch",
    "Rect",
    "find_kind",
    "fits",
    "pack_sprites",
    "unpack_sprites",
]

Array: TypeAlias = npt.NDArray[Any]
Blend: TypeAlias = Literal["alpha", "add", "multiply", "screen", "replace", "mask", "erase"]
Filter: TypeAlias = Literal["nearest", "linear"]
Rect: TypeAlias = tuple[float, float, float, float]
"""x, y, width, height as fractions of a target, from its bottom left corner."""

BLENDS: tuple[str, ...] = get_args(Blend)
FILTERS: tuple[str, ...] = get_args(Filter)


@dataclass(frozen=True)
class Material:
    """A shader of `Frame.shaders` by name, and its parameters: numbers, tuples of numbers, or names of targets.

    A parameter that is not given has the shader's default. A backend that can't run the shader draws the thing
    without it and reports that in `DrawStats.skipped`.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def key(self) -> tuple[Any, ...]:
        """A key that is equal for uses of a material that can be drawn together; arrays are compared by identity."""
        return (self.name, *((name, _key_of(value)) for name, value in sorted(self.parameters.items())))


def _key_of(value: object) -> object:
    return value if isinstance(value, (bool, int, float, str, tuple)) else id(value)  # pyright: ignore[reportUnknownVariableType]


@dataclass(frozen=True, eq=False)
class Patch:
    """An array of a batch differs from `base`, an earlier one, in some ranges of rows alone.

    ranges: the first row of each, and the one after its last; ascending. Rows that `base` does not have are in them.
    The memory of `base` may be written over by now.
    """

    base: Array
    ranges: Sequence[tuple[int, int]]


@dataclass(eq=False)
class Batch:
    """A sequence of things of one kind that are drawn with one state.

    kind: a `BatchKind`, or the name of a standard one. arrays: by name, contiguous.
    layer, z: the position in the order of the pass; z sorts and does not move things. blend, filter: see the module.
    material: a shader for these things, or None. origin: the point that `sprites` positions are relative to, units.
    unit: the unit in which `sprites` store positions and sizes, in units of the pass; see instances.
    texture: None for the pages that the frames name; the name of one of the pass's inputs, from whose image the
    frames are then cut; or, for kinds with uv, the number of a page. clip: nothing outside
    this rectangle (fractions of the target) is drawn, in addition to the pass's own scissor. version: None if the
    arrays are new each frame. A number promises that they are unchanged as long as the number and the Batch
    object are the same, so a backend may keep its upload, see `PerVersion`. patch: which rows of the array of instances
    differ from those of an earlier version, so that a backend need not upload the others again; None for all. count:
    the number of things; computed from the arrays if not given. source: the plugin that made it, for messages.
    """

    kind: str
    arrays: dict[str, Array]
    layer: int = 0
    z: float = 0.0
    blend: Blend = "alpha"
    material: Material | None = None
    filter: Filter = "nearest"
    origin: tuple[float, float] = (0.0, 0.0)
    unit: float = 1.0
    texture: str | int | None = None
    clip: Rect | None = None
    version: int | None = None
    count: int = -1
    source: str = ""
    patch: Patch | None = None

    def __post_init__(self) -> None:
        if self.count < 0:
            kind = find_kind(self.kind)
            if kind is not None:
                self.count = kind.things(self.arrays)
            else:
                self.count = len(next(iter(self.arrays.values()), ()))

    @property
    def static(self) -> bool:
        """Whether the arrays stay as they are until `version` increases."""
        return self.version is not None

    @property
    def nbytes(self) -> int:
        """The size of all arrays together in bytes."""
        return sum(array.nbytes for array in self.arrays.values())

    @property
    def state(self) -> tuple[Any, ...]:
        """The state without the arrays: neighbors with equal state can be drawn in one call."""
        material = self.material.key if self.material is not None else None
        return (self.kind, self.blend, material, self.filter, self.origin, self.unit, self.texture, self.clip)

    def problem(self, *, thorough: bool = False) -> str | None:
        """Return the mistake in the batch as a sentence, or None. thorough: check the content of the arrays as well."""
        if self.blend not in BLENDS:
            return f"its blend mode is {self.blend!r}, it must be one of {', '.join(BLENDS)}"
        if self.filter not in FILTERS:
            return f"its filter is {self.filter!r}, it must be one of {', '.join(FILTERS)}"
        if not 0 < self.unit < float("inf"):
            return f"its unit is {self.unit!r}, it must be a number above 0"
        if self.z != self.z:
            return "its z is NaN, so it can't be sorted"
        kind = find_kind(self.kind)
        if kind is None:
            return None
        problem = kind.problem(self.arrays)
        if problem is None and thorough and kind.look is not None:
            problem = kind.look(self.arrays)
        return problem

    def check(self, where: str = "", *, thorough: bool = True) -> None:
        """Raise BackendError with a sentence that names the batch, the array and what it must be.

        where: the pass, for the message. thorough: check the content of the arrays as well (indices within range).
        """
        problem = self.problem(thorough=thorough)
        if problem is None:
            return
        maker = f" of {self.source}" if self.source else ""
        kind = find_kind(self.kind)
        hint = f"{self.kind}: {kind.doc}" if kind is not None else None
        raise BackendError(f"a batch of '{self.kind}'{maker}: {problem}", where=where or None, hint=hint)
