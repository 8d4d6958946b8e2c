"""The tests of the plugin. The fixture `rish_app` comes with rish-devtools."""

from pathlib import Path

import pytest
from rish_core import Transform

from PACKAGE import Beat, Pulse, plugin

DEMO = Path(__file__).parents[1] / "demo"
PLUGINS = {"PLUGIN": plugin}
GAME = {
    "scenes": {
        "main": [
            {"Transform": {}, "Pulse": {"rate": 2, "amount": 0.5}},
            {"Transform": {}, "Pulse": {"rate": 0, "amount": 0.5, "phase": 0.5}},
        ]
    }
}


@pytest.fixture
def make(rish_app):
    """A function that makes a game with the plugin."""
    return lambda game=GAME, **options: rish_app(game, plugins=PLUGINS, **options)


def test_an_entity_is_greatest_at_its_beat(make):
    """The scale falls from one beat to the next; an entity without a rate stays as it is."""
    app = make()
    app.run(frames=1)
    at_first = app.world[Transform].scale[:, 0].copy()
    app.run(frames=20)
    later = app.world[Transform].scale[:, 0]
    assert 1 < later[0] < at_first[0] <= 1.5
    assert later[1] == at_first[1]


def test_a_beat_is_announced(make):
    """Two beats a second are three events in a second and a half, of the entity that beats."""
    app = make()
    beats = 0
    for _ in range(95):
        app.tick()
        beats += len(app.world.events(Beat))
    assert beats == 3


def test_the_tempo_is_a_setting(make):
    """With twice the tempo the phase advances twice as fast."""
    phases = []
    for tempo in (1, 2):
        app = make({**GAME, "settings": {"PLUGIN": {"tempo": tempo}}})
        app.run(frames=10)
        phases.append(float(app.world[Pulse].phase[0]))
    assert phases[1] == pytest.approx(2 * phases[0])


def test_two_runs_give_the_same_bits(make):
    """Two runs of the same game have the same hash; a different phase changes it."""
    hashes = []
    for _ in range(2):
        app = make()
        app.run(frames=60)
        hashes.append(app.world.hash())
    app.world[Pulse].phase[0] += 0.25
    assert hashes[0] == hashes[1] != app.world.hash()


def test_mistakes_in_a_manifest_are_refused(make):
    """A value outside its range is reported with its field."""
    wrong = {"scenes": {"main": [{"Transform": {}, "Pulse": {"rate": -1}}]}}
    with pytest.raises(Exception, match="Pulse.rate"):
        make(wrong)


def test_the_demo_runs(make):
    """The demo game is correct, and something in it is drawn."""
    app = make(DEMO, installed=["render"])
    app.run(frames=5)
    assert len(app.world[Pulse]) == 3
    assert app.host.backend.drawn("shapes")
