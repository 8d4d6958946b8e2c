"""A process in which numba can't be imported, as on a machine that has installed wheels with compiled kernels."""

from __future__ import annotations

import shutil
from pathlib import Path

from rish_jit.machine import host

_CODE = """
import importlib.machinery, pathlib, sys
HIDDEN = ("numba", "llvmlite")
class Finder(importlib.machinery.PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in HIDDEN else super().find_spec(name, path, target)
sys.meta_path[:] = [Finder if each is importlib.machinery.PathFinder else each for each in sys.meta_path]
from rish_jit.machine import host
host.RUNTIME = pathlib.Path({runtime!r})
"""


def hide_numba(folder: Path) -> str:
    """Return code that hides numba and llvmlite, for the start of a program.

    folder: gets numba's extension modules that compiled kernels call, as the wheel of `rish-jit` has them.
    """
    runtime = folder / "numba_runtime"
    runtime.mkdir(exist_ok=True)
    for name in ("_helperlib", "core.runtime._nrt_python", "_dynfunc"):
        shutil.copy(host.extension_file(name), runtime)
    return _CODE.format(runtime=str(runtime))
