"""The desktop: the screen, dialogs, the trash, the language, and programs that open files and pages."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

from .folders import base_folder, home
from .system import current

_DIALOGS = ("zenity", "kdialog", "matedialog", "qarma")
"""Programs that show dialogs for files on Linux."""


def display(*, wayland: bool = True) -> str | None:
    """Return the name of the screen, None if there is none. wayland: whether one of Wayland alone counts.

    macOS and Windows do not tell; their name stands for it.
    """
    if current() != "linux":
        return current()
    return (os.environ.get("WAYLAND_DISPLAY") if wayland else None) or os.environ.get("DISPLAY") or None


def has_file_dialog() -> bool:
    """Return whether the system has a dialog for files."""
    return current() != "linux" or (display() is not None and any(map(shutil.which, _DIALOGS)))


def open_outside(thing: Path | str) -> None:
    """Open a file, a folder or the address of a page with the program that the system has for it. Raises OSError."""
    if current() == "windows":
        os.startfile(str(thing))  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    else:
        start_program(["open" if current() == "macos" else "xdg-open", str(thing)])


def split_command(command: str) -> list[str]:
    """Return the words of a command. Raises ValueError for a quote without an end.

    On Windows a backslash separates folders, and only `"` quotes; elsewhere the rules are those of a POSIX shell.
    """
    words = shlex.shlex(command, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if current() == "windows":
        words.escape, words.quotes = "", '"'
    return list(words)


def start_program(command: Sequence[str]) -> None:
    """Start a program that neither reads nor writes the streams of this one, and return at once. Raises OSError."""
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
    # A thread waits for its end; otherwise POSIX systems would keep the ended process in their table.
    threading.Thread(target=process.wait, daemon=True).start()


def trash_folder() -> Path | None:
    """Return the folder of the user's trash; None on Windows, where only the system can move files there.

    On Linux its `files` have descriptions in `info`, by the Trash specification of freedesktop.org.
    """
    if current() == "windows":
        return None
    return home() / ".Trash" if current() == "macos" else base_folder("data") / "Trash"


def system_locale() -> str:
    """Return the language that the user of Windows chose, such as `de_DE`; "" if it is not known, and elsewhere."""
    if current() != "windows":
        return ""
    import ctypes
    import locale

    number: int = ctypes.windll.kernel32.GetUserDefaultUILanguage()  # pyright: ignore
    return locale.windows_locale.get(number, "")
