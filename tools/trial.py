"""A fresh environment with the packages of a folder: plays a game there, and lists the components and licenses."""

from __future__ import annotations

import os
import shutil
import sys
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from staging import ROOT
from wheel_file import Wheel

from rish_system import current, run_text

_HIDDEN = ("PYTHON", "RISH_", "VIRTUAL_ENV")
"""The beginnings of the variables that a program in the environment does not get."""
_NOT_FOR_USERS = {"testing"}
"""Extras that bring only what tests of plugins need."""


def run(*command: str, folder: Path = ROOT) -> str:
    """Run a program and return its output; end with its output if it fails."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(_HIDDEN)}
    done = run_text(command, folder=folder, variables=variables)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Trial:
    """An environment that uv makes. folder: of the environment. packages: the folder with the distributions."""

    def __init__(self, folder: Path, packages: Path) -> None:
        self._packages = packages.resolve()
        self._python = folder / ("Scripts" if current() == "windows" else "bin") / "python"
        self._wheels = sorted(self._packages.glob("*-none-any.whl"))
        self._extras = {about["Name"]: {*about.get_all("Provides-Extra", [])} for about in map(_metadata, self._wheels)}
        run("uv", "venv", "-q", "--python", sys.executable, str(folder))

    def install(self, extras: bool = False) -> None:
        """Install all packages from their folder, which no index is asked for, and their libraries from the index.

        extras: whether what the extras bring is installed as well.
        """
        names = [
            f"{name}[{','.join(sorted(offered - _NOT_FOR_USERS))}]" if extras and offered - _NOT_FOR_USERS else name
            for name, offered in self._extras.items()
        ]
        # Files come first, so that libraries are found on the index and ours are not looked up there.
        pairs = zip(names, self._wheels, strict=True)
        self._install(*(f"{name} @ {path.as_uri()}" for name, path in pairs))
        again = [part for name in self._extras for part in ("--reinstall-package", name)]
        self._install("--no-index", "--find-links", str(self._packages), *again, *names)

    def play(self, game: Path, folder: Path) -> str:
        """Play a copy of a game for two seconds; return the hash of its state. Fails unless it can be drawn."""
        copy = shutil.copytree(game, folder / game.name, ignore=shutil.ignore_patterns("__pycache__", "*.image"))
        picture = folder / "picture.png"
        said = run(*play_command(self._python, copy), "--capture", str(picture), folder=folder)
        if not picture.stat().st_size:
            raise SystemExit(f"the picture of {game.name} is empty")
        return said.strip().splitlines()[0]

    def write_components(self, path: Path) -> None:
        """Write the list of all packages with their versions and licenses, as JSON of CycloneDX."""
        options = ("--output-reproducible", "--spec-version", "1.6", "--pyproject", str(ROOT / "pyproject.toml"))
        run(sys.executable, "-m", "cyclonedx_py", "environment", str(self._python), *options, "-o", str(path))

    def write_licenses(self, path: Path) -> None:
        """Write the name, version, license and license texts of each library."""
        options = ("--format=plain-vertical", "--with-license-file", "--no-license-path")
        command = (sys.executable, "-m", "piplicenses", "--python", str(self._python), *options)
        run(*command, "--with-urls", "--ignore-packages", *self._extras, "--output-file", str(path))

    def _install(self, *arguments: str) -> None:
        run("uv", "pip", "install", "-q", "--python", str(self._python), *arguments)


def play_command(python: Path | str, game: Path) -> list[str]:
    """Return the command that plays a game for two seconds without a window, and prints the hash of its state."""
    options = "--headless --backend software --set scene=play --frames 120 --hash"
    return [str(python), "-m", "rish_core", "run", str(game), *options.split()]


def _metadata(path: Path) -> Message:
    wheel = Wheel(path)
    return message_from_bytes(wheel.files[f"{wheel.folder}/METADATA"])
