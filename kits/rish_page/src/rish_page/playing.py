"""Plays a game for its page, without a window: a recording of the author, or the game as its demo.

Files of the player are neither read nor written meanwhile: the game has an empty folder for them.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_cli import build_app
from rish_core import App, InputRecord, LayerStack, PendingInput, Scenes, TickHooks, WindowEvent
from rish_frame import Soundtrack
from rish_history import Player, RandomPlayer, check_same, open_recorded, read_recording

from .description import PAUSE, Demo

Pixels = npt.NDArray[np.uint8]
Samples = npt.NDArray[np.float32]
_FOLDER = "RISH_USER_FOLDER"
_PACE = 0.5
"""Seconds between two keys."""


class Shown(NamedTuple):
    """An image of the game: uint8 (h, w, 4), top row first, and the sound while it is shown, float32 (n, channels)."""

    pixels: Pixels
    samples: Samples


@dataclass
class Playing:
    """A game that is being played. dt: seconds between two images. total: the number of images that are expected."""

    app: App
    soundtrack: Soundtrack
    dt: float
    total: int
    _every: int
    _ticks: int
    _scenes: tuple[str, ...] = ()
    _keys: tuple[str, ...] = ()

    @property
    def _share(self) -> int:
        """The ticks for which each scene is shown."""
        return -(-self._ticks // len(self._scenes))

    def images(self) -> Iterator[Shown]:
        """Play to the end, and yield each image."""
        for tick in range(self._ticks):
            if not self.app.running:
                break
            if self._scenes and tick % self._share == 0:
                self.app.world[Scenes].go(self._scenes[tick // self._share])
            self._press(tick)
            drawn = tick % self._every == 0
            self.app.run(1, draw=drawn)
            if drawn:
                yield Shown(self.app.pixels(), self.soundtrack.take())

    def _press(self, tick: int) -> None:
        """Press or release the key of a tick, as a person at the window does: also widgets get it."""
        world, pace = self.app.world, round(_PACE / self.app.clock.dt)
        number, moment = divmod(tick, pace)
        if number < len(self._keys) and self._keys[number] != PAUSE and moment in (0, pace // 4):
            key = self._keys[number]
            kind = "gamepad_button" if key.startswith("gamepad.") else "key"
            event = WindowEvent(kind, key, down=moment == 0)
            if not world[LayerStack].route(world, event, tools=True):
                world[PendingInput].send(event)


@contextmanager
def play(game: Path, demo: Demo, recording: Path | None, scratch: Path) -> Generator[Playing]:
    """Open a game for its demo, or for a recording. scratch: a folder for files that the game saves.

    Raises RecordingError for a recording of another game or another version of it, ManifestError, and UsageError for
    a game that draws nothing.
    """
    with _own_files(scratch), _opened(game, demo, recording) as (app, ticks):
        soundtrack = app.world[Soundtrack]
        soundtrack.wanted = True
        every = max(1, round(1 / (demo.rate * app.clock.dt)))
        scenes, keys = (demo.scenes, demo.keys) if recording is None else ((), ())
        yield Playing(app, soundtrack, every * app.clock.dt, -(-ticks // every), every, ticks, scenes, keys)


@contextmanager
def _opened(game: Path, demo: Demo, recording: Path | None) -> Generator[tuple[App, int]]:
    """A context manager with the game, and the number of ticks to play."""
    if recording is None:
        arguments = argparse.Namespace(game=str(game), overrides=[*demo.changes], more="", without="")
        options: dict[str, Any] = {"policy": "raise", "personal": False, "watches": False, "demo": True}
        with build_app(arguments, headless=True, pixels=True, seed=demo.seed, **options) as app:
            if demo.random is not None and not demo.keys:
                RandomPlayer(app, demo.random).take_over()
            yield app, max(1, round(demo.seconds / app.clock.dt))
    else:
        recorded = read_recording(recording)
        options = {"headless": True, "pixels": True, "personal": False, "watches": False}
        with open_recorded(recorded, game, **options) as app:
            check_same(recorded, app, recording)
            records = Player(app, recorded).records()

            def feed(world: object, heard: InputRecord) -> InputRecord | None:
                return _input(next(records, None))

            app.world[TickHooks].before.insert(0, feed)
            yield app, recorded.ticks


def _input(record: tuple[int, Any, InputRecord] | None) -> InputRecord | None:
    return None if record is None else record[2]


@contextmanager
def _own_files(folder: Path) -> Generator[None]:
    """A context manager in which the folder of the player's files is another one."""
    former = os.environ.get(_FOLDER)
    os.environ[_FOLDER] = str(folder)
    try:
        yield
    finally:
        if former is None:
            del os.environ[_FOLDER]
        else:
            os.environ[_FOLDER] = former
