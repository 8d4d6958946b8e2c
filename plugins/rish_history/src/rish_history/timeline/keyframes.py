"""Keyframes: compressed states, for a rewind over minutes.

Two states half a second apart are nearly the same. So a state is read as one array of bytes, in a fixed order of tables
and columns (`FlatReader`), and stored as the difference (exclusive or) to the previous one, which is mostly zeros. Of
the difference only the blocks with other bytes are kept. Their first bytes of each four come first, then the second
ones, and so on, since the upper bytes of numbers that move are mostly equal; then they are compressed. The first
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
_GROUP, _GROUP_LARGE = 16, 8
"""The number of keyframes from one base to the next; _GROUP_LARGE applies to keyframes that take long to unpack."""
_LARGE = 1_000_000
"""The size of a state, in bytes, from which _GROUP_LARGE applies."""
_ABOUT = 200
"""The approximate size of a keyframe's own fields, in bytes."""


@dataclass
class Keyframe:
    """A compressed state.

    tick: of the state. base: whether it needs no other keyframe. reason: why it was taken outside the usual interval,
    or "". columns: the compressed bytes or differences. rest: the other compressed data. sizes, parts, texts: see
    `FlatState`.
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
        return len(self.columns) + len(self.rest) + _ABOUT


class Packer:
    """Compresses consecutive states of a world and decompresses them again."""

    def __init__(self, world: Any) -> None:
        self._world = world
        self._reader = FlatReader(world)
        self._left = 0
        self._flat: Flat = np.zeros(0, np.uint8)
        self._sizes: tuple[int, ...] = ()
        self._parts: tuple[FlatPart, ...] = ()
        self._rest = b""

    def restart(self) -> None:
        """Make the next keyframe a base, because the previous one was removed."""
        self._left = 0

    def pack(self, reason: str = "") -> Keyframe:
        """Compress the current state to the next keyframe."""
        state = self._reader.read()
        base = self._left == 0
        self._left = (_GROUP if len(state.data) < _LARGE else _GROUP_LARGE) - 1 if base else self._left - 1
        sizes = self._sizes if state.sizes == self._sizes else state.sizes
        parts = self._parts if state.parts == self._parts else state.parts
        flat = np.frombuffer(state.data, np.uint8)
        columns = flat if base else _xor(flat, sizes, self._flat, self._sizes)
        rest = _packed(state.rest, b"" if base else self._rest)
        made = Keyframe(self._world.tick, base, reason, _squeezed(columns, base), rest, sizes, parts, state.texts)
        self._flat, self._sizes, self._parts, self._rest = flat, sizes, parts, state.rest
        return made

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
    made = flat.copy()
    at = there = 0
    for size, otherwise in zip(sizes, others, strict=False):
        same = min(size, otherwise)
        made[at : at + same] ^= other[there : there + same]
        at += size
        there += otherwise
    return made


def _squeezed(flat: Flat, base: bool) -> bytes:
    """Return compressed bytes: a bit for each block that is not all zeros, and these blocks.

    The differences have few repeated strings but long runs of zeros, which zlib finds faster than strings.
    """
    blocks = np.zeros((-(-len(flat) // _BLOCK), _BLOCK), np.uint8)
    blocks.reshape(-1)[: len(flat)] = flat
    kept = blocks.view(np.uint64).any(axis=1)
    planes = np.ascontiguousarray(blocks[kept].reshape(-1, 4).T)
    packing = zlib.compressobj(_LEVEL, strategy=zlib.Z_DEFAULT_STRATEGY if base else zlib.Z_RLE)
    return packing.compress(np.packbits(kept).data) + packing.compress(planes.data) + packing.flush()


def _unsqueezed(data: bytes, size: int) -> Flat:
    """Return the bytes that `_squeezed` was given."""
    count = -(-size // _BLOCK)
    flat = np.frombuffer(zlib.decompress(data), np.uint8)
    bits = -(-count // 8)
    kept = np.unpackbits(flat[:bits], count=count).view(np.bool_)
    blocks = np.zeros((count, _BLOCK), np.uint8)
    blocks[kept] = flat[bits:].reshape(4, -1).T.reshape(-1, _BLOCK)
    return blocks.reshape(-1)[:size]


def _packed(data: bytes, known: bytes) -> bytes:
    packing = zlib.compressobj(6, zdict=known) if known else zlib.compressobj(6)
    return packing.compress(data) + packing.flush()


def _unpacked(data: bytes, known: bytes) -> bytes:
    unpacking = zlib.decompressobj(zdict=known) if known else zlib.decompressobj()
    return unpacking.decompress(data) + unpacking.flush()
