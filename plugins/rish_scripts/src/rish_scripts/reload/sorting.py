"""Sorts changed paths by their kind: code, manifest, asset, or not part of the game.

A file that was saved without a change is ignored, so the digests of code and manifest files are kept.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rish_core import App

TEXTS = (".yaml", ".yml")


@dataclass
class Sorted:
    """Changed paths by kind. assets: all other files of the game, used or not."""

    code: list[Path] = field(default_factory=list[Path])
    text: list[Path] = field(default_factory=list[Path])
    assets: list[Path] = field(default_factory=list[Path])


class Digests:
    """Digests of the contents of files. known: the files whose digests are computed at once."""

    def __init__(self, known: Iterable[Path]) -> None:
        self._known = {path: _digest(path) for path in known}

    def has_changed(self, path: Path) -> bool:
        """Return whether a file's content has changed since the last call, and store its new digest."""
        digest = _digest(path)
        if self._known.get(path) == digest:
            return False
        self._known[path] = digest
        return True


class Sorter:
    """Sorts the changed files of a game. root: the game's folder."""

    def __init__(self, app: App, root: Path) -> None:
        self.app = app
        self.root = root.resolve()
        self._digests = Digests(self.known())

    @property
    def plugin(self) -> Path:
        """The path of the game's `plugin.py`, which may not exist."""
        return self.root / "plugin.py"

    def sort(self, paths: Iterable[Path], *, any_code: bool, any_text: bool) -> Sorted:
        """Sort paths by kind. any_code, any_text: include files that are not in use, since they may fix an error."""
        result, texts = Sorted(), set(self.app.manifest.files)
        modules, folders = set(self._modules()), self._folders()
        for path in dict.fromkeys(map(resolved, paths)):
            if not path.is_relative_to(self.root):
                continue
            if path.suffix == ".py":
                of_game = path in modules or path.parent in folders or path == self.plugin
                if (of_game or any_code) and self._digests.has_changed(path):
                    result.code.append(path)
                continue
            is_text = path in texts or path == self._main
            if (is_text or (any_text and path.suffix in TEXTS)) and self._digests.has_changed(path):
                result.text.append(path)
            if not is_text:
                result.assets.append(path)
        return result

    @property
    def _main(self) -> Path | None:
        path = self.app.manifest.path
        return path.resolve() if path is not None else None

    def known(self) -> list[Path]:
        """Return the code and manifest files that are in use."""
        return [*self._modules(), *self.app.manifest.files]

    def _loaded(self) -> list[ModuleType]:
        """Return the loaded modules of the game."""
        module = next((p.module for p in self.app.plugins if p.name == "game"), None)
        name = module.__name__ if isinstance(module, ModuleType) else ""
        return [m for key, m in list(sys.modules.items()) if name and (key == name or key.startswith(f"{name}."))]

    def _modules(self) -> list[Path]:
        return [Path(file).resolve() for module in self._loaded() if (file := getattr(module, "__file__", None))]

    def _folders(self) -> set[Path]:
        """Return the folders of the game's packages, in which `scripts_in` finds new files."""
        return {Path(folder).resolve() for module in self._loaded() for folder in getattr(module, "__path__", ())}


def resolved(path: Path) -> Path:
    """Resolve the folder of a path, but not the file itself, which may be deleted or a link."""
    return path.parent.resolve() / path.name


def _digest(path: Path) -> str:
    """Return a digest of a file's content; empty if the file can't be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError:
        return ""
