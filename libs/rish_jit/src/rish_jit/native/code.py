"""The machine code of one kernel for one combination of argument types, and its bytes in a file."""

from __future__ import annotations

import json
from dataclasses import dataclass

FORMAT = 1
"""The version of the instructions of entries and of these bytes; others are not loaded."""


@dataclass(frozen=True)
class MachineCode:
    """Machine code without addresses.

    image: instructions, then from `writable` on, a whole number of pages, data that is written when it is loaded.
    relative: offsets of 64 bit words to which the address of the image is added. externals: names of functions and
    values outside, with the offsets of the words that get their addresses. symbols: offsets of names in the image:
    `entry`, the words `next` and `fallback`, where they exist `callback` and `environment`. constants: pickled
    constants of numba's environment, empty in most kernels.
    """

    image: bytes
    writable: int
    relative: tuple[int, ...]
    externals: dict[str, tuple[int, ...]]
    symbols: dict[str, int]
    constants: bytes = b""

    def pack(self) -> bytes:
        """Return the bytes for a file: a line of JSON, then the image."""
        head = {
            "writable": self.writable,
            "relative": self.relative,
            "externals": self.externals,
            "symbols": self.symbols,
            "constants": self.constants.hex(),
        }
        return json.dumps(head, separators=(",", ":")).encode() + b"\n" + self.image

    @classmethod
    def unpack(cls, data: bytes) -> MachineCode:
        """Return the code in such bytes. Raises ValueError, KeyError or TypeError if they are none."""
        head, _, image = data.partition(b"\n")
        fields = json.loads(head)
        externals = {name: tuple(slots) for name, slots in fields["externals"].items()}
        code = cls(
            image, fields["writable"], tuple(fields["relative"]), externals, fields["symbols"],
            bytes.fromhex(fields["constants"]),
        )  # fmt: skip
        code.check()
        return code

    def check(self) -> None:
        """Raise ValueError if an offset lies outside the image."""
        words = [*self.relative, *(slot for slots in self.externals.values() for slot in slots)]
        words += [self.symbols[name] for name in ("next", "fallback", "environment") if name in self.symbols]
        if any(word % 8 or not 0 <= word <= len(self.image) - 8 for word in words):
            raise ValueError("an address lies outside the image")
        functions = [self.symbols["entry"], *([self.symbols["callback"]] if "callback" in self.symbols else [])]
        if any(not 0 <= function < self.writable for function in functions):
            raise ValueError("a function lies outside the instructions")
        if not 0 < self.writable <= len(self.image):
            raise ValueError("the data does not follow the instructions")
