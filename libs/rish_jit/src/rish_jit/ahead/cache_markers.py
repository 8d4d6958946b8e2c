"""Marks in the cache: for which lists of kernels, sources and machine everything was found compiled.

Whether a kernel is in the cache can be said exactly only with numba, which takes a fifth of a second to import, and a
game's first picture need not wait for that. A mark says it without: it is an empty file whose name is a hash of the
list's entries, of the names, sizes and times of the packages' source files, and of what identifies the machine and the
versions. A mark that is wrong, because somebody deleted entries, costs a compilation in the game and nothing else.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import logging
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..cache import folder_for
from .lists import Listed

_log = logging.getLogger("rish.jit")


def package_folder(file: str) -> Path:
    """The folder of the top-level package that holds a module's file; of a module outside packages its own folder."""
    folder = Path(file).parent
    while (folder / "__init__.py").is_file() and (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


def is_marked(entries: Sequence[Listed]) -> bool:
    """Whether these were all found compiled before, with the same sources, on the same machine."""
    path = _mark_of(entries)
    return path is not None and path.is_file()


def mark(entries: Sequence[Listed]) -> None:
    """Note that all of these are compiled."""
    path = _mark_of(entries)
    try:
        if path is not None:
            path.touch()
    except OSError as error:
        _log.info("no mark could be written: %s", error)


def _mark_of(entries: Sequence[Listed]) -> Path | None:
    folder = folder_for(__file__)
    if folder is None:
        return None
    digest = hashlib.blake2b(_machine().encode(), digest_size=10)
    for each in entries:
        digest.update(f"{each.kernel} {each.types}\n".encode())
    for package in sorted({each.kernel.partition(".")[0] for each in entries}):
        digest.update(_sources_of(package).encode())
    return folder / f"ready-{digest.hexdigest()}"


def _sources_of(package: str) -> str:
    """Names, sizes and times of a package's source files."""
    module = sys.modules.get(package)
    file = getattr(module, "__file__", None) or getattr(importlib.util.find_spec(package), "origin", None)
    if file is None:
        return package
    return "\n".join(sorted(_sources_in(str(Path(file).parent))))


def _sources_in(folder: str) -> Iterator[str]:
    """Yield path, size and time of each source file below a folder.

    `os.scandir` takes 0.8 ms for rish_render, `Path.rglob` 6.6.
    """
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _sources_in(entry.path)
            elif entry.name.endswith(".py"):
                status = entry.stat(follow_symlinks=False)
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"


@functools.cache
def _machine() -> str:
    """What identifies the processor and the compilers, as far as it is known without them."""
    try:
        processor = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        processor = next((block for block in processor.split("\n\n")), "").partition("flags")[2]
    except OSError:
        processor = platform.processor()
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite")]
    wishes = [os.environ.get(name, "") for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES")]
    return " ".join([sys.version, platform.machine(), *versions, *wishes, processor])
