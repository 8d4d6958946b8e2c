"""Physics calls scripts by the names in its events; neither plugin imports the other."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import Entity, Transform
from rish_scripts import Script

physics = pytest.importorskip("rish_physics.plugin")
Body = pytest.importorskip("rish_physics").Body


class Ball(Script):
    """Counts its contacts, and jumps by writing the body's velocity."""

    contacts: int = 0
    last: Entity = 0
    normal: float = 0

    def on_contact_begin(self, contact: Any) -> None:
        """Count the contact."""
        self.contacts += 1
        self.last = contact.b if contact.a == self.entity else contact.a
        self.normal = abs(contact.normal.y)
        self.get(Body).velocity = (0, 200)


@pytest.mark.slow
def test_contacts_reach_scripts(rish_app: Any) -> None:
    """A ball falls on the ground, receives the contact, jumps, and falls again, also in strict mode."""
    from types import SimpleNamespace

    from rish_scripts import Scripts, plugin

    scene = [
        {
            "name": "ball",
            "at": [0, 20],
            "Transform": {},
            "Body": {},
            "Collider": {"shape": "circle", "radius": 8},
            "Ball": {},
        },
        {"name": "ground", "at": [0, -10], "Transform": {}, "Collider": {"size": [200, 20]}},
    ]
    game = SimpleNamespace(rish_scripts=lambda: [Ball])
    app = rish_app({"scenes": {"main": scene}}, plugins={"physics": physics, "scripts": plugin, "game": game})
    highest = 0.0
    for _ in range(90):
        app.tick()
        highest = max(highest, float(app.world[Transform].position[0, 1]))
    (ball,) = app.world[Ball].entities.tolist()
    script = app.world[Scripts].get(ball, Ball)
    assert script.contacts >= 2
    assert script.normal == pytest.approx(1, abs=0.01)
    assert script.last == app.world[Transform].entities[1]
    assert highest > 30
