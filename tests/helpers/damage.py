"""Damages the bytes of files at random, as a bad disk, a bad merge or a slip of the keyboard does."""

from __future__ import annotations

import random

_PIECES = [b"{", b"}", b"[", b"]", b":", b"- ", b"&a ", b"*a", b"<<: ", b"'", b"\t", b"\n", b"null"]


def damaged_text(text: bytes, chance: random.Random) -> bytes:
    """Return a text in the form of YAML with a few bytes changed, deleted, doubled or inserted."""
    data = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        at, kind = chance.randrange(len(data)), chance.randrange(5)
        if kind == 0:
            data[at] = chance.randrange(256)
        elif kind == 1:
            del data[at : at + chance.randint(1, 20)]
        elif kind == 2:
            data[at:at] = data[at : at + chance.randint(1, 40)]
        elif kind == 3:
            data[at:at] = chance.choice(_PIECES)
        else:
            data[at] = chance.choice(b"0123456789.-eExX:#'\"\\~")
    return bytes(data)


def damaged_bytes(data: bytes, chance: random.Random) -> bytes:
    """Return data that ends early, or in which one bit is another."""
    if chance.random() < 0.5:
        return data[: chance.randrange(len(data))]
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]
