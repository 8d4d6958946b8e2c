"""Random numbers that are a pure function of a key and a counter: Philox4x32-10.

Number `i` of a stream is computed only from the stream's key and `i` (Salmon, Moraes, Dror and Shaw, "Parallel random
numbers: as easy as 1, 2, 3", 2011). So the random state of a World is a seed and one counter per stream, an array of
draws has the same numbers as single draws, and a kernel can compute them in any order.

`world.random("name")` returns a `Stream`. Streams with different names are independent, so a plugin that draws more
numbers does not change the draws of another. In kernels, `random_bits`, `random_uniform`, `random_integer` and
`random_normal` take a key and a counter; the result for `(stream.key, i)` is draw `i` of that stream.
"""

from __future__ import annotations

import functools
import hashlib
import operator
from collections.abc import MutableSequence, Sequence
from dataclasses import field
from typing import Any, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from rish_jit import kernel_form, maths
from rish_jit.errors import UsageError

from .declarations.resource import resource

Size = int | tuple[int, ...]
"""The shape of the result: a length or a tuple."""
_T = TypeVar("_T")

_MASK = 0xFFFFFFFF
_MULTIPLY_0 = 0xD2511F53  # Philox's constants, from the paper
_MULTIPLY_1 = 0xCD9E8D57
_STEP_0 = 0x9E3779B9  # the golden ratio
_STEP_1 = 0xBB67AE85  # √3 - 1
_UNIT = 2.0**-53
_KEY_BITS = 0x7FFFFFFFFFFFFFFF  # keys and counters fit int64, so that kernels have one specialization


def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> tuple[Any, Any, Any, Any]:
    """Return four 32-bit words from a counter of four words and a key of two, by the ten rounds of Philox4x32-10.

    The arguments are Python ints or uint64 arrays; in kernels int64, whose products wrap to the same 64 bits.
    """
    for _ in range(10):
        p0 = _MULTIPLY_0 * c0
        p1 = _MULTIPLY_1 * c2
        c0, c1 = ((p1 >> 32) & _MASK) ^ c1 ^ k0, p1 & _MASK
        c2, c3 = ((p0 >> 32) & _MASK) ^ c3 ^ k1, p0 & _MASK
        k0 = (k0 + _STEP_0) & _MASK
        k1 = (k1 + _STEP_1) & _MASK
    return c0, c1, c2, c3


def _halves(key: Any, counter: Any) -> tuple[Any, Any]:
    block = counter >> 1
    w0, w1, w2, w3 = philox(block & _MASK, (block >> 32) & _MASK, 0, 0, key & _MASK, (key >> 32) & _MASK)
    return (w3, w2) if counter & 1 else (w1, w0)


def _words(key: int, counter: int) -> tuple[int, int]:
    """Return the high and the low word of number `counter`; a block of Philox contains two numbers."""
    return _halves(key, counter)


def _kernel_words(key: int, counter: int) -> tuple[int, int]:
    return _halves(np.int64(key), np.int64(counter))


def random_bits(key: int, counter: int) -> int:
    """Return number `counter` of the stream with that key: 64 random bits as a whole number (uint64 in kernels)."""
    high, low = _words(key, counter)
    return high << 32 | low


def _kernel_bits(key: int, counter: int) -> Any:
    high, low = _words(key, counter)
    return np.uint64(high) << np.uint64(32) | np.uint64(low)


def random_uniform(key: int, counter: int) -> float:
    """Return a float in [0, 1) with 53 random bits, from number `counter`."""
    high, low = _words(key, counter)
    return (high * 2097152.0 + (low >> 11)) * _UNIT


def random_integer(key: int, counter: int, low: int, high: int) -> int:
    """Return a whole number in [low, high), from number `counter`; `high - low` may be at most 2**31.

    The range is scaled by multiplication, so each draw uses exactly one number; the bias is below 2**-33.
    """
    word_high, word_low = _words(key, counter)
    count = high - low
    return low + ((word_high * count + ((word_low * count) >> 32)) >> 32)


