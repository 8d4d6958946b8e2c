"""Keyframes: compressed states, for a rewind over minutes.

Two states half a second apart are nearly the same. So a state is read as one array of bytes, in a fixed order of tables
and columns (`FlatReader`), and stored as the difference (exclusive or) to the previous one, which is mostly zeros. Of
the difference, blocks of zeros are dropped. The bytes of the other blocks are sorted by their position in each group of
four, because the upper bytes of numbers change rarely; then they are compressed. The first
keyframe of each group is stored completely, so that only a few differences are needed to restore one. Data outside
columns (resources, cursors) is stored as bytes that are compressed with the previous ones as the dictionary.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_core import Snapshot
from rish_ecs.snapshots import FlatPart, FlatReader, FlatState, unflattened

Flat = NDArray[np.uint8]
_LEVEL = 1
_BLOCK = 256
"""Bytes of a block, a multiple of 8."""
_GROUP, _LARGE_GROUP = 16, 8
"""The number of keyframes from one base to the next; _LARGE_GROUP applies to keyframes that take long to unpack."""
_LARGE = 1_000_000
"""The size of a state, in bytes, from which _LARGE_GROUP applies."""
_FIELDS_SIZE = 200
"""The approximate size of a keyframe's own fields, in bytes."""


@dataclass
class Keyframe:
    """A compressed state.

    tick: the tick of the state. base: whether it is stored completely, not as a difference. reason: why it was taken
    outside the usual interval, or "". columns: the compressed bytes or differences. rest: the compressed data outside
    of columns. sizes, parts, texts: see `FlatState`.
    """

    tick: int
    base: bool
    reason: str
    columns: bytes
    rest: bytes
    sizes: tuple[int, ...]
    parts: tuple[FlatPart, ...]
    texts: int

    @property
    def nbytes(self) -> int:
        """The approximate size in bytes."""
        return len(self.columns) + len(self.rest) + _FIELDS_SIZE


class Packer:
    """Compresses consecutive states of a world and decompresses them again."""

    def __init__(self, world: Any) -> None:
        self._world = world
        self._reader = FlatReader(world)
        self._until_base = 0
        self._flat: Flat = np.zeros(0, np.uint8)
        self._sizes: tuple[int, ...] = ()
        self._parts: tuple[FlatPart, ...] = ()
        self._rest = b""

    def restart(self) -> None:
        """Make the next keyframe a base, because the previous one was removed."""
        self._until_base = 0

    def pack(self, reason: str = "") -> Keyframe:
        """Compress the current state to the next keyframe."""
        state = self._reader.read()
        base = self._until_base == 0
        self._until_base = (_GROUP if len(state.data) < _LARGE else _LARGE_GROUP) - 1 if base else self._until_base - 1
        sizes = self._sizes if state.sizes == self._sizes else state.sizes
        parts = self._parts if state.parts == self._parts else state.parts
        flat = np.frombuffer(state.data, np.uint8)
        columns = flat if base else _xor(flat, sizes, self._flat, self._sizes)
        rest = _packed(state.rest, b"" if base else self._rest)
        keyframe = Keyframe(self._world.tick, base, reason, _squeezed(columns, base), rest, sizes, parts, state.texts)
        self._flat, self._sizes, self._parts, self._rest = flat, sizes, parts, state.rest
        return keyframe

    def unpack(self, chain: list[Keyframe]) -> Snapshot:
        """Return the snapshot of the last keyframe of a chain that starts with a base."""
        flat, rest, before = np.zeros(0, np.uint8), b"", ()
        for frame in chain:
            columns = _unsqueezed(frame.columns, sum(frame.sizes))
            flat = columns if frame.base else _xor(columns, frame.sizes, flat, before)
            rest = _unpacked(frame.rest, b"" if frame.base else rest)
            before = frame.sizes
        last = chain[-1]
        return unflattened(FlatState(flat.tobytes(), last.sizes, last.parts, rest, last.texts), self._world.texts.texts)


def _xor(flat: Flat, sizes: tuple[int, ...], other: Flat, others: tuple[int, ...]) -> Flat:
    """Return the exclusive or of every chunk of `flat` with the same chunk of `other`; it is its own inverse."""
    if sizes is others or sizes == others:
        return flat ^ other
    result = flat.copy()
    start = other_start = 0
    for size, other_size in zip(sizes, others, strict=False):
        common = min(size, other_size)
        result[start : start + common] ^= other[other_start : other_start + common]
        start += size
        other_start += other_size
    return result


def _squeezed(flat: Flat, base: bool) -> bytes:
    """Return compressed bytes: a bit for each block that is not all zeros, and these blocks.

    The differences have few repeated strings but long runs of zeros, which zlib finds faster than strings.
    """
    blocks = np.zeros((-(-len(flat) // _BLOCK), _BLOCK), np.uint8)
    blocks.reshape(-1)[: len(flat)] = flat
    nonzero = blocks.view(np.uint64).any(axis=1)
    planes = np.ascontiguousarray(blocks[nonzero].reshape(-1, 4).T)
    packing = zlib.compressobj(_LEVEL, strategy=zlib.Z_DEFAULT_STRATEGY if base else zlib.Z_RLE)
    return packing.compress(np.packbits(nonzero).data) + packing.compress(planes.data) + packing.flush()


def _unsqueezed(data: bytes, size: int) -> Flat:
    """Return uint8 (size,): the bytes that were given to `_squeezed`."""
    count = -(-size // _BLOCK)
    flat = np.frombuffer(zlib.decompress(data), np.uint8)
    bits = -(-count // 8)
    nonzero = np.unpackbits(flat[:bits], count=count).view(np.bool_)
    blocks = np.zeros((count, _BLOCK), np.uint8)
    blocks[nonzero] = flat[bits:].reshape(4, -1).T.reshape(-1, _BLOCK)
    return blocks.reshape(-1)[:size]


def _packed(data: bytes, dictionary: bytes) -> bytes:
    """Return compressed bytes. dictionary: similar bytes, or b""."""
    packing = zlib.compressobj(6, zdict=dictionary) if dictionary else zlib.compressobj(6)
    return packing.compress(data) + packing.flush()


def _unpacked(data: bytes, dictionary: bytes) -> bytes:
    """Return the bytes that were given to `_packed`, with the same dictionary."""
    unpacking = zlib.decompressobj(zdict=dictionary) if dictionary else zlib.decompressobj()
    return unpacking.decompress(data) + unpacking.flush()
