"""Sorting: what a changed path means to the game: code, the manifest, an asset, or nothing.

A file that is saved as it was means nothing, so the digests of code and text are remembered.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from rish_core import AssetError, Assets, canonical

if TYPE_CHECKING:
    from rish_core import App

TEXTS = (".yaml", ".yml")


@dataclass
class Sorted:
    """Changed paths by what they mean; assets by the names that the game uses."""

    code: list[Path] = field(default_factory=list[Path])
    text: list[Path] = field(default_factory=list[Path])
    assets: list[str] = field(default_factory=list[str])


class Digests:
    """What files held when they were last looked at. known: files that count as looked at now."""

    def __init__(self, known: Iterable[Path]) -> None:
        self._known = {path: _digest(path) for path in known}

    def other(self, path: Path) -> bool:
        """Whether a file's content is another than before; from now on that is what it was."""
        now = _digest(path)
        if self._known.get(path) == now:
            return False
        self._known[path] = now
        return True


class Sorter:
    """Knows the files of a game. root: its folder."""

    def __init__(self, app: App, root: Path) -> None:
        self.app = app
        self.root = root.resolve()
        self._digests = Digests(self.known())

    @property
    def plugin(self) -> Path:
        """The game's `plugin.py`, whether it is there or not."""
        return self.root / "plugin.py"

    def sort(self, paths: Iterable[Path], *, any_code: bool, any_text: bool) -> Sorted:
        """What some paths mean. any_code, any_text: files not in use count too, for they may mend something."""
        found, texts = Sorted(), set(self.app.manifest.files)
        modules, folders = set(self._modules()), self._folders()
        for path in dict.fromkeys(map(resolved, paths)):
            if not path.is_relative_to(self.root):
                continue
            if path.suffix == ".py":
                mine = path in modules or path.parent in folders or path == self.plugin
                if (mine or any_code) and self._digests.other(path):
                    found.code.append(path)
            elif path in texts or path == self._main or (any_text and path.suffix in TEXTS):
                if self._digests.other(path):
                    found.text.append(path)
            else:
                found.assets += self._asset(path)
        return found

    @property
    def _main(self) -> Path | None:
        path = self.app.manifest.path
        return path.resolve() if path is not None else None

    def known(self) -> list[Path]:
        """The files of code and text that are in use."""
        return [*self._modules(), *self.app.manifest.files]

    def _loaded(self) -> list[ModuleType]:
        """The game's modules."""
        module = next((p.module for p in self.app.plugins if p.name == "game"), None)
        name = module.__name__ if isinstance(module, ModuleType) else ""
        return [m for key, m in list(sys.modules.items()) if name and (key == name or key.startswith(f"{name}."))]

    def _modules(self) -> list[Path]:
        return [Path(file).resolve() for module in self._loaded() if (file := getattr(module, "__file__", None))]

    def _folders(self) -> set[Path]:
        """The folders of its packages, in which a new file may be found without being named anywhere."""
        return {Path(folder).resolve() for module in self._loaded() for folder in getattr(module, "__path__", ())}

    def _asset(self, path: Path) -> list[str]:
        """The name of a file, if the game has asked for it; one that is gone for now keeps what was loaded."""
        try:
            name = canonical(path.relative_to(self.root).as_posix())
        except AssetError:
            return []
        return [name] if self.app.world[Assets].knows(name) and path.is_file() else []


def resolved(path: Path) -> Path:
    """The true path of a folder, with the file's own name: what is deleted or a link stays what it is called."""
    return path.parent.resolve() / path.name


def _digest(path: Path) -> str:
    """A digest of a file's content; empty if there is no file."""
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""
