"""The game's tests: run `python -m pytest` in the game's folder. The fixture `rish_app` is part of Rish."""

from pathlib import Path

import pytest
from rish_core import Transform, named
from rish_scripts import Scripts

GAME = Path(__file__).parents[1]


@pytest.fixture
def app(rish_app):
    """The game without a window, in strict mode, which raises an error for everything that would break a replay."""
    return rish_app(GAME, installed=["render", "scripts"])


def script(app, entity, name):
    """Return a script of an entity, by the name of its class."""
    return app.world[Scripts].get(entity, app.world.kind(name))


def test_the_game_runs(app):
    """The fireflies have moved after half a second."""
    before = app.world[Transform].position.copy()
    app.run(frames=30)
    assert (app.world[Transform].position != before).any()


def test_keys_carry_the_lantern(app):
    """The action `right` moves the lantern to the right."""
    app.run(frames=1)
    lantern = script(app, named(app.world, "lantern"), "Lantern")
    x = lantern.get(Transform).position.x
    app.world[type(lantern.input)].press("right")
    app.run(frames=15)
    assert lantern.get(Transform).position.x > x + 40


def test_a_firefly_nearby_is_caught(app):
    """A firefly near the lantern is counted and despawned, and another one is spawned."""
    app.run(frames=1)
    lantern = script(app, named(app.world, "lantern"), "Lantern")
    fireflies = app.world.query(app.world.kind("Firefly"))
    count, firefly = len(fireflies), int(fireflies.entities[0])
    app.world.get(firefly, Transform).position = lantern.get(Transform).position
    app.run(frames=30)
    assert lantern.count >= 1
    assert not app.world.alive(firefly)
    assert len(app.world.query(app.world.kind("Firefly"))) == count
