"""A World with the files of a folder, and a library of poems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_assets import AssetLibrary, AssetReader, report_changes
from rish_core import AssetError, Assets, World, load_text, with_siblings

NOTHING = ["(no poem)"]


@with_siblings
def load_song(path: Path, sibling: Callable[[str], Path]) -> str:
    """Load a text together with the text of `refrain.txt` beside it."""
    return path.read_text() + sibling("refrain.txt").read_text()


class Shelf:
    """A World with the files of a folder. calls: the paths of the poems that were made. changed: those that changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.world = World()
        self.replace_assets()
        self.calls: list[str] = []
        self.changed: list[str] = []
        self.library = self.new_library()

    def new_library(self, **options: Any) -> AssetLibrary[list[str]]:
        """Return a library of poems, whose lines are a list."""

        def load(path: str, read: AssetReader) -> list[str]:
            self.calls.append(path)
            lines = read().splitlines()
            if "bad" in lines:
                raise AssetError("it has a bad line", where=path)
            return [line for part in lines for line in (read(part[1:]).splitlines() if part[0] == "+" else [part])]

        return AssetLibrary(
            "poem", load, lambda: NOTHING, log="rish.poems", on_change=self.changed.append, **options
        )  # fmt: skip

    def replace_assets(self, root: Path | None = None) -> None:
        """Give the World other assets."""
        self.world.put(Assets(root or self.root, {".txt": load_text, ".song": load_song}))

    def write(self, name: str, text: str | None) -> None:
        """Save a file, or delete it, and report the change."""
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
        report_changes(self.world[Assets], [path.resolve()], removed=True)

    def get(self, path: str | int = "a.txt") -> list[str]:
        """Return a poem."""
        return self.library.get(self.world, path)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """Return a World with the file `a.txt`."""
    (tmp_path / "a.txt").write_text("frog")
    return Shelf(tmp_path)
