"""A game in a folder of its own that is edited while it runs."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from rish_core import App
from rish_scripts.reload import Reload

sys.path.insert(0, str(Path(__file__).parents[2] / "reload"))  # for `edits`

YARD = """\
rish: 1
game: {title: Yard, size: [64, 48], seed: 3}
plugins: [scripts, render]
settings:
  scripts: {errors: 3}
  game: {gravity: 9.0, wind: 2.0}
  render: {materials: {tint: {shader: tint.frag, uniforms: {amount: 0.5}}}}
input: {jump: [SPACE], left: [LEFT, A]}
layers: [sky, world, hud]
prefabs:
  crate: {Transform: {}, Crate: {hits: 3, label: oak}}
  lamp:
    Transform: {}
    Lamp: {glow: 0.5}
    children:
      - {name: bulb, Transform: {position: [0, 4]}, Crate: {hits: 1}}
scenes:
  main:
    - {prefab: crate, count: 3, at: {grid: [3, 1], step: [10, 10]}}
    - {name: hero, tags: [player], Transform: {position: [5, 5]}, Crate: {hits: 9}, Walker: {speed: 2}}
    - {prefab: lamp, count: 2, at: [[20, 20], [30, 20]]}
    - {name: sign, Transform: {}, Pointer: {target: hero}}
    - {count: 4, Transform: {}, Crate: {hits: {each: [1, 2]}}}
    - {name: picture, Transform: {}, Sprite: {image: ball.png, layer: world, material: tint}}
  other: []
"""
PLUGIN = '''\
"""The yard's own plugin."""

from rish_core import (
    Chars, Entity, Layer, Stage, Str, Vec2, component, event, field, resource, spawn_prefab, system, table,
)
from . import rules
from .walker import Walker


@component
class Crate:
    """Something to hit."""

    hits: int = field(1, low=0)
    label: Chars = "pine"
    heat: float = 0.25


@component
class Lamp:
    """Something that glows."""

    glow: float = 1.0
    color: Str = "white"


@component
class Pointer:
    """Something that points at something."""

    target: Entity = 0


@event
class Hit:
    """A crate was hit."""

    power: int = 0


@resource
class Score:
    """What was won."""

    points: int = 10


@resource
class Settings:
    """What an author may set."""

    gravity: float = 1.0
    wind: float = 0.0


@table
class Marks:
    """Places."""

    x: float = 0.0


@system(Stage.UPDATE, writes=Score)
def count(world, dt):
    """Points rise."""
    world[Score].points += rules.STEP


@system(Stage.UPDATE, writes=Crate)
def warm(world, dt):
    """Crates get warmer."""
    world[Crate].heat += 1.0


def hear(world, event):
    """The hud listens."""
    return False


def rish_components():
    return [Crate, Lamp, Pointer]


def rish_events():
    return [Hit]


def rish_resources():
    return [Score, Marks]


def rish_settings():
    return Settings


def rish_systems():
    return [count, warm]


def rish_layers():
    return [Layer("hud", space="screen", on_event=hear)]


def rish_prefabs():
    return {"pebble": {"Transform": {}, "Crate": {"hits": 2}}}


def rish_scripts():
    return [Walker]
'''
WALKER = '''\
"""A script."""

from rish_scripts import Script


class Walker(Script):
    """Walks to the right."""

    speed: float = 1.0
    steps: int = 0
    reloads: int = 0

    def on_update(self, dt):
        """One step."""
        self.steps += 1

    def on_reload(self):
        """Count."""
        self.reloads += 1
'''
SHADER = "uniform float amount = 0.1;\n\nvec4 shade(Pixel p) {\n    return p.color * amount;\n}\n"


def picture(*color: int) -> bytes:
    """Return a small PNG of one color."""
    file = BytesIO()
    Image.new("RGBA", (4, 4), (*color, 255)).save(file, "PNG")
    return file.getvalue()


class Live:
    """A running game and its folder. told: the errors and warnings that were logged about reloads."""

    def __init__(
        self, folder: Path, make: Callable[..., App], told: list[str], *, strict: bool = False,
        installed: tuple[str, ...] = ("scripts", "render"),
    ) -> None:  # fmt: skip
        self.folder, self.told = folder, told
        self.app = make(folder, installed=installed, policy="disable", strict=strict)
        self.world = self.app.world
        self.reload: Reload = self.world[Reload]
        self.reload.begin(self.app, watch=False)
        self.app.frame()

    def kind(self, name: str) -> Any:
        """Return the current class of that name."""
        found = self.world.kind(name)
        assert found is not None
        return found

    def resource(self, name: str) -> Any:
        """Return the resource of that full name."""
        return self.world[self.world.resource_classes[name]]

    def entity(self, name: str) -> int:
        """Return the handle of a named entity."""
        from rish_core import named

        return named(self.world, name)

    def write(self, name: str, content: str | bytes) -> Path:
        """Write a file of the game; return its path."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def save(self, name: str, content: str | bytes) -> set[str]:
        """Save a file and reload; return the names of all parts of the state that changed."""
        return self.take(self.write(name, content))

    def edit(self, name: str, *changes: tuple[str, str]) -> set[str]:
        """Replace texts in a file and reload; return the changed parts, like `save`."""
        text = (self.folder / name).read_text(encoding="utf-8")
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name}"
            text = text.replace(old, new)
        return self.save(name, text)

    def take(self, *paths: Path) -> set[str]:
        """Report these paths to the game as changed, between two ticks."""
        before = self.world.hashes()
        self.reload.changed(paths)
        self.reload.take(self.world)
        after = self.world.hashes()
        return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


class Listener(logging.Handler):
    """Collects log messages."""

    def __init__(self, told: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.told = told

    def emit(self, record: logging.LogRecord) -> None:
        """Store a message."""
        self.told.append(record.getMessage())


@pytest.fixture
def told() -> Iterator[list[str]]:
    """All warnings and errors that Rish logs."""
    lines: list[str] = []
    listener = Listener(lines)
    logging.getLogger("rish").addHandler(listener)
    yield lines
    logging.getLogger("rish").removeHandler(listener)


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """The folder of a small game with everything that can be edited."""
    folder = tmp_path / "yard"
    folder.mkdir()
    files: dict[str, str | bytes] = {
        "game.yaml": YARD,
        "plugin.py": PLUGIN,
        "walker.py": WALKER,
        "rules.py": "STEP = 1\n",
        "tint.frag": SHADER,
        "ball.png": picture(255, 0, 0),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


@pytest.fixture
def live(yard: Path, rish_app: Callable[..., App], told: list[str]) -> Live:
    """The small game, running, after one frame."""
    return Live(yard, rish_app, told)


@pytest.fixture
def start(rish_app: Callable[..., App], told: list[str]) -> Callable[..., Live]:
    """A function that starts a game from an existing folder."""
    return lambda folder, **options: Live(folder, rish_app, told, **options)
