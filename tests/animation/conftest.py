"""The fixture `stage`: a game with the plugin animation in strict mode, whose events are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_animation import AnimatorFinished, AnimatorMarker, PathFinished, TweenFinished
from rish_core import App, Stage, Transform, find, read_manifest, system

EVENTS = (AnimatorMarker, AnimatorFinished, TweenFinished, PathFinished)


class Game:
    """A running game. events: (tick, event class, texts) of all events, in order."""

    def __init__(self, folder: Path, entries: tuple[str, ...], plugins: str, files: dict[str, str]) -> None:
        for name, text in files.items():
            (folder / name).write_text(text)
        listed = "".join(f"    - {entry}\n" for entry in entries) or "    []\n"
        (folder / "game.yaml").write_text(f"rish: 1\nplugins: [{plugins}]\nscenes:\n  main:\n{listed}")
        self.events: list[tuple[Any, ...]] = []

        @system(Stage.UPDATE)
        def listen(world: Any, dt: float) -> None:
            self.events = [event for event in self.events if event[0] != world.tick]  # strict mode repeats ticks
            for cls in EVENTS:
                for event in world.events(cls):
                    texts = [getattr(event, name) for name in cls.__kind__.fields if name != "entity"]
                    self.events.append((world.tick, cls.__name__, *texts))

        module = type("listener", (), {"rish_systems": staticmethod(lambda: [listen])})
        manifest = read_manifest(folder / "game.yaml")
        self.app = App(manifest, headless=True, policy="raise", more=["strict"], extra={"listener": module})
        self.world = self.app.world

    def run(self, ticks: int = 1) -> Game:
        """Run some ticks."""
        for _ in range(ticks):
            self.app.tick()
        return self

    def find(self, name: str) -> int:
        """Return the entity of a name."""
        found = find(self.world, name)
        assert found is not None
        return found

    def value(self, name: str, cls: type = Transform, field: str = "position") -> Any:
        """Return a value of an entity's component."""
        table = self.world.table(cls)
        found = table.read_row(field, table.row_of(self.find(name)))
        return found.tolist() if hasattr(found, "tolist") else found


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Callable[..., Game]]:
    """A function that starts a game with some entries of a scene, and files by name."""
    games: list[Game] = []

    def start(*entries: str, plugins: str = "animation", **files: str) -> Game:
        named = {name.replace("__", "."): text for name, text in files.items()}
        games.append(Game(tmp_path, entries, plugins, named))
        return games[-1]

    yield start
    for game in games:
        game.app.close()
