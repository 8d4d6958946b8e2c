"""Lets the file manager open packs: a MIME type and an application in the user's data folder (Linux, XDG)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from rish_ecs import UsageError
from rish_system import base_folder, current, write_whole

MIME_TYPE = "application/x-rishgame"
_MIME = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{MIME_TYPE}">
    <comment>Game of Rish</comment>
    <glob pattern="*.rishgame"/>
  </mime-type>
</mime-info>
"""
_DESKTOP = """\
[Desktop Entry]
Type=Application
Name=Rish
Comment=Play games of Rish
Exec={command} run %f
Terminal=true
NoDisplay=true
MimeType={mime};
"""
_SPECIAL = '"`$\\'


def associate() -> list[Path]:
    """Write the MIME type and the application, and update the caches of the desktop; return the written files.

    The game runs in a terminal, in which questions about its code are asked. Raises UsageError on other systems, and
    OSError if a file can't be written.
    """
    if current() != "linux":
        raise UsageError("the command associates files on Linux only", hint="See docs/how-to/packs.md for this system")
    data = base_folder("data")
    mime, applications = data / "mime", data / "applications"
    texts = {
        mime / "packages" / "rishgame.xml": _MIME,
        applications / "rishgame.desktop": _DESKTOP.format(command=_command(), mime=MIME_TYPE),
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    for tool, *words in (
        ("update-mime-database", str(mime)),
        ("update-desktop-database", str(applications)),
        ("xdg-mime", "default", "rishgame.desktop", MIME_TYPE),
    ):
        program = shutil.which(tool)
        if program is not None:
            subprocess.run([program, *words], check=False, capture_output=True)
    return list(texts)


def _command() -> str:
    """Return the command of this Python, in the form of desktop files.

    `-P` keeps modules beside a pack, as in a folder of downloads, out of Python's search path.
    """
    word = sys.executable
    for letter in "\\" + _SPECIAL.replace("\\", ""):
        word = word.replace(letter, f"\\{letter}")
    return f'"{word.replace("%", "%%")}" -P -m rish_core'
