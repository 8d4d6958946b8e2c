"""The packets between a relay and those who use it. They begin with one byte, the kind.

| kind | from, to | content |
|---|---|---|
| `HELLO` | host or guest to relay | role, key of 16 bytes, cookie of 16 bytes, padding: 64 bytes in all |
| `COOKIE` | relay to an address without a valid cookie | the cookie that proves that the address receives packets |
| `OPEN`, `REFUSED` | relay to host or guest | nothing, or one byte with the reason |
| `DATA` | both ways | a QUIC packet; to and from a host with the number of the guest before it |
| `PING`, `PONG` | to the relay, and back | nothing |
| `UNKNOWN` | relay to an address that it does not know | nothing: say `HELLO` again |
| `BYE` | to the relay | nothing: the sender leaves |

The key of a host is secret. The key of a guest is the session, which is the digest of the host's key: so a host can
register again, after the relay started again or under another address, and nobody else can do so in its place.
"""

from __future__ import annotations

import hashlib
import struct

HELLO, DATA, PING, BYE, COOKIE, OPEN, REFUSED, PONG, UNKNOWN = range(1, 10)
"""The kinds of packets."""
HOST, GUEST = 1, 2
"""The roles of those who say hello."""
KEY_BYTES = 16
"""The size of keys, sessions and cookies in bytes."""
NO_COOKIE = bytes(KEY_BYTES)
HELLO_BYTES = 64
"""The size of a hello: no answer is larger."""
MAX_DATA = 1500
"""The greatest size of a packet in bytes."""
REASONS = (
    "it has no such session: the host has left",
    "it has no room for more sessions",
    "it has no room for more guests of this session",
    "this address has too many sessions or links",
)
"""Why a relay refuses somebody, by number."""
NO_SESSION, NO_ROOM, NO_ROOM_IN_SESSION, TOO_MANY = range(4)
CHANNEL = struct.Struct(">BH")
"""The head of data to and from a host: kind, number of the guest."""


def session_of(key: bytes) -> bytes:
    """Return the session of a host's key."""
    return hashlib.sha256(b"rish relay" + key).digest()[:KEY_BYTES]


def hello(role: int, key: bytes, cookie: bytes = NO_COOKIE) -> bytes:
    """Return a hello."""
    return (bytes([HELLO, role]) + key + cookie).ljust(HELLO_BYTES, b"\0")
