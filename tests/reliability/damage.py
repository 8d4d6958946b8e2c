"""Damaged files: what a game reads is refused with a sentence, or read in part and says so; nothing else changes."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from damage import damaged_bytes, damaged_text
from rish_core import ManifestError, open_game, read_manifest
from rish_core.manifest import compile_manifest
from rish_history import Recorder, RecordingError, SaveError, Saves, origin_of, read_recording

from .registry import Try, check

GAMES = Path(__file__).parents[2] / "games"


@check("damaged-manifests", quick=300, whole=10_000)
def damaged_manifests() -> Iterator[Try]:
    """A manifest with a few wrong bytes is valid, or each mistake is a sentence with its place."""
    texts = [path.read_bytes() for path in sorted(GAMES.glob("*/game.yaml"))]
    with tempfile.TemporaryDirectory() as folder, open_game(GAMES / "breakout", headless=True, warm_up=False) as app:
        path = Path(folder) / "game.yaml"

        def attempt(chance: random.Random) -> None:
            path.write_bytes(damaged_text(chance.choice(texts), chance))
            try:
                compile_manifest(read_manifest(path), app.registry)
            except ManifestError as error:
                for problem in error.problems:
                    if not str(problem).startswith(str(problem.place)) or "Traceback" in problem.what:
                        raise

        yield attempt


@check("damaged-saves", quick=200, whole=10_000)
def damaged_saves() -> Iterator[Try]:
    """A save game that is cut or has a wrong bit is refused, and the running game is unchanged."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_game(GAMES / "breakout", headless=True, warm_up=False, more=["history"]) as app,
    ):
        path = Path(folder) / "slot.rish"
        app.run(10, draw=False)
        app.world[Saves].save(path)
        whole = path.read_bytes()
        before = app.world.hash()

        def attempt(chance: random.Random) -> None:
            path.write_bytes(damaged_bytes(whole, chance))
            with pytest.raises(SaveError, match=path.name):
                app.world[Saves].load(path)
            assert app.world.hash() == before

        yield attempt


@check("damaged-recordings", quick=100, whole=5_000)
def damaged_recordings() -> Iterator[Try]:
    """A recording that is cut or has a wrong bit is read up to there and says so, or is refused."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.rish"
        with open_game(GAMES / "breakout", headless=True, warm_up=False) as app:
            recorder = Recorder(app, path, origin_of(app))
            app.run(120, draw=False)
            recorder.finish()
        whole, ticks = path.read_bytes(), read_recording(path).ticks

        def attempt(chance: random.Random) -> None:
            path.write_bytes(damaged_bytes(whole, chance))
            try:
                recording = read_recording(path)
            except RecordingError as error:
                if path.name not in str(error):
                    raise
            else:
                assert recording.cut
                assert recording.ticks <= ticks

        yield attempt
