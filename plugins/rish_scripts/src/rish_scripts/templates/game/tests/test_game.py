"""The game's tests: `python -m pytest` in the game's folder. `rish_app` comes with rish-core."""

from pathlib import Path

import pytest
from rish_core import Transform, named
from rish_scripts import Scripts

GAME = Path(__file__).parents[1]


@pytest.fixture
def app(rish_app):
    """The game without a window, watched for everything that would break a replay."""
    return rish_app(GAME, installed=["render", "scripts"])


def script(app, entity, name):
    """A script of an entity, by the name of its class."""
    return app.world[Scripts].get(entity, app.world.kind(name))


def test_the_game_runs(app):
    """Half a second passes, and the fireflies have not stood still."""
    before = app.world[Transform].position.copy()
    app.run(frames=30)
    assert (app.world[Transform].position != before).any()


def test_keys_carry_the_lantern(app):
    """RIGHT is to the right."""
    app.run(frames=1)
    lantern = script(app, named(app.world, "lantern"), "Lantern")
    x = lantern.get(Transform).position.x
    app.world[type(lantern.input)].press("right")
    app.run(frames=15)
    assert lantern.get(Transform).position.x > x + 40


def test_a_firefly_nearby_is_caught(app):
    """It is counted, goes out, and another one comes."""
    app.run(frames=1)
    lantern = script(app, named(app.world, "lantern"), "Lantern")
    fireflies = app.world.query(app.world.kind("Firefly"))
    count, firefly = len(fireflies), int(fireflies.entities[0])
    app.world.get(firefly, Transform).position = lantern.get(Transform).position
    app.run(frames=30)
    assert lantern.count >= 1
    assert not app.world.alive(firefly)
    assert len(app.world.query(app.world.kind("Firefly"))) == count
