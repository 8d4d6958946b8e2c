"""The fixture `play` for tests of scripts: a small App with the classes that a test defines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_devtools.testing import AppFactory
from rish_scripts import Scripts, plugin


class Stage:
    """An App whose game has some scripts; `tick`, `spawn` and `script` are short forms of common calls."""

    def __init__(self, make: AppFactory, scripts: Sequence[type], options: dict[str, Any]) -> None:
        hooks = {f"rish_{name}": options.pop(name, []) for name in ("events", "components", "resources", "systems")}
        game = {hook: (lambda value=value: value) for hook, value in hooks.items() if value}
        game["rish_scripts"] = lambda: list(scripts)
        manifest: dict[str, Any] = {"scenes": options.pop("scenes", {"main": options.pop("scene", [])})}
        if "settings" in options:
            manifest["settings"] = {"scripts": options.pop("settings")}
        manifest |= options.pop("manifest", {})
        options.setdefault("strict", True)
        plugins = {"scripts": plugin, "game": SimpleNamespace(**game)}
        self.app = make(manifest, plugins=plugins, **options)
        self.world = self.app.world

    def tick(self, count: int = 1) -> None:
        """Run ticks."""
        for _ in range(count):
            self.app.tick()

    def spawn(self, *parts: Any) -> int:
        """Spawn an entity between two ticks."""
        return self.world.spawn(*parts)

    def script(self, entity: int, cls: type) -> Any:
        """Return a script of an entity."""
        return self.world[Scripts].get(entity, cls)

    def only(self, cls: type) -> Any:
        """Return the only script of a class."""
        (entity,) = self.world.table(cls).entities.tolist()
        return self.script(entity, cls)


MakeStage = Callable[..., Stage]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[MakeStage]:
    """A function that makes a stage: `play(Door, scene=[{"Door": {}}], events=[Hit], strict=False)`."""
    factory = AppFactory(tmp_path)
    yield lambda *scripts, **options: Stage(factory, scripts, options)
    factory.close()
