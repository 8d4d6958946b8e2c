"""Bundles: compiled kernels in one file, to be carried to other machines with a processor of the same level.

A bundle is an image (`rish_jit.native.images`) with the kernels of a game and of all packages that it uses. `take_in`
checks that this processor has the level and that each kernel is made of the sources that are installed here; then it
writes the kernels into the cache. Results are equal to the bit whichever level compiled them.

Machine code can do everything that a program can: take in bundles from trusted places only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ..cache import Entry, Key, entries_in, folder_for, write_entry
from ..errors import RishError, UsageError
from ..machine.host import LEVEL_VARIABLE, LEVELS, has_level, level, usable
from ..native.images import read_image, write_image
from ..native.storage import key_of, machine_text
from .lists import Listed


@dataclass(frozen=True)
class TakenIn:
    """What became of the entries of a bundle. stale: those made of other sources than the installed ones."""

    stored: int
    stale: int


def default_level() -> str:
    """Return the level for bundles that are made on this machine."""
    return level()


def environment_for(target_level: str, folder: Path) -> dict[str, str]:
    """Return the variables with which a process compiles for a level, into a folder.

    Raises UsageError for an unknown level, for one that this processor does not have, and where no machine code can be
    written.
    """
    if target_level not in LEVELS:
        raise UsageError(f"no level of processors is called {target_level!r}", given=target_level, choices=LEVELS)
    if not usable() or not has_level(target_level):
        raise UsageError(f"kernels for {target_level} must be compiled on such a machine; this one has {level()}")
    return {LEVEL_VARIABLE: target_level, "RISH_CACHE_DIR": str(folder)}


def write_bundle(path: Path, folder: Path, target_level: str) -> int:
    """Write the machine code in a cache folder into a bundle, whole or not at all; return its size. Raises OSError.

    The size is the number of kernels and types.
    """
    machine = machine_text(target_level)
    entries = [entry for entry in entries_in(folder) if entry.key.machine == machine and entry.code]
    return write_image(path, entries, target_level)


def take_in(path: Path) -> TakenIn:
    """Write the entries of a bundle into the cache of this machine.

    Raises RishError if the file can't be read or is no bundle, or was written for another version of Python or another
    processor.
    """
    try:
        image = read_image(path)
    except FileNotFoundError:
        raise RishError("there is no such file", where=str(path)) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RishError(f"this is no bundle of kernels, or it can't be used: {error}", where=str(path)) from error
    if not usable() or not has_level(image.level):
        raise RishError(f"the bundle is for {image.level}, and this processor has {level()}", where=str(path))
    keys = [_key_here(kernel, types) for kernel, types in image.places]
    entries = [None if key is None else image.entry(key) for key in keys]
    stored = sum(_store(entry) for entry in entries if entry is not None)
    return TakenIn(stored, len(keys) - stored)


def _key_here(kernel: str, types: str) -> Key | None:
    """Return the key that a kernel has on this machine; None if it is not installed."""
    installed = Listed(kernel, types).find()
    return None if installed is None else replace(key_of(installed, types), kernel=kernel)


def _store(entry: Entry) -> bool:
    """Write an entry; return False if there is no place for it."""
    kernel = Listed(entry.key.kernel, entry.key.types).find()
    folder = None if kernel is None else folder_for(kernel.py_func.__code__.co_filename)
    if folder is None:
        return False
    write_entry(folder, entry)
    return True