def random_normal(key: int, counter: int) -> float:
    """Return a normal float (mean 0, deviation 1) from numbers `counter` and `counter + 1` (Box-Muller)."""
    radius = maths.sqrt(-2.0 * maths.log(1.0 - random_uniform(key, counter)))
    return radius * maths.cos(maths.TAU * random_uniform(key, counter + 1))


kernel_form(philox, philox)
kernel_form(_halves, _halves)
kernel_form(_words, _kernel_words)
kernel_form(random_bits, _kernel_bits)
kernel_form(random_uniform, random_uniform)
kernel_form(random_integer, random_integer)
kernel_form(random_normal, random_normal)


@functools.lru_cache(maxsize=1024)
def stream_key(seed: int, name: str) -> int:
    """Return the key of a named stream: 63 bits of a hash of the seed and the name."""
    digest = hashlib.blake2b(f"{seed}\0{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") & _KEY_BITS


def _numbers(key: int, start: int, count: int) -> npt.NDArray[np.uint64]:
    """Return the numbers `start` to `start + count - 1` of a stream."""
    if count == 0:
        return np.empty(0, dtype=np.uint64)
    blocks = np.arange(start >> 1, (start + count + 1) >> 1, dtype=np.uint64)
    w0, w1, w2, w3 = philox(blocks & _MASK, blocks >> 32, 0, 0, key & _MASK, key >> 32)
    numbers = np.empty((len(blocks), 2), dtype=np.uint64)
    numbers[:, 0] = w1 << 32 | w0
    numbers[:, 1] = w3 << 32 | w2
    return numbers.reshape(-1)[start & 1 : (start & 1) + count]


