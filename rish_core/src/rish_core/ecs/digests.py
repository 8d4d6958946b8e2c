"""Digests of many parts of a state at once: 128 bits each, as fast as memory can be read.

A part is a run of pairs of 32-bit words, which lie in 64 bits each. Its digest is NH, the inner hash of UMAC (Black,
Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: Fast and Secure Message Authentication", 1999): the sum, modulo 2^64, of

    ((low + k) mod 2^32) * ((high + l) mod 2^32)

with fixed random keys `k` and `l` for each place, in two lanes with different keys. Two states that differ collide
with a chance of 2^-64. There is no chain from word to word, so a compiler makes vector code of it, and numpy can do
the same. Longer parts are taken in blocks, whose sums are mixed into one another.

A part that is text counts by a 64-bit digest of each text. The kernel and its twin in numpy give the same digests. They
find divergence, not forgery; what is saved has a cryptographic digest of its own.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..jit import njit
from ..jit_ready import Ready
from .columns import Column

BLOCK = 2048
"""Words of 64 bits a block, and keys a lane."""
_MANY = 24
"""So many digests of states, and a kernel is worth having."""
_MIX = 0xD6E8FEB86659FD93  # an odd constant with good avalanche, of the rrmxmx generator
_LANES = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9)  # where the lanes begin
_HALF = 0xFFFFFFFF
_WHOLE = (1 << 64) - 1


def _make_keys() -> Column:
    """uint64 (2 * BLOCK): the keys of the lanes one after the other, from the splitmix64 generator."""
    with np.errstate(over="ignore"):
        z = np.arange(1, 2 * BLOCK + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


KEYS = _make_keys()


def digest_parts(words: Column, starts: Column, ranks: Column, is_text: Column, texts: Column, out: Column) -> None:
    """Write the digests of n parts and of all of them together.

    words: uint64. starts: int64 (n + 1), where each part begins, the last its end. ranks: int64 (n), which place the
    digest of a part has in `out`. is_text: uint8 (n), whether a part is numbers of texts, two int32 a word, -1 for
    none. texts: uint64, a digest for each text. out: uint64 (2 * n + 2), written: two lanes a part, in the end two
    over all.
    """
    if _kernel_serves():
        _digest_kernel(words, starts, ranks, is_text, texts, KEYS, out)
    else:
        _digest_numpy(words, starts, ranks, is_text, texts, out)


@njit
def _nh(words: Any, begin: Any, count: Any, keys: Any, offset: Any) -> Any:
    """The sum over `count` words from `begin`; keys from `offset`."""
    half, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    total = np.uint64(0)
    for i in range(count):
        word, key = words[begin + i], keys[offset + i]
        total += ((word + key) & half) * (((word >> shift) + (key >> shift)) & half)
    return total


@njit
def _nh_text(words: Any, begin: Any, count: Any, texts: Any, keys: Any, offset: Any) -> Any:
    """The same over the digests of the texts whose numbers the words hold."""
    half, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    total = np.uint64(0)
    for i in range(count):
        pair = words[begin + i]
        for j in range(np.uint64(2)):
            number = pair & half
            pair = pair >> shift
            digest = texts[number] if number != half else np.uint64(0)
            key = keys[offset + np.uint64(2) * i + j]
            total += ((digest + key) & half) * (((digest >> shift) + (key >> shift)) & half)
    return total


@njit
def _mixed(lane: Any, total: Any) -> Any:
    mix, shift = np.uint64(0xD6E8FEB86659FD93), np.uint64(32)
    lane = (lane ^ total) * mix
    return (lane ^ (lane >> shift)) * mix


@njit
def _digest_kernel(words: Any, starts: Any, ranks: Any, is_text: Any, texts: Any, keys: Any, out: Any) -> None:
    block, shift = np.uint64(2048), np.uint64(32)
    for part in range(len(is_text)):
        begin, end = np.uint64(starts[part]), np.uint64(starts[part + 1])
        a = np.uint64(0x9E3779B97F4A7C15) + (end - begin)
        b = np.uint64(0xBF58476D1CE4E5B9) + (end - begin)
        text = is_text[part] != 0
        step = block >> np.uint64(1) if text else block
        while begin < end:
            count = min(step, end - begin)
            if text:
                a = _mixed(a, _nh_text(words, begin, count, texts, keys, np.uint64(0)))
                b = _mixed(b, _nh_text(words, begin, count, texts, keys, block))
            else:
                a = _mixed(a, _nh(words, begin, count, keys, np.uint64(0)))
                b = _mixed(b, _nh(words, begin, count, keys, block))
            begin += count
        rank = ranks[part]
        out[2 * rank], out[2 * rank + 1] = a ^ (a >> shift), b ^ (b >> shift)
    size = np.uint64(2 * len(is_text))
    a, b = np.uint64(0x9E3779B97F4A7C15) + size, np.uint64(0xBF58476D1CE4E5B9) + size
    begin = np.uint64(0)
    while begin < size:
        count = min(block, size - begin)
        a = _mixed(a, _nh(out, begin, count, keys, np.uint64(0)))
        b = _mixed(b, _nh(out, begin, count, keys, block))
        begin += count
    out[size], out[size + np.uint64(1)] = a ^ (a >> shift), b ^ (b >> shift)


def _digest_numpy(words: Column, starts: Column, ranks: Column, is_text: Column, texts: Column, out: Column) -> None:
    """The same in numpy."""
    bounds, kinds, places = starts.tolist(), is_text.tolist(), ranks.tolist()
    for part, text in enumerate(kinds):
        run = words[bounds[part] : bounds[part + 1]]
        length = len(run)
        if text:
            numbers = run.view(np.int32)
            run = np.where(numbers >= 0, texts[numbers], np.uint64(0))
        place = 2 * places[part]
        out[place : place + 2] = _lanes(run, length)
    out[-2:] = _lanes(out[:-2], len(out) - 2)


def _lanes(run: Column, length: int) -> list[int]:
    """Both lanes of one part. length: what it counts as."""
    half, shift = np.uint64(_HALF), np.uint64(32)
    lanes = [lane + length & _WHOLE for lane in _LANES]
    for begin in range(0, len(run), BLOCK):
        block = run[begin : begin + BLOCK]
        for lane in range(2):
            keys = KEYS[lane * BLOCK : lane * BLOCK + len(block)]
            low, high = (block + keys) & half, ((block >> shift) + (keys >> shift)) & half
            mixed = (lanes[lane] ^ int((low * high).sum(dtype=np.uint64))) * _MIX & _WHOLE
            lanes[lane] = (mixed ^ mixed >> 32) * _MIX & _WHOLE
    return [lane ^ lane >> 32 for lane in lanes]


def _rehearse() -> None:
    """Call the kernel with arguments of the types that come."""
    words, starts, ranks = np.zeros(1, np.uint64), np.zeros(2, np.int64), np.zeros(1, np.int64)
    words.flags.writeable = False  # as views of bytes are, which makes another type for numba
    _digest_kernel(words, starts, ranks, np.zeros(1, np.uint8), np.zeros(1, np.uint64), KEYS, np.zeros(4, np.uint64))


_READY = Ready(_rehearse)
_asked = 0


def _kernel_serves() -> bool:
    """Whether the kernel can be called; it is made once states are digested again and again, where numba is there
    anyway.

    It is made here and not beside the game: numba does not bear two threads that compile.
    """
    global _asked
    _asked += 1
    return _READY.ready or (_asked % _MANY == 0 and "numba" in sys.modules and _READY.now())


def prepare_digests() -> None:
    """Have the kernel now, for who is going to take digests every tick."""
    _READY.now()
