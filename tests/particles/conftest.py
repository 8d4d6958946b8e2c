"""The fixture `yard`: a game with only particles, for emitters and measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import Transform, open_game
from rish_particles import Effect, Emitter, Preset
from rish_particles.files.preset_library import PresetLibrary
from rish_particles.pools.pools import Store

TICK = 1 / 60


class Yard:
    """A running game. `add` registers a preset, `put` spawns an emitter of it."""

    def __init__(self, app: Any) -> None:
        self.app, self.world = app, app.world

    def add(self, name: str = "test", *others: Preset, run: tuple[str, ...] = ("",), **parts: Any) -> str:
        """Register a preset under the name of a file, with `others` as its inner presets; return the file's name."""
        asset = f"{name}.particles.yaml"
        presets = {"": Preset(**parts), **{other.name: other for other in others}}
        self.world[PresetLibrary].add(Effect("", presets, run), asset)
        return asset

    def put(self, preset: str, x: float = 0.0, y: float = 0.0, *parts: Any, place: Any = None, **emitter: Any) -> int:
        """Spawn an emitter of a preset; return its handle."""
        return self.world.spawn(Transform(position=(x, y), **(place or {})), Emitter(preset=preset, **emitter), *parts)

    def run(self, ticks: int = 1) -> Yard:
        """Run some ticks."""
        self.app.run(frames=ticks)
        return self

    def particles(self, full: str = "", view: bool = False) -> dict[str, Any]:
        """Return the columns of all live particles, or of those of one preset."""
        from rish_particles.components.tables import COLUMNS, EXTRAS

        store = Store.of(self.world, view)
        found: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, *EXTRAS)}
        for row in range(len(store.pools)):
            if not store.name(row) or (full and store.name(row) != full):
                continue
            live, span = int(store.pools.live[row]), store.span(row)
            for name, column in zip((*COLUMNS, *EXTRAS), (*span.columns, *span.extras), strict=True):
                found[name].append(column[:live].copy())
        return {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in found.items()}

    def live(self, full: str = "", view: bool = False) -> int:
        """Return the number of live particles."""
        return len(self.particles(full, view)["x"])


@pytest.fixture
def new_yard(tmp_path: Path) -> Iterator[Callable[..., Yard]]:
    """A function that makes yards: `new_yard(plugins=..., settings=..., scene=..., layers=...)`."""
    opened: list[Any] = []

    def make(
        plugins: str = "particles", settings: str = "{}", scene: str = "[]", folder: Path | None = None,
        layers: str = "[world]",
    ) -> Yard:  # fmt: skip
        path = folder or tmp_path / f"game{len(opened)}"
        path.mkdir(exist_ok=True)
        text = (
            f"rish: 1\ngame: {{title: Yard, size: [320, 180], seed: 5}}\nplugins: [{plugins}]\n"
            f"layers: {layers}\nsettings: {settings}\nscenes:\n  main: {scene}\n"
        )
        (path / "game.yaml").write_text(text, encoding="utf-8")
        app = open_game(path, headless=True)
        opened.append(app)
        app.__enter__()
        return Yard(app)

    yield make
    for app in opened:
        app.__exit__(None, None, None)


@pytest.fixture
def yard(new_yard: Callable[..., Yard]) -> Yard:
    """A yard with the default options."""
    return new_yard()
