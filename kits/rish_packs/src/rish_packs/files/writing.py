"""Writes a game into a pack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rish_cli import LOCK_FILE, lock_text
from rish_core import App
from rish_core.plugin import CORE, GAME
from rish_ecs import UsageError
from rish_system import folder_name, part_of, put_in_place

from ..errors import PackError
from .archive import open_archive, write_archive
from .contents import MAX_BYTES, Contents, FileHash, NeededPlugin, check_files
from .gathering import Gathered, gather

_SUFFIX = ".rishgame"


def pack_name(app: App) -> str:
    """Return the name of a game's pack without the suffix: that of its folder."""
    root = app.manifest.root or Path()
    return folder_name(root.resolve().name).encode("ascii", "ignore").decode().strip("-_")[:60] or "game"


def pack_path(app: App) -> Path:
    """Return where the pack of a game is written by default: in the working directory."""
    return Path(f"{pack_name(app)}{_SUFFIX}")


def write_pack(app: App, path: Path) -> tuple[Contents, Gathered]:
    """Write the pack of a loaded game, completely or not at all; return what is in it, and what was left out.

    The lock file is written anew into the pack. The same game gives the same bytes. Raises PackError for a game that
    can't be packed or a file that can't be read, and UsageError for a game without a folder.
    """
    root = app.manifest.root
    if root is None:
        raise UsageError("a manifest without a folder can't be packed")
    gathered = gather(root)
    lock = lock_text(app).encode()
    hashes = {name: FileHash.of(content) for name, content in _contents(gathered.files, lock)}
    contents = Contents(pack_name(app), app.manifest.title[:200], hashes, _plugins(app))
    try:
        check_files(hashes)
    except ValueError as error:
        raise PackError.at(root, f"it can't be packed: {error}") from None
    try:
        target, part = part_of(path)
        try:
            with part.open("wb") as file:
                write_archive(file, contents, _contents(gathered.files, lock))
            with open_archive(part) as archive:  # also finds a file that has changed meanwhile
                for name in archive.contents.files:
                    for _ in archive.read(name):
                        pass
            put_in_place(part, target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise PackError.at(path, f"it can't be written: {error.strerror or error}") from error
    return contents, gathered


def _contents(files: Mapping[str, Path], lock: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each file, sorted; the lock file is replaced. Raises PackError for unreadable ones."""
    for name in sorted({*files, LOCK_FILE}):
        if name == LOCK_FILE:
            yield name, lock
            continue
        try:
            if files[name].stat().st_size > MAX_BYTES:
                raise PackError.at(files[name], "it is too large for a pack")
            yield name, files[name].read_bytes()
        except OSError as error:
            raise PackError.at(files[name], f"it can't be read: {error.strerror}") from error


def _plugins(app: App) -> dict[str, NeededPlugin]:
    """Return the plugins of a game with their packages; those that are given as objects have none."""
    return {
        plugin.name: NeededPlugin(plugin.distribution, plugin.version or "", plugin.name in app.plugins.optional)
        for plugin in app.plugins
        if plugin.name not in (CORE, GAME) and plugin.distribution is not None
    }
