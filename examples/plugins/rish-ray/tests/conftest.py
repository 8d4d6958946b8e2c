"""A small game: a walker goes right by steps of random length, faster if its player holds a key."""

from __future__ import annotations

from pathlib import Path

import pytest

GAME = """
rish: 1
game: {seed: 3}
settings: {game: {step: 1.0}}
input:
  players:
    - {fast: [D]}
    - {fast: [RIGHT]}
scenes:
  main:
    - {name: walker, Transform: {}}
    - {name: other, Transform: {}}
"""
PLUGIN = '''
"""Two walkers."""

from rish_core import Input, Session, Stage, Transform, named, resource, system


@resource
class Settings:
    """How far a step goes; where a walker stumbles, and where the game ends."""

    step: float = 1.0
    stumble: float = 1000.0
    end: float = 1000.0


@system(Stage.STEP, writes=(Transform, Session))
def walk(world, dt):
    """Move both walkers."""
    settings = world[Settings]
    for number, name in ((1, "walker"), (2, "other")):
        place = world.get(named(world, name), Transform)
        speed = 2.0 if world[Input].player(number).down("fast") else 1.0
        x = float(place.position[0]) + speed * settings.step * float(world.random(name).uniform(0.5, 1.5))
        if x > settings.stumble:
            raise ValueError("stumbled")
        place.position = (x, 0)
        if x >= settings.end:
            world[Session].quit = True


def rish_settings():
    return Settings


def rish_systems():
    return [walk]
'''
FAST = '''
"""Always runs."""


def play(world, player):
    return ["fast"]
'''


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the game; `fast.py` beside it is an autopilot."""
    folder = tmp_path_factory.mktemp("worlds") / "walk"
    folder.mkdir()
    for path, text in (("game.yaml", GAME), ("plugin.py", PLUGIN), ("../fast.py", FAST)):
        (folder / path).write_text(text, encoding="utf-8")
    return folder
