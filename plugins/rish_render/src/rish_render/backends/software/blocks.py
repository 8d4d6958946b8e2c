"""Blocks: eight pixels at a time, in the instructions of the processor.

A row of a sprite is a few pixels long, too short for the loops that a compiler makes vector code of: those begin at 32
pixels and do the rest one by one. So the two ways to blend eight pixels are written out in LLVM's language, with 16
bits a channel, in which the products of bytes fit. The results are those of `over` and `combine`, to the bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core.jit_code import instructions

SIZE = 8
"""Pixels in a block."""


class _Lanes:
    """Vectors of 8 pixels while LLVM code is written: as words (32 bits), halves (16) and bytes."""

    def __init__(self, builder: Any, ir: Any) -> None:
        self.builder, self.ir = builder, ir
        self.words = ir.VectorType(ir.IntType(32), SIZE)
        self.halves = ir.VectorType(ir.IntType(16), 2 * SIZE)
        self.bytes = ir.VectorType(ir.IntType(8), 4 * SIZE)

    def word(self, value: int) -> Any:
        """A constant in each of the 8 words."""
        return self.ir.Constant(self.words, [value] * SIZE)

    def half(self, value: int) -> Any:
        """A constant in each of the 16 halves."""
        return self.ir.Constant(self.halves, [value] * 2 * SIZE)

    def spread(self, value: Any) -> Any:
        """A number of 32 bits in each of the 8 words."""
        undefined = self.ir.Constant(self.words, self.ir.Undefined)
        single = self.builder.insert_element(undefined, value, self.ir.Constant(self.ir.IntType(32), 0))
        return self.builder.shuffle_vector(single, undefined, self.word(0))

    def pointer(self, first: Any, offset: Any) -> Any:
        """Where the block that begins `offset` pixels after `first` lies."""
        return self.builder.bitcast(self.builder.gep(first, [offset]), self.words.as_pointer())

    def load(self, first: Any, offset: Any) -> Any:
        """The block there."""
        loaded = self.builder.load(self.pointer(first, offset))
        loaded.align = 4
        return loaded

    def store(self, block: Any, first: Any, offset: Any) -> None:
        """Write a block there."""
        self.builder.store(block, self.pointer(first, offset)).align = 4

    def add(self, x: Any, y: Any) -> Any:
        """The sum channel by channel, 255 at most."""
        kind = self.ir.FunctionType(self.bytes, [self.bytes, self.bytes])
        name = f"llvm.uadd.sat.v{4 * SIZE}i8"
        known = self.builder.module.globals.get(name)
        function = known if known is not None else self.ir.Function(self.builder.module, kind, name)
        x, y = self.builder.bitcast(x, self.bytes), self.builder.bitcast(y, self.bytes)
        return self.builder.bitcast(self.builder.call(function, [x, y]), self.words)

    def clear(self, source: Any) -> Any:
        """255 less alpha, in both halves of each word."""
        b = self.builder
        part = b.lshr(b.not_(source), self.word(24))
        return b.or_(part, b.shl(part, self.word(16)))

    def product(self, x: Any, even: Any, odd: Any) -> Any:
        """x times a factor, /255 and rounded; the factors of the even and odd channels as halves, 0 to 255."""
        b = self.builder
        x = b.bitcast(x, self.halves)
        low = b.add(b.mul(b.and_(x, self.half(255)), even), self.half(128))
        low = b.lshr(b.add(low, b.lshr(low, self.half(8))), self.half(8))
        high = b.add(b.mul(b.lshr(x, self.half(8)), odd), self.half(128))
        high = b.and_(b.add(high, b.lshr(high, self.half(8))), self.half(0xFF00))
        return b.bitcast(b.or_(low, high), self.words)

    def modulate(self, x: Any, y: Any) -> Any:
        """Two blocks multiplied channel by channel."""
        y = self.builder.bitcast(y, self.halves)
        return self.product(x, self.builder.and_(y, self.half(255)), self.builder.lshr(y, self.half(8)))


@instructions
def copy8(builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any) -> None:
    """Copy 8 pixels of the flat `source` from `start` on onto the flat target; offsets: uint64."""
    lanes = _Lanes(builder, ir)
    lanes.store(lanes.load(source, start), target, at)


@instructions
def over8(builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any) -> None:
    """Blend 8 pixels of the flat `source` from `start` on over the flat target; offsets: uint64."""
    lanes = _Lanes(builder, ir)
    above = lanes.load(source, start)
    factor = builder.bitcast(lanes.clear(above), lanes.halves)
    lanes.store(lanes.add(lanes.product(lanes.load(target, at), factor, factor), above), target, at)


@instructions
def blend8(
    builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any, tint: Any,
    add: Any, flip: Any, take: Any, turn: Any, rest: Any,
) -> None:  # fmt: skip
    """Blend 8 tinted pixels by the masks of `blend.weights`; tint and masks: uint32."""
    b, lanes = builder, _Lanes(builder, ir)
    above = lanes.modulate(lanes.load(source, start), lanes.spread(tint))
    clear = lanes.clear(above)
    clear = b.or_(clear, b.shl(clear, lanes.word(8)))
    factor = lanes.add(
        b.and_(b.xor(above, lanes.spread(flip)), lanes.spread(take)),
        b.and_(b.xor(clear, lanes.spread(turn)), lanes.spread(rest)),
    )
    below = lanes.modulate(lanes.load(target, at), factor)
    lanes.store(lanes.add(b.and_(above, lanes.spread(add)), below), target, at)


def _channels(pixels: Any, at: Any) -> Any:
    return pixels[int(at) : int(at) + SIZE].view(np.uint8).reshape(SIZE, 4).astype(np.uint32)


def _put(target: Any, at: Any, channels: Any) -> None:
    target[int(at) : int(at) + SIZE] = np.minimum(channels, 255).astype(np.uint8).reshape(-1).view(np.uint32)


def _times(x: Any, y: Any) -> Any:
    wide = x * y + 128
    return (wide + (wide >> 8)) >> 8


@copy8.plain
def _copy8(target: Any, at: Any, source: Any, start: Any) -> None:
    target[int(at) : int(at) + SIZE] = source[int(start) : int(start) + SIZE]


@over8.plain
def _over8(target: Any, at: Any, source: Any, start: Any) -> None:
    above = _channels(source, start)
    _put(target, at, above + _times(_channels(target, at), 255 - above[:, 3:]))


@blend8.plain
def _blend8(
    target: Any, at: Any, source: Any, start: Any, tint: Any, add: Any, flip: Any, take: Any, turn: Any, rest: Any
) -> None:
    parts = np.array([tint, add, flip, take, turn, rest], np.uint32).view(np.uint8).reshape(6, 4).astype(np.uint32)
    above = _times(_channels(source, start), parts[0])
    clear = np.broadcast_to(255 - above[:, 3:], above.shape)
    factor = np.minimum(((above ^ parts[2]) & parts[3]) + ((clear ^ parts[4]) & parts[5]), 255)
    _put(target, at, (above & parts[1]) + _times(_channels(target, at), factor))
