"""Lanes: packs eight sprites at a time, from their poses to sixteen bytes each, with vector instructions.

A compiler vectorizes a loop over separate columns of x and y. But poses are pairs, and a base mixes the two numbers of
a pair. Here a vector holds eight pairs, x y x y, and a shuffle gives the other number of each. So the data need not be
sorted into columns first, nor back into rows of sixteen bytes afterwards. The decisions for the eight sprites are
returned as the bits of one number.

The steps are those of `packing.plain_pack`, in the same order, so the bytes are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rish_frame.poses import PER_TAU, TAU
from rish_jit import Array, instructions

F32 = np.float32

LANES = 8
"""How many sprites are packed at a time."""
TERMS = 24
"""How many float32 arguments are the same for all eight sprites; their indices follow."""
BACK, MIRROR, ALONG, ACROSS, AT, ORIGIN, SIZE, TURN = 0, 1, 2, 4, 6, 8, 10, 11
REACH, FAR, MAX, FINE, FINER = 12, 14, 15, 16, 17
GOOD = 0xFF_FFFF_FFFF
"""The result bits of eight sprites that are all visible and all fit."""


class _Lanes:
    """Vectors of 8 sprites, and of their 16 numbers, during the generation of LLVM code."""

    def __init__(self, builder: Any, ir: Any) -> None:
        self.builder, self.ir = builder, ir
        self.half, self.word, self.long = (ir.IntType(bits) for bits in (16, 32, 64))
        self.singles, self.pairs = (ir.VectorType(ir.FloatType(), count) for count in (8, 16))

    def whole(self, kind: Any, count: int) -> Any:
        """Return the type of a vector of `count` integers."""
        return self.ir.VectorType(kind, count)

    def number(self, value: Any, like: Any) -> Any:
        """Return a constant in each lane of a type."""
        whole = isinstance(like.element, self.ir.IntType)
        return self.ir.Constant(like, [value if whole else float(value)] * like.count)

    def load(self, first: Any, offset: Any, kind: Any, align: int = 4) -> Any:
        """Load a vector from `offset` numbers after `first`."""
        loaded = self.builder.load(self.builder.bitcast(self.builder.gep(first, [offset]), kind.as_pointer()))
        loaded.align = align
        return loaded

    def store(self, value: Any, first: Any, offset: Any) -> None:
        """Write a vector to `offset` numbers after `first`."""
        place = self.builder.bitcast(self.builder.gep(first, [offset]), value.type.as_pointer())
        self.builder.store(value, place).align = 8

    def some(self, x: Any, y: Any, lanes: Sequence[int]) -> Any:
        """Return a selection of the lanes of x, numbered from 0, and of y, whose numbers follow."""
        order = self.ir.Constant(self.whole(self.word, len(lanes)), list(lanes))
        return self.builder.shuffle_vector(x, y, order)

    def term(self, terms: Any, place: int, kind: Any, width: int = 1) -> Any:
        """Return one of the terms, or a pair of them, repeated in all lanes."""
        offset = self.ir.Constant(self.long, place)
        loaded = self.load(terms, offset, self.ir.VectorType(self.ir.FloatType(), width))
        return self.some(loaded, loaded, list(range(width)) * (kind.count // width))

    def call(self, name: str, x: Any) -> Any:
        """Call an LLVM intrinsic on each lane."""
        name = f"llvm.{name}.v{x.type.count}f32"
        declared = self.builder.module.globals.get(name)
        kind = self.ir.FunctionType(x.type, [x.type])
        return self.builder.call(declared or self.ir.Function(self.builder.module, kind, name), [x])

    def swap(self, pairs: Any) -> Any:
        """Return the pairs with their two numbers exchanged."""
        return self.some(pairs, pairs, [lane ^ 1 for lane in range(16)])

    def parts(self, pairs: Any) -> list[Any]:
        """Return the first four pairs and the last four."""
        return [self.some(pairs, pairs, range(first, first + 8)) for first in (0, 8)]

    def rounded(self, x: Any) -> Any:
        """Return the nearest integers; halves are rounded up."""
        low = self.call("floor", self.builder.fadd(x, self.number(0.5, x.type)))
        return self.builder.fptosi(low, self.whole(self.word, x.type.count))

    def bits(self, truths: Any, shift: int) -> Any:
        """Return eight truth values as bits of a 64-bit number, starting at bit `shift`."""
        number = self.builder.zext(self.builder.bitcast(truths, self.ir.IntType(8)), self.long)
        return self.builder.shl(number, self.ir.Constant(self.long, shift))

    def between(self, now: Any, last: Any, terms: Any) -> Any:
        """Return the values between the current and the last tick, by the term BACK."""
        b = self.builder
        return b.fsub(now, b.fmul(self.term(terms, BACK, now.type), b.fsub(now, last)))

    def angles(self, now: Any, last: Any, terms: Any) -> Any:
        """Return the angles between the current and the last tick, the short way round."""
        b, kind = self.builder, self.singles
        turn = b.fsub(now, last)
        turns = self.call("floor", b.fadd(b.fmul(turn, self.number(PER_TAU, kind)), self.number(0.5, kind)))
        turn = b.fsub(turn, b.fmul(self.number(TAU, kind), turns))
        return b.fsub(now, b.fmul(self.term(terms, BACK, kind), turn))

    def mirrored(self, scale: Any, terms: Any) -> tuple[Any, Any]:
        """Return the effect of negative sizes: a part of a turn, and the flip bit of the frame in the upper half.

        Negative sizes are rare, and each pair must be taken apart for them, so a branch tests for them first.
        """
        b, words = self.builder, self.whole(self.word, 8)
        mirror = self.term(terms, MIRROR, self.singles)
        signs = [b.bitcast(each, words) for each in (*self.parts(scale), mirror)]
        below = b.icmp_signed("<", b.or_(b.or_(signs[0], signs[1]), signs[2]), self.number(0, words))
        some = b.icmp_unsigned("!=", b.bitcast(below, self.ir.IntType(8)), self.ir.Constant(self.ir.IntType(8), 0))
        none, before = self.number(0, self.singles), b.block
        with b.if_then(some, likely=False):
            across, up = (self.some(scale, scale, range(first, 16, 2)) for first in (0, 1))
            down = b.fcmp_ordered("<", up, none)
            left = b.fcmp_ordered("<", b.fmul(across, mirror), none)
            half = b.select(down, self.number(0.5, self.singles), none)
            flag = b.shl(b.zext(b.xor(left, down), words), self.number(16, words))
            inside = b.block
        turn, flip = b.phi(self.singles), b.phi(words)
        for value, chosen, plain in ((turn, half, none), (flip, flag, self.number(0, words))):
            value.add_incoming(plain, before)
            value.add_incoming(chosen, inside)
        return turn, flip

    def centers(self, position: Any, terms: Any) -> Any:
        """Return the positions after the base and the window are applied."""
        b = self.builder
        along, across, at, origin = (self.term(terms, place, self.pairs, 2) for place in (ALONG, ACROSS, AT, ORIGIN))
        turned = b.fadd(b.fmul(along, position), b.fmul(across, self.swap(position)))
        return b.fadd(b.fadd(turned, at), origin)

    def verdict(self, center: Any, size: Any, part: Any, terms: Any) -> Any:
        """Return the results for the eight sprites as bits.

        Bits 0 to 15: visible, bits 16 to 31: fits; two bits per sprite, both must be set. Bits 32 to 39: the angle is a
        number.
        """
        b, other = self.builder, self.swap(size)
        radius = b.fmul(b.fadd(size, other), self.number(0.5, self.pairs))
        away, area = self.call("fabs", center), b.fmul(size, other)
        reach, far, maximum = (
            self.term(terms, place, self.singles, 1 + (place == REACH)) for place in (REACH, FAR, MAX)
        )
        bits = self.bits(b.fcmp_ordered(">=", part, self.number(0, self.singles)), 32)
        vectors = (b.fsub(away, radius), area, away, radius)
        for shift, (near, there, there_from, large) in enumerate(zip(*map(self.parts, vectors), strict=True)):
            seen = b.and_(b.fcmp_ordered("<=", near, reach), b.fcmp_ordered(">", there, self.number(0, self.singles)))
            fits = b.and_(b.fcmp_ordered("<=", there_from, far), b.fcmp_ordered("<=", large, maximum))
            bits = b.or_(b.or_(bits, self.bits(seen, 8 * shift)), self.bits(fits, 16 + 8 * shift))
        return bits

    def rows(self, center: Any, size: Any, part: Any, frame: Any, rgba: Any, terms: Any) -> Any:
        """Return the sixteen bytes of each sprite."""
        b, halves, words = self.builder, self.whole(self.half, 32), self.whole(self.word, 8)
        longs = self.whole(self.long, 8)
        fine, finer = (self.term(terms, place, self.pairs) for place in (FINE, FINER))
        place = b.bitcast(self.rounded(b.fmul(center, fine)), halves)
        sides = b.bitcast(self.rounded(b.fmul(size, finer)), halves)
        turn = self.rounded(b.fmul(part, self.number(65536, self.singles)))
        look = b.or_(b.and_(turn, self.number(0xFFFF, words)), frame)
        order = [lane for k in range(0, 32, 4) for lane in (k, k + 2, 32 + k, 34 + k)]
        near = b.bitcast(self.some(place, sides, order), longs)
        far = b.bitcast(self.some(look, rgba, [lane for k in range(8) for lane in (k, k + 8)]), longs)
        return self.some(near, far, [lane for k in range(8) for lane in (k, k + 8)])


@instructions
def pack8(
    builder: Any, ir: Any, position: Any, rotation: Any, scale: Any, last_position: Any, last_rotation: Any,
    last_scale: Any, i: Any, sizes: Any, frame: Any, rgba: Any, k: Any, terms: Any, rows: Any, words: Any, o: Any,
) -> None:  # fmt: skip
    """Pack the eight poses from row i on, between two ticks, for the sprites from k on.

    All arrays are flat; sizes: float32, two per sprite. rows: uint64, two per sprite, written from sprite o on, a
    multiple of 8. words: uint64, for each eight sprites the result of `_Lanes.verdict`. The rows of invisible sprites
    have undefined contents.
    """
    b, lanes = builder, _Lanes(builder, ir)
    one, words_type = ir.Constant(lanes.long, 1), lanes.whole(lanes.word, 8)
    j = b.shl(i, one)
    place, scaled = (
        lanes.between(lanes.load(now, j, lanes.pairs), lanes.load(last, j, lanes.pairs), terms)
        for now, last in ((position, last_position), (scale, last_scale))
    )
    turned = lanes.angles(lanes.load(rotation, i, lanes.singles), lanes.load(last_rotation, i, lanes.singles), terms)
    center = lanes.centers(place, terms)
    size = b.fmul(lanes.call("fabs", scaled), lanes.term(terms, SIZE, lanes.pairs))
    size = b.fmul(size, lanes.load(sizes, b.shl(k, one), lanes.pairs))
    half, flip = lanes.mirrored(scaled, terms)
    mirror, turn = (lanes.term(terms, place, lanes.singles) for place in (MIRROR, TURN))
    angle = b.fadd(turn, b.fmul(mirror, turned))
    part = b.fadd(b.fmul(angle, lanes.number(PER_TAU, lanes.singles)), half)
    part = b.fsub(part, lanes.call("floor", part))
    lanes.store(lanes.verdict(center, size, part, terms), words, b.lshr(o, ir.Constant(lanes.long, 3)))
    number = b.zext(lanes.load(frame, k, lanes.whole(lanes.half, 8), 2), words_type)
    look = b.xor(b.shl(number, lanes.number(16, words_type)), flip)
    colors = lanes.load(rgba, k, words_type)
    lanes.store(lanes.rows(center, size, part, look, colors, terms), rows, b.shl(o, one))


@instructions
def copy_row(builder: Any, ir: Any, source: Any, i: Any, target: Any, o: Any) -> None:
    """Copy sixteen bytes: two uint64 from row i of the flat source to row o of the flat target."""
    lanes = _Lanes(builder, ir)
    one = ir.Constant(lanes.long, 1)
    row = lanes.load(source, builder.shl(i, one), lanes.whole(lanes.long, 2), 8)
    lanes.store(row, target, builder.shl(o, one))


@instructions
def expect_row(builder: Any, ir: Any, target: Any, o: Any) -> None:
    """Prefetch row o of the flat target, two uint64 per row, for writing; it may be outside of the array."""
    byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
    place = builder.gep(target, [builder.shl(o, ir.Constant(ir.IntType(64), 1))])
    declared = builder.module.globals.get("llvm.prefetch.p0i8")
    kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
    fetch = declared or ir.Function(builder.module, kind, "llvm.prefetch.p0i8")
    for_writing, near, data = (ir.Constant(word, value) for value in (1, 3, 1))
    builder.call(fetch, [builder.bitcast(place, byte), for_writing, near, data])


# The plain Python forms of these instructions


@pack8.plain
def _pack8(
    position: Array, rotation: Array, scale: Array, last_position: Array, last_rotation: Array, last_scale: Array,
    i: Any, sizes: Array, frame: Array, rgba: Array, k: Any, terms: Array, rows: Array, words: Array, o: Any,
) -> None:  # fmt: skip
    i, k, o, back = int(i), int(k), int(o), terms[BACK]

    def between(now: Array, last: Array) -> Array:
        now, last = (column[2 * i : 2 * i + 16].reshape(8, 2) for column in (now, last))
        return now - back * (now - last)

    place, scale = between(position, last_position), between(scale, last_scale)
    rotation, last_rotation = rotation[i : i + 8], last_rotation[i : i + 8]
    turn = rotation - last_rotation
    angle = rotation - back * (turn - TAU * np.floor(turn * PER_TAU + F32(0.5)))
    mirror = terms[MIRROR]
    center = (terms[ALONG : ALONG + 2] * place + terms[ACROSS : ACROSS + 2] * place[:, ::-1]) + terms[AT : AT + 2]
    center = center + terms[ORIGIN : ORIGIN + 2]
    size = np.abs(scale) * terms[SIZE] * sizes[2 * k : 2 * k + 16].reshape(8, 2)
    radius = (size[:, :1] + size[:, 1:]) * F32(0.5)
    down, left = scale[:, 1] < 0, scale[:, 0] * mirror < 0
    part = (terms[TURN] + mirror * angle) * PER_TAU + np.where(down, F32(0.5), F32(0))
    part = part - np.floor(part)
    away = np.abs(center)
    seen = (away - radius <= terms[REACH : REACH + 2]) & (size[:, :1] * size[:, 1:] > 0)
    fits = (away <= terms[FAR]) & (radius <= terms[MAX])
    truths = np.concatenate([seen.reshape(-1), fits.reshape(-1), part >= 0])
    words[o >> 3] = int.from_bytes(np.packbits(truths, bitorder="little").tobytes(), "little")
    halves = np.empty((8, 6), np.uint16)
    halves[:, 0:2] = np.floor(center * terms[FINE] + F32(0.5)).astype(np.int32)
    halves[:, 2:4] = np.floor(size * terms[FINER] + F32(0.5)).astype(np.int32)
    halves[:, 4] = np.floor(part * F32(65536) + F32(0.5)).astype(np.int32)
    halves[:, 5] = frame[k : k + 8] ^ (left ^ down)
    out = rows[2 * o : 2 * o + 16].view(np.uint32).reshape(8, 4)
    out[:, :3] = halves.view(np.uint32)
    out[:, 3] = rgba[k : k + 8]


@copy_row.plain
def _copy_row(source: Array, i: Any, target: Array, o: Any) -> None:
    i, o = int(i), int(o)
    target[2 * o : 2 * o + 2] = source[2 * i : 2 * i + 2]


@expect_row.plain
def _expect_row(target: Array, o: Any) -> None:
    """Do nothing: the plain form needs no prefetch."""
