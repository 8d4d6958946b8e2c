"""Kinds of batches: the arrays of each kind, and how they are checked.

A kind is a name and a table of arrays with dtype and shape. The seven below are the standard ones. A plugin makes its
own `BatchKind` and gives it to its batches; a plain name is allowed as well, but then the arrays are not checked.
Backends draw their own kinds and those that a drawer was added for, and report any other kind once.

All positions are in the space of the pass (usually world units, y up). All colors are *straight*: sRGB bytes
whose alpha is the opacity; a backend multiplies them by alpha. Matrices of six are `a b c d tx ty`, with `x'
= a·x + c·y + tx` and `y' = b·x + d·y + ty`, and place the unit square from -0.5 to 0.5 around 0. Flat kinds
are in the plane z = 0 of the pass and do not use its depth buffer; only `mesh` has depth. A thing with NaN
or infinity in its numbers is not drawn; the other things of its batch are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from .instances import INSTANCE, affine_of

if TYPE_CHECKING:
    from .batches import Batch


F32, U8, U16, U32, I32 = (np.dtype(name) for name in ("float32", "uint8", "uint16", "uint32", "int32"))


@dataclass(frozen=True)
class ArraySpec:
    """One array of a kind.

    shape: lengths, either numbers or letters; a letter is the same length in all arrays of a batch,
    and `"n+1"` is one more. doc: the meaning of the numbers. optional: the array may be missing.
    """

    dtype: np.dtype[Any]
    shape: tuple[int | str, ...]
    doc: str
    optional: bool = False

    def __str__(self) -> str:
        lengths = ", ".join(str(length) for length in self.shape)
        name = "INSTANCE" if self.dtype == INSTANCE else self.dtype.name
        return f"{name} ({lengths}{',' if len(self.shape) == 1 else ''})"


class BatchKind(str):
    """A kind of batch: a string with the kind's name, and with a description and the arrays: `Batch(kind, arrays)`.

    Put your plugin's name before it, as in `wind.streaks`. counted: the letter whose length is the number of things in
    a batch. look: an optional check of the contents; `look(arrays)` returns the mistake as a sentence or None. It is
    called only by thorough checks. bounds: optional, for flat kinds: `bounds(batch)` returns the lower left and the
    upper right corners of boxes, float (k, 2) each, that contain everything that the batch draws; renderers skip
    what is outside.
    """

    doc: str
    arrays: Mapping[str, ArraySpec]
    counted: str
    look: Callable[[Mapping[str, Array]], str | None] | None
    bounds: Callable[[Batch], tuple[Array, Array]] | None

    def __new__(
        cls, name: str, doc: str, arrays: Mapping[str, ArraySpec], counted: str = "n",
        look: Callable[[Mapping[str, Array]], str | None] | None = None,
        bounds: Callable[[Batch], tuple[Array, Array]] | None = None,
    ) -> BatchKind:  # fmt: skip
        """Make the kind; the string itself is the name."""
        kind = super().__new__(cls, name)
        kind.doc, kind.arrays, kind.counted, kind.look, kind.bounds = doc, arrays, counted, look, bounds
        return kind

    def problem(self, arrays: Mapping[str, Array]) -> str | None:
        """Return the mistake in the dtypes or shapes of a batch's arrays as a sentence, or None."""
        lengths: dict[str, int] = {}
        for name, spec in self.arrays.items():
            array = arrays.get(name)
            if array is None:
                if spec.optional:
                    continue
                return f"the array '{name}' is missing; it is {spec}: {spec.doc}"
            if array.dtype != spec.dtype or array.ndim != len(spec.shape):
                return f"the array '{name}' is {array.dtype} {array.shape}, it must be {spec}: {spec.doc}"
            if not array.flags.c_contiguous:
                return f"the array '{name}' is not contiguous; copy it with np.ascontiguousarray"
            for have, want in zip(array.shape, spec.shape, strict=True):
                expected = self._length(want, have, lengths)
                if have != expected:
                    return f"the array '{name}' has shape {array.shape}, it must be {spec}, {want} = {expected}"
        for name in arrays:
            if name not in self.arrays:
                return f"the array '{name}' is unknown; this kind has {', '.join(self.arrays)}"
        return None

    @staticmethod
    def _length(want: int | str, have: int, lengths: dict[str, int]) -> int:
        """Return the length that a dimension must have; the first array with a letter sets its length."""
        if isinstance(want, int):
            return want
        letter, _, more = want.partition("+")
        extra = int(more or 0)
        return lengths.setdefault(letter, have - extra) + extra

    def things(self, arrays: Mapping[str, Array]) -> int:
        """Return the number of things in a batch of this kind: the length of the counted letter."""
        for name, spec in self.arrays.items():
            if spec.shape and spec.shape[0] == self.counted and name in arrays:
                return len(arrays[name])
        return 0


