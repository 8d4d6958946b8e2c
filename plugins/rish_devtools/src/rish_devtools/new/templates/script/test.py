"""The tests of the script NAME."""

from pathlib import Path

from rish_core import Transform
from rish_scripts import Scripts

GAME = Path(__file__).parents[1]


def test_it_moves(rish_app):
    """The entity moves with the script's speed."""
    app = rish_app(GAME, installed=INSTALLED)
    NAME = app.world.kind("NAME")  # noqa: N806
    entity = app.world.spawn(Transform(position=(0, 0)), NAME(speed=60))
    app.run(frames=10)
    assert abs(app.world[Scripts].get(entity, Transform).position.x - 10) < 0.01
