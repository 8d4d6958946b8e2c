"""Buffers, views and accessors: arrays from bytes, with all bounds checked before reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..element import Element
from .uris import Files

Numbers = npt.NDArray[Any]
_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
_SAID = {
    "i1": "int8", "u1": "uint8", "i2": "int16", "u2": "uint16", "u4": "uint32", "f4": "float32",
    "i1n": "normalized int8", "u1n": "normalized uint8", "i2n": "normalized int16", "u2n": "normalized uint16",
}  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """A checked accessor. view: -1: all zeros. component: as of numpy, `u2`; kind: the same, with `n` if normalized."""

    element: Element
    view: int
    offset: int
    component: str
    kind: str
    type: str
    count: int


class Accessors:
    """All accessors of a model. Bounds are checked at the beginning, numbers when an array is first read."""

    def __init__(self, root: Element, files: Files, binary: bytes | None) -> None:
        self._reading, self._files, self._binary = root.reading, files, binary
        self._buffers = root.children("buffers")
        self._sizes = [each.whole("byteLength", low=1) for each in self._buffers]
        self._loaded: dict[int, memoryview] = {}
        self._counted: set[int] = set()
        for index, each in enumerate(self._buffers):
            if "uri" in each or (index == 0 and binary is not None):
                self._buffer(index)
        self._views = root.children("bufferViews")
        self._spans = [self._span(each) for each in self._views]
        self._layouts = [self._layout(each) for each in root.children("accessors")]
        self._arrays: dict[int, Numbers] = {}

    def __len__(self) -> int:
        return len(self._layouts)

    def layout(self, index: int) -> Layout:
        """Return the checked layout of an accessor."""
        return self._layouts[index]

    def need(self, index: int, use: str, types: tuple[str, ...], kinds: tuple[str, ...]) -> Layout:
        """Return the layout of an accessor, or fail if it does not have one of the types and kinds of its use."""
        layout = self._layouts[index]
        if layout.type not in types or layout.kind not in kinds:
            layout.element.fail(
                f"is {layout.type} of {_SAID.get(layout.kind, layout.kind)}, as {use} it must be {' or '.join(types)} "
                f"of {', '.join(_SAID[kind] for kind in kinds)}"
            )
        return layout

    def read(self, index: int, use: str, types: tuple[str, ...], kinds: tuple[str, ...]) -> Numbers:
        """Return a read-only array (count, width): float32, or uint32 for unsigned integers that are not normalized.

        Normalized integers become fractions; other integers of quantized meshes keep their values.
        """
        layout = self.need(index, use, types, kinds)
        if index not in self._arrays:
            self._reading.take(layout.count * _WIDTHS[layout.type] * 4, layout.element.path)
            raw = self._raw(layout)
            self._arrays[index] = _frozen(_decode(layout, raw))
        return self._arrays[index]

    def view_bytes(self, element: Element) -> bytes:
        """Return a copy of the bytes of the view that an element names."""
        index = element.index("bufferView", len(self._views), "bufferViews")
        data = self._view(index)
        self._reading.take(len(data), element.path)
        return bytes(data)

    def _span(self, view: Element) -> tuple[int, int, int, int]:
        """Return buffer, offset, length and stride (0: packed) of a view."""
        buffer = view.index("buffer", len(self._buffers), "buffers")
        if buffer < 0:
            view.wrong("buffer", "an index into buffers")
        offset, length = view.whole("byteOffset", 0), view.whole("byteLength", low=1)
        if offset + length > self._sizes[buffer]:
            view.fail(f"ends at byte {offset + length:,}, buffers[{buffer}] has {self._sizes[buffer]:,}")
        stride = view.whole("byteStride", low=4, high=252) if "byteStride" in view else 0
        return buffer, offset, length, stride

    def _layout(self, accessor: Element) -> Layout:
        """Return a checked accessor."""
        code = accessor.whole("componentType")
        if code not in _COMPONENTS:
            accessor.wrong("componentType", "one of " + ", ".join(map(str, _COMPONENTS)))
        component, kind = _COMPONENTS[code], accessor.text("type", None, tuple(_WIDTHS))
        normalized = accessor.flag("normalized") and component != "f4"
        view = accessor.index("bufferView", len(self._views), "bufferViews")
        layout = Layout(
            accessor,
            view,
            accessor.whole("byteOffset", 0),
            component,
            component + "n" * normalized,
            kind,
            accessor.whole("count", low=1),
        )
        if view >= 0:
            self._check_span(accessor, view, layout.offset, layout.count, np.dtype(component).itemsize * _WIDTHS[kind])
        return layout

    def _check_span(self, element: Element, view: int, offset: int, count: int, size: int) -> None:
        """Fail if `count` elements of `size` bytes do not fit into a view."""
        _, _, length, stride = self._spans[view]
        if stride and stride < size:
            element.fail(f"its elements have {size} bytes, bufferViews[{view}] has a byteStride of {stride}")
        end = offset + (stride or size) * (count - 1) + size
        if end > length:
            element.fail(f"{count:,} elements end at byte {end:,}, bufferViews[{view}] has {length:,}")

    def _buffer(self, index: int) -> memoryview:
        """Return the bytes of a buffer."""
        if index not in self._loaded:
            element = self._buffers[index]
            if "uri" in element:
                data = self._files.read(element)
            elif index == 0 and self._binary is not None:
                data = self._binary
            else:
                element.fail("has no `uri`, and the file has no binary chunk for it")
            if len(data) < self._sizes[index]:
                element.fail(f"`byteLength` is {self._sizes[index]:,}, the data has {len(data):,} bytes")
            self._loaded[index] = memoryview(data)
            if id(data) not in self._counted:  # the same file may be several buffers
                self._counted.add(id(data))
                self._reading.left += len(data) * self._reading.limits.made_factor
        return self._loaded[index]

    def _view(self, index: int) -> memoryview:
        """Return the bytes of a view."""
        buffer, offset, length, _ = self._spans[index]
        return self._buffer(buffer)[offset : offset + length]

    def _raw(self, layout: Layout) -> Numbers:
        """Return the stored numbers, with sparse values in their places."""
        width = _WIDTHS[layout.type]
        dtype = np.dtype("<" + layout.component)
        if layout.view < 0:
            numbers: Numbers = np.zeros((layout.count, width), dtype)
        else:
            numbers = self._strided(layout.view, layout.offset, (layout.count, width), dtype)
        sparse = layout.element.child("sparse")
        if sparse is None:
            return numbers
        count = sparse.whole("count", low=1, high=layout.count)
        code = sparse.need("indices").whole("componentType")
        if code not in (5121, 5123, 5125):
            sparse.need("indices").wrong("componentType", "5121, 5123 or 5125")
        indices = self._part(sparse.need("indices"), (count, 1), np.dtype("<" + _COMPONENTS[code]))[:, 0].astype(
            np.int64
        )
        if indices[-1] >= layout.count or (np.diff(indices) <= 0).any():
            sparse.need("indices").fail(f"the indices must increase and stay below {layout.count:,}")
        numbers = numbers.copy()
        numbers[indices] = self._part(sparse.need("values"), (count, width), dtype)
        return numbers

    def _part(self, element: Element, shape: tuple[int, int], dtype: np.dtype[Any]) -> Numbers:
        """Return the indices or values of a sparse accessor."""
        view = element.index("bufferView", len(self._views), "bufferViews")
        if view < 0:
            element.wrong("bufferView", "an index into bufferViews")
        offset = element.whole("byteOffset", 0)
        self._check_span(element, view, offset, shape[0], dtype.itemsize * shape[1])
        return self._strided(view, offset, shape, dtype)

    def _strided(self, view: int, offset: int, shape: tuple[int, int], dtype: np.dtype[Any]) -> Numbers:
        """Return an array over the bytes of a view; the bounds are checked already."""
        size = dtype.itemsize
        strides = (self._spans[view][3] or size * shape[1], size)
        return np.ndarray(shape, dtype, self._view(view), offset, strides)


def _decode(layout: Layout, raw: Numbers) -> Numbers:
    """Return finite float32 or uint32 of stored numbers. Normalized ones: the specification, section 3.11."""
    if layout.kind == "f4":
        numbers = raw.astype(np.float32)
        is_finite = np.isfinite(numbers).all(1)
        if not is_finite.all():
            layout.element.fail(f"element {int(np.argmin(is_finite))} is infinite or no number")
        return numbers
    if layout.kind in ("u1", "u2", "u4"):
        return raw.astype(np.uint32)
    if layout.kind.endswith("n"):
        numbers = raw.astype(np.float32) / np.float32(np.iinfo(raw.dtype).max)
        return np.maximum(numbers, np.float32(-1))
    return raw.astype(np.float32)


def _frozen(array: Numbers) -> Numbers:
    """Return the array, read-only."""
    array.flags.writeable = False
    return array