def _polygon_problem(arrays: Mapping[str, Array]) -> str | None:
    starts, points = arrays["starts"], len(arrays["points"])
    if len(starts) and (int(starts[0]) != 0 or int(starts[-1]) != points or bool((np.diff(starts) < 0).any())):
        return f"'starts' must rise from 0 to the number of points, {points}"
    return _index_problem(arrays, "triangles", points)


def _index_problem(arrays: Mapping[str, Array], name: str, points: int) -> str | None:
    indices = arrays[name]
    if indices.size and (int(indices.min()) < 0 or int(indices.max()) >= points):
        return f"'{name}' points outside the {points} points"
    return None


def _around(matrix: Array) -> tuple[Array, Array]:
    """Return the corners of the boxes around unit squares around 0 under matrices (n, 6)."""
    reach = (np.abs(matrix[:, 0:2]) + np.abs(matrix[:, 2:4])) / 2
    return matrix[:, 4:6] - reach, matrix[:, 4:6] + reach


def _around_matrices(batch: Batch) -> tuple[Array, Array]:
    return _around(batch.arrays["matrix"])


def _around_instances(batch: Batch) -> tuple[Array, Array]:
    return _around(affine_of(batch.arrays["instances"], batch.origin, batch.unit))


def _around_lines(batch: Batch) -> tuple[Array, Array]:
    points, half = batch.arrays["points"], batch.arrays["width"][:, None] / 2
    return np.fmin(points[:, :2], points[:, 2:]) - half, np.fmax(points[:, :2], points[:, 2:]) + half


def _around_points(batch: Batch) -> tuple[Array, Array]:
    return batch.arrays["points"], batch.arrays["points"]


def _around_grid(batch: Batch) -> tuple[Array, Array]:
    rows, columns = batch.arrays["cells"].shape
    a, b, c, d, x, y = batch.arrays["grid"]
    corners = np.array([[i * a + j * c + x, i * b + j * d + y] for i in (0, columns) for j in (0, rows)], np.float32)
    return corners, corners


_FRAME = "row of the frame table"
_RGBA = "straight color, alpha is the opacity"
_MATRIX = ArraySpec(F32, ("n", 6), "a b c d tx ty: the unit square, y up, to the pass's space")
_UV = "column and line in the picture named by batch.texture, texels, line 0 on top"

SPRITES = BatchKind(
    "sprites",
    "Pictures on rectangles, 16 bytes each, relative to batch.origin.",
    {"instances": ArraySpec(INSTANCE, ("n",), "see rish_frame.frame.instances")},
    bounds=_around_instances,
)
SPRITES_WIDE = BatchKind(
    "sprites_wide",
    "Pictures on any parallelogram, near or far; batch.origin is not used.",
    {
        "matrix": _MATRIX,
        "frame": ArraySpec(U16, ("n",), _FRAME),
        "rgba": ArraySpec(U8, ("n", 4), "straight tint, alpha is the opacity"),
    },
    bounds=_around_matrices,
)
CELL_TRANSPOSED, CELL_MIRRORED_Y, CELL_MIRRORED_X = 1 << 29, 1 << 30, 1 << 31
"""Bits of a cell of `tiles`, as in Tiled: the tile is first transposed (texel x for y), then mirrored."""

