"""Blocks: a file format for appending that stays readable if its writer is killed.

A recording is written while a game runs, and the game may crash, hang or lose power. So the file is a sequence of
blocks, each with its own checksum. All complete blocks can be read after a crash, and the last, incomplete block is
skipped. While it is written the file is named `NAME.part`; `finish` flushes it to the disk and renames it, so that
`NAME` is always either a complete recording or the previous one.

    file   = magic (8 bytes, `RISHREC` and a line feed), version (uint32), block...
    block  = kind (1 byte), packing (1 byte: 0 plain, 1 zlib), length (uint32), crc32 (uint32), payload

All numbers are little-endian; the checksum is over kind, packing, length and payload. Readers skip unknown kinds, so a
later version may add kinds. A change of the meaning of existing blocks raises the version, and adds a step to `STEPS`,
so that files of older versions are still read.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from rish_core import RishError
from rish_ecs import how_to_update
from rish_system import part_of, put_in_place, read_whole

MAGIC = b"RISHREC\n"
VERSION = 1
REPLAY = "replay.rish"
"""The name of a recording in a .zip, such as the report of a crash."""
_ARCHIVE = b"PK\x03\x04"
PART = ".part"
_FILE = struct.Struct("<8sI")
_BLOCK = struct.Struct("<ccII")
_CHECKED = struct.Struct("<ccI")
_PLAIN, _ZLIB = b"\0", b"\1"
_MIN_COMPRESSED = 64
"""The smallest payload that is compressed, in bytes. Shorter ones do not become smaller."""
MAX_SIZE = 1 << 30
"""The maximum size of a file, and of all its payloads after unpacking, in bytes; so a file can't fill the memory."""


class RecordingError(RishError):
    """Raised when a recording can't be written, read, or played with this game."""


@dataclass(frozen=True)
class Block:
    """One block of a file. kind: a letter. payload: decompressed."""

    kind: bytes
    payload: bytes


STEPS: dict[int, Callable[[list[Block]], list[Block]]] = {}
"""By version, a function that converts the blocks of a file to the next version. The first version is 1."""


