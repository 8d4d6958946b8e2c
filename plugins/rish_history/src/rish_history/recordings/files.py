"""Files that are either whole or not there: written beside their place, then put into it in one step.

The order of the steps is what counts. The new content goes to a temporary file in the same folder, and to the disk
(`fsync`), before `os.replace` puts it in the place of the old one, which file systems do in one step; then the folder
goes to the disk as well, for the new name stands there. Killed at any moment, the old file or the new one is there,
never half of one. What a killed writer left behind is swept away by the next that writes in that folder.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from pathlib import Path

_log = logging.getLogger("rish.plugins.history")
_TEMPORARY = re.compile(r"\.(?P<name>.+)\.(?P<pid>\d+)\.rish-tmp")


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` in the place of the file `path`. Raises OSError; then the old file is as it was.

    Temporary files of writers that are no more are removed from the folder.
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
    """Give a file that is on the disk its name, in one step, and bring the name to the disk.

    Raises OSError where the file does not get its name. Once it has, it is whole; a folder that can't be brought to the
    disk is only worth a warning.
    """
    if os.name != "posix":  # there a folder can't be opened, and its names need no help
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
    """Remove what killed writers left in a folder; gives what it removed. Those that still run keep theirs."""
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
    """Whether another process of that number is there; our own leftovers are from before."""
    if pid == os.getpid() or os.name != "posix":
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
