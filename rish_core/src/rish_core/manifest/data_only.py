"""The folders of games whose Python code must not run, such as those of packs from strangers."""

from __future__ import annotations

from pathlib import Path

_folders: set[Path] = set()


def use_data_only(folder: Path, only: bool = True) -> None:
    """Run no Python code of a game's folder in this process from now on; with `only` False, run it again."""
    (_folders.add if only else _folders.discard)(folder.resolve())


def is_data_only(folder: Path) -> bool:
    """Whether no Python code of a game's folder may run."""
    return bool(_folders) and folder.resolve() in _folders
