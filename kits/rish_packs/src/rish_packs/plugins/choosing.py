"""Chooses how plugins are installed: by uv, by pip, or by unpacking wheels."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from rish_ecs import UsageError, shorten_path

from .installer import Installer
from .unpacker import Unpacker

VARIABLE = "RISH_WHEELS"
"""The environment variable that names a folder of wheels; the start of a bundle sets it."""


def find_installer(wheels: Path | None = None) -> Installer:
    """Return the program that manages this environment, or an `Unpacker` where there is neither uv nor pip.

    wheels: a folder in which alone packages are looked up; None: that of RISH_WHEELS if it is set, otherwise the index
    of the program. Raises UsageError if there is no such folder.
    """
    if wheels is None and os.environ.get(VARIABLE):
        wheels = Path(os.environ[VARIABLE])
    if wheels is not None and not wheels.is_dir():
        raise UsageError("there is no such folder of wheels", where=shorten_path(wheels))
    uv = shutil.which("uv")
    try:
        is_of_uv = "\nuv = " in "\n" + Path(sys.prefix, "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        is_of_uv = False
    has_pip = importlib.util.find_spec("pip") is not None
    if uv is not None and (is_of_uv or not has_pip):
        return Installer("uv", [uv, "pip"], wheels)
    if has_pip:
        return Installer("pip", [sys.executable, "-m", "pip", "--disable-pip-version-check"], wheels)
    return Unpacker(wheels)
