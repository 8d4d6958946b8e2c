"""Vectors inside kernels that hold two rows of four float32, such as the rows of matrices, see `vectors`.

The product of two matrices (3, 4), row by row::

    a = spread(load(left, 0))                    # a[k] is number k of the first two rows, in all four places
    rows = a[0] * load_twice(right, 0) + a[1] * load_twice(right, 4) + a[2] * load_twice(right, 8)
"""

# llvmlite, with which the code is built, has no types.
# pyright: basic

from __future__ import annotations

from typing import Any

import numpy as np

from .vectors import LANES, PAIRS_HIGH, PAIRS_LOW, WEAVE_HIGH, WEAVE_LOW, Vector, lanes

_LOW, _HIGH = (0, 1, 2, 3), (4, 5, 6, 7)


def _emit_load_twice(e: Any, array: Any, at: Any) -> Any:
    row = e.read(array, at, e.kit.half_ir)
    return e.shuffle(row, row, _LOW + _LOW)


@lanes("vector", _emit_load_twice)
def load_twice(array: Any, at: Any) -> Vector:
    """Return four numbers of a flat float32 array, starting at `at`, in both halves of a vector."""
    return np.tile(array[at : at + 4], 2)


@lanes("nothing", lambda e, array, at, x: e.write(e.shuffle(x, x, _LOW), array, at, e.kit.half_ir))
def store_first(array: Any, at: Any, x: Vector) -> None:
    """Write the first four numbers of a vector into a flat float32 array, starting at `at`."""
    array[at : at + 4] = x[:4]


@lanes("four", lambda e, x: [e.shuffle(x, x, (k,) * 4 + (4 + k,) * 4) for k in range(4)])
def spread(x: Vector) -> tuple[Vector, ...]:
    """Return four vectors; each half of vector k has number k of this half of x in all lanes."""
    return tuple(np.repeat(x[[k, 4 + k]], 4) for k in range(4))


def _emit_put4(e: Any, array: Any, stride: Any, first: Any, x: Any, y: Any, z: Any, w: Any) -> None:
    xy, zw = ((e.shuffle(a, b, WEAVE_LOW), e.shuffle(a, b, WEAVE_HIGH)) for a, b in ((x, y), (z, w)))
    quads = [e.shuffle(xy[part], zw[part], order) for part in (0, 1) for order in (PAIRS_LOW, PAIRS_HIGH)]
    rows = [e.shuffle(quad, quad, half) for half in (_LOW, _HIGH) for quad in quads]
    for k, row in enumerate(rows):
        e.write(row, array, e.builder.add(first, e.builder.mul(stride, e.word(k))), e.kit.half_ir)


@lanes("nothing", _emit_put4)
def put4(array: Any, stride: Any, first: Any, x: Vector, y: Vector, z: Vector, w: Vector) -> None:
    """Write eight rows of four float32, transposed: x, y, z, w of lane l to array[first + l * stride ...]."""
    for k in range(LANES):
        array[first + k * stride : first + k * stride + 4] = (x[k], y[k], z[k], w[k])
