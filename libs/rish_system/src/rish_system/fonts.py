"""The fonts of the system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .folders import home
from .system import current

_NOTO, _WQY = ("NotoSansCJK-Regular.ttc",), ("wqy-microhei.ttc", "wqy-zenhei.ttc")
_EAST_ASIAN = {
    "windows": (("", ("msjh.ttc", "msyh.ttc", "mingliu.ttc", "simsun.ttc", "meiryo.ttc", "malgun.ttf")),),
    "macos": (
        ("", ("PingFang.ttc", "Hiragino Sans GB.ttc", "STHeiti Medium.ttc", "AppleSDGothicNeo.ttc",
              "Arial Unicode.ttf")),
    ),
    "linux": (
        ("opentype/noto", _NOTO), ("noto-cjk", _NOTO), ("google-noto-cjk", _NOTO),
        ("google-noto-sans-cjk-fonts", _NOTO), ("truetype/wqy", _WQY), ("wqy-microhei", _WQY), ("wqy-zenhei", _WQY),
        ("truetype/droid", ("DroidSansFallbackFull.ttf",)),
    ),
}  # fmt: skip
"""Fonts with many characters of East Asia, best first: a folder below those of the system, and names in it."""


def font_folders() -> list[Path]:
    """Return the folders in which the system keeps fonts: those of the user, and those for everybody."""
    if current() == "windows":
        shared = Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"
        return [shared, home() / "AppData/Local/Microsoft/Windows/Fonts"]
    if current() == "macos":
        return [Path("/System/Library/Fonts"), Path("/Library/Fonts"), home() / "Library/Fonts"]
    shares = [Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]
    return [home() / ".local/share/fonts", home() / ".fonts", *shares]


def east_asian_fonts() -> Iterator[Path]:
    """Yield where the system may have fonts with many characters of East Asia, best first."""
    folders = font_folders()
    for inner, names in _EAST_ASIAN[current()]:
        yield from (folder / inner / name for name in names for folder in folders)
