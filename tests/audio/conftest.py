"""The fixture `studio`: games with only sound, whose samples are kept, and files with waves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_audio import AudioListener, AudioOutput, AudioSource, SoundCommand, SoundEnded, SoundMarker, Voices
from rish_core import Entity, Stage, Transform, Vec2, event, field, open_game, system
from sound_files import tone, wav_bytes


class Studio:
    """A running game. Its samples are kept if `listens`; `act` calls a function at the beginning of a tick."""

    def __init__(self, app: Any, lists: tuple[list[Any], ...], listens: bool = True) -> None:
        self.app, self.world = app, app.world
        self.wanted, self.ended, self.markers = lists
        self.kept: list[Any] = []
        if listens:
            self.world[AudioOutput].add_offline(self.world, "test", self.kept.append)

    def act(self, do: Callable[[Any], object], ticks: int = 1) -> Studio:
        """Call a function in the next tick, as a system would, and run some ticks."""
        self.wanted.append(do)
        return self.run(ticks)

    def run(self, ticks: int = 1) -> Studio:
        """Run some ticks."""
        self.app.run(frames=ticks)
        return self

    def listener(self, x: float = 0.0, y: float = 0.0, **fields: Any) -> int:
        """Spawn a listener."""
        return self.world.spawn(Transform(position=(x, y)), AudioListener(**fields))

    def source(self, clip: str, x: float = 0.0, y: float = 0.0, **fields: Any) -> int:
        """Spawn a source."""
        return self.world.spawn(Transform(position=(x, y)), AudioSource(clip=clip, **fields))

    def change(self, entity: int, **fields: Any) -> None:
        """Write fields of a source."""
        self.world.set(entity, AudioSource(**fields))

    def state(self, entity: int) -> str:
        """Return the state of a source."""
        return self.world.get(entity, AudioSource).state.value

    @property
    def voices(self) -> list[dict[str, Any]]:
        """All voices as dictionaries, with texts as text."""
        table = self.world[Voices]
        return [{name: table.read_row(name, row) for name in table.schema.fields} for row in range(len(table))]

    @property
    def samples(self) -> Any:
        """All samples so far, float32 (n, channels)."""
        return np.concatenate(self.kept)


@event
class Bump:
    """An event of the game."""

    who: Entity = 0
    point: Vec2 = field((0, 0))
    strength: float = field(1.0)


def desk(wanted: list[Any], ended: list[Any], markers: list[str], without: bool) -> SimpleNamespace:
    """Return a plugin that calls functions at the beginning of a tick and keeps the events of sounds."""

    @system(Stage.INPUT, name="act", writes=(Bump,) if without else (Bump, SoundCommand))
    def act(world: Any, dt: float) -> None:
        for row in () if without else world.events(SoundEnded):
            ended.append(SimpleNamespace(**{**vars(row), "sound": str(row.sound), "tag": str(row.tag)}))
        markers.extend(str(row.marker) for row in (() if without else world.events(SoundMarker)))
        doing, wanted[:] = [*wanted], []
        for do in doing:
            do(world)

    return SimpleNamespace(rish_systems=lambda: [act], rish_events=lambda: [Bump])


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Callable[..., Studio]]:
    """A function that makes games: `studio(settings, scene, plugins=..., folder=..., more=...)`."""
    opened: list[Any] = []

    def make(
        settings: str = "{}", scene: str = "[]", *, plugins: str = "audio", more: str = "", listens: bool = True,
        folder: Path | None = None, without: bool = False,
    ) -> Studio:  # fmt: skip
        path = folder or tmp_path / f"game{len(opened)}"
        path.mkdir(exist_ok=True)
        for name, hertz, frames in (("a.wav", 440, 44_100), ("b.wav", 660, 44_100), ("short.wav", 300, 4410)):
            (path / name).write_bytes(wav_bytes(tone(frames, hertz=hertz)))
        text = (
            f"rish: 1\ngame: {{title: Studio, seed: 5}}\nplugins: [{plugins}]\n"
            f"settings:\n  audio: {settings}\nscenes:\n  main: {scene}\n{more}"
        )
        (path / "game.yaml").write_text(text, encoding="utf-8")
        options: dict[str, Any] = {"installed": []} if without else {}
        lists: tuple[list[Any], ...] = ([], [], [])
        app = open_game(
            path, headless=True, more=["desk"], extra={"desk": desk(*lists, without)}, policy="raise", **options
        )
        opened.append(app)
        app.__enter__()
        return Studio(app, lists, listens)

    yield make
    for app in opened:
        app.__exit__(None, None, None)
