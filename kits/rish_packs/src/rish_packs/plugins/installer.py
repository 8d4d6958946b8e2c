"""Installs packages with the program that manages this environment: uv or pip."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rish_ecs import UsageError
from rish_jit.errors.metadata import metadata_folders, package_in, plain_name
from rish_system import text_options

Tell = Callable[[str], object]
_UV_LINE = re.compile(r"^ ([+-]) ([A-Za-z0-9._-]+)(?:==(\S+)| @ \S+| \(from .*)?")
_SHOWN = 12
"""The lines of an installer's output that an error shows."""


@dataclass(frozen=True)
class Change:
    """A package that would be installed. before, after: versions; None: it is not there, or the version is unknown."""

    package: str
    before: str | None
    after: str | None


class Installer:
    """Runs uv or pip for this environment. name: the program. command: how it is started.

    wheels: the folder in which alone packages are looked up; None: on the index that the program uses.
    """

    def __init__(self, name: str, command: Sequence[str], wheels: Path | None = None) -> None:
        self.name, self.command, self.wheels = name, [*command], wheels

    @property
    def _python(self) -> list[str]:
        return ["--python", sys.executable] if self.name == "uv" else []

    @property
    def _places(self) -> list[str]:
        return [] if self.wheels is None else ["--no-index", "--find-links", str(self.wheels)]

    def plan(self, wish: Sequence[str], tell: Tell) -> list[Change]:
        """Return what an installation would change; nothing is installed. Raises UsageError if it is not possible."""
        present = installed()
        if self.name == "uv":
            lines = self._run(["install", *self._python, "--dry-run", *self._places, *wish], tell)
            after = uv_plan(lines)
        else:
            words = ["install", "--dry-run", "--quiet", "--report", "-", *self._places, *wish]
            after = pip_plan(self._run(words, tell))
        return [Change(name, present.get(name), version) for name, version in after.items()]

    def install(self, wish: Sequence[str], tell: Tell) -> None:
        """Install packages. Raises UsageError with the end of the program's output if that fails."""
        self._run(["install", *self._python, *self._places, *wish], tell)

    def uninstall(self, package: str, tell: Tell) -> None:
        """Remove a package. Raises UsageError like `install`."""
        self._run(["uninstall", *self._python, *(["--yes"] if self.name == "pip" else []), package], tell)

    def _run(self, words: Sequence[str], tell: Tell) -> list[str]:
        """Run the program, pass each line of its output on, and return the lines."""
        tell(f"{self.name} pip {words[0]} {words[-1]}" if self.name == "uv" else f"pip {words[0]} {words[-1]}")
        lines: list[str] = []
        with subprocess.Popen(
            [*self.command, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            **text_options(),
        ) as process:  # fmt: skip
            try:
                for line in process.stdout or ():
                    lines.append(line.rstrip("\n"))
                    if not line.startswith(("{", " ", "}")):
                        tell(lines[-1])
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            end = "\n".join(line for line in lines[-_SHOWN:] if line.strip())
            raise UsageError(f"{self.name} could not {words[0]} {words[-1]}:\n{end}")
        return lines


def installed() -> dict[str, str]:
    """Return the versions of all installed packages by their plain names."""
    names: dict[str, str] = {}
    for package in map(package_in, metadata_folders(sys.path)):
        names.setdefault(plain_name(package.name), package.version)
    return names


def uv_plan(lines: Sequence[str]) -> dict[str, str | None]:
    """Return the packages that uv would install, with their versions, from the output of `uv pip install --dry-run`."""
    found = [match for line in lines if (match := _UV_LINE.match(line)) is not None]
    return {plain_name(match[2]): match[3] for match in found if match[1] == "+"}


def pip_plan(lines: Sequence[str]) -> dict[str, str | None]:
    """Return the packages that pip would install, with their versions, from the output of `pip install --report -`."""
    text = "\n".join(lines)
    try:
        report: Any = json.loads(text[text.index("{") : text.rindex("}") + 1])
        return {plain_name(each["metadata"]["name"]): each["metadata"]["version"] for each in report["install"]}
    except (ValueError, KeyError, TypeError):
        raise UsageError("pip's report of what it would install can't be read", hint="Update pip") from None
