"""Atomic writes of files: a file is written under a temporary name, then renamed.

The order of the steps matters. The new content is written to a temporary file in the same folder and flushed to the
disk (`fsync`). Then `os.replace` renames it to the final name, which is atomic in file systems. Then the folder, which
contains the new name, is flushed to the disk as well. If the process is killed at any moment, either the old or the new
file exists, never an incomplete one. Temporary files of killed writers are removed by the next write in that folder.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from pathlib import Path

_log = logging.getLogger("rish.files")
_TEMPORARY = re.compile(r"\.(?P<name>.+)\.(?P<pid>\d+)\.rish-tmp")


def write_whole(path: Path, data: bytes) -> None:
    """Replace the content of the file `path` by `data`. Raises OSError; the old file is then unchanged.

    Temporary files of killed writers are removed from the folder.
    """
    sweep(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.rish-tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        put_in_place(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def put_in_place(temporary: Path, path: Path) -> None:
    """Rename a temporary file to its final name atomically, and flush the folder to the disk.

    temporary: its content must be flushed already. Raises OSError if the file can't be renamed. A failed flush of the
    folder only logs a warning, since the file is complete.
    """
    if os.name != "posix":  # on Windows a folder can't be opened and flushed
        os.replace(temporary, path)
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.replace(temporary, path)
        try:
            os.fsync(folder)
        except OSError as error:
            _log.warning("%s is written, but a power cut now might bring back the old one: %s", path, error.strerror)
    finally:
        os.close(folder)


def sweep(folder: Path) -> list[Path]:
    """Remove the temporary files of killed writers from a folder; return their paths. Running writers keep theirs."""
    gone: list[Path] = []
    with contextlib.suppress(OSError):
        for path in sorted(folder.glob(".*.rish-tmp")):
            found = _TEMPORARY.fullmatch(path.name)
            if found is not None and not _runs(int(found["pid"])):
                with contextlib.suppress(OSError):
                    path.unlink()
                    gone.append(path)
    return gone


def _runs(pid: int) -> bool:
    """Return True if another process with that id runs. A file with our own id is from an earlier process."""
    if pid == os.getpid() or os.name != "posix":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