class BlockWriter:
    """Writes blocks to `path.part`, and renames it to `path` when it is finished. Raises OSError on failure.

    size: the size of the file up to its last complete block, in bytes. It is changed after a write: if a write is
    interrupted, the next write begins at `size` again, and `finish` removes the bytes after it. complete: whether the
    file is complete, so that nothing more is written.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.part = part_of(path, path.name + PART)
        self.size, self.complete = 0, False
        self._file: FileIO | None = FileIO(self.part, "wb")
        self.write_at(0, _FILE.pack(MAGIC, VERSION))
        self.size = _FILE.size

    def write(self, kind: bytes, payload: bytes) -> None:
        """Append a block. The operating system has it afterwards, so it survives if this process is killed."""
        self.size = self.write_at(self.size, packed_block(kind, payload))

    def write_at(self, position: int, data: bytes) -> int:
        """Write bytes at a position without changing `size`; return the position after them."""
        assert self._file is not None
        self._file.seek(position)
        unwritten = memoryview(data)
        while unwritten:
            unwritten = unwritten[self._file.write(unwritten) :]
        return position + len(data)

    def finish(self) -> None:
        """Flush everything to the disk and rename the file to its final name. May be called twice."""
        if self._file is None:
            return
        if not self.complete:
            self._file.truncate(self.size)
            os.fsync(self._file.fileno())
            self.complete = True
        self._file.close()
        if self.part.exists():
            put_in_place(self.part, self.path)
        self._file = None

    def close(self) -> None:
        """Close without finishing: the file stays `path.part`."""
        if self._file is not None:
            self._file.close()
            self._file = None


def packed_block(kind: bytes, payload: bytes, *, compress: bool = True) -> bytes:
    """Return the bytes of a block."""
    packing = _PLAIN
    if compress and len(payload) >= _MIN_COMPRESSED:
        packed = zlib.compress(payload, 6)
        if len(packed) < len(payload):
            packing, payload = _ZLIB, packed
    checked = zlib.crc32(payload, zlib.crc32(_CHECKED.pack(kind, packing, len(payload))))
    return _BLOCK.pack(kind, packing, len(payload), checked) + payload


@dataclass(frozen=True)
class BlockFile:
    """The complete blocks of a file, converted to the current version.

    cut: the reason why reading stopped before the end, or "". version: that of the file.
    """

    blocks: list[Block]
    cut: str = ""
    version: int = VERSION


def read_blocks(path: Path) -> BlockFile:
    """Read a file up to its end or its first damaged block. Raises RecordingError if it is not a recording.

    The recording may also be the file `REPLAY` of a .zip, such as the report of a crash.
    """
    try:
        data = read_whole(path, MAX_SIZE)
        data = _in_archive(data) if data.startswith(_ARCHIVE) else data
    except OSError as error:
        raise _unreadable(path, error) from None
    return parse_blocks(data, path)


def parse_blocks(data: bytes, path: Path) -> BlockFile:
    """Parse the bytes of a file of any known version, like `read_blocks`. path: for messages."""
    if len(data) < _FILE.size or data[: len(MAGIC)] != MAGIC:
        raise RecordingError(f"{path} is no recording of Rish", hint="Make one with: rish record GAME --out run.rish")
    _, version = _FILE.unpack_from(data)
    if version != VERSION and version not in STEPS:
        hint = how_to_update("rish-history") if version > VERSION else None
        raise RecordingError(
            f"{path} has the recording format {version}, and this rish-history reads up to {VERSION}", hint=hint
        )
    blocks: list[Block] = []
    cut = ""
    try:
        for block in _blocks(data):
            blocks.append(block)
    except _DamagedBlock as error:
        cut = f"block {len(blocks)} {error}"
    for older in range(version, VERSION):
        blocks = STEPS[older](blocks)
    return BlockFile(blocks, cut, version)


def migrate_blocks(data: bytes, path: Path) -> bytes:
    """Return the bytes of a file in the current version; `data` itself if it has it. path: for messages.

    Raises RecordingError if it is no recording, damaged, or of a later version.
    """
    file = parse_blocks(data, path)
    if file.version == VERSION:
        return data
    if file.cut:
        raise RecordingError(f"{path} can't be converted: {file.cut}", hint=f"Play it as it is: rish replay {path}")
    return _FILE.pack(MAGIC, VERSION) + b"".join(packed_block(block.kind, block.payload) for block in file.blocks)


def _in_archive(data: bytes) -> bytes:
    """Return the recording in a .zip; empty if there is none."""
    import zipfile  # takes 5 ms, and programs write recordings only

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(REPLAY) as file:
            return file.read(MAX_SIZE)
    except (zipfile.BadZipFile, KeyError, zlib.error, NotImplementedError, RuntimeError):
        return b""


class _DamagedBlock(Exception):
    """Raised for a block that is incomplete or damaged."""


def _blocks(data: bytes) -> Iterator[Block]:
    """Yield the blocks of a file. Raises _DamagedBlock."""
    position, remaining = _FILE.size, MAX_SIZE
    while position < len(data):
        if position + _BLOCK.size > len(data):
            raise _DamagedBlock("is cut")
        kind, packing, length, checksum = _BLOCK.unpack_from(data, position)
        position += _BLOCK.size
        payload = data[position : position + length]
        position += length
        if len(payload) < length:
            raise _DamagedBlock("is cut")
        if zlib.crc32(payload, zlib.crc32(_CHECKED.pack(kind, packing, length))) != checksum:
            raise _DamagedBlock("is damaged")
        content = _unpacked(payload, remaining) if packing == _ZLIB else payload
        remaining -= len(content)
        yield Block(kind, content)


def _unpacked(payload: bytes, max_size: int) -> bytes:
    """Return a payload decompressed to at most `max_size` bytes. Raises _DamagedBlock."""
    unpacking = zlib.decompressobj()
    try:
        content = unpacking.decompress(payload, max(max_size, 1))
    except zlib.error as error:
        raise _DamagedBlock(f"can't be unpacked: {error}") from None
    if not unpacking.eof:
        raise _DamagedBlock("can't be unpacked")
    return content


def _unreadable(path: Path, error: OSError) -> RecordingError:
    """Return the error for a file that can't be read; it mentions an unfinished recording."""
    part = path.with_name(path.name + PART)
    if os.path.isfile(part):
        return RecordingError(
            f"there is no finished recording {path}, but an unfinished one", hint=f"Play that: rish replay {part}"
        )
    return RecordingError(f"{path} can't be read: {error.strerror or error}")
