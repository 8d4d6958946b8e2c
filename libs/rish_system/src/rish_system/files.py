"""Files are written completely or not at all, and their sizes are looked at before they are read.

A write is atomic: a file is written under a temporary name, then renamed.

The order of the steps matters. The new content is written to a temporary file in the same folder and flushed to the
disk (`fsync`). Then it is renamed to the final name, which is atomic in file systems. Then the folder, which
contains the new name, is flushed to the disk as well. If the process is killed at any moment, either the old or the new
file exists, never an incomplete one. Temporary files of killed writers are removed by the next write in that folder.

Only regular files are replaced: a folder, device, pipe or socket is refused, and a symbolic link stays, because the
file that it leads to is written (`target_of`).
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import re
import stat
import time
import zlib
from pathlib import Path

from .processes import is_running
from .system import current

_log = logging.getLogger("rish.files")
_SPECIAL = {
    stat.S_ISDIR: "a folder",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
    stat.S_ISFIFO: "a pipe",
    stat.S_ISSOCK: "a socket",
}
_LONGEST = 200
"""The longest name of a file, in bytes, of which a temporary name is made."""
_WAITS = (0.01, 0.02, 0.04, 0.08, 0.15, 0.2)
"""Seconds between the attempts to replace a file on Windows."""
_TEMPORARY = re.compile(r"\.(?P<name>.+)\.(?P<pid>\d+)\.rish-tmp")


def check_size(path: Path, most: int) -> int:
    """Return the size of a file. Raises OSError with the reason if it has more than `most` bytes, or is not regular."""
    size = _regular(path).st_size
    if size > most:
        what = f"it has {size:,} bytes, and {most:,} are the most: make it smaller"
        raise OSError(errno.EFBIG, what, str(path))
    return size


def read_whole(path: Path, most: int) -> bytes:
    """Return the content of a file. Raises OSError like `check_size`, before anything is read."""
    size = check_size(path, most)
    with path.open("rb") as file:
        return file.read(size)


def target_of(path: Path) -> Path:
    """Return the file that a write to `path` replaces: `path`, or the end of a chain of symbolic links.

    Raises OSError with the reason for a folder, a device, a pipe or a socket, for a file that may not be written, and
    for a name that no file can have.
    """
    try:
        _regular(path)
    except FileNotFoundError:
        return _end_of(path)
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return _end_of(path)


def _regular(path: Path) -> os.stat_result:
    """Return what the system knows of a regular file. Raises OSError for something else."""
    try:
        status = path.stat()
    except ValueError:
        raise _no_name(path) from None
    for is_such, what in _SPECIAL.items():
        if is_such(status.st_mode):
            raise OSError(errno.EINVAL, f"it is {what}, not a regular file", str(path))
    return status


def _end_of(path: Path) -> Path:
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def make_folders(folder: Path) -> None:
    """Create a folder and those above it. Raises OSError, also for a name that no folder can have."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except ValueError:
        raise _no_name(folder) from None


def _no_name(path: Path) -> OSError:
    return OSError(errno.EINVAL, "no file can have this name", str(path))


def part_of(path: Path, name: str = "") -> tuple[Path, Path]:
    """Return `target_of(path)` and the temporary file in its folder, which `put_in_place` renames to it.

    name: of the temporary file; by default `.NAME.part`. Raises OSError like `target_of`, and if the temporary name
    belongs to something else than a regular file.
    """
    target = target_of(path)
    part = target.with_name(name or f".{_short(target.name)}.part")
    if part.is_symlink():
        raise OSError(errno.EINVAL, "it is a symbolic link, not a regular file", str(part))
    return target, target_of(part)


def _short(name: str) -> str:
    """Return a name to which an ending of 50 characters can be added: a file system limits names to 255 bytes."""
    encoded = os.fsencode(name)
    return name if len(encoded) <= _LONGEST else f"{zlib.crc32(encoded):08x}"


def write_whole(path: Path, data: bytes) -> None:
    """Replace the content of the file `path` by `data`; its permissions stay. A symbolic link is followed.

    Temporary files of killed writers are removed from the folder. Raises OSError with `path`, see `target_of`; the old
    file is then unchanged.
    """
    try:
        target = target_of(path)
        sweep(target.parent)
        temporary = target.with_name(f".{_short(target.name)}.{os.getpid()}.rish-tmp")
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            put_in_place(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error


def put_in_place(temporary: Path, path: Path) -> None:
    """Rename a temporary file to its final name atomically, and flush the folder to the disk.

    temporary: its content must be flushed already; it gets the permissions of the file that it replaces. path: a
    `target_of`. Raises OSError if the file can't be renamed. A failed flush of the folder only logs a warning, since
    the file is complete.
    """
    with contextlib.suppress(FileNotFoundError):
        temporary.chmod(stat.S_IMODE(path.stat().st_mode))
    if current() == "windows":  # where a folder can't be opened and flushed
        rename(temporary, path)
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        rename(temporary, path)
        try:
            os.fsync(folder)
        except OSError as error:
            _log.warning("%s is written, but a power cut now might bring back the old one: %s", path, error.strerror)
    finally:
        os.close(folder)


def rename(source: Path, target: Path) -> None:
    """Rename a file, in place of one that is there; or a folder, where nothing is. Raises OSError.

    On Windows a file that another program has open can't be renamed or replaced. Virus scanners and indexes open new
    files for a moment, so the call is repeated for half a second there.
    """
    waits = _WAITS if current() == "windows" else ()
    for wait in waits:
        try:
            os.replace(source, target)
            return
        except PermissionError:
            time.sleep(wait)
    os.replace(source, target)


def sweep(folder: Path) -> list[Path]:
    """Remove the temporary files of killed writers from a folder; return their paths. Running writers keep theirs.

    A file with the number of this process is from an earlier one.
    """
    gone: list[Path] = []
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(".*.rish-tmp")):
            match = _TEMPORARY.fullmatch(path.name)
            if match is not None and (int(match["pid"]) == os.getpid() or not is_running(int(match["pid"]))):
                with contextlib.suppress(OSError):
                    path.unlink()
                    gone.append(path)
    return gone
