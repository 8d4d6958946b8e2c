"""Vertex buffers on the graphics card. Each row of a buffer is one instance, drawn as a strip of four corners.

Data that is new in each frame is written to stream buffers. Their sizes are powers of two. Each is written once a
frame, and reused some frames later, when the card has read it. So no write waits for the card, and no memory is
allocated: a driver fills newly allocated memory with zeros, which takes longer than writing the rows. Data that stays
the same over many frames has a buffer of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rish_jit import Array

from ..device import Device

_MIN_ROWS = 64
_IN_FLIGHT = 3
"""The greatest number of frames that a program can be ahead of the graphics card."""


class Form(NamedTuple):
    """The layout of a row in memory: its formats in arcade.gl's notation, the names of its attributes, its size in
    bytes.
    """

    formats: str
    names: tuple[str, ...]
    stride: int


SPRITES = Form("4u", ("instance",), 16)
WIDE = Form("4u 4u", ("sides", "rest"), 32)
SHAPES = Form("4u 4u 4u 4u", ("sides", "middle", "form", "colors"), 64)
EDGES = Form("4f 4f", ("ends", "box"), 32)
BOXES = Form("4f 4f 4u", ("box", "cover", "color"), 48)


@dataclass
class Rows:
    """A buffer of rows and the geometry that reads it. count: how many rows are in use."""

    buffer: Any
    geometry: Any
    count: int = 0


class Streams:
    """The stream buffers, which are reused from frame to frame; see the module."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[tuple[Form, int], deque[tuple[int, Rows]]] = {}

    def upload(self, form: Form, arrays: Sequence[Array], *, keep: bool) -> Rows:
        """Write arrays of rows one after another into a buffer.

        keep: the buffer is not shared; otherwise it is a stream buffer, and valid during this frame.
        """
        device = self._device
        count = sum([array.nbytes for array in arrays]) // form.stride
        if keep:
            rows = self._make(form, max(count, 1), stream=False)
        else:
            capacity = 1 << (max(count, _MIN_ROWS) - 1).bit_length()
            used = self._made.setdefault((form, capacity), deque())
            if used and used[0][0] <= device.frame - _IN_FLIGHT:
                rows = used.popleft()[1]
            else:
                rows = self._make(form, capacity, stream=True)
            used.append((device.frame, rows))
        device.fill(rows.buffer, arrays)
        rows.count = count
        return rows

    def _make(self, form: Form, capacity: int, *, stream: bool) -> Rows:
        """Return a buffer for `capacity` rows with undefined contents."""
        buffer = self._device.buffer(capacity * form.stride, stream=stream)
        described = self._device.describe(buffer, form.formats, form.names, instanced=True)
        return Rows(buffer, self._device.geometry([described]))


def words(*columns: Array) -> Array:
    """Return the columns side by side as uint32 (n, k). Each column consists of 32-bit values or of groups of four
    bytes.
    """
    parts = [np.ascontiguousarray(column).view(np.uint32).reshape(len(column), -1) for column in columns]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))
