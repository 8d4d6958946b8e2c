"""The desktop of each system: the screen, dialogs, the trash, the language, fonts, opening files."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from other_system import pretend
from rish_system import (
    display,
    east_asian_fonts,
    font_folders,
    has_file_dialog,
    open_outside,
    split_command,
    start_program,
    system_locale,
    trash_folder,
)

HOME = Path("/home/ann")


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the home be `HOME`, and set no variable."""
    monkeypatch.setattr(Path, "home", lambda: HOME)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_DATA_HOME", "WINDIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("system", "trash", "folder"),
    [
        ("linux", HOME / ".local/share/Trash", HOME / ".local/share/fonts"),
        ("macos", HOME / ".Trash", Path("/System/Library/Fonts")),
        ("windows", None, Path("C:/Windows/Fonts")),
    ],
)
def test_each_system_has_its_trash_and_its_fonts(
    monkeypatch: pytest.MonkeyPatch, system: str, trash: Path | None, folder: Path
) -> None:
    """They are where the programs of the system look; fonts of East Asia are below these folders."""
    pretend(monkeypatch, system)
    assert trash_folder() == trash
    assert font_folders()[0] == folder
    fonts = list(east_asian_fonts())
    assert len(fonts) > 5
    assert all(any(path.is_relative_to(each) for each in font_folders()) for path in fonts)


def test_only_linux_may_have_no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its variables tell; a dialog needs a screen and a program."""
    pretend(monkeypatch, "linux")
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "zenity" else None)
    assert display() is None
    assert not has_file_dialog()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert (display(), display(wayland=False)) == ("wayland-0", None)
    assert has_file_dialog()
    for system in ("macos", "windows"):
        pretend(monkeypatch, system)
        assert display(wayland=False) == system
        assert has_file_dialog()


def test_files_are_opened_as_the_system_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux and macOS start a program with the file, Windows has a function."""
    opened: list[Any] = []
    monkeypatch.setattr("rish_system.desktop.start_program", opened.append)
    monkeypatch.setattr(os, "startfile", opened.append, raising=False)
    for system in ("linux", "macos", "windows"):
        pretend(monkeypatch, system)
        open_outside(Path("a b.png"))
    assert opened == [["xdg-open", "a b.png"], ["open", "a b.png"], "a b.png"]


@pytest.mark.parametrize(
    ("system", "command", "words"),
    [
        ("linux", r"code -g 'a b':{line} c\ d", ["code", "-g", "a b:{line}", "c d"]),
        (
            "windows",
            r'"C:\Program Files\code.exe" -g "{file}":{line}',
            [r"C:\Program Files\code.exe", "-g", "{file}:{line}"],
        ),
        ("windows", r"it's C:\new\tool.exe", ["it's", r"C:\new\tool.exe"]),
    ],
)
def test_a_command_is_split_as_the_system_does_it(
    monkeypatch: pytest.MonkeyPatch, system: str, command: str, words: list[str]
) -> None:
    """Folders of Windows keep their backslashes; a quote without an end is an error."""
    pretend(monkeypatch, system)
    assert split_command(command) == words
    with pytest.raises(ValueError, match="quotation"):
        split_command(f'{command} "')


def test_windows_is_asked_for_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of the language is translated; an unknown one is no language."""
    pretend(monkeypatch, "windows")
    numbers = iter([0x407, 0xFFFF])
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: next(numbers))
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert (system_locale(), system_locale()) == ("de_DE", "")


def test_the_language_of_linux_is_in_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only Windows is asked."""
    pretend(monkeypatch, "linux")
    assert system_locale() == ""


def test_a_program_that_was_started_leaves_nothing_when_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its end is waited for, so an editor that is open for days collects no ended processes; the call returns first."""
    started: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def noting(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(start(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", noting)
    start_program([sys.executable, "-c", "import time; time.sleep(0.2)"])
    [process] = started
    assert process.returncode is None
    until = time.monotonic() + 60
    while process.returncode is None and time.monotonic() < until:
        time.sleep(0.01)
    assert process.returncode == 0
