"""Where a program is written: completely or not at all, in a hidden folder beside the target; and what is kept."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from rish_core import UsageError
from rish_system import LEFT_OUT, base_folder, current, is_running, rename

from .building.freezing import CONTENTS
from .program import ABOUT

_UNFINISHED = ".unfinished-"
_COOKIE = b"MEI\014\013\012\013\016"
"""What is near the end of each file that PyInstaller makes."""


def is_program(folder: Path) -> bool:
    """Return whether a folder holds a program that was made here."""
    return (folder / CONTENTS / ABOUT).is_file()


def check_target(target: Path, game: Path, is_former: Callable[[Path], bool] = is_program) -> None:
    """Raise UsageError if a target can't be replaced, because it holds something else.

    target: a folder, or the file of a program in one file. is_former: whether a folder is what may be replaced.
    """
    if game == target or (game in target.parents and target.parts[len(game.parts)] not in LEFT_OUT):
        raise UsageError(f"{target} is the game's folder, or in it", hint="Choose another one with --to")
    if target.is_dir() and any(target.iterdir()) and not is_former(target):
        raise UsageError(f"{target} holds other files", hint="Choose a new or empty folder with --to")
    if target.is_file() and not _is_one_file(target):
        raise UsageError(f"{target} is another file", hint="Choose another folder with --to, or another --name")


def _is_one_file(file: Path) -> bool:
    with open(file, "rb") as opened:
        opened.seek(-min(file.stat().st_size, 8192), os.SEEK_END)
        return _COOKIE in opened.read()


@contextmanager
def work_folder(target: Path) -> Generator[Path]:
    """A context manager with an empty folder beside a target, which is deleted at the end. Raises OSError.

    What killed exports of the same target left behind is deleted too. An error that names no file, such as a full disk
    during a write, is raised with the target.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    for left in target.parent.glob(f".{_escaped(target.name)}{_UNFINISHED}*"):
        number = left.name.rpartition("-")[2]
        if number.isdigit() and not is_running(int(number)):
            shutil.rmtree(left, ignore_errors=True)
    folder = target.parent / f".{target.name}{_UNFINISHED}{os.getpid()}"
    folder.mkdir()
    try:
        yield folder
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(target)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put(made: Path, target: Path, folder: Path) -> None:
    """Rename what was made to the target, in place of an earlier one. folder: that of `work_folder`. Raises OSError."""
    former = folder / "former"
    if target.exists():
        rename(target, former)
    try:
        rename(made, target)
    except BaseException:
        with suppress(OSError):
            rename(former, target)
        raise


def archive_name(name: str) -> str:
    """Return the name of the archive of a folder, of the kind that is usual on this system."""
    return f"{name}.zip" if current() == "windows" else f"{name}.tar.gz"


def archived(made: Path, name: str, folder: Path) -> Path:
    """Return an archive of a folder, in which that folder has another name. folder: that of `work_folder`."""
    above = folder / "archive"
    above.mkdir()
    rename(made, above / name)
    kind = "zip" if current() == "windows" else "gztar"
    return Path(shutil.make_archive(str(folder / "made"), kind, above, name))


def cache_folder() -> Path:
    """Return the user's folder for what the next export needs again: bytecode, kernels, files of PyInstaller."""
    return base_folder("cache") / "rish" / "export"


def bytecode_cache() -> Path:
    """Return the folder in which bytecode is kept for the next export, which exists if it can be written."""
    folder = cache_folder() / "bytecode"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        pass  # everything is compiled again then
    return folder


def _escaped(name: str) -> str:
    """Return a name as a pattern of `glob`."""
    return re.sub(r"([*?\[])", r"[\1]", name)
