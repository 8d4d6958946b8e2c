"""Bundles: compiled kernels in one zip file, to be carried to other machines with a processor of the same level.

A bundle holds entries of the cache (`cache`) that were compiled for a level of processors, such as x86-64-v3, and a
description: the level, and the versions of the compilers. `take_in` checks that this processor has what the level
needs, that the versions are equal, and that each entry is made of the sources that are installed here; then it writes
the entries into the cache under the keys of this machine. Results are equal to the bit whichever level compiled them.

Entries are pickles, which can run code when they are loaded: take in bundles from trusted places only.
"""

from __future__ import annotations

import importlib
import json
import platform
import zipfile
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..cache import Entry, entries_in, folder_for, machine_of, pack_entry, unpack_entry, versions, write_entry
from ..compiler.kernel import target_context
from ..errors import RishError, UsageError
from ..stamps import stamp_of
from .lists import Listed

_V2 = "+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3"
LEVELS: dict[str, str] = {
    "x86-64-v2": _V2,
    "x86-64-v3": f"{_V2},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave",
    "arm64": "+neon",
}
"""Levels of processors, each with the features that LLVM may use; named as in the psABI of x86-64."""
_PROCESSORS = {"arm64": "generic"}
_ABOUT = "bundle.json"
_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""Everything that reading a damaged or foreign file can raise."""


@dataclass(frozen=True)
class TakenIn:
    """What became of the entries of a bundle. stale: those made of other sources than the installed ones."""

    stored: int
    stale: int


def default_level() -> str:
    """Return the level for bundles that are made on this machine."""
    return "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x86-64-v3"


def environment_for(level: str, folder: Path) -> dict[str, str]:
    """Return the variables with which a process compiles for a level, into a folder.

    Raises UsageError for an unknown level, and for one of another family of processors.
    """
    if level not in LEVELS:
        raise UsageError(f"no level of processors is called {level!r}", given=level, choices=LEVELS)
    if (level == "arm64") != (default_level() == "arm64"):
        raise UsageError(f"kernels for {level} must be compiled on such a machine; this one is {platform.machine()}")
    name = _PROCESSORS.get(level, level)
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": LEVELS[level], "RISH_CACHE_DIR": str(folder)}


def write_bundle(path: Path, folder: Path, level: str) -> int:
    """Write the entries of a cache folder into a zip file, whole or not at all; return their number. Raises OSError."""
    entries = list(entries_in(folder))
    about = {"level": level, "versions": versions(), "kernels": len(entries)}
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(_ABOUT, json.dumps(about, indent=1))
            for entry in entries:
                file.writestr(entry.key.file, pack_entry(entry))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return len(entries)


def take_in(path: Path) -> TakenIn:
    """Write the entries of a bundle into the cache of this machine.

    Raises RishError if the file can't be read or is no bundle, or was made for other versions or another processor.
    """
    context = target_context()
    if context is None:
        raise RishError("compiled kernels need numba, which is missing or switched off", where=str(path))
    try:
        with zipfile.ZipFile(path) as file:
            about = json.loads(file.read(_ABOUT))
            _check(about, str(path))
            entries = [unpack_entry(file.read(name)) for name in file.namelist() if name != _ABOUT]
    except FileNotFoundError:
        raise RishError("there is no such file", where=str(path)) from None
    except _DAMAGES as error:
        raise RishError(f"this is no bundle of kernels, or it is damaged: {error}", where=str(path)) from error
    if len(entries) != about["kernels"]:
        raise RishError(f"the bundle is damaged: it has {len(entries)} of {about['kernels']} kernels", where=str(path))
    machine = machine_of(context.codegen())
    stored = sum(_store(entry, machine) for entry in entries)
    return TakenIn(stored, len(entries) - stored)


def _check(about: dict[str, Any], where: str) -> None:
    """Raise RishError if a bundle does not fit this machine."""
    level, bundle_versions = about["level"], about["versions"]
    if bundle_versions != versions():
        raise RishError(f"the bundle was bundle_versions with {bundle_versions}, and this is {versions()}", where=where)
    if level not in LEVELS:
        raise RishError(f"the bundle is for unknown processors, {level!r}", where=where, choices=LEVELS)
    llvm: Any = importlib.import_module("llvmlite.binding")
    here = llvm.get_host_cpu_features()
    lacking = [name for name in LEVELS[level].replace("+", "").split(",") if not here.get(name, False)]
    if lacking:
        raise RishError(f"the bundle is for {level}: this processor lacks {', '.join(lacking)}", where=where)


def _store(entry: Entry, machine: str) -> bool:
    """Write an entry under the key of this machine; return False if it is of other sources, or has no place."""
    kernel = Listed(entry.key.kernel, entry.key.types).find()
    if kernel is None or stamp_of(kernel.py_func, kernel.targetoptions) != entry.key.stamp:
        return False
    folder = folder_for(kernel.py_func.__code__.co_filename)
    if folder is None:
        return False
    write_entry(folder, replace(entry, key=replace(entry.key, machine=machine)))
    return True
