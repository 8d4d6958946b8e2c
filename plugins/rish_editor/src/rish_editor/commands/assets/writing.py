"""Writing files into a game's folder: checks of paths, and writing several files completely or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rish_core import UsageError
from rish_system import write_whole

if TYPE_CHECKING:
    from ...session.editor import Editor


def inside(root: Path, path: str) -> Path:
    """Return the absolute path of a path in a game. Raises UsageError for a path outside of the game's folder."""
    place = root / path
    if Path(path).is_absolute() or not place.resolve().is_relative_to(root.resolve()):
        raise UsageError(f"{path} is outside of the game's folder", hint="Choose a folder of the game")
    return place


def taken(place: Path) -> bool:
    """Return whether there is a file or folder with this name, in upper or lower case."""
    if place.exists() or place.is_symlink():
        return True
    try:
        return any(each.name.casefold() == place.name.casefold() for each in place.parent.iterdir())
    except OSError:
        return False


def free_path(place: Path) -> Path:
    """Return a path that is not taken: `fire.particles.yaml` becomes `fire-2.particles.yaml`."""
    base, point, end = place.name.partition(".")
    number, free = 2, place
    while taken(free):
        free = place.with_name(f"{base}-{number}{point}{end}")
        number += 1
    return free


class Files:
    """Files that are written together; `undo` restores the former files."""

    def __init__(self) -> None:
        self.written: list[Path] = []
        self._before: list[tuple[Path, bytes | None]] = []
        self._folders: list[Path] = []

    def add(self, place: Path, data: bytes) -> None:
        """Write a new file. Raises OSError, and UsageError if there is one."""
        if taken(place):
            raise UsageError(f"{place.name} exists already", hint="Choose another name")
        self.make_folder(place.parent)
        with place.open("xb") as file:
            self._before.append((place, None))
            file.write(data)
        self.written.append(place)

    def change(self, place: Path, data: bytes) -> None:
        """Write a file that may exist, completely or not at all. Raises OSError."""
        before = place.read_bytes() if place.is_file() else None
        if before is not None:
            with place.open("r+b"):  # renaming a new file over it would not notice that it is read-only
                pass
        self._before.append((place, before))
        write_whole(place, data)
        self.written.append(place)

    def make_folder(self, place: Path) -> None:
        """Make a folder and those above it. Raises OSError."""
        if place.is_dir():
            return
        self.make_folder(place.parent)
        place.mkdir()
        self._folders.append(place)

    def undo(self) -> None:
        """Restore the former files; errors are ignored."""
        for place, before in reversed(self._before):
            try:
                place.unlink() if before is None else place.write_bytes(before)
            except OSError:
                continue
        for place in reversed(self._folders):
            try:
                place.rmdir()
            except OSError:
                continue


def folders_of(root: Path, most: int = 500) -> list[str]:
    """Return the folders of a game, relative to it, without hidden ones; not more than `most`."""
    folders: list[str] = []
    waiting = [root]
    while waiting and len(folders) < most:
        try:
            inner = sorted(each for each in waiting.pop(0).iterdir() if each.is_dir() and not each.is_symlink())
        except OSError:
            continue
        own = [each for each in inner if each.name[0] not in "._"]
        waiting += own
        folders += [each.relative_to(root).as_posix() for each in own]
    return folders


def shown_folder(editor: Editor) -> str:
    """Return the folder that the panel Assets shows, relative to the game."""
    panels = editor.panels
    folder = str(panels[ASSETS].folder) if ASSETS in panels else ""
    root = editor.game.path if editor.game is not None else Path()
    return folder if ":" not in folder and (root / folder).is_dir() else ""


def show_file(editor: Editor, path: str) -> None:
    """Show a file in the panel Assets and select it. path: relative to the game."""
    if ASSETS in editor.panels:
        editor.panels[ASSETS].reveal(path)


ASSETS = "editor.assets"
"""The panel of the game's files."""
