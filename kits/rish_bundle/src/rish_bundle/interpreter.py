"""A copy of this Python that runs from any folder, in the form of Python's embeddable package for Windows.

The file `PROGRAM._pth` beside the program lists where modules are, relative to itself. With it, Python uses neither
variables of the environment nor folders of the user, and this holds for the processes that it starts as well. The
standard library is one .zip of bytecode, so that it is one file on a stick, and is never written to.
"""

from __future__ import annotations

import shutil
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from rish_export import File, bytecode, strip_python
from rish_system import current

from .libraries import needed_libraries, oldest_c_library, search_beside

FOLDER = "python"
"""The folder in a bundle with Python and all packages."""
SITE = "packages"
"""The folder in FOLDER that others name `site-packages`."""
_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
PROGRAM = "bin/python.exe" if current() == "windows" else f"bin/python{_VERSION}.exe"
"""The program in FOLDER. Desktops of Linux mount FAT so that only files named .exe, .com and .bat can be started."""
_HIDDEN_SUFFIX = ".exe" if current() == "windows" else ""
"""The part of the program's name that is not in that of the file with the search path."""
_LIBRARY = f"python{_VERSION.replace('.', '')}.zip"
_MODULES = "modules"
_LIBRARIES = "lib"
PART = "Python"
_WITHOUT = {
    "__phello__", "antigravity", "curses", "dbm", "distutils", "ensurepip", "idlelib", "lib2to3", "pydoc_data",
    "site-packages", "test", "tkinter", "turtle", "turtledemo", "venv",
}  # fmt: skip
"""Modules of Python that are left out: for its own developers, or with libraries and data of their own."""
_TESTS = {"test", "tests", "__pycache__"}
_WITHOUT_EXTENSIONS = ("_curses", "_dbm", "_gdbm", "_test", "_tkinter", "_xx", "nis", "ossaudiodev", "readline", "xx")
"""The beginnings of the names of extension modules that are left out."""
_SYSCONFIG = "_sysconfigdata"
"""The beginning of the name of the module with the settings of Python's compilation."""


class Interpreter(NamedTuple):
    """The files of Python. libraries: those that are of this system. c_library: the version that is needed, or ""."""

    files: list[File]
    libraries: list[Path]
    c_library: str


def copy_interpreter(scratch: Path, cache: Path) -> Interpreter:
    """Return the files of a copy of this Python. scratch: a new folder for files that are made. cache: for bytecode.

    Raises RishError for a Python that can't be copied, and OSError.
    """
    scratch.mkdir()
    library, search = scratch / _LIBRARY, scratch / "search"
    _write_library(library, cache)
    search.write_text("".join(f"../{place}\n" for place in (_LIBRARY, _MODULES, SITE)), encoding="utf-8", newline="\n")
    texts = {_LIBRARY: library, f"{PROGRAM.removesuffix(_HIDDEN_SUFFIX)}._pth": search}
    program, modules = Path(sys.executable).resolve(), [*_extension_modules()]
    if current() == "windows":
        beside = {f"bin/{path.name}": path for path in (program, *program.parent.glob("*.dll"))}
        return Interpreter(_files(texts | beside | {f"{_MODULES}/{path.name}": path for path in modules}), [], "")
    libraries = needed_libraries([program, *modules]) if current() == "linux" else {}
    copies = {
        PROGRAM: program,
        **{f"{_MODULES}/{path.name}": path for path in modules},
        **{f"{_LIBRARIES}/{name}": path.resolve() for name, path in libraries.items()},
    }
    made = {name: _stripped(path, scratch / "copies" / name) for name, path in copies.items()}
    if current() != "linux":
        return Interpreter(_files(texts | made), [], "")
    search_beside(made[PROGRAM], f"../{_LIBRARIES}", [path for name, path in made.items() if name.startswith(_MODULES)])
    foreign = [path for path in libraries.values() if not path.resolve().is_relative_to(sys.base_prefix)]
    return Interpreter(_files(texts | made), foreign, oldest_c_library(made.values()))


def _files(paths: Mapping[str, Path]) -> list[File]:
    return [File(f"{FOLDER}/{name}", path, PART) for name, path in paths.items()]


def _stripped(path: Path, copy: Path) -> Path:
    """Copy a binary file without debugging symbols, and return the copy."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(strip_python(str(path), copy.parent / "stripped"), copy)
    return copy


def _extension_modules() -> Iterator[Path]:
    """Yield the extension modules of Python's library that a bundle contains, and on Windows their libraries."""
    folder = Path(sys.base_prefix) / "DLLs" if current() == "windows" else _standard_library() / "lib-dynload"
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.suffix in (".so", ".pyd", ".dll") and not path.name.startswith(_WITHOUT_EXTENSIONS):
            yield path


def _standard_library() -> Path:
    return Path(sysconfig.get_path("stdlib"))


def _write_library(path: Path, cache: Path) -> None:
    """Write the modules of Python's library that are written in Python into a .zip, as bytecode."""
    root = _standard_library()
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for entry in sorted(root.iterdir()):
            if entry.name.partition(".")[0] in _WITHOUT or not (
                entry.suffix == ".py" or (entry / "__init__.py").is_file()
            ):
                continue
            for source in [entry] if entry.is_file() else sorted(entry.rglob("*.py")):
                name = source.relative_to(root).as_posix()
                if not _TESTS.intersection(source.relative_to(root).parts):
                    archive.writestr(ZipInfo(f"{name}c"), bytecode(_source(source), name, cache), ZIP_DEFLATED)


def _source(path: Path) -> bytes:
    """Return the source of a module, without the folders in which this Python was installed."""
    source = path.read_bytes()
    return source.replace(sys.base_prefix.encode(), b"/usr") if path.name.startswith(_SYSCONFIG) else source
