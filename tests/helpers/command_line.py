"""The command line in this process: `rish("run", game, ...)` returns the exit code and the output."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rish_core.launcher import main

PLUGIN = '''
"""A dot that wanders, by chance and by the keys."""
from rish_core import Input, Session, Stage, Transform, component, field, resource, system


@component
class Dot:
    """Wanders."""

    speed: float = field(1.0, low=0, high=9)


@resource
class Settings:
    """How it ends."""

    last: int = 100000
    code: int = 0


@system(Stage.UPDATE, reads=(Dot, Input), writes=(Transform, Session))
def wander(world, dt):
    """Moves every dot, and ends the game when it is time."""
    rows = world.query(Dot, Transform)
    step = world.random("wander").uniform(-1, 1, (len(rows), 2)).astype("float32")
    rows[Transform.position] = rows[Transform.position] + step * rows[Dot.speed][:, None]
    if world.tick + 1 >= world[Settings].last:
        world[Session].quit, world[Session].exit_code = True, world[Settings].code


def rish_components(): return [Dot]
def rish_settings(): return Settings
def rish_systems(): return [wander]
'''
MANIFEST = """\
rish: 1
game: {title: Dots, seed: 3}
scenes:
  main:
    - {Transform: {}, Dot: {speed: 2}, count: 5}
"""


@dataclass
class Said:
    """The result of a command: exit code, output and standard error."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines of the output."""
        return self.out.splitlines()


@pytest.fixture
def rish(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Said]]:
    """Provide a function that runs a command; the log handlers are restored when the test ends."""
    monkeypatch.delenv("RISH_BACKEND", raising=False)
    log = logging.getLogger("rish")
    before = log.handlers[:], log.level, log.propagate

    def run(*arguments: Any) -> Said:
        capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            code = error.code
        said = capsys.readouterr()
        assert isinstance(code, int)
        return Said(code, said.out, said.err)

    yield run
    log.handlers[:], log.level, log.propagate = before


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Create the folder of a game with its own plugin, which needs no installed plugins."""
    folder = tmp_path / "dots"
    folder.mkdir()
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "plugin.py").write_text(PLUGIN)
    return folder
