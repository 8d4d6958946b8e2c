"""Reads which characters a font can draw from its `cmap` table.

Pillow draws a box for a missing character and does not report it, so this module reads the table itself. It supports
the formats 4, 6, 12 and 13, which fonts have used since 1991 (OpenType specification, `cmap`). Of a large font on disk
only that table is read.
"""

from __future__ import annotations

import io
import struct
from bisect import bisect_right
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]

_COLLECTION = b"ttcf"
_KINDS = (b"\x00\x01\x00\x00", b"OTTO", b"true", b"typ1")
_PREFERRED = ((3, 10), (0, 6), (0, 4), (3, 1), (0, 3), (0, 2), (0, 1), (0, 0), (3, 0))
_MAX_TABLES, _MAX_GROUPS, _MAX_BYTES = 256, 70_000, 8 * 2**20
_LAST_CODE = 0x10FFFF


class Coverage:
    """A set of characters, stored as runs of codes. Empty if the font could not be read."""

    def __init__(self, codes: Codes) -> None:
        codes = np.sort(codes)
        cut = np.flatnonzero(np.diff(codes) > 1) + 1
        self._starts: list[int] = codes[np.concatenate([[0], cut])].tolist() if len(codes) else []
        self._ends: list[int] = codes[np.concatenate([cut - 1, [len(codes) - 1]])].tolist() if len(codes) else []

    def __contains__(self, character: str) -> bool:
        code = ord(character)
        run = bisect_right(self._starts, code) - 1
        return run >= 0 and code <= self._ends[run]

    def __len__(self) -> int:
        return sum(self._ends) - sum(self._starts) + len(self._starts)

    def __bool__(self) -> bool:
        return bool(self._starts)


def read_coverage(source: Path | bytes, index: int = 0) -> Coverage:
    """Return the characters of a font file, or of font `index` of a collection; an empty set if it is not a font."""
    try:
        with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
            return Coverage(_codes(_table(file, index, b"cmap")))
    except (OSError, ValueError, IndexError, struct.error):
        return Coverage(np.zeros(0, np.int64))


def _table(file: BinaryIO, index: int, name: bytes) -> bytes:
    """Return the bytes of one table of a font. Raises ValueError if the table is missing."""
    start = 0
    kind = file.read(4)
    if kind == _COLLECTION:
        _, count = struct.unpack(">LL", file.read(8))
        file.seek(12 + 4 * min(index, count - 1))
        (start,) = struct.unpack(">L", file.read(4))
        file.seek(start)
        kind = file.read(4)
    if kind not in _KINDS:
        raise ValueError("not a font")
    (tables,) = struct.unpack(">H", file.read(2))
    file.seek(start + 12)
    directory = file.read(16 * min(tables, _MAX_TABLES))
    for at in range(0, len(directory), 16):
        tag, _, offset, length = struct.unpack_from(">4sLLL", directory, at)
        if tag == name:
            file.seek(offset)
            return file.read(min(length, _MAX_BYTES))
    raise ValueError("the table is missing")


def _codes(cmap: bytes) -> Codes:
    """Return the character codes in the best subtable of `cmap`."""
    _, count = struct.unpack_from(">HH", cmap, 0)
    offsets: dict[tuple[int, int], int] = {}
    for k in range(min(count, _MAX_TABLES)):
        platform, encoding, offset = struct.unpack_from(">HHL", cmap, 4 + 8 * k)
        offsets[platform, encoding] = offset
    for kind in _PREFERRED:
        if kind in offsets:
            return _subtable(cmap[offsets[kind] :])
    return np.zeros(0, np.int64)


def _subtable(data: bytes) -> Codes:
    (form,) = struct.unpack_from(">H", data, 0)
    if form == 4:
        return _segments(data)
    if form == 6:
        first, count = struct.unpack_from(">HH", data, 6)
        glyphs = np.frombuffer(data, ">u2", count, 10)
        return first + np.flatnonzero(glyphs).astype(np.int64)
    if form in (12, 13):
        return _groups(data)
    return np.zeros(0, np.int64)


def _groups(data: bytes) -> Codes:
    """Return the codes of a subtable of format 12 or 13: runs of codes."""
    (count,) = struct.unpack_from(">L", data, 12)
    groups = np.frombuffer(data, ">u4", 3 * min(count, _MAX_GROUPS, (len(data) - 16) // 12), 16)
    rows = groups.reshape(-1, 3).astype(np.int64)
    rows = rows[(rows[:, 1] <= _LAST_CODE) & (rows[:, 0] <= rows[:, 1])]
    if len(rows) and int((rows[:, 1] - rows[:, 0] + 1).sum()) > 2 * _LAST_CODE:
        raise ValueError("the runs overlap")
    return np.concatenate([np.zeros(0, np.int64), *(np.arange(low, high + 1) for low, high in rows[:, :2].tolist())])


def _segments(data: bytes) -> Codes:
    """Return the codes of a format 4 subtable: segments of the first 65536 codes with a delta or a list of glyphs."""
    count = struct.unpack_from(">H", data, 6)[0] // 2
    ends, starts, deltas, offsets = (
        np.frombuffer(data, ">u2", count, at).astype(np.int64)
        for at in (14, 16 + 2 * count, 16 + 4 * count, 16 + 6 * count)
    )
    words = np.frombuffer(data, ">u2", (len(data) - 16 - 6 * count) // 2, 16 + 6 * count)
    parts = [np.zeros(0, np.int64)]
    for k in range(count):
        codes = np.arange(starts[k], min(int(ends[k]), 0xFFFE) + 1)
        if offsets[k]:
            at = k + offsets[k] // 2 + codes - starts[k]
            at = np.where((at >= 0) & (at < len(words)), at, 0)
            glyphs = words[at].astype(np.int64)
            glyphs = np.where(glyphs != 0, (glyphs + deltas[k]) & 0xFFFF, 0)
        else:
            glyphs = (codes + deltas[k]) & 0xFFFF
        parts.append(codes[glyphs != 0])
    return np.concatenate(parts)
