"""Writes the files of a pack into a folder that a person names, to change the game."""

from __future__ import annotations

import secrets
import shutil
from pathlib import Path

from rish_system import rename

from .cache import write_files
from .errors import PackError
from .files.archive import open_archive
from .files.contents import Contents


def unpack(path: Path, folder: Path) -> Contents:
    """Write the files of a pack into a new folder, completely or not at all; return what is in the pack.

    Raises PackError if the folder is there already or can't be written, and for damaged packs.
    """
    if folder.is_symlink() or folder.exists():
        raise PackError.at(folder, "it is there already", hint="Name a folder that does not exist")
    part = folder.with_name(f".{folder.name[:60]}-{secrets.token_hex(4)}.part")
    with open_archive(path) as archive:
        try:
            part.mkdir(parents=True)
            write_files(archive, part)
            rename(part, folder)
        except (OSError, ValueError) as error:
            raise PackError.at(folder, f"it can't be written: {getattr(error, 'strerror', '') or error}") from error
        finally:
            shutil.rmtree(part, ignore_errors=True)
        return archive.contents
