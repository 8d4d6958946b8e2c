"""Buffers: rows of numbers on the graphics card, each row a thing that is drawn on four corners.

What is new each frame goes through streams: a buffer is given new memory and written once, so that the card may still
read what the last frame wrote. Streams have sizes by powers of two, and there is one for each form and size. What
stays the same keeps a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .gl import Device

Array = npt.NDArray[Any]

_LEAST_ROWS = 64


class Form(NamedTuple):
    """How a row lies in memory: `formats` as arcade.gl writes them, the attributes' names, and its bytes."""

    formats: str
    names: tuple[str, ...]
    stride: int


SPRITES = Form("4u", ("instance",), 16)
WIDE = Form("4u 4u", ("sides", "rest"), 32)
SHAPES = Form("4u 4u 4u 4u", ("sides", "middle", "form", "colours"), 64)
EDGES = Form("4f 4f", ("ends", "box"), 32)
BOXES = Form("4f 4f 4u", ("box", "cover", "colour"), 48)


@dataclass
class Rows:
    """A buffer of rows and the geometry that reads it; count: how many rows are in use."""

    buffer: Any
    geometry: Any
    count: int = 0


class Streams:
    """Buffers that are written anew for each use."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[tuple[Form, int], Rows] = {}

    def upload(self, form: Form, arrays: Sequence[Array]) -> Rows:
        """Write arrays of rows one after another; good until the next upload of that form."""
        count = sum(array.nbytes for array in arrays) // form.stride
        capacity = 1 << (max(count, _LEAST_ROWS) - 1).bit_length()
        rows = self._made.get((form, capacity))
        if rows is None:
            rows = self._made[form, capacity] = make_rows(self._device, form, capacity, stream=True)
        self._device.fill(rows.buffer, arrays)
        rows.count = count
        return rows


def make_rows(device: Device, form: Form, capacity: int, *, stream: bool = False) -> Rows:
    """A buffer for so many rows, with nothing in it."""
    buffer = device.buffer(capacity * form.stride, stream=stream)
    return Rows(buffer, device.geometry([device.describe(buffer, form.formats, form.names, instanced=True)]))


def keep_rows(device: Device, form: Form, arrays: Sequence[Array]) -> Rows:
    """A buffer of its own with these rows in it."""
    count = sum(array.nbytes for array in arrays) // form.stride
    rows = make_rows(device, form, max(count, 1))
    device.fill(rows.buffer, arrays)
    rows.count = count
    return rows


def words(*columns: Array) -> Array:
    """Columns of 32 bits, or of four bytes, side by side as uint32 (n, k)."""
    parts = [np.ascontiguousarray(column).view(np.uint32).reshape(len(column), -1) for column in columns]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))
