"""The game's tests: run `python -m pytest` in the game's folder. The fixture `rish_app` is part of Rish."""

from pathlib import Path

import pytest
from rish_core import Input, Transform, named
from rish_physics import Character, teleport_bodies
from rish_scripts import Scripts

GAME = Path(__file__).parents[1]


INSTALLED = ["physics", "render", "scripts"]


@pytest.fixture
def app(rish_app):
    """The game without a window."""
    app = rish_app(GAME, installed=INSTALLED, strict=False)
    app.run(frames=12)  # the hero has landed
    return app


def hero(app):
    """Return the script of the hero."""
    return app.world[Scripts].get(named(app.world, "hero"), app.world.kind("Hero"))


def test_it_can_be_replayed(rish_app):
    """In strict mode nothing raises, so the game depends on its state and on the input alone."""
    app = rish_app(GAME, installed=INSTALLED)
    app.world[Input].press("jump")
    app.run(frames=12)


def test_keys_collect_a_coin(app):
    """The hero walks to the right and collects the first coin."""
    coin = named(app.world, "first")
    app.world[Input].press("right")
    app.run(frames=40)
    assert hero(app).coins == 1
    assert not app.world.alive(coin)


def test_a_short_press_is_a_low_jump(app):
    """With a long press the hero jumps more than 80 units high, with a short one less than 50."""
    heights = []
    for frames in (2, 30):
        floor = top = hero(app).get(Transform).position.y
        app.world[Input].press("jump")
        for frame in range(46):
            if frame == frames:
                app.world[Input].release("jump")
            app.run(frames=1)
            top = max(top, hero(app).get(Transform).position.y)
        heights.append(top - floor)
        assert hero(app).get(Character).grounded
    assert heights[0] < 50 < 80 < heights[1] < 95


def test_the_elevator_carries_the_hero(app):
    """The hero stands on the elevator while it rises, and never leaves it."""
    lift = named(app.world, "elevator")
    x, y = app.world.get(lift, Transform).position
    teleport_bodies(app.world, hero(app).entity, (x, y + 26))
    app.run(frames=10)
    for _ in range(40):
        app.run(frames=1)
        me = hero(app).get(Character)
        assert me.grounded
        assert me.ground == lift
    gap = hero(app).get(Transform).position.y - app.world.get(lift, Transform).position[1]
    assert abs(gap - 24) < 0.2


def test_a_fall_leads_back_to_the_start(app):
    """Below the level the hero begins again, with its coins."""
    teleport_bodies(app.world, hero(app).entity, (900, -50))
    app.run(frames=10)
    assert hero(app).get(Transform).position.x == 70


def test_the_flag_ends_the_level(app):
    """At the flag there is a message."""
    from rish_render import Text

    teleport_bodies(app.world, hero(app).entity, (1700, 270))
    app.world[Input].press("right")
    app.run(frames=30)
    assert "You made it" in app.world.get(named(app.world, "message"), Text).text
