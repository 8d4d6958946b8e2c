"""`rish record-kernels GAME...`: write the lists by which kernels are compiled before a game runs (`kernels.txt`).

Every feature of the games (`rish_warm_up`, samples of what is drawn) runs in a process of its own, so that it loads or
compiles each of its kernels; the kernels that these call are added. The lists are written beside the packages and games
that declare the features. Features that these games do not have keep their lines.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rish_core import App, Scenes, open_game
from rish_ecs import RishError, jit
from rish_ecs.jit import Listed

_PROGRAM = "import sys; from rish_devtools.commands.record_kernels import record_feature; record_feature(*sys.argv[1:])"
Feature = tuple[str, str]
"""The plugin that declares a feature, and the feature's name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the games and the backend."""
    parser.add_argument("games", nargs="+", metavar="GAME", help="games whose features are recorded")
    parser.add_argument("--backend", default="software", help="record what this backend calls (default: software)")


def run(arguments: argparse.Namespace) -> int:
    """Record all features of the games and write the lists."""
    if not jit.available():
        raise RishError("kernels can't be recorded without numba", hint="Install numba, and unset RISH_NO_JIT")
    folders, found = record(arguments.games, arguments.backend)
    for folder in sorted({folders[owner] for owner, _ in found if owner in folders}):
        path = folder / jit.LIST_FILE
        here = {feature: entries for feature, entries in found.items() if folders.get(feature[0]) == folder}
        entries = merge(_read(path), here)
        if entries:
            jit.write_list(path, entries)
            print(f"{path}: {len(entries)} kernels")
    return 0


def record(games: Iterable[str], backend: str) -> tuple[dict[str, Path], dict[Feature, list[Listed]]]:
    """Return the folders of the plugins, and the kernels of each feature in an order in which callees come first."""
    folders: dict[str, Path] = {}
    tasks: dict[tuple[str, Feature], str] = {}
    for game in games:
        with open_game(game, headless=True, backend=backend, warm_up=False) as app:
            for scene in app.game.scenes:
                _enter(app, scene)
                for feature in app.features():
                    tasks.setdefault((game, feature), f"{game}\n{scene}")
            folders |= app.kernels.folders
    found: dict[Feature, list[Listed]] = {}
    with ThreadPoolExecutor(jit.cores()) as pool:
        recorded = pool.map(lambda task: _recorded(task[1], task[0][1], backend), tasks.items())
        for (_, feature), entries in zip(tasks, recorded, strict=True):
            known = {(each.kernel, each.types) for each in found.get(feature, ())}
            found.setdefault(feature, []).extend(each for each in entries if (each.kernel, each.types) not in known)
    return folders, found


def _recorded(place: str, feature: Feature, backend: str) -> list[Listed]:
    """Run a feature in a process of its own; return the kernels that it loaded or compiled."""
    command = [sys.executable, "-c", _PROGRAM, *place.split("\n"), *feature, backend]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RishError(f"the feature '{feature[1]}' of '{feature[0]}' failed: {done.stderr.strip()[-2000:]}")
    return [Listed(kernel, types, (feature[1],)) for kernel, types in json.loads(done.stdout.splitlines()[-1])]


def record_feature(game: str, scene: str, owner: str, name: str, backend: str) -> None:
    """Print the kernels of a feature as JSON; for a process of its own."""
    with open_game(game, headless=True, backend=backend, warm_up=False) as app:
        _enter(app, scene)
        call = app.features()[owner, name]
        used: dict[tuple[str, str], None] = {}
        stop = jit.on_use(lambda entry: used.update(dict.fromkeys([*entry.calls, (entry.key.kernel, entry.key.types)])))
        call()
        stop()
    print(json.dumps(list(_with_callees(used))))


def _enter(app: App, scene: str) -> None:
    """Change to a scene."""
    app.world[Scenes].go(scene)
    app.border()


def _with_callees(used: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """These kernels after all that they call, each once."""
    seen: set[tuple[str, str]] = set()

    def visit(kernel: tuple[str, str]) -> Iterator[tuple[str, str]]:
        if kernel not in seen:
            seen.add(kernel)
            entry = jit.stored(Listed(*kernel))
            for callee in entry.calls if entry is not None else ():
                yield from visit(callee)
            if entry is not None:
                yield kernel

    for kernel in used:
        yield from visit(kernel)


def merge(known: Iterable[Listed], found: dict[Feature, list[Listed]]) -> list[Listed]:
    """Return the entries of a list in which the found features replace what it said of them, callees first."""
    names = {name for _, name in found}
    features: dict[tuple[str, str], set[str]] = {}
    for entries in found.values():
        for each in entries:
            features.setdefault((each.kernel, each.types), set()).update(each.features)
    for each in known:
        kept = set(each.features) - names
        if kept:
            features.setdefault((each.kernel, each.types), set()).update(kept)
    ordered = [kernel for kernel in _with_callees(sorted(features)) if kernel in features]
    return [Listed(*kernel, features=tuple(sorted(features[kernel]))) for kernel in ordered]


def _read(path: Path) -> list[Listed]:
    return jit.read_list(path) if path.is_file() else []
