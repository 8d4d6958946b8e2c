"""Compile the kernels that a package lists, and write them into a file for its wheel.

`python tools/kernel_images.py PACKAGE FOLDER` writes `kernels-PYTHON-LEVEL.image` into FOLDER, for this version of
Python and the level of processors of the environment (`rish_jit.environment_for`). It fails, and names the kernels, if
one that Python calls has no machine code.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import rish_jit


def write_images(package: str, levels: Sequence[str], cache: Path, folder: Path) -> list[Path]:
    """Write a package's image for each level into a folder, in new processes; return their paths.

    cache: where compiled kernels are looked up and stored.
    """
    for level in levels:
        environment = {**os.environ, **rish_jit.environment_for(level, cache)}
        subprocess.run([sys.executable, __file__, package, str(folder)], env=environment, check=True)
    return [folder / rish_jit.image_name(level) for level in levels]


def write_image(package: str, folder: Path) -> None:
    """Compile the kernels that a package lists, as far as the cache lacks them, and write its image into a folder."""
    home = Path(str(importlib.import_module(package).__file__)).parent
    listed = rish_jit.read_list(home / rish_jit.LIST_FILE)
    rish_jit.compile_ahead(rish_jit.missing(listed))
    entries = {each: rish_jit.stored(each) for each in listed if not each.inner}
    lacking = [f"{each.kernel}{each.types}" for each, entry in entries.items() if entry is None or not entry.code]
    if lacking:
        raise SystemExit(f"{package}: no machine code for {', '.join(lacking)}")
    level = rish_jit.default_level()
    found = [entry for entry in entries.values() if entry is not None]
    rish_jit.write_image(folder / rish_jit.image_name(level), found, level)


if __name__ == "__main__":
    write_image(sys.argv[1], Path(sys.argv[2]))
