"""Samples: reads eight texels at a time along a straight line through an image.

The eight positions are computed together, in LLVM code as in `blocks`; then each texel is loaded separately. (The
processor's gather instruction is no faster on the machines tried.) Positions are float32, and each is computed from the
beginning of its line, so that a sample does not depend on how the line is cut into blocks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_jit import instructions

from .blocks import SIZE, Lanes, channels, put


class _Line(Lanes):
    """Eight samples on a straight line through an image, during the generation of LLVM code.

    first: int32, the number of the first sample. size: int32, how many samples the line has; those after it are blank.
    """

    def __init__(self, builder: Any, ir: Any, first: Any, size: Any) -> None:
        super().__init__(builder, ir, SIZE)
        self.numbers = ir.VectorType(ir.FloatType(), SIZE)
        place = builder.add(self.spread(first), ir.Constant(self.words, list(range(SIZE))))
        self.step = builder.sitofp(place, self.numbers)
        self.inside = builder.icmp_signed("<", place, self.spread(size))

    def number(self, value: float) -> Any:
        """Return a float constant in each lane."""
        return self.ir.Constant(self.numbers, [value] * SIZE)

    def along(self, start: Any, step: Any) -> Any:
        """Return start + number·step for each sample."""
        return self.builder.fadd(self.spread(start), self.builder.fmul(self.step, self.spread(step)))

    def between(self, x: Any, low: Any, high: Any) -> Any:
        """Return x clamped from low to high; NaN becomes low."""
        b = self.builder
        x = b.select(b.fcmp_ordered(">", x, low), x, low)
        return b.select(b.fcmp_ordered("<", x, high), x, high)

    def whole(self, x: Any) -> Any:
        """Return x without its fraction, as words."""
        return self.builder.fptosi(x, self.words)

    def gather(self, texels: Any, column: Any, line: Any, base: Any, stride: Any, blank: Any) -> Any:
        """Return the texels at the given columns and lines; for samples after the end of the line, the texel at
        `blank`.
        """
        b, ir = self.builder, self.ir
        at = b.add(b.add(self.spread(base), column), b.mul(line, self.spread(stride)))
        at = b.select(self.inside, at, self.spread(blank))
        pairs = b.bitcast(at, ir.VectorType(ir.IntType(64), SIZE // 2))
        words = ir.Constant(self.words, ir.Undefined)
        for k in range(SIZE // 2):
            pair = b.extract_element(pairs, ir.Constant(ir.IntType(32), k))
            low, high = b.and_(pair, ir.Constant(pair.type, 0xFFFFFFFF)), b.lshr(pair, ir.Constant(pair.type, 32))
            for lane, place in enumerate((low, high), 2 * k):
                words = b.insert_element(words, b.load(b.gep(texels, [place])), ir.Constant(ir.IntType(32), lane))
        return words

    def mix(self, x: Any, y: Any, part: Any) -> Any:
        """Return x and y mixed channel by channel, with part/256 of y; part: words, 0 to 256."""
        b = self.builder
        part = b.bitcast(b.or_(part, b.shl(part, self.word(16))), self.halves)
        rest = b.sub(self.half(256), part)
        x, y = b.bitcast(x, self.halves), b.bitcast(y, self.halves)
        low = b.add(b.mul(b.and_(x, self.half(255)), rest), b.mul(b.and_(y, self.half(255)), part))
        high = b.add(b.mul(b.lshr(x, self.half(8)), rest), b.mul(b.lshr(y, self.half(8)), part))
        mixed = b.or_(b.lshr(low, self.half(8)), b.and_(high, self.half(0xFF00)))
        return b.bitcast(mixed, self.words)


@instructions
def nearest8(
    builder: Any, ir: Any, row: Any, texels: Any, first: Any, size: Any, u: Any, v: Any, du: Any, dv: Any,
    left: Any, top: Any, right: Any, bottom: Any, base: Any, stride: Any, blank: Any,
) -> None:  # fmt: skip
    """Write 8 samples of a line into the first pixels of `row`: the texels nearest to (u, v) + number·(du, dv).

    first, size: int32, the number of the first sample, and how many the line has; the rest of a block is blank. u, v,
    du, dv: float32. left, top, right, bottom: float32, the first and last column and line that may be read. base,
    stride: int32, the image's first texel and its stride. blank: int32, the index of a transparent texel.
    """
    lanes = _Line(builder, ir, first, size)
    left, top, right, bottom = (lanes.spread(edge) for edge in (left, top, right, bottom))
    column = lanes.whole(lanes.between(lanes.along(u, du), left, right))
    line = lanes.whole(lanes.between(lanes.along(v, dv), top, bottom))
    lanes.store(lanes.gather(texels, column, line, base, stride, blank), row, ir.Constant(ir.IntType(64), 0))


@instructions
def linear8(
    builder: Any, ir: Any, row: Any, texels: Any, first: Any, size: Any, u: Any, v: Any, du: Any, dv: Any,
    left: Any, top: Any, right: Any, bottom: Any, base: Any, stride: Any, blank: Any,
) -> None:  # fmt: skip
    """Write 8 samples of a line as `nearest8` does, each mixed from the four texels around it, in 256 steps."""
    lanes, b = _Line(builder, ir, first, size), builder

    def places(x: Any, step: Any, low: Any, high: Any) -> tuple[Any, Any, Any]:
        low, high = lanes.spread(low), lanes.spread(high)
        x = lanes.between(b.fadd(lanes.along(x, step), lanes.number(0.5)), low, b.fadd(high, lanes.number(2.0)))
        fine = b.sub(lanes.whole(b.fmul(x, lanes.number(256.0))), lanes.word(256))  # fixed point, 8 bits of fraction
        before = b.ashr(fine, lanes.word(8))
        low, high = lanes.whole(low), lanes.whole(high)
        both = [
            b.select(b.icmp_signed("<", near, high), near, high)
            for at in (before, b.add(before, lanes.word(1)))
            for near in (b.select(b.icmp_signed(">", at, low), at, low),)
        ]
        return both[0], both[1], b.and_(fine, lanes.word(255))

    column, column2, across = places(u, du, left, right)
    line, line2, down = places(v, dv, top, bottom)

    def mixed(y: Any) -> Any:
        texels1, found2 = (lanes.gather(texels, x, y, base, stride, blank) for x in (column, column2))
        return lanes.mix(texels1, found2, across)

    lanes.store(lanes.mix(mixed(line), mixed(line2), down), row, ir.Constant(ir.IntType(64), 0))


def _along(first: Any, start: Any, step: Any) -> Any:
    return np.float32(start) + (np.float32(first) + np.arange(SIZE, dtype=np.float32)) * np.float32(step)


def _between(x: Any, low: Any, high: Any) -> Any:
    x = np.where(x > low, x, low)
    return np.where(x < high, x, high).astype(np.float32)


def _plain_nearest(
    row: Any, texels: Any, first: Any, size: Any, u: Any, v: Any, du: Any, dv: Any,
    left: Any, top: Any, right: Any, bottom: Any, base: Any, stride: Any, blank: Any,
) -> None:  # fmt: skip
    column = _between(_along(first, u, du), left, right).astype(np.int64)
    line = _between(_along(first, v, dv), top, bottom).astype(np.int64)
    inside = int(first) + np.arange(SIZE) < int(size)
    row[:SIZE] = texels[np.where(inside, int(base) + line * int(stride) + column, int(blank))]


def _plain_linear(
    row: Any, texels: Any, first: Any, size: Any, u: Any, v: Any, du: Any, dv: Any,
    left: Any, top: Any, right: Any, bottom: Any, base: Any, stride: Any, blank: Any,
) -> None:  # fmt: skip
    inside = int(first) + np.arange(SIZE) < int(size)

    def places(x: Any, step: Any, low: Any, high: Any) -> tuple[list[Any], Any]:
        x = _between(_along(first, x, step) + np.float32(0.5), low, np.float32(high) + np.float32(2))
        fine = (x * np.float32(256)).astype(np.int64) - 256
        return [np.clip((fine >> 8) + more, int(low), int(high)) for more in (0, 1)], (fine & 255)[:, None]

    def mixed(x: Any, y: Any, part: Any) -> Any:
        return (x * (256 - part) + y * part) >> 8

    def gathered(line: Any, column: Any) -> Any:
        samples = texels[np.where(inside, int(base) + line * int(stride) + column, int(blank))]
        return channels(samples, 0, SIZE)

    (left_column, right_column), across = places(u, du, left, right)
    (upper, lower), down = places(v, dv, top, bottom)
    above = mixed(gathered(upper, left_column), gathered(upper, right_column), across)
    below = mixed(gathered(lower, left_column), gathered(lower, right_column), across)
    put(row, 0, mixed(above, below, down))


nearest8.plain(_plain_nearest)
linear8.plain(_plain_linear)
