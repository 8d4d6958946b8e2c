"""Lets Rish believe that it runs on another operating system, while Python and its libraries know better."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from rish_system import paths, system

PLATFORMS = {"linux": "linux", "macos": "darwin", "windows": "win32"}


def pretend(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let `rish_system.current()` return a system."""
    monkeypatch.setattr(system, "sys", SimpleNamespace(platform=PLATFORMS[name]))


def ignore_case(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let files below a folder be found in any spelling, as on macOS and Windows."""
    real = os.path.realpath

    def found(path: str | os.PathLike[str], **options: bool) -> str:
        """Return the path of an existing file for any spelling, as the real one of Windows does."""
        resolved = real(path, **options)
        inside = os.path.relpath(resolved, real(folder))
        return os.path.join(real(folder), paths.other_spelling(folder, inside) or inside)

    monkeypatch.setattr(os.path, "realpath", found)
