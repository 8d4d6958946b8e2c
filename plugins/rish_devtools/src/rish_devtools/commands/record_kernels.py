"""`rish record-kernels GAME...`: write the lists by which kernels are compiled before a game runs (`kernels.txt`).

Every feature of the games (`rish_warm_up`, samples of what is drawn) runs in a process of its own, so that it loads or
compiles each of its kernels; the kernels that these call are added. The lists are written beside the packages and games
that declare the features. Features that these games do not have keep their lines.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import rish_jit
from rish_core import App, Scenes, open_game, say
from rish_ecs import RishError
from rish_jit import Listed

_PROGRAM = "import sys; from rish_devtools.commands.record_kernels import record_feature; record_feature(*sys.argv[1:])"
_Task = tuple[str, str, str, str]
"""Game, plugin, feature and backend; the scenes that have the feature follow."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the games and the backend."""
    parser.add_argument("games", nargs="+", metavar="GAME", help="games whose features are recorded")
    parser.add_argument("--backend", default="", help="the backend whose kernels are recorded (default: software)")


def run(arguments: argparse.Namespace) -> int:
    """Record all features of the games and write the lists."""
    if not rish_jit.available():
        hint = f"{rish_jit.how_to_get_numba()}, and unset RISH_NO_JIT"
        raise RishError("kernels can't be recorded without numba", hint=hint)
    for folder, features in sorted(record(arguments.games, arguments.backend).items()):
        path = folder / rish_jit.LIST_FILE
        entries = merge(_read(path), features)
        if entries:
            rish_jit.write_list(path, entries)
            say(f"{path}: {len(entries)} kernels")
    return 0


def record(games: Iterable[str], backend: str) -> dict[Path, dict[str, list[Listed]]]:
    """Return the kernels of each feature, by the folder of its list and by its name; callees come first."""
    tasks: dict[_Task, list[str]] = {}
    folders: list[Path] = []
    for game in games:
        with _open(game, backend) as app:
            for scene in app.game.scenes:
                _enter(app, scene)
                for owner, name in app.features():
                    if owner in app.kernels.folders:
                        scenes = tasks.setdefault((game, owner, name, backend), [])
                        folders += [] if scenes else [app.kernels.folders[owner]]
                        scenes.append(scene)
    features_of_folder: dict[Path, dict[str, list[Listed]]] = {}
    with ThreadPoolExecutor(rish_jit.cores()) as pool:
        for folder, task, entries in zip(folders, tasks, pool.map(_recorded, tasks, tasks.values()), strict=True):
            listed = features_of_folder.setdefault(folder, {}).setdefault(task[2], [])
            listed += [entry for entry in entries if entry not in listed]
    return features_of_folder


def _recorded(task: _Task, scenes: list[str]) -> list[Listed]:
    """Run a feature in a process of its own; return the kernels that it loaded or compiled."""
    process = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *task, *scenes], capture_output=True, text=True, check=False
    )
    _, owner, name, _ = task
    if process.returncode:
        raise RishError(f"the feature '{name}' of '{owner}' failed: {process.stderr.strip()[-2000:]}")
    return [Listed(kernel, types, (name,)) for kernel, types in json.loads(process.stdout.splitlines()[-1])]


def record_feature(game: str, owner: str, name: str, backend: str, *scenes: str) -> None:
    """Print the kernels that a feature needs in some scenes as JSON; for a process of its own."""
    with _open(game, backend) as app:
        used: dict[tuple[str, str], None] = {}
        for scene in scenes:
            _enter(app, scene)
            call = app.features().get((owner, name))  # none if it was done for an earlier scene
            if call is not None:
                listen = lambda entry: used.update(dict.fromkeys([*entry.calls, (entry.key.kernel, entry.key.types)]))  # noqa: E731
                stop = rish_jit.on_use(listen)
                call()
                stop()
        say(json.dumps(list(_with_callees(used))))  # while the modules of the game can be imported


def _open(game: str, backend: str) -> App:
    """Open a game without preparing it; without a given backend, with one that draws if the game has it.

    numba is imported before, because small scenes have more features if it is (`worth_preparing`).
    """
    importlib.import_module("numba")
    if backend:
        return open_game(game, headless=True, backend=backend, warm_up=False)
    with open_game(game, headless=True, warm_up=False) as app:
        draws = "frame" in app.plugins
    return open_game(game, headless=True, pixels=draws, warm_up=False)


def _enter(app: App, scene: str) -> None:
    """Change to a scene."""
    app.world[Scenes].go(scene)
    app.border()


def _with_callees(used: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield kernels after the kernels that they call, each once."""
    seen: set[tuple[str, str]] = set()

    def visit(kernel: tuple[str, str]) -> Iterator[tuple[str, str]]:
        if kernel not in seen:
            seen.add(kernel)
            entry = rish_jit.stored(Listed(*kernel))
            for callee in entry.calls if entry is not None else ():
                yield from visit(callee)
            if entry is not None:
                yield kernel

    for kernel in used:
        yield from visit(kernel)


def merge(former: Iterable[Listed], new: Mapping[str, list[Listed]]) -> list[Listed]:
    """Return the entries of a list in which new features replace former features of the same names.

    Within the entries of a feature, and so in the result, callees come first.
    """
    remaining = [Listed(entry.kernel, entry.types, tuple(set(entry.features) - new.keys())) for entry in former]
    features: dict[tuple[str, str], set[str]] = {}
    for entries in [*(new[name] for name in sorted(new)), [entry for entry in remaining if entry.features]]:
        for entry in entries:
            features.setdefault((entry.kernel, entry.types), set()).update(entry.features)
    return [Listed(*kernel, features=tuple(sorted(entry))) for kernel, entry in features.items()]


def _read(path: Path) -> list[Listed]:
    return rish_jit.read_list(path) if path.is_file() else []
