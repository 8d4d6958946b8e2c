"""Computes 128-bit digests of many parts of a state in one pass, about as fast as memory can be read.

A part is a run of 64-bit words, each a pair of 32-bit words. Its digest is NH, the inner hash of UMAC (Black, Halevi,
Krawczyk, Krovetz and Rogaway, "UMAC: Fast and Secure Message Authentication", 1999): the sum, modulo 2^64, of

    ((low + k) mod 2^32) * ((high + l) mod 2^32)

with fixed random keys `k` and `l` for each position, in two lanes with different keys. Two different states collide
with a probability of 2^-64. A compiler can vectorize the sum, and numpy can compute it. Longer parts are divided into
blocks, whose sums are mixed one after the other.

Texts are included by their 64-bit digests. Digests detect divergence, not forgery.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from rish_jit import Ready, instructions, njit

from ..declarations.columns import Column

BLOCK = 2048
"""The number of 64-bit words per block, and of keys per lane."""
_MANY = 24
"""The digests after which another process compiles the kernel."""
_MIX = 0xD6E8FEB86659FD93  # an odd constant with good avalanche, of the rrmxmx generator
_LANES: tuple[int, ...] = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)
_WHOLE = (1 << 64) - 1


def _make_keys() -> Column:
    """Return uint64 (2 * BLOCK): the keys of both lanes, one after the other, from the splitmix64 generator."""
    with np.errstate(over="ignore"):
        z = np.arange(1, 2 * BLOCK + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


KEYS = _make_keys()


TEXT, MORE, LENGTHS, ITEMS = 1, 2, 4, 8
"""Bits of the kind of a row, see `Rows`."""


class Rows(NamedTuple):
    """The memory addresses of the state: m rows, which form n parts.

    addresses: int64 (m). widths: int64 (m), bytes per item. owners: int64 (m), the index in `counts` (int64) of the
    number of items. kinds: uint8 (m), bits. TEXT: int32 numbers of texts, -1 for none. MORE: the next row continues
    this part. LENGTHS: spans of a pool (int32 offset and length), of which only the lengths are included; the digest of
    the next row continues from theirs. ITEMS: the same spans again; the row after it has the items of the pool. ranks:
    int64 (n + k), the position of each part in the order of names; the last k parts are those in `Rest`.

    The caller must keep references to the arrays at these addresses.
    """

    addresses: Column
    widths: Column
    owners: Column
    kinds: Column
    counts: Column
    ranks: Column


class Rest(NamedTuple):
    """Parts that are given as words.

    words: uint64. starts: int64 (k + 1), the first word of each part, and the end of the last. kinds: uint8 (k), TEXT
    or 0.
    """

    words: Column
    starts: Column
    kinds: Column


_room: Column = np.zeros(1 << 12, np.uint64)


def digest_parts(rows: Rows, rest: Rest, texts: Column, out: Column) -> None:
    """Write the digests of n + k parts and the digest of all together.

    texts: uint64, a digest for each text. out: uint64 (2 * (n + k) + 2), written: two lanes for each part, then two for
    all parts.
    """
    global _room, _asked
    _asked += 1
    digest = _digest_kernel if _READY.serve(_asked, _MANY) else _digest_numpy
    while need := digest(*rows, *rest, texts, KEYS, _room, out):
        _room = np.zeros(2 * need, np.uint64)


@instructions
def copy_bytes(builder: Any, ir: Any, target: Any, at: Any, address: Any, size: Any) -> None:
    """Copy `size` bytes from an address to byte `at` of the flat uint64 array `target`. Numbers are int64."""
    byte = ir.IntType(8).as_pointer()
    copy = builder.module.declare_intrinsic("llvm.memcpy", [byte, byte, ir.IntType(64)])
    place = builder.gep(builder.bitcast(target, byte), [at])
    builder.call(copy, [place, builder.inttoptr(address, byte), size, ir.IntType(1)(0)])


@copy_bytes.plain
def _copy_bytes(target: Any, at: Any, address: Any, size: Any) -> None:
    ctypes.memmove(target.ctypes.data + int(at), int(address), int(size))


@njit
def _nh(words: Any, begin: Any, count: Any, keys: Any) -> Any:
    """Return the NH sums of both lanes over `count` words from `begin`."""
    half, shift, block = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(2048)
    a, b = np.uint64(0), np.uint64(0)
    for i in range(count):
        word, one, two = words[begin + i], keys[i], keys[block + i]
        high = word >> shift
        a += ((word + one) & half) * ((high + (one >> shift)) & half)
        b += ((word + two) & half) * ((high + (two >> shift)) & half)
    return a, b


@njit
def _nh_text(words: Any, begin: Any, count: Any, texts: Any, keys: Any) -> Any:
    """Return the NH sums over the digests of texts."""
    half, shift, block = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(2048)
    a, b = np.uint64(0), np.uint64(0)
    for i in range(count):
        pair = words[begin + i]
        for j in range(np.uint64(2)):
            number = pair & half
            pair = pair >> shift
            digest = texts[number] if number != half else np.uint64(0)
            high = digest >> shift
            one, two = keys[np.uint64(2) * i + j], keys[block + np.uint64(2) * i + j]
            a += ((digest + one) & half) * ((high + (one >> shift)) & half)
            b += ((digest + two) & half) * ((high + (two >> shift)) & half)
    return a, b


@njit
def _fetch_items(words: Any, spans: Any, count: Any, items: Any, width: Any, room: Any) -> Any:
    """Copy the items of a pool's rows to `words`; return their bytes, or the negative number of words that are needed.

    Spans that point outside the pool, which only raw writes can produce, count as empty.
    """
    half, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    if count > len(words):
        return -count
    copy_bytes(words, np.int64(0), spans, 8 * count)
    total = np.int64(0)
    for k in range(count):
        first, length = np.int64(words[k] & half), np.int64(words[k] >> shift)
        total += length * width if first + length <= room else np.int64(0)
    at = 8 * (len(words) - count)
    if total + 8 > at:
        return -(count + (total >> 3) + 2)
    copy_bytes(words, at, spans, 8 * count)
    tail = len(words) - count
    total = np.int64(0)
    for k in range(tail, tail + count):
        first, length = np.int64(words[k] & half), np.int64(words[k] >> shift)
        if first + length <= room:
            copy_bytes(words, total, items + first * width, length * width)
            total += length * width
    return total


@njit
def _digest(words: Any, begin: Any, end: Any, text: Any, texts: Any, keys: Any, a: Any, b: Any) -> Any:
    """Return the digest of one part. a, b: the initial values of the lanes."""
    block, shift, mix = np.uint64(2048), np.uint64(32), np.uint64(0xD6E8FEB86659FD93)
    a, b = a + (end - begin), b + (end - begin)
    step = block >> np.uint64(1) if text else block
    while begin < end:
        count = min(step, end - begin)
        if text:
            one, two = _nh_text(words, begin, count, texts, keys)
        else:
            one, two = _nh(words, begin, count, keys)
        a, b = (a ^ one) * mix, (b ^ two) * mix
        a, b = (a ^ (a >> shift)) * mix, (b ^ (b >> shift)) * mix
        begin += count
    return a ^ (a >> shift), b ^ (b >> shift)


@njit
def _digest_kernel(
    addresses: Any, widths: Any, owners: Any, kinds: Any, counts: Any, ranks: Any, rest: Any, starts: Any,
    rest_kinds: Any, texts: Any, keys: Any, words: Any, out: Any,
) -> Any:  # fmt: skip
    """Write all digests to `out`; return 0, or the number of words of room that are needed."""
    row, part, shift = 0, 0, np.uint64(32)
    one, two = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
    a, b = one, two
    while row < len(addresses):
        count, kind = counts[owners[row]], kinds[row]
        size = count * widths[row]
        if kind & 8:
            size = _fetch_items(
                words, addresses[row], count, addresses[row + 1], widths[row + 1], counts[owners[row + 1]]
            )
            if size < 0:
                return -size
            row += 1
        else:
            if size + 8 > 8 * len(words):
                return (size >> 3) + 2
            copy_bytes(words, np.int64(0), addresses[row], size)
            while kinds[row] & 2:
                row += 1
                more = counts[owners[row]] * widths[row]
                if size + more + 8 > 8 * len(words):
                    return ((size + more) >> 3) + 2
                copy_bytes(words, size, addresses[row], more)
                size += more
            if kind & 4:
                for k in range(count):
                    words[k] = words[k] >> shift
        end = np.uint64((size + 7) >> 3)
        odd = np.uint64(8 * (size & 7))
        if odd:
            ones = np.uint64(0xFFFFFFFFFFFFFFFF) << odd
            last = words[end - np.uint64(1)]
            words[end - np.uint64(1)] = last | ones if kind & 1 else last & ~ones
        a, b = _digest(words, np.uint64(0), end, kind & 1, texts, keys, a, b)
        if not kind & 4:
            out[2 * ranks[part]], out[2 * ranks[part] + 1] = a, b
            a, b = one, two
            part += 1
        row += 1
    for k in range(len(rest_kinds)):
        a, b = _digest(rest, np.uint64(starts[k]), np.uint64(starts[k + 1]), rest_kinds[k] & 1, texts, keys, one, two)
        out[2 * ranks[part + k]], out[2 * ranks[part + k] + 1] = a, b
    size = np.uint64(2 * len(ranks))
    a, b = _digest(out, np.uint64(0), size, np.int64(0), texts, keys, one, two)
    out[size], out[size + np.uint64(1)] = a, b
    return 0


def _digest_numpy(
    addresses: Column, widths: Column, owners: Column, kinds: Column, counts: Column, ranks: Column, rest: Column,
    starts: Column, rest_kinds: Column, texts: Column, _keys: Column, _words: Column, out: Column,
) -> int:  # fmt: skip
    """Write all digests to `out` with numpy; the reference for `_digest_kernel`."""
    sizes = (widths * counts[owners]).tolist()
    chunks = [ctypes.string_at(address, size) for address, size in zip(addresses.tolist(), sizes, strict=True)]
    parts: list[tuple[bytes, int]] = []
    row = 0
    while row < len(chunks):
        kind, data = int(kinds[row]), chunks[row]
        if kind & ITEMS:
            row += 1
            data = _items(np.frombuffer(data, np.uint32).reshape(-1, 2), chunks[row], int(widths[row]))
        while kinds[row] & MORE:
            row += 1
            data += chunks[row]
        if kind & LENGTHS:
            data = np.frombuffer(data, np.uint32)[1::2].astype(np.uint64).tobytes()
        fill = b"\xff" if kind & TEXT else b"\0"
        parts.append((data + fill * (-len(data) & 7), kind))
        row += 1
    for k, kind in enumerate(rest_kinds.tolist()):
        parts.append((rest[starts[k] : starts[k + 1]].tobytes(), kind))
    places, begin = iter(ranks.tolist()), list(_LANES)
    for data, kind in parts:
        run: Column = np.frombuffer(data, np.uint64)
        length = len(run)
        if kind & TEXT:
            numbers = run.view(np.int32)
            run = np.where(numbers >= 0, texts[numbers], np.uint64(0))
        begin = _lanes(run, length, begin)
        if not kind & LENGTHS:
            rank = next(places)
            out[2 * rank : 2 * rank + 2], begin = begin, list(_LANES)
    out[-2:] = _lanes(out[:-2], len(out) - 2, begin)
    return 0


def _items(spans: Column, items: bytes, width: int) -> bytes:
    """Return the items of a pool's rows. spans: uint32 (n, 2)."""
    pieces: list[bytes] = []
    for first, length in spans.tolist():
        if (first + length) * width <= len(items):
            pieces.append(items[first * width : (first + length) * width])
    return b"".join(pieces)


def _lanes(run: Column, length: int, seeds: list[int]) -> list[int]:
    """Return both lanes of one part of `length` words. seeds: their initial values."""
    half, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    lanes = [lane + length & _WHOLE for lane in seeds]
    for begin in range(0, len(run), BLOCK):
        block = run[begin : begin + BLOCK]
        for lane in range(2):
            keys = KEYS[lane * BLOCK : lane * BLOCK + len(block)]
            low, high = (block + keys) & half, ((block >> shift) + (keys >> shift)) & half
            mixed = (lanes[lane] ^ int((low * high).sum(dtype=np.uint64))) * _MIX & _WHOLE
            lanes[lane] = (mixed ^ mixed >> 32) * _MIX & _WHOLE
    return [lane ^ lane >> 32 for lane in lanes]


def _warm_up() -> None:
    one, none, kinds = np.zeros(1, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.uint8)
    out = np.zeros(2, np.uint64)
    _digest_kernel(none, none, none, kinds, none, none, one, none, kinds, one, KEYS, _room, out)


_READY = Ready(_warm_up)
_asked = 0


def prepare_digests() -> None:
    """Compile or load the kernel now, for callers that take digests every tick."""
    _READY.now()
