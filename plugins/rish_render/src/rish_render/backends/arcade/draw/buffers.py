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

from rish_frame import Batch
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


class PatchedRows:
    """The rows of a batch in a buffer of its own, of which only those that changed are written, where that is known.

    The buffer has room for more rows, so that it stays when their number changes a little.
    """

    def __init__(self, streams: Streams, form: Form) -> None:
        self._streams, self._form = streams, form
        self._rows: Rows | None = None
        self._room = 0
        self._written: Array | None = None

    @property
    def rows(self) -> Rows:
        """The buffer, after the first write."""
        assert self._rows is not None
        return self._rows

    def write(self, array: Array, batch: Batch) -> int:
        """Write an array of a batch, whose patch tells what changed; returns the number of bytes.

        If one of 100,000 sprites changes its color, that is 4 KB instead of 1.6 MB.
        """
        count, device = len(array), self._streams.device
        patch, stride = batch.patch, self._form.stride
        ranges: Sequence[tuple[int, int]] = [(0, count)]
        if self._rows is None or count > self._room:
            self._room = count + count // 8 + 1
            self._rows = self._streams.make(self._form, self._room, stream=False)
        elif patch is not None and patch.base is self._written:
            ranges = patch.ranges
        else:
            self._rows.buffer.orphan()
        self._written, self._rows.count = array, count
        return sum(device.fill(self._rows.buffer, [array[first:last]], first * stride) for first, last in ranges)


class Streams:
    """The stream buffers, which are reused from frame to frame; see the module."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._made: dict[tuple[Form, int], deque[tuple[int, Rows]]] = {}

    def upload(self, form: Form, arrays: Sequence[Array], *, keep: bool) -> Rows:
        """Write arrays of rows one after another into a buffer.

        keep: the buffer is not shared; otherwise it is a stream buffer, and valid during this frame.
        """
        device = self.device
        count = sum([array.nbytes for array in arrays]) // form.stride
        if keep:
            rows = self.make(form, max(count, 1), stream=False)
        else:
            capacity = 1 << (max(count, _MIN_ROWS) - 1).bit_length()
            used = self._made.setdefault((form, capacity), deque())
            if used and used[0][0] <= device.frame - _IN_FLIGHT:
                rows = used.popleft()[1]
            else:
                rows = self.make(form, capacity, stream=True)
            used.append((device.frame, rows))
        device.fill(rows.buffer, arrays)
        rows.count = count
        return rows

    def make(self, form: Form, capacity: int, *, stream: bool) -> Rows:
        """Return a buffer for `capacity` rows with undefined contents."""
        buffer = self.device.buffer(capacity * form.stride, stream=stream)
        described = self.device.describe(buffer, form.formats, form.names, instanced=True)
        return Rows(buffer, self.device.geometry([described]))


def words(*columns: Array) -> Array:
    """Return the columns side by side as uint32 (n, k). Each column consists of 32-bit values or of groups of four
    bytes.
    """
    parts = [np.ascontiguousarray(column).view(np.uint32).reshape(len(column), -1) for column in columns]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))
