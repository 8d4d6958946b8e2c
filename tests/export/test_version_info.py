"""The version resource that Windows shows, read back with the classes of PyInstaller that write it."""

from __future__ import annotations

import importlib
import struct
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from rish_export.building.version_info import version_info, version_numbers
from rish_export.plan import make_plan


def read(data: bytes) -> tuple[str, bytes, list[Any]]:
    """Return key, value and children of a node of a version resource, as Windows reads it."""
    length, size, kind = struct.unpack_from("<3H", data)
    end = data.index(b"\0\0\0", 6) + 1
    end += end % 2
    key, at = data[6:end].decode("utf-16-le"), -(-(end + 2) // 4) * 4
    value = data[at : at + size * (1 + kind)]  # of a text the size is in characters
    at, children = -(-(at + len(value)) // 4) * 4, list[Any]()
    while at < length:
        children.append(read(data[at:length]))
        at += -(-struct.unpack_from("<H", data, at)[0] // 4) * 4
    return key, value, children


@pytest.mark.parametrize(
    ("version", "numbers"),
    [("1.2", (1, 2, 0, 0)), ("2026.11.30.4-beta9", (2026, 11, 30, 4)), ("v99999", (65535, 0, 0, 0)), ("", (0,) * 4)],
)
def test_a_version_has_four_numbers(version: str, numbers: tuple[int, ...]) -> None:
    """Each has 16 bits; what a text lacks is 0."""
    assert version_numbers(version) == numbers


def test_windows_reads_title_version_author_and_license(
    pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The binary form of the resource has what the game says, also in other writing systems, and no empty lines."""
    monkeypatch.setitem(sys.modules, "pefile", ModuleType("pefile"))  # these two are there on Windows only
    monkeypatch.setattr("PyInstaller.compat.win32api", None, raising=False)
    resources: Any = importlib.import_module("PyInstaller.utils.win32.versioninfo")
    windows = SimpleNamespace(pack=lambda form, *values: struct.pack(f"<{form}", *values))  # `L` has four bytes there
    monkeypatch.setattr(resources, "struct", windows)
    game = (pond / "game.yaml").read_text(encoding="utf-8").replace("The Pond", "夜の池 'n' \\")
    (pond / "game.yaml").write_text(game, encoding="utf-8")
    (pond / "page.yaml").write_text("page: 1\nauthor: Ada\nlicense: MIT\n", encoding="utf-8")
    (tmp_path / "version.txt").write_text(version_info(make_plan(str(pond), "夜", "2.1")), encoding="utf-8")
    written = resources.load_version_info_from_text_file(str(tmp_path / "version.txt"))
    root, fixed, (texts, languages) = read(written.toRaw())
    assert root == "VS_VERSION_INFO"
    assert struct.unpack_from("<4I", fixed) == (0xFEEF04BD, 0x10000, 2 << 16 | 1, 0)
    assert (texts[0], [table[0] for table in texts[2]]) == ("StringFileInfo", ["040904b0"])
    assert {name: value.decode("utf-16-le").rstrip("\0") for name, value, _ in texts[2][0][2]} == {
        "CompanyName": "Ada",
        "FileDescription": "夜の池 'n' \\",
        "FileVersion": "2.1",
        "InternalName": "夜",
        "LegalCopyright": "Ada, MIT",
        "OriginalFilename": "夜.exe",
        "ProductName": "夜の池 'n' \\",
        "ProductVersion": "2.1",
    }
    assert languages == ("VarFileInfo", b"", [("Translation", struct.pack("<2H", 0x409, 1200), [])])
