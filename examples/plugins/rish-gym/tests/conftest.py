"""A small game without pictures, in which one or two walkers go to targets at random places."""

from __future__ import annotations

from pathlib import Path

import pytest

GAME = """
rish: 1
input:
  left: [LEFT, mouse.left]
  players:
    - {right: [D]}
    - {right: [RIGHT, gamepad.a]}
scenes:
  idle: []
  main:
    - {name: walker, tags: [here], Transform: {rotation: 90deg}, Walker: {player: 1}}
    - {name: other, Transform: {position: [3, 0]}, Walker: {player: 2, mood: happy}}
    - {name: target, tags: [here], Transform: {position: [5, 0]}}
"""
PLUGIN = '''
"""Walkers."""

from enum import Enum

from rish_core import Input, Session, Stage, Transform, component, event, field, named, resource, system


class Mood(Enum):
    """How a walker feels."""

    CALM = 0
    HAPPY = 1


@component
class Walker:
    """Goes where its player wants."""

    player: int = 1
    mood: Mood = Mood.CALM


@event
class Reached:
    """A walker reached the target."""

    player: int = 1


@resource
class Tally:
    """How often the target was reached; whether a person played in this tick."""

    count: int = 0
    mood: Mood = Mood.CALM
    touched: bool = False


@system(Stage.STEP, writes=(Transform, Reached, Tally, Session))
def walk(world, dt):
    """Move the walkers; the target goes to a random place if one is near, and the game ends at 100."""
    keys, tally = world[Input], world[Tally]
    tally.touched = keys.touched
    goal = world.get(named(world, "target"), Transform)
    for handle in world.query(Walker).entities.tolist():
        walker, place = world.get(handle, Walker), world.get(handle, Transform)
        mine = keys.player(walker.player)
        push = mine.axis("left", "right") if tally.touched or walker.player == 2 else 1.0
        x = float(place.position[0]) + push
        place.position = (x, 0)
        if abs(x - float(goal.position[0])) < 1:
            tally.count += 1
            world.emit(Reached, player=walker.player)
            goal.position = (float(world.random("target").integers(-20, 20)), 0)
        if x >= 100:
            world[Session].quit = True


def rish_components():
    return [Walker]


def rish_events():
    return [Reached]


def rish_resources():
    return [Tally]


def rish_systems():
    return [walk]
'''
TASK = """
gym: 1
start: main
frame_skip: 2
limit: 40
observation:
  x: {value: walker.Transform.position.x, low: -50, high: 50}
  places: {each: here, count: 3, fields: {Transform.position.x: [-50, 50]}}
action: {choose: [none, left, right]}
reward:
  reached: {count: Reached, where: player == 1}
  steps: {value: -0.5}
info: {count: Tally.count}
"""


@pytest.fixture(scope="session")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the game, with a task."""
    folder = tmp_path_factory.mktemp("walk")
    for name, text in (("game.yaml", GAME), ("plugin.py", PLUGIN), ("gym.yaml", TASK)):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def bare(walk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the same game without a task."""
    folder = tmp_path_factory.mktemp("bare")
    for name in ("game.yaml", "plugin.py"):
        (folder / name).write_bytes((walk / name).read_bytes())
    return folder