def _units(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """Return floats in [0, 1) from the top 53 bits of each number."""
    return (numbers >> 11).astype(np.float64) * _UNIT


def _scaled(numbers: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.int64]:
    """Return (number · count) >> 64 for each number, computed in 32-bit halves, because the product needs 128 bits."""
    high, low = numbers >> 32, numbers & _MASK
    count_high, count_low = count >> 32, count & _MASK
    middle = high * count_low + (low * count_low >> 32)
    other = low * count_high + (middle & _MASK)
    return (high * count_high + (middle >> 32) + (other >> 32)).astype(np.int64)


@resource
class RandomStreams:
    """The World's random streams: `streams["name"]` is a Stream. The state consists of the seed and the counters."""

    seed: int = 0
    counters: dict[str, int] = field(default_factory=dict[str, int])

    def __getitem__(self, name: str) -> Stream:
        return Stream(stream_key(self.seed, name), self.counters.get(name, 0), name, self.counters)


class Stream:
    """A sequence of random numbers.

    key: identifies the stream. counter: how many numbers were drawn so far. A stream of a World stores its counter in
    the World's state; call `world.random(name)` each time instead of keeping the stream.
    """

    __slots__ = ("_counters", "_name", "key")

    def __init__(self, key: int, counter: int = 0, name: str = "", counters: dict[str, int] | None = None) -> None:
        self.key = key & _KEY_BITS
        self._name = name
        self._counters = {name: counter} if counters is None else counters

    def __repr__(self) -> str:
        return f"Stream(key={self.key}, counter={self.counter})"

    @property
    def counter(self) -> int:
        """The number of draws so far; assign to it to move back or ahead."""
        return self._counters.get(self._name, 0)

    @counter.setter
    def counter(self, value: int) -> None:
        self._counters[self._name] = operator.index(value)

    def _take(self, count: int) -> int:
        start = self._counters.get(self._name, 0)
        self._counters[self._name] = start + count
        return start

    def _draw(self, size: Size, each: int = 1) -> npt.NDArray[np.uint64]:
        count = each * int(np.prod(size, dtype=np.int64))
        if count < 0:
            raise UsageError(f"a size can't be negative: {size}")
        return _numbers(self.key, self._take(count), count)

    @overload
    def bits(self, size: None = None) -> int: ...
    @overload
    def bits(self, size: Size) -> npt.NDArray[np.uint64]: ...
    def bits(self, size: Size | None = None) -> Any:
        """Return 64 random bits as a whole number; with `size`, a uint64 array."""
        if size is None:
            return random_bits(self.key, self._take(1))
        return self._draw(size).reshape(size)

    @overload
    def uniform(self, low: float = 0.0, high: float = 1.0, size: None = None) -> float: ...
    @overload
    def uniform(self, low: Any = 0.0, high: Any = 1.0, *, size: Size) -> npt.NDArray[np.float64]: ...
    @overload
    def uniform(self, low: Any, high: Any, size: Size) -> npt.NDArray[np.float64]: ...
    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Size | None = None) -> Any:
        """Return a float from `low` up to `high`; with `size`, a float64 array (the bounds may then be arrays)."""
        if size is None:
            return low + (high - low) * random_uniform(self.key, self._take(1))
        return low + (high - low) * _units(self._draw(size)).reshape(size)

    @overload
    def integers(self, low: int, high: int, size: None = None) -> int: ...
    @overload
    def integers(self, low: int, high: int, size: Size) -> npt.NDArray[np.int64]: ...
    def integers(self, low: int, high: int, size: Size | None = None) -> Any:
        """Return a whole number from `low` to `high - 1`; with `size`, an int64 array."""
        low, count = operator.index(low), operator.index(high) - operator.index(low)
        if not 0 < count <= _KEY_BITS:
            raise UsageError(f"there is no whole number from {low} to below {high}")
        if size is None:
            return low + (random_bits(self.key, self._take(1)) * count >> 64)
        return low + _scaled(self._draw(size), count).reshape(size)

    @overload
    def normal(self, loc: float = 0.0, scale: float = 1.0, size: None = None) -> float: ...
    @overload
    def normal(self, loc: Any = 0.0, scale: Any = 1.0, *, size: Size) -> npt.NDArray[np.float64]: ...
    @overload
    def normal(self, loc: Any, scale: Any, size: Size) -> npt.NDArray[np.float64]: ...
    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Size | None = None) -> Any:
        """Return a normally distributed float; with `size`, a float64 array. Each uses two numbers of the stream.

        loc: the mean. scale: the standard deviation.
        """
        if size is None:
            return loc + scale * random_normal(self.key, self._take(2))
        units = _units(self._draw(size, 2)).reshape(-1, 2)
        radius = maths.sqrt(-2.0 * maths.log(1.0 - units[:, 0]))
        return loc + scale * (radius * maths.cos(maths.TAU * units[:, 1])).reshape(size)

    @overload
    def choice(self, options: int, size: None = None) -> int: ...
    @overload
    def choice(self, options: Sequence[_T], size: None = None) -> _T: ...
    @overload
    def choice(self, options: Any, size: Size) -> npt.NDArray[Any]: ...
    def choice(self, options: Any, size: Size | None = None) -> Any:
        """Return one of `options` (a sequence, or n for 0 to n - 1); with `size`, an array."""
        by_number = isinstance(options, (int, np.integer))
        count = int(cast("int", options)) if by_number else len(options)
        if count < 1:
            raise UsageError("there is nothing to choose from")
        index = self.integers(0, count) if size is None else self.integers(0, count, size)
        if by_number:
            return index
        return options[index] if size is None else np.asarray(options)[index]

    def shuffle(self, items: npt.NDArray[Any] | MutableSequence[Any]) -> None:
        """Shuffle a list, or the rows of an array, in place; uses one number of the stream for each item."""
        order = np.argsort(self.bits(len(items)), kind="stable")
        if isinstance(items, np.ndarray):
            items[:] = items[order]
        else:
            items[:] = [items[i] for i in cast("list[int]", order.tolist())]
