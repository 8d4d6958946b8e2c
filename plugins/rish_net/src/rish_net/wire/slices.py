"""A state in slices, each compressed by itself, so that sending can stop after any of them and go on later.

A message with a slice is one byte, its kind, then the first byte's place in the state, and the slice in zlib's format.
A slice says nothing about its size: all have `SLICE` bytes, except for the last one, and the size of the state was told
before. So nothing is unpacked beyond that.
"""

from __future__ import annotations

import struct
import zlib

from rish_history import MAX_STATE

from .errors import ProtocolError
from .messages import STATE

SLICE = 64 << 10
"""The size of a slice in bytes, before it is compressed: that takes about a millisecond."""
_HEAD = struct.Struct("<BI")
_LEVEL = 1


class OutgoingState:
    """A state that is sent. sent: how many bytes of it were handed out. taken: how many the other side has."""

    def __init__(self, state: bytes) -> None:
        self.state = state
        self.sent = self.taken = 0

    @property
    def is_taken(self) -> bool:
        """Whether the other side has all of it."""
        return self.taken >= len(self.state)

    def next(self) -> bytes:
        """Return the next slice as a message; there has to be one."""
        part = self.state[self.sent : self.sent + SLICE]
        message = _HEAD.pack(STATE, self.sent) + zlib.compress(part, _LEVEL)
        self.sent += len(part)
        return message

    def take(self, count: int) -> None:
        """Note that the other side has `count` bytes. Raises ProtocolError if they were not sent."""
        if not self.taken <= count <= self.sent:
            raise ProtocolError(f"a guest has {count} bytes of a state, and {self.sent} were sent")
        self.taken = count

    def resume(self, count: int) -> None:
        """Go on after `count` bytes, which the other side has. Raises ProtocolError for an impossible number."""
        if not 0 <= count <= self.sent or (count % SLICE and count != len(self.state)):
            raise ProtocolError(f"a guest has {count} bytes of a state, and {self.sent} were sent")
        self.sent = self.taken = count


class IncomingState:
    """A state that arrives. name: which one, as the other side calls it. size: in bytes. Raises ProtocolError if it is
    larger than that of a save game may be.
    """

    def __init__(self, name: str, size: int) -> None:
        if not 0 < size <= MAX_STATE:
            raise ProtocolError(f"a state has {size:,} bytes, and {MAX_STATE:,} are the most")
        self.name = name
        self.size = size
        self.data = bytearray()

    @property
    def is_complete(self) -> bool:
        """Whether all of it is there."""
        return len(self.data) == self.size

    def add(self, message: bytes) -> None:
        """Add a slice. Raises ProtocolError for one that is not the next, or that unpacks to another size."""
        if len(message) < _HEAD.size or _HEAD.unpack_from(message)[1] != len(self.data):
            raise ProtocolError("a slice of a state is not the next one")
        size = min(SLICE, self.size - len(self.data))
        unpacking = zlib.decompressobj()
        try:
            part = unpacking.decompress(message[_HEAD.size :], size + 1)
        except zlib.error:
            raise ProtocolError("a slice of a state can't be unpacked") from None
        if len(part) != size or not unpacking.eof or unpacking.unused_data:
            raise ProtocolError("a slice of a state has another size")
        self.data += part
