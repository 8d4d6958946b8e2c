"""The files with which a bundle is started, and its README.txt for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from importlib.resources import files
from platform import python_version

from rish_export import File
from rish_system import current, machine

from .interpreter import PROGRAM

_PART = "start"
DATA = "data"
"""The folder in a bundle for settings and save games."""
WHEELS = "wheels"
"""The folder in a bundle for wheels that `rish add` installs."""
_DATA = "Settings and saved games of Rish are written into this folder.\n"
_WHEELS = """\
Put wheels of plugins here (files that end with .whl), and of what they require.
Then `rish add GAME NAME` installs them without a network.
"""
_LINUX = (
    "Double-click on Rish.desktop. If that shows a text instead, open this folder in a\nterminal and type: sh start",
    "If programs can't be started from the stick, copy the whole folder to the disk of\n"
    "the computer, into your own folder, and start it there: sh start\n"
    "The computer needs a graphics driver with OpenGL 3.3; this tells more: sh start doctor",
)
_WINDOWS = (
    "Double-click on start.cmd.",
    "If Windows does not start programs from the stick, copy the whole folder to the\n"
    "disk of the computer and start it there.",
)


def start_files(games: Sequence[str], c_library: str) -> Iterator[File]:
    """Yield the files to start a bundle with on this system. games: names. c_library: the version it needs, or ""."""
    windows = current() == "windows"
    names = ("start.cmd",) if windows else ("start", "Rish.desktop") if current() == "linux" else ("start",)
    for name in names:
        text = _text(name).replace("{program}", PROGRAM)
        place = "start.command" if current() == "macos" else name
        yield File(place, _lines(text, windows), _PART)
    start, trouble = _WINDOWS if windows else _LINUX
    words = {
        "system": _system(c_library), "start": start, "trouble": trouble, "games": ", ".join(games), "first": games[0],
        "command": "start.cmd" if windows else "sh start", "version": version("rish-core"), "python": python_version(),
    }  # fmt: skip
    text = _text("README.txt")
    for word, value in words.items():
        text = text.replace(f"{{{word}}}", value)
    yield File(
        "README.txt", _lines(text, True), _PART
    )  # the editors of Windows show all kinds of lines, old ones do not
    for folder, text in ((DATA, _DATA), (WHEELS, _WHEELS)):
        yield File(f"{folder}/README.txt", _lines(text, True), _PART)


def _system(c_library: str) -> str:
    if current() == "windows":
        return f"Windows ({machine()})"
    if current() == "macos":
        return f"macOS ({machine()})"
    return f"Linux ({machine()}) with glibc {c_library} or newer"


def _text(name: str) -> str:
    return (files("rish_bundle") / "start" / name).read_text(encoding="utf-8")


def _lines(text: str, windows: bool) -> bytes:
    return (text.replace("\n", "\r\n") if windows else text).encode()
