"""The fixture `stage3d`: a game with models made in code, whose events are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.gltf_models import MODELS

from rish_animation import AnimatorFinished, AnimatorMarker
from rish_core import App, Stage, find, read_manifest, system
from rish_scene3d import Poses3D
from rish_space3d import Transform3D


class Game3D:
    """A running game. events: (tick, event class, texts) of all events, in order."""

    def __init__(
        self, folder: Path, entries: tuple[str, ...], files: dict[str, str], more: list[str], rules: str
    ) -> None:
        for name, text in files.items():
            (folder / name).write_text(text)
        for name in ("robot", "tube", "morph cube"):
            path = folder / f"{name.replace(' ', '_')}.glb"
            if not path.exists():
                path.write_bytes(MODELS[name]().glb())
        listed = "".join(f"    - {entry}\n" for entry in entries) or "    []\n"
        (folder / "game.yaml").write_text(
            f"rish: 1\nplugins: [scene3d{', rules' if rules else ''}]\n{rules}scenes:\n  main:\n{listed}"
        )
        self.events: list[tuple[Any, ...]] = []

        @system(Stage.UPDATE)
        def listen(world: Any, dt: float) -> None:
            self.events = [event for event in self.events if event[0] != world.tick]  # strict mode repeats ticks
            for cls in (AnimatorMarker, AnimatorFinished):
                for event in world.events(cls):
                    texts = [getattr(event, name) for name in cls.__kind__.fields if name != "entity"]
                    self.events.append((world.tick, cls.__name__, *texts))

        module = type("listener", (), {"rish_systems": staticmethod(lambda: [listen])})
        manifest = read_manifest(folder / "game.yaml")
        self.app = App(manifest, headless=True, policy="raise", more=more, extra={"listener": module})
        self.world = self.app.world

    def run(self, ticks: int = 1) -> Game3D:
        """Run some ticks."""
        for _ in range(ticks):
            self.app.tick()
        return self

    def find(self, name: str) -> int:
        """Return the entity of a name."""
        found = find(self.world, name)
        assert found is not None
        return found

    def value(self, name: str, cls: type = Transform3D, field: str = "position") -> Any:
        """Return a value of an entity's component."""
        table = self.world.table(cls)
        found = table.read_row(field, table.row_of(self.find(name)))
        return found.tolist() if hasattr(found, "tolist") else found

    def draw(self, alpha: float = 1.0) -> Poses3D:
        """Make the poses of a frame between the last two ticks."""
        self.world.alpha = alpha
        self.app.draw()
        return self.world[Poses3D]

    def nodes(self, name: str, alpha: float = 1.0) -> Any:
        """Return the drawn matrices of the nodes of an entity's model, (k, 3, 4)."""
        poses = self.draw(alpha)
        k = int(np.searchsorted(poses.entities, self.find(name)))
        first = [*poses.first_node.tolist(), len(poses.nodes)]
        return poses.nodes[first[k] : first[k + 1]]


@pytest.fixture
def stage3d(tmp_path: Path) -> Iterator[Callable[..., Game3D]]:
    """A function that starts a game with some entries of a scene, and files by name."""
    games: list[Game3D] = []

    def start(*entries: str, strict: bool = False, rules: str = "", **files: str) -> Game3D:
        named = {name.replace("__", "."): text for name, text in files.items()}
        games.append(Game3D(tmp_path, entries, named, ["strict"] if strict else [], rules))
        return games[-1]

    yield start
    for game in games:
        game.app.close()
