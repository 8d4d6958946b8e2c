"""Object files for other systems are of the right kind, and need nothing that a loader could not give them there."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rish_jit

COMMAND = Path(__file__).parents[2] / "tools" / "cross.py"
POND = """
import numpy as np
from rish_jit import njit


@njit
def ripple(heights, dt):
    for i in range(len(heights)):
        heights[i] = heights[i] * np.float32(dt) + np.float32(0.5)


@njit
def widest(counts, least):
    if least < 0:
        raise ValueError("there is no such width")
    found = np.zeros(2, np.int64)
    for i in range(len(counts)):
        found[0] = max(found[0], counts[i])
    return found
"""
LIST = "rish_pond.ripple | (f4[::1], f8) | pond\nrish_pond.widest | (i4[::1], i8) | pond\n"
KNOWN = re.compile(
    r"_?Py\w+|rish\.type\.\w+|numba_\w+|NRT_\w+|mem(cpy|set|move)|fmodf?|_fltused|rish_(environment|next|fallback)"
)
"""What a loader can give: functions and objects of Python, numpy's types, functions of numba and of the C library."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not rish_jit.can_compile(), reason="needs numba"),
    pytest.mark.skipif(sys.platform != "linux", reason="objects are emitted on Linux"),
]


@pytest.mark.parametrize("target", ["linux-arm64", "macos-arm64", "windows-x86-64"])
def test_objects_are_of_their_system(target: str, tmp_path: Path) -> None:
    """Each kernel becomes an object for the target's processor, with an entry, and external names that are known."""
    (tmp_path / "rish_pond.py").write_text(POND, encoding="utf-8")
    (tmp_path / "kernels.txt").write_text(LIST, encoding="utf-8")
    (tmp_path / "objects").mkdir()
    variables = {**os.environ, "PYTHONPATH": str(tmp_path), "RISH_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(COMMAND), "kernels.txt", target, "objects"]
    subprocess.run(command, cwd=tmp_path, env=variables, check=True, capture_output=True)
    files = sorted((tmp_path / "objects").iterdir())
    assert [file.name for file in files] == ["0-rish_pond.ripple.o", "1-rish_pond.widest.o"]
    is_of, symbols, prefix = FORMATS[target]
    for file in files:
        data = file.read_bytes()
        assert is_of(data)
        named = {(name.removeprefix(prefix), defined) for name, defined in symbols(data)}
        assert {("rish_entry", True), ("rish_next", True), ("rish_fallback", True)} <= named
        assert {name for name, defined in named if not defined and not KNOWN.fullmatch(name)} == set()


def _elf_symbols(data: bytes) -> Iterator[tuple[str, bool]]:
    """Yield the names of global symbols, and whether they are defined here."""
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count, _ = struct.unpack_from("<HHH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * size) for i in range(count)]
    table = next(section for section in sections if section[1] == 2)
    for place in range(table[4], table[4] + table[5], 24):
        name, info, _, section = struct.unpack_from("<IBBH", data, place)
        if info >> 4:  # not local
            yield _text(data, sections[table[6]][4] + name), section != 0


def _coff_symbols(data: bytes) -> Iterator[tuple[str, bool]]:
    start, count = struct.unpack_from("<II", data, 8)
    number = 0
    while number < count:
        name, _, section, _, kind, more = struct.unpack_from("<8sIhHBB", data, start + 18 * number)
        if kind == 2:  # external
            long = not any(name[:4])
            place = start + 18 * count + struct.unpack("<I", name[4:])[0]
            yield _text(data, place) if long else name.rstrip(b"\0").decode(), section != 0
        number += 1 + more


def _macho_symbols(data: bytes) -> Iterator[tuple[str, bool]]:
    place = 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        command, size, symbols, count, names = struct.unpack_from("<IIIII", data, place)
        if command == 2:
            for number in range(count):
                name, kind, section = struct.unpack_from("<IBB", data, symbols + 16 * number)
                if kind & 1:  # external
                    yield _text(data, names + name), section != 0
        place += size


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()


Format = tuple[Callable[[bytes], bool], Callable[[bytes], Iterator[tuple[str, bool]]], str]
FORMATS: dict[str, Format] = {
    "linux-arm64": (lambda data: data[:6] == b"\x7fELF\2\1" and data[18:20] == b"\xb7\0", _elf_symbols, ""),
    "windows-x86-64": (lambda data: data[:2] == b"\x64\x86", _coff_symbols, ""),
    "macos-arm64": (lambda data: data[:8] == b"\xcf\xfa\xed\xfe\x0c\0\0\1", _macho_symbols, "_"),
}
"""By target: how its objects begin, their symbols, and what names of C begin with."""
