"""Links an object file of LLVM into a flat image: what a linker does, for one file that is loaded at any address.

Read are 64 bit ELF files for x86-64 with position independent code of the small model, which has five kinds of
relocations (System V ABI, AMD64 supplement, section 4.4). Functions outside are called through a jump to the address in
a word of a table, as in a procedure linkage table. Source of the layout: ELF-64 Object File Format, version 1.5.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import NamedTuple

from .code import MachineCode

PAGE = 4096
_SYMBOLS, _RELOCATIONS, _EMPTY = 2, 4, 8
"""Kinds of sections."""
_WRITE, _ALLOCATE, _EXECUTE = 1, 2, 4
"""Flags of sections."""
_COMMON = 0xFFF2
"""The section of data that the linker places."""
_ABSOLUTE, _RELATIVE, _CALL, _TABLE = 1, (2,), (4,), (9, 41, 42)
"""R_X86_64_64, PC32, PLT32, and GOTPCREL with its two relaxable forms."""
_JUMP = b"\xff\x25\0\0\0\0\xcc\xcc"
"""`jmp *[rip + 0]`, filled to 8 bytes."""


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Symbol(NamedTuple):
    name: int
    info: int
    other: int
    section: int
    value: int
    size: int


class _Relocation(NamedTuple):
    """A place in a section that depends on the address of a symbol."""

    section: int
    offset: int
    kind: int
    symbol: int
    addend: int


def link(data: bytes, names: dict[str, str]) -> MachineCode:
    """Return the flat image of an object file. names: the symbols of the result, by their names in the file.

    Raises ValueError for files with something else than what LLVM writes for kernels.
    """
    return _Linker(_Object(data)).link(names)


class _Object:
    """The tables of an object file."""

    def __init__(self, data: bytes) -> None:
        if data[:6] != b"\x7fELF\2\1" or struct.unpack_from("<H", data, 18) != (62,):
            raise ValueError("this is no object file for x86-64 Linux")
        self.data = data
        (start,) = struct.unpack_from("<Q", data, 0x28)
        size, count, _ = struct.unpack_from("<HHH", data, 0x3A)
        self.sections = [_Section(*struct.unpack_from("<IIQQQQIIQQ", data, start + i * size)) for i in range(count)]
        table = next(each for each in self.sections if each.kind == _SYMBOLS)
        self._names = self.sections[table.link].offset
        places = range(table.offset, table.offset + table.size, 24)
        self.symbols = [_Symbol(*struct.unpack_from("<IBBHQQ", data, place)) for place in places]

    def name(self, symbol: int) -> str:
        """Return the name of a symbol; empty for the symbol of a section."""
        start = self._names + self.symbols[symbol].name
        return self.data[start : self.data.index(b"\0", start)].decode()

    def relocations(self, sections: Iterable[int]) -> list[_Relocation]:
        """Return the relocations in some sections."""
        wanted = frozenset(sections)
        relocations: list[_Relocation] = []
        for each in self.sections:
            if each.kind == _RELOCATIONS and each.info in wanted:
                for place in range(each.offset, each.offset + each.size, 24):
                    offset, info, addend = struct.unpack_from("<QQq", self.data, place)
                    relocations.append(_Relocation(each.info, offset, info & 0xFFFFFFFF, info >> 32, addend))
        return relocations

    def content(self, section: int) -> bytes:
        """Return the bytes of a section."""
        each = self.sections[section]
        return bytes(each.size) if each.kind == _EMPTY else self.data[each.offset : each.offset + each.size]


class _Linker:
    """Places sections in an image and fills in what does not depend on its address."""

    def __init__(self, file: _Object) -> None:
        self._file = file
        self._image = bytearray()
        self._places: dict[int, int] = {}
        self._common: dict[int, int] = {}
        self._relative: list[int] = []
        self._externals: dict[str, list[int]] = {}

    def link(self, names: dict[str, str]) -> MachineCode:
        """Return the image, see `link`."""
        file = self._file
        sections = [i for i, each in enumerate(file.sections) if each.flags & _ALLOCATE and self._is_needed(i)]
        relocations = file.relocations(sections)
        for section in sections:
            if not file.sections[section].flags & _WRITE:
                self._place(section)
        called = {
            each.symbol for each in relocations if each.kind in _RELATIVE + _CALL and self._is_external(each.symbol)
        }
        jumps = {symbol: self._append(_JUMP, 8) for symbol in sorted(called)}
        self._align(PAGE)
        writable = len(self._image)
        for section in sections:
            if file.sections[section].flags & _WRITE:
                self._place(section)
        used = {each.symbol for each in relocations}
        for number, symbol in enumerate(file.symbols):
            if symbol.section == _COMMON and number in used:
                self._common[number] = self._append(bytes(symbol.size), symbol.value or 8)
        tabled = called | {each.symbol for each in relocations if each.kind in _TABLE}
        table = {symbol: self._append(bytes(8), 8) for symbol in sorted(tabled)}
        self._align(8)
        for symbol, place in table.items():
            self._fill_word(place, symbol, 0)
        for symbol, place in jumps.items():
            struct.pack_into("<i", self._image, place + 2, table[symbol] - (place + 6))
        for each in relocations:
            self._relocate(each, jumps, table)
        places = {
            file.name(i): self._address(i) for i, each in enumerate(file.symbols) if each.name and self._is_placed(i)
        }
        symbols = {name: places[old] for old, name in names.items() if old in places}
        externals = {name: tuple(slots) for name, slots in sorted(self._externals.items())}
        return MachineCode(bytes(self._image), writable, tuple(sorted(self._relative)), externals, symbols)

    def _is_needed(self, section: int) -> bool:
        """Whether a section has content, and is no table for the unwinding of C++ exceptions."""
        each = self._file.sections[section]
        names = self._file.sections[struct.unpack_from("<H", self._file.data, 0x3E)[0]].offset + each.name
        return bool(each.size) and not self._file.data.startswith(b".eh_frame\0", names)

    def _append(self, data: bytes, alignment: int) -> int:
        self._align(alignment)
        place = len(self._image)
        self._image += data
        return place

    def _align(self, alignment: int) -> None:
        self._image += bytes(-len(self._image) % max(alignment, 1))

    def _place(self, section: int) -> None:
        self._places[section] = self._append(self._file.content(section), self._file.sections[section].alignment)

    def _is_external(self, symbol: int) -> bool:
        return self._file.symbols[symbol].section == 0

    def _is_placed(self, symbol: int) -> bool:
        return symbol in self._common or self._file.symbols[symbol].section in self._places

    def _address(self, symbol: int) -> int:
        each = self._file.symbols[symbol]
        return self._common[symbol] if symbol in self._common else self._places[each.section] + each.value

    def _fill_word(self, place: int, symbol: int, addend: int) -> None:
        """Write the address of a symbol into a word: its offset, or a place to fill in when the image is loaded."""
        if not self._is_external(symbol):
            struct.pack_into("<Q", self._image, place, self._address(symbol) + addend)
            self._relative.append(place)
        elif addend == 0:
            self._externals.setdefault(self._file.name(symbol), []).append(place)
        else:
            raise ValueError(f"an address inside {self._file.name(symbol)} is needed")

    def _relocate(self, each: _Relocation, jumps: dict[int, int], table: dict[int, int]) -> None:
        place = self._places[each.section] + each.offset
        if each.kind == _ABSOLUTE:
            self._fill_word(place, each.symbol, each.addend)
            return
        if each.kind in _RELATIVE + _CALL:
            target = jumps[each.symbol] if self._is_external(each.symbol) else self._address(each.symbol)
        elif each.kind in _TABLE:
            target = table[each.symbol]
        else:
            raise ValueError(f"relocations of kind {each.kind} are not linked")
        struct.pack_into("<i", self._image, place, target + each.addend - place)
