"""Makes a program of files with PyInstaller: with Python, the modules of it that the files import, and libraries."""

from __future__ import annotations

import dis
import json
import marshal
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from rish_core import RishError
from rish_system import current, run_text

from ..contents import File

CONTENTS = "data"
"""The folder beside the program with everything else."""
_NEVER = {
    "antigravity", "curses", "dbm", "distutils", "ensurepip", "idlelib", "lib2to3", "pdb", "pip", "pydoc", "pydoc_data",
    "readline", "setuptools", "sqlite3", "test", "tkinter", "turtle", "turtledemo", "unittest", "venv",
}  # fmt: skip
"""Modules of Python that are left out unless the game imports them: for developers, or with libraries of their own."""
_NETWORK = {"ssl", "_ssl", "_hashlib"}
"""Modules that need OpenSSL; they are left out unless the game imports one of `_NETWORKED`."""
_NETWORKED = {"ssl", "http", "urllib", "socket", "asyncio", "ftplib", "smtplib", "socketserver", "xmlrpc"}

_IMPORT = dis.opmap["IMPORT_NAME"]
_PYC_HEADER = 16
"""The bytes before the code in a .pyc file (PEP 552)."""


@dataclass(frozen=True)
class Build:
    """What is built. name: of the program. site: the folder with its files. console: whether it has a text window.

    modules: those of Python that its files import. imports: those that code of the game and of other people imports.
    version_info: what Windows shows, see `version_info`.
    """

    name: str
    site: Path
    modules: frozenset[str]
    imports: frozenset[str]
    console: bool
    one_file: bool
    icon: Path | None = None
    version_info: str = ""


class Frozen(NamedTuple):
    """A built program. path: its folder or file. sizes: of all files, unpacked. size: of a single file, else None."""

    path: Path
    sizes: list[tuple[str, int]]
    size: int | None


def freeze(build: Build, scratch: Path, cache: Path) -> Frozen:
    """Build a program. scratch: a folder for its parts. cache: for what PyInstaller keeps.

    Raises RishError with the end of PyInstaller's log if it fails.
    """
    excluded, version_info = left_out(build.imports), scratch / "version.txt"
    version_info.write_text(build.version_info, encoding="utf-8", newline="\n")
    settings: dict[str, Any] = {
        "name": build.name,
        "site": str(build.site),
        "script": str(Path(__file__).parents[1] / "program" / "start.py"),
        "modules": sorted(each for each in build.modules if each.partition(".")[0] not in excluded),
        "excludes": sorted(excluded | {path.name.partition(".")[0] for path in build.site.iterdir()}),
        "console": build.console,
        "one_file": build.one_file,
        "icon": str(build.icon) if build.icon and current() != "linux" else None,
        "version_info": str(version_info) if current() == "windows" else None,
        "contents": CONTENTS,
        "scratch": str(scratch),
        "sizes": str(scratch / "sizes.json"),
        "folder": "program",
    }
    file = scratch / "build.json"
    file.write_text(json.dumps(settings), encoding="utf-8", newline="\n")
    spec, dist = Path(__file__).with_name("program.spec"), scratch / "dist"
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN", str(spec)]
    command += ["--distpath", str(dist), "--workpath", str(scratch / "work")]
    environment = {**os.environ, "RISH_EXPORT_BUILD": str(file), "PYINSTALLER_CONFIG_DIR": str(cache)}
    process = run_text(command, variables=environment)
    if process.returncode:
        lines = process.stderr.strip().splitlines() or [f"its process ended with {process.returncode}"]
        raise RishError(f"PyInstaller failed: {lines[-1]}")
    path = dist / (build.name if build.one_file else "program")
    sizes = [(name, size) for name, size in json.loads(Path(settings["sizes"]).read_text(encoding="utf-8"))]
    return Frozen(path, sizes, path.stat().st_size if build.one_file else None)


def python_modules(files: Iterable[File]) -> frozenset[str]:
    """Return the modules of Python's library that the bytecode among files imports.

    Bytecode is kept for the next export; reading it takes an eighth of the time of parsing sources (2.4 against 17 s of
    processor time for the 1,688 modules of Breakout).
    """
    modules: set[str] = set()
    for file in files:
        if file.name.endswith(".pyc"):
            modules.update(_imported(marshal.loads(file.read()[_PYC_HEADER:])))
    library = Path(sysconfig.get_path("stdlib"))
    return frozenset(each for each in modules if each in sys.stdlib_module_names or _is_module(library, each))


def _imported(code: CodeType) -> Iterator[str]:
    """Yield the names of what code imports, except for relative imports: modules, and names in modules."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _imported(inner)
    if _IMPORT not in code.co_code[::2]:
        return
    module, level, before = "", None, None
    for instruction in dis.get_instructions(code):
        if instruction.opcode == _IMPORT:
            module = "" if level else str(instruction.argval)
            if module:
                yield module
        elif instruction.opname == "IMPORT_FROM" and module:
            yield f"{module}.{instruction.argval}"
        level, before = before, instruction.argval  # the level is loaded two instructions before the import


def _is_module(library: Path, name: str) -> bool:
    """Return whether a name with dots is a module of Python's library."""
    path = library.joinpath(*name.split("."))
    return (
        "." in name
        and "site-packages" not in name
        and (path.with_suffix(".py").is_file() or (path / "__init__.py").is_file())
    )


def left_out(imports: frozenset[str]) -> set[str]:
    """Return the modules of Python that a game does not need. imports: those that its code imports."""
    never = set(_NEVER - imports)
    return never if _NETWORKED & imports else never | _NETWORK


def strip_python(path: str, folder: Path) -> str:
    """Return a copy of a library of Python without debugging symbols, or the path itself. folder: for the copies.

    A Python that was compiled on this machine has 30 MB of them. Libraries of other packages stay as they are, because
    `strip` damages those that were changed by auditwheel.
    """
    strip, library = shutil.which("strip"), Path(path)
    if not strip or current() != "linux" or not library.is_relative_to(sys.base_prefix):
        return path
    folder.mkdir(exist_ok=True)
    copy = folder / library.name
    command = [strip, "--strip-unneeded", "-o", str(copy), path]
    return str(copy) if subprocess.run(command, check=False, capture_output=True).returncode == 0 else path
