"""Reading and writing of packets: whole numbers of variable length, floats and short texts, with limits."""

from __future__ import annotations

import math
import struct

from .errors import ProtocolError

_FLOAT = struct.Struct("<f")
MAX_NUMBER = (1 << 63) - 1
"""The greatest number that a packet contains."""


class Writer:
    """Collects the bytes of a packet in `data`."""

    def __init__(self) -> None:
        self.data = bytearray()

    def number(self, value: int) -> None:
        """Append a whole number from 0 to `MAX_NUMBER`, seven bits a byte, low ones first (LEB128)."""
        while value > 0x7F:
            self.data.append(value & 0x7F | 0x80)
            value >>= 7
        self.data.append(value)

    def near(self, value: int, base: int) -> None:
        """Append a whole number as its difference from another one: 0, 1, -1, 2, -2, ... are written as 0, 1, 2, ..."""
        difference = value - base
        self.number(2 * difference - 1 if difference > 0 else -2 * difference)

    def real(self, value: float) -> None:
        """Append a float of 32 bits."""
        self.data += _FLOAT.pack(value)

    def text(self, value: str) -> None:
        """Append a text as its length in bytes, and UTF-8."""
        encoded = value.encode()
        self.number(len(encoded))
        self.data += encoded


class Reader:
    """Reads a packet from its first byte to its last. Each method raises ProtocolError if the bytes do not fit."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    @property
    def left(self) -> int:
        """The number of bytes that were not read yet."""
        return len(self.data) - self.at

    def number(self, high: int = MAX_NUMBER) -> int:
        """Return a whole number from 0 to `high`."""
        value = shift = 0
        while True:
            if self.at >= len(self.data) or shift > 56:
                raise ProtocolError("a number of a packet has no end")
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
        if value > high:
            raise ProtocolError(f"a number of a packet is {value}, and the greatest is {high}")
        return value

    def near(self, base: int, high: int = MAX_NUMBER) -> int:
        """Return a whole number from 0 to `high` that was written as its difference from another one."""
        number = self.number()
        value = base + ((number + 1) // 2 if number % 2 else -(number // 2))
        if not 0 <= value <= high:
            raise ProtocolError(f"a number of a packet is {value}, and it has to be from 0 to {high}")
        return value

    def real(self) -> float:
        """Return a finite float."""
        value: float = _FLOAT.unpack(self.bytes(_FLOAT.size))[0]
        if not math.isfinite(value):
            raise ProtocolError("a float of a packet is not finite")
        return value

    def text(self, most: int) -> str:
        """Return a text of at most `most` bytes."""
        try:
            return self.bytes(self.number(most)).decode()
        except UnicodeDecodeError:
            raise ProtocolError("a text of a packet is no UTF-8") from None

    def bytes(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        if count > self.left:
            raise ProtocolError(f"a packet ends {count - self.left} bytes too early")
        self.at += count
        return self.data[self.at - count : self.at]

    def end(self) -> None:
        """Raise ProtocolError unless everything was read."""
        if self.left:
            raise ProtocolError(f"a packet has {self.left} bytes too many")
