"""Compiled kernels for a program: images beside the modules of each package and beside the game.

Each level of processors has a process of its own, `python -m rish_export.kernels`. It compiles what the packages of the
game and the game list, plays each scene for a moment, and writes the machine code of all kernels into images. A kernel
that only numba itself can run is named; a program with such kernels contains numba.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import rish_jit
from rish_core import App, RishError, Scenes, UsageError, open_game, say
from rish_system import current, text_options

from .contents import GAMES, File

LEVELS = ("x86-64-v2", "x86-64-v3")
"""The levels of processors that get an image each."""
RUNTIME = ("_dynfunc", "_helperlib", "core.runtime._nrt_python")
"""The extension modules of numba with the functions that compiled kernels call: they make arrays and raise errors."""
PART = "compiled kernels"
"""The part of a program that images belong to, for the report."""
_FRAMES, _DRAWN = 60, 15
"""The frames of each scene that are played, and how many frames it takes until one is drawn."""


@dataclass
class Kernels:
    """The compiled kernels of a program. files: images and what they call. counts: kernels by level.

    numba_only: the names of the kernels that need numba, or run as plain Python without it.
    """

    files: list[File] = field(default_factory=list[File])
    counts: dict[str, int] = field(default_factory=dict[str, int])
    numba_only: list[str] = field(default_factory=list[str])


def compile_kernels(folder: Path, scratch: Path, cache: Path, tell: Callable[[str], object]) -> Kernels:
    """Compile the kernels of a game for each level of processors, all levels at the same time.

    folder: of the game. scratch: an empty folder for the images. cache: where kernels of levels other than that of this
    processor are kept for the next export. tell: called with a line of progress. Raises RishError if the game fails,
    and where no kernel can be loaded.
    """
    tell(f"kernels for {' and '.join(LEVELS)}")
    kernels, processes = Kernels(), dict[str, subprocess.Popen[str]]()
    try:
        for level in LEVELS:
            (scratch / level).mkdir(parents=True)
            processes[level] = _begin(level, folder, scratch / level, cache / level)
        for level, process in processes.items():
            answer = _answer(level, process)
            kernels.counts[level] = answer["count"]
            kernels.numba_only = sorted({*kernels.numba_only, *answer["numba_only"]})
            kernels.files += [File(name, scratch / level / file, PART) for name, file in answer["images"].items()]
    finally:
        for process in processes.values():
            process.kill()  # its own processes end with it, because their input ends
            process.communicate()
    kernels.files += runtime_files()
    return kernels


def _begin(level: str, folder: Path, out: Path, cache: Path) -> subprocess.Popen[str]:
    """Start the process that compiles for a level; what was compiled for playing the game here is used again."""
    more = {} if level == rish_jit.default_level() else rish_jit.environment_for(level, cache)
    command = [sys.executable, "-m", "rish_export.kernels", str(folder), str(out)]
    options = text_options({**os.environ, **more})
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def _answer(level: str, process: subprocess.Popen[str]) -> Any:
    """Wait for a process, and return what it wrote. Raises RishError with its reason if it fails."""
    answer, errors = process.communicate()
    if process.returncode:
        reason = errors.strip().removeprefix("rish: ") or f"its process ended with {process.returncode}"
        raise RishError(f"the kernels for {level} can't be compiled: {reason[-2000:]}")
    return json.loads(answer.splitlines()[-1])


def can_load_kernels() -> bool:
    """Return whether compiled kernels can be loaded on this system. Raises UsageError where they are switched off."""
    if rish_jit.switched_off() is not None:
        raise UsageError(f"{rish_jit.switched_off()} is set, so no kernels can be compiled", hint="Unset it")
    return current() == "linux" and rish_jit.default_level() != "arm64"


def runtime_files() -> list[File]:
    """Return the extension modules of numba with the functions that compiled kernels call."""
    paths = [rish_jit.extension_file(name) for name in RUNTIME]
    return [File(f"rish_jit/numba_runtime/{path.name}", path, PART) for path in paths]


def main(game: str, out: str) -> None:
    """Write the images for the level of this process into a folder, and print what was written as JSON."""
    used: dict[tuple[str, str], rish_jit.Entry] = {}
    rish_jit.on_use(lambda entry: used.setdefault((entry.key.kernel, entry.key.types), entry))
    with _open_drawing(game) as app:
        folders = {Path(folder).resolve() for folder in app.kernels.folders.values()}
        listed = [each for folder in sorted(folders) for each in _list_in(folder)]
        rish_jit.compile_ahead(rish_jit.missing(listed))
        _play(app)
        for each in listed:
            entry = None if each.inner else rish_jit.stored(each)
            if entry is not None:
                used.setdefault((each.kernel, each.types), entry)
        entries = _by_root(used.values())
        images: dict[str, str] = {}
        level = rish_jit.default_level()
        for number, (root, of_root) in enumerate(sorted(entries.items())):
            file = f"{number}.image"
            rish_jit.write_image(Path(out) / file, of_root, level)
            place = f"{GAMES}/{root.name}" if (root / "game.yaml").is_file() else root.name
            images[f"{place}/{rish_jit.image_name(level)}"] = file
        numba_only = list(_numba_only(listed))  # while the game's modules are there
    say(json.dumps({"count": sum(map(len, entries.values())), "numba_only": numba_only, "images": images}))


def _open_drawing(game: str) -> App:
    """Open a game with a backend that produces images, if there is one."""
    options: dict[str, Any] = {"headless": True, "warm_up": False, "policy": "raise"}
    try:
        return open_game(game, pixels=True, **options)
    except RishError:  # nothing draws
        return open_game(game, **options)


def _play(app: App) -> None:
    """Call the features of each scene, and run some frames of it."""
    for scene in app.game.scenes:
        app.world[Scenes].go(scene)
        app.border()
        for call in app.features().values():
            call()
        for number in range(_FRAMES):
            app.frame(draw=number % _DRAWN == 0)


def _list_in(folder: Path) -> list[rish_jit.Listed]:
    path = folder / rish_jit.LIST_FILE
    return rish_jit.read_list(path) if path.is_file() else []


def _by_root(entries: Any) -> dict[Path, list[rish_jit.Entry]]:
    """Return the entries with machine code by the folder of their package or game."""
    sources = {kernel.name: kernel.py_func.__code__.co_filename for kernel in rish_jit.kernels()}
    by_root: dict[Path, list[rish_jit.Entry]] = {}
    for entry in (each for each in entries if each.key.kernel in sources):  # others only kernels call
        root = rish_jit.package_folder(str(Path(sources[entry.key.kernel]).resolve()))
        if entry.code:
            by_root.setdefault(root, []).append(entry)
    return by_root


def _numba_only(listed: list[rish_jit.Listed]) -> Iterator[str]:
    """Yield the names of kernels without machine code that needs no numba: of those in lists, and of those that ran."""
    for each in listed:
        entry = None if each.inner else rish_jit.stored(each)
        if not each.inner and (entry is None or not entry.code):
            yield each.kernel
    for kernel in rish_jit.kernels():
        if kernel.compiled and (kernel.specializations is None or not kernel.specializations.types):
            yield kernel.name


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except RishError as error:
        sys.exit(f"rish: {error}")
