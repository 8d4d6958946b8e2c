"""Unpacks packs into a folder of the user's cache, one for each pack, under the hash of its list of files.

A pack is unpacked under another name, which is then renamed, so a folder is complete or not there. Each time the files
are compared with their hashes; a folder that differs is replaced. Nothing of the folder is ever changed.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rish_ecs import shorten_path
from rish_system import cache_folder, rename

from .errors import PackError
from .files.archive import Archive
from .files.contents import FileHash

_TRIES = 5
_STALE = 24 * 3600.0
"""Seconds after which an unfinished folder is one that a killed process left behind."""
_PIECE = 2**20
_CACHES = "__pycache__"
"""The folders in which Python and numba keep what they made from the code of the game on this machine."""


def packs_folder() -> Path:
    """Return the folder with all unpacked packs, which can be deleted at any time."""
    return cache_folder() / "packs"


def unpacked(archive: Archive) -> Path:
    """Return the folder of a pack's files; they are unpacked if they are not there as they should be.

    Raises PackError for damaged packs, and if the folder can't be written.
    """
    home = packs_folder() / archive.identity
    game = home / archive.contents.name
    for _ in range(_TRIES):
        if is_whole(game, archive.contents.files):
            return game
        _unpack(archive, home)
    raise PackError.at(archive.path, f"{shorten_path(home)} was changed again and again by other programs")


def is_whole(folder: Path, files: Mapping[str, FileHash]) -> bool:
    """Whether a folder has exactly these files, besides what Python made from them. Links are not followed."""
    present: dict[str, Path] = {}
    waiting = [(folder, "")]
    try:
        while waiting:
            inner, prefix = waiting.pop()
            if not stat.S_ISDIR(inner.lstat().st_mode):
                return False
            with os.scandir(inner) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting += [(Path(entry.path), f"{prefix}{entry.name}/")] if entry.name != _CACHES else []
                    elif entry.is_file(follow_symlinks=False):
                        present[f"{prefix}{entry.name}"] = Path(entry.path)
                    else:
                        return False
        return present.keys() == files.keys() and all(_has(path, files[name]) for name, path in present.items())
    except OSError:
        return False


def _has(path: Path, expected: FileHash) -> bool:
    """Whether a file has an expected content."""
    if path.stat().st_size != expected.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == expected.sha256


def _unpack(archive: Archive, home: Path) -> None:
    """Unpack all files into a folder that is then renamed to `home`; a folder that is there is removed."""
    part = home.with_name(f".{home.name[:16]}-{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        part.mkdir(parents=True)
        _sweep(home.parent)
        write_files(archive, part / archive.contents.name)
        _put(part, home, archive)
    except OSError as error:
        size = f"{archive.contents.size / 1e6:,.1f} MB"
        what = f"it can't be unpacked to {shorten_path(home.parent)}, which takes {size}: {error.strerror or error}"
        hint = "Make room there, or set RISH_USER_FOLDER to another folder that can be written"
        raise PackError.at(archive.path, what, hint=hint) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def write_files(archive: Archive, folder: Path) -> None:
    """Write the files of a pack into a folder. Raises PackError for damaged ones, and OSError."""
    for name in archive.contents.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            for piece in archive.read(name):
                file.write(piece)


def _put(part: Path, home: Path, archive: Archive) -> None:
    """Rename a folder to `home`; other files there are removed. If another process was faster, its folder stays."""
    if home.is_symlink() or (home.exists() and not is_whole(home / archive.contents.name, archive.contents.files)):
        old = part.with_name(f"{part.name.removesuffix('.part')}-old.part")
        with suppress(FileNotFoundError):
            rename(home, old)
        shutil.rmtree(old, ignore_errors=True)
    try:
        rename(part, home)
    except OSError:
        if not home.exists():
            raise


def _sweep(folder: Path) -> None:
    """Remove the unfinished folders of killed processes."""
    for path in folder.glob(".*.part"):
        try:
            if path.lstat().st_mtime < time.time() - _STALE:
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            continue
