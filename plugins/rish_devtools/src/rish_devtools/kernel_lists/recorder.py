"""Which kernels a game calls: its features and its play are run in processes of their own, which report the kernels.

A process sees a kernel with some types once, when it loads or compiles it. So for the kernels of a single feature that
feature is run alone.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import rish_jit
from rish_core import App, Scenes, open_game, say
from rish_ecs import RishError
from rish_ecs.snapshots import prepare_digests
from rish_jit import Listed
from rish_system import run_text

DRAWN = 15
"""Every this many frames of a run are drawn, because drawing without a graphics card takes most of the time."""
_PROGRAM = "import sys; from rish_devtools.kernel_lists.recorder import main; main(sys.argv[1])"


@dataclass(frozen=True)
class Task:
    """What a process runs: one feature (owner, name) in each scene, or all of them, and then frames of each scene.

    backend: the one that draws; "": `software` if the game draws.
    """

    game: str
    backend: str = ""
    frames: int = 0
    feature: tuple[str, str] | None = None


class Use(NamedTuple):
    """A kernel that was called with some types, by a feature of a plugin (`owner`) or, without an owner, in play."""

    kernel: str
    types: str
    scene: str
    owner: str = ""
    feature: str = ""

    def __str__(self) -> str:
        by = f"the feature '{self.feature}' of '{self.owner}'" if self.owner else "play"
        return f"{self.kernel} {self.types}: called by {by} in the scene '{self.scene}'"


class Recording(NamedTuple):
    """What a process has seen. features: (owner, name) of all features that the scenes have."""

    uses: list[Use]
    features: list[tuple[str, str]]


def record(task: Task) -> Recording:
    """Run a task in a process of its own and return which kernels Python called. Raises RishError if it fails."""
    process = run_text([sys.executable, "-c", _PROGRAM, json.dumps(asdict(task))])
    if process.returncode:
        what = f"a run of '{task.game}'" if task.feature is None else "the feature '{1}' of '{0}'".format(*task.feature)
        raise RishError(f"{what} failed: {process.stderr.strip()[-2000:]}")
    uses, features = json.loads(process.stdout.splitlines()[-1])
    return Recording([Use(*each) for each in uses], [(owner, name) for owner, name in features])


def main(text: str) -> None:
    """Run the task that a text of JSON describes and print what it called as JSON."""
    task = Task(**json.loads(text))
    only = None if task.feature is None else tuple(task.feature)
    uses: dict[tuple[str, str], Use] = {}
    features: dict[tuple[str, str], None] = {}
    with open_drawing(task.game, task.backend, policy="raise") as app:
        for scene in app.game.scenes:
            _enter(app, scene)
            for name, call in app.features().items():  # without those that are done for an earlier scene
                features[name] = None
                if only in (None, name):
                    with _listening(uses, scene, *name):
                        call()
        for scene in app.game.scenes if task.frames else ():
            _enter(app, scene)
            with _listening(uses, scene):
                prepare_digests()  # what hashes and recordings of the run call
                for number in range(task.frames):
                    app.frame(draw=number % DRAWN == 0)
    say(json.dumps([list(uses.values()), list(features)]))


def _enter(app: App, scene: str) -> None:
    app.world[Scenes].go(scene)
    app.border()


@contextmanager
def _listening(uses: dict[tuple[str, str], Use], scene: str, owner: str = "", feature: str = "") -> Iterator[None]:
    """Add the kernels that are loaded or compiled meanwhile to `uses`, without the forms that only kernels call."""

    def note(entry: rish_jit.cache.Entry) -> None:
        kernel, types = entry.key.kernel, entry.key.types
        if not Listed(kernel, types).inner:
            uses.setdefault((kernel, types), Use(kernel, types, scene, owner, feature))

    stop = rish_jit.on_use(note)
    try:
        yield
    finally:
        stop()


def open_drawing(game: str, backend: str = "", **options: str) -> App:
    """Open a game without preparing it. backend, options: see `Task` and `App`.

    numba is imported before, because small scenes have more features if it is (`worth_preparing`).
    """
    importlib.import_module("numba")
    with open_game(game, headless=True, warm_up=False) as app:
        draws = "frame" in app.plugins
    shown: dict[str, Any] = {"backend": backend} if backend else {"pixels": True}
    return open_game(game, headless=True, warm_up=False, **options, **(shown if draws else {}))
