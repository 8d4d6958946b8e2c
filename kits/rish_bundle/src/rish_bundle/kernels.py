"""Compiled kernels for a bundle: an image beside the modules of each package with a list, and beside such games.

Each level of processors has a process of its own, `python -m rish_bundle.kernels`. Packages that were installed from
wheels with compiled kernels have images already.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import rish_jit
from rish_core import RishError, open_game, say
from rish_devtools import write_list_image
from rish_export import LEVELS, File, cache_folder, runtime_files
from rish_system import run_text

_PART = "compiled kernels"


def compile_images(
    packages: Mapping[str, Path], games: Mapping[str, Path], scratch: Path, tell: Callable[[str], object]
) -> tuple[list[File], list[str]]:
    """Compile the kernels in the lists of packages and games for each level of processors.

    packages: folders of top-level packages, by their place in a bundle. games: folders, by their place. scratch: a new
    folder. Returns the images, and a sentence for each game with kernels that only numba can run. Raises RishError.
    """
    files, notes = list[File](), dict[str, None]()
    for level in LEVELS:
        tell(f"kernels for {level}")
        out = scratch / level
        out.mkdir(parents=True)
        wanted = {
            place: folder for place, folder in packages.items() if not (folder / rish_jit.image_name(level)).exists()
        }
        task = {"packages": _with_lists(wanted), "games": _with_lists(games), "out": str(out)}
        command = [sys.executable, "-m", "rish_bundle.kernels"]
        process = run_text(command, input=json.dumps(task), variables=_environment(level))
        if process.returncode:
            reason = process.stderr.strip() or f"its process ended with {process.returncode}"
            raise RishError(f"the kernels for {level} can't be compiled: {reason[-2000:]}")
        answer = json.loads(process.stdout.splitlines()[-1])
        files += [File(name, Path(path), _PART) for name, path in answer["images"].items()]
        notes |= dict.fromkeys(answer["notes"])
    return files, [*notes]


def runtime(packages: Mapping[str, Path], site: str) -> list[File]:
    """Return what compiled kernels call; nothing if the package that loads them was installed with it."""
    if (packages[f"{site}/rish_jit"] / "numba_runtime").is_dir():
        return []
    return [file._replace(name=f"{site}/{file.name}") for file in runtime_files()]


def _environment(level: str) -> dict[str, str]:
    """Return the variables of a process that compiles; kernels for this machine are kept where games keep them."""
    if level == rish_jit.default_level():
        return dict(os.environ)
    return {**os.environ, **rish_jit.environment_for(level, cache_folder() / "kernels" / level)}


def _with_lists(folders: Mapping[str, Path]) -> dict[str, str]:
    return {place: str(folder) for place, folder in folders.items() if (folder / rish_jit.LIST_FILE).is_file()}


def main() -> None:
    """Write the images for the level of this process, and print where they are as JSON."""
    task = json.loads(sys.stdin.read())
    images, notes, out = dict[str, str](), list[str](), Path(task["out"])
    lists = [rish_jit.read_list(Path(folder) / rish_jit.LIST_FILE) for folder in task["packages"].values()]
    rish_jit.compile_ahead(rish_jit.missing(each for listed in lists for each in listed))  # by the same workers
    for number, (place, folder) in enumerate(task["packages"].items()):
        _write(place, Path(folder), out / str(number), images)
    for place, folder in task["games"].items():
        with open_game(folder, headless=True, warm_up=False, policy="raise") as app:
            app.kernels.compile_all(lambda done, total: True)  # its workers know the modules of the game
            try:
                _write(place, Path(folder), out / Path(folder).name, images)
            except RishError as error:
                notes.append(f"{place}: without numba its kernels run as plain Python, because {error}")
    say(json.dumps({"images": images, "notes": notes}))


def _write(place: str, folder: Path, out: Path, images: dict[str, str]) -> None:
    out.mkdir()
    path, _ = write_list_image(folder, out)
    images[f"{place}/{path.name}"] = str(path)


if __name__ == "__main__":
    main()
