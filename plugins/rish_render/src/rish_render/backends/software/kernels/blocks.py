"""Blocks: blends eight pixels at a time with the vector instructions of the processor.

A row of a sprite is a few pixels long, too short for the loops that a compiler vectorizes: those begin at 32 pixels and
process the rest one by one. So the two ways to blend eight pixels are written as LLVM code, with 16 bits per channel,
in which the products of bytes fit. The results equal those of `over` and `combine` bit for bit.

The versions for a single pixel keep the compiler from vectorizing the rest of a span: it is shorter than a block, and
compiling such a loop takes longer than all the rest.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from rish_jit import instructions

SIZE = 8
"""Pixels in a block."""


class Lanes:
    """Vectors of `size` pixels during the generation of LLVM code: as words (32 bits), halves (16 bits) and bytes."""

    def __init__(self, builder: Any, ir: Any, size: int) -> None:
        self.builder, self.ir, self.size = builder, ir, size
        self.words = ir.VectorType(ir.IntType(32), size)
        self.halves = ir.VectorType(ir.IntType(16), 2 * size)
        self.bytes = ir.VectorType(ir.IntType(8), 4 * size)

    def word(self, value: int) -> Any:
        """Return a constant in each word."""
        return self.ir.Constant(self.words, [value] * self.size)

    def half(self, value: int) -> Any:
        """Return a constant in each half."""
        return self.ir.Constant(self.halves, [value] * 2 * self.size)

    def spread(self, value: Any) -> Any:
        """Return a number, copied to each lane."""
        undefined = self.ir.Constant(self.ir.VectorType(value.type, self.size), self.ir.Undefined)
        single = self.builder.insert_element(undefined, value, self.ir.Constant(self.ir.IntType(32), 0))
        return self.builder.shuffle_vector(single, undefined, self.word(0))

    def pointer(self, first: Any, offset: Any) -> Any:
        """Return the address of the pixel that is `offset` pixels after `first`."""
        return self.builder.bitcast(self.builder.gep(first, [offset]), self.words.as_pointer())

    def load(self, first: Any, offset: Any) -> Any:
        """Return the pixels at an offset from `first`."""
        loaded = self.builder.load(self.pointer(first, offset))
        loaded.align = 4
        return loaded

    def store(self, block: Any, first: Any, offset: Any) -> None:
        """Write pixels at an offset from `first`."""
        self.builder.store(block, self.pointer(first, offset)).align = 4

    def add(self, x: Any, y: Any) -> Any:
        """Return the sum channel by channel, 255 at most."""
        kind = self.ir.FunctionType(self.bytes, [self.bytes, self.bytes])
        name = f"llvm.uadd.sat.v{4 * self.size}i8"
        declared = self.builder.module.globals.get(name)
        function = declared if declared is not None else self.ir.Function(self.builder.module, kind, name)
        x, y = self.builder.bitcast(x, self.bytes), self.builder.bitcast(y, self.bytes)
        return self.builder.bitcast(self.builder.call(function, [x, y]), self.words)

    def clear(self, source: Any) -> Any:
        """Return 255 less alpha, in both halves of each word."""
        b = self.builder
        part = b.lshr(b.not_(source), self.word(24))
        return b.or_(part, b.shl(part, self.word(16)))

    def product(self, x: Any, even: Any, odd: Any) -> Any:
        """Return x times a factor, divided by 255 and rounded.

        even, odd: the factors of the even and odd channels as halves, 0 to 255.
        """
        b = self.builder
        x = b.bitcast(x, self.halves)
        # (v + (v >> 8)) >> 8 with v = x·factor + 128 is x·factor / 255, rounded.
        low = b.add(b.mul(b.and_(x, self.half(255)), even), self.half(128))
        low = b.lshr(b.add(low, b.lshr(low, self.half(8))), self.half(8))
        high = b.add(b.mul(b.lshr(x, self.half(8)), odd), self.half(128))
        high = b.and_(b.add(high, b.lshr(high, self.half(8))), self.half(0xFF00))
        return b.bitcast(b.or_(low, high), self.words)

    def modulate(self, x: Any, y: Any) -> Any:
        """Return two vectors multiplied channel by channel, x·y/255."""
        y = self.builder.bitcast(y, self.halves)
        return self.product(x, self.builder.and_(y, self.half(255)), self.builder.lshr(y, self.half(8)))


def _over(lanes: Lanes, target: Any, at: Any, source: Any, start: Any) -> None:
    above = lanes.load(source, start)
    factor = lanes.builder.bitcast(lanes.clear(above), lanes.halves)
    lanes.store(lanes.add(lanes.product(lanes.load(target, at), factor, factor), above), target, at)


def _blend(lanes: Lanes, target: Any, at: Any, source: Any, start: Any, tint: Any, masks: tuple[Any, ...]) -> None:
    b = lanes.builder
    add, flip, take, turn, rest = (lanes.spread(mask) for mask in masks)
    above = lanes.modulate(lanes.load(source, start), lanes.spread(tint))
    clear = lanes.clear(above)
    clear = b.or_(clear, b.shl(clear, lanes.word(8)))
    factor = lanes.add(b.and_(b.xor(above, flip), take), b.and_(b.xor(clear, turn), rest))
    below = lanes.modulate(lanes.load(target, at), factor)
    lanes.store(lanes.add(b.and_(above, add), below), target, at)


@instructions
def copy8(builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any) -> None:
    """Copy 8 pixels of the flat `source`, from `start` on, onto the flat target at `at`; offsets: uint64."""
    lanes = Lanes(builder, ir, SIZE)
    lanes.store(lanes.load(source, start), target, at)


@instructions
def over8(builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any) -> None:
    """Blend 8 pixels of the flat `source`, from `start` on, over the flat target at `at`; offsets: uint64."""
    _over(Lanes(builder, ir, SIZE), target, at, source, start)


@instructions
def over1(builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any) -> None:
    """Blend one pixel over the target."""
    _over(Lanes(builder, ir, 1), target, at, source, start)


@instructions
def blend8(
    builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any, tint: Any,
    add: Any, flip: Any, take: Any, turn: Any, rest: Any,
) -> None:  # fmt: skip
    """Blend 8 tinted pixels by the masks of `blend.weights`; tint and masks: uint32."""
    _blend(Lanes(builder, ir, SIZE), target, at, source, start, tint, (add, flip, take, turn, rest))


@instructions
def blend1(
    builder: Any, ir: Any, target: Any, at: Any, source: Any, start: Any, tint: Any,
    add: Any, flip: Any, take: Any, turn: Any, rest: Any,
) -> None:  # fmt: skip
    """Blend one tinted pixel."""
    _blend(Lanes(builder, ir, 1), target, at, source, start, tint, (add, flip, take, turn, rest))


def channels(pixels: Any, at: Any, size: int) -> Any:
    """Return `size` pixels from `at` on as uint32 (size, 4)."""
    return pixels[int(at) : int(at) + size].view(np.uint8).reshape(size, 4).astype(np.uint32)


def put(target: Any, at: Any, colors: Any) -> None:
    """Write colors (n, 4), 255 at most, from `at` on."""
    pixels = np.minimum(colors, 255).astype(np.uint8).reshape(-1).view(np.uint32)
    target[int(at) : int(at) + len(pixels)] = pixels


def _times(x: Any, y: Any) -> Any:
    wide = x * y + 128
    return (wide + (wide >> 8)) >> 8


def _plain_over(size: int, target: Any, at: Any, source: Any, start: Any) -> None:
    above = channels(source, start, size)
    put(target, at, above + _times(channels(target, at, size), 255 - above[:, 3:]))


def _plain_blend(size: int, target: Any, at: Any, source: Any, start: Any, tint: Any, *masks: Any) -> None:
    words = np.array([tint, *masks], np.uint32)
    tints, add, flip, take, turn, rest = words.view(np.uint8).reshape(6, 4).astype(np.uint32)
    above = _times(channels(source, start, size), tints)
    clear = np.broadcast_to(255 - above[:, 3:], above.shape)
    factor = np.minimum(((above ^ flip) & take) + ((clear ^ turn) & rest), 255)
    put(target, at, (above & add) + _times(channels(target, at, size), factor))


def _plain_copy(target: Any, at: Any, source: Any, start: Any) -> None:
    target[int(at) : int(at) + SIZE] = source[int(start) : int(start) + SIZE]


copy8.plain(_plain_copy)
for _size, _one_over, _one_blend in ((SIZE, over8, blend8), (1, over1, blend1)):
    _one_over.plain(partial(_plain_over, _size))
    _one_blend.plain(partial(_plain_blend, _size))
