"""Joint components and the joints of the solver stay the same ones."""

from __future__ import annotations

from rish_devtools.testing import AppFactory

GAME = {
    "scenes": {
        "main": [
            {"name": "box", "Transform": {}, "Body": {}, "Collider": {}},
            {"name": "ground", "Transform": {}, "Collider": {}},
            {"Transform": {}, "GearJoint": {"b": "box"}, "RatchetJoint": {"b": "ground"}},
        ]
    }
}


def test_joints_of_two_kinds_on_one_entity_keep_their_impulses(rish_app: AppFactory) -> None:
    """A restore, after which all joints are read again, changes nothing for an entity with joints of two kinds."""
    app = rish_app(GAME, installed=["physics"], strict=False)
    for _ in range(4):
        start = app.world.snapshot()
        app.tick()
        once = app.world.hash()
        app.world.restore(start)
        app.tick()
        assert app.world.hash() == once