TILES = BatchKind(
    "tiles",
    "A grid of pictures, one number a cell, drawn without seams at any zoom; batch.origin is not used.",
    {
        "cells": ArraySpec(U32, ("h", "w"), "0 empty, else frame + 1 in the low 24 bits, and CELL_* bits"),
        "grid": ArraySpec(F32, (6,), "a b c d tx ty: column and row, from the corner of cells[0, 0], to the space"),
        "rgba": ArraySpec(U8, (4,), "straight tint, alpha is the opacity"),
    },
    counted="h",
    bounds=_around_grid,
)
SHAPES = BatchKind(
    "shapes",
    "Boxes and ellipses: a fill that may fade from top to bottom, and an outline inside the border.",
    {
        "matrix": _MATRIX,
        "half": ArraySpec(F32, ("n", 2), "half width and half height, units, as corner and line"),
        "corner": ArraySpec(F32, ("n",), "radius of a box's rounded corners, units"),
        "line": ArraySpec(F32, ("n",), "width of the outline inside the border, units; 0: none"),
        "kind": ArraySpec(U8, ("n",), "0 box, 1 ellipse"),
        "rgba": ArraySpec(U8, ("n", 4), "straight color of the fill at the top; alpha 0: hollow"),
        "rgba2": ArraySpec(U8, ("n", 4), "straight color of the fill at the bottom"),
        "edge": ArraySpec(U8, ("n", 4), "straight color of the outline, which lies on the fill; alpha 0: none"),
    },
    bounds=_around_matrices,
)
LINES = BatchKind(
    "lines",
    "Straight lines with round caps.",
    {
        "points": ArraySpec(F32, ("n", 4), "x0 y0 x1 y1"),
        "width": ArraySpec(F32, ("n",), "units"),
        "rgba": ArraySpec(U8, ("n", 4), _RGBA),
    },
    bounds=_around_lines,
)
POLYGONS = BatchKind(
    "polygons",
    "Filled polygons, already cut into triangles.",
    {
        "points": ArraySpec(F32, ("m", 2), "x y, the corners of all polygons one after another"),
        "starts": ArraySpec(I32, ("n+1",), "polygon i has the points starts[i] up to starts[i+1]"),
        "triangles": ArraySpec(I32, ("k", 3), "three points each; a triangle is of its first point's polygon"),
        "rgba": ArraySpec(U8, ("n", 4), _RGBA),
        "uv": ArraySpec(F32, ("m", 2), _UV, optional=True),
    },
    look=_polygon_problem,
    bounds=_around_points,
)
MESH = BatchKind(
    "mesh",
    "Triangles in space with a color a corner; both sides are drawn, depth is tested if the pass does.",
    {
        "positions": ArraySpec(F32, ("m", 3), "x y z"),
        "colors": ArraySpec(U8, ("m", 4), _RGBA),
        "indices": ArraySpec(I32, ("k", 3), "three corners each"),
        "uv": ArraySpec(F32, ("m", 2), _UV, optional=True),
    },
    counted="k",
    look=lambda arrays: _index_problem(arrays, "indices", len(arrays["positions"])),
)
STANDARD_KINDS: Mapping[str, BatchKind] = {
    kind: kind for kind in (SPRITES, SPRITES_WIDE, TILES, SHAPES, LINES, POLYGONS, MESH)
}
"""The kinds that every backend should draw, by name; `BackendContract` tests them."""


def find_kind(name: str) -> BatchKind | None:
    """Return the declaration of a kind: the kind itself, or the standard one of that name; None for other names."""
    return name if isinstance(name, BatchKind) else STANDARD_KINDS.get(name)
