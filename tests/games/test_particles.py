"""The gallery of particles: every preset has its scene, draws something, and is the same on every run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_core import InputRecord, Scenes, WindowEvent, open_game, read_manifest
from rish_particles import Pools, shipped

GALLERY = Path(__file__).parents[2] / "games" / "particles"
NAMES = list(read_manifest(GALLERY).scenes)


@pytest.fixture(scope="module")
def app() -> Any:
    """The gallery, without drawing."""
    with open_game(GALLERY, headless=True, policy="raise") as made:
        yield made


def test_every_preset_has_its_scene():
    """There is a scene for every preset, and no other scene."""
    assert sorted(NAMES) == shipped()


@pytest.mark.parametrize("name", NAMES)
def test_a_scene_is_alive_and_no_particle_is_refused(app: Any, name: str):
    """After a while each scene has particles, and no pool was too small."""
    app.world[Scenes].go(name)
    for _ in range(90):
        app.tick()
    pools = app.world[Pools]
    assert app.world[Scenes].current == name
    assert int(pools.live.sum()) > 5
    dropped = {pools.read_row("preset", row): int(pools.dropped[row]) for row in range(len(pools))}
    assert not any(dropped.values()), dropped


def test_the_arrows_lead_round(app: Any):
    """The arrow keys lead through the scenes in a cycle, from the last to the first and back."""
    for key, wanted in (("RIGHT", NAMES[0]), ("LEFT", NAMES[-1])):
        app.world[Scenes].go(NAMES[-1] if key == "RIGHT" else NAMES[0])
        app.run(frames=2)
        app.tick(InputRecord((WindowEvent("key", name=key, down=True), WindowEvent("key", name=key))))
        app.run(frames=2)
        assert app.world[Scenes].current == wanted


def test_a_scene_is_the_same_again():
    """Two runs have the same hash, with children, edges and salvos."""
    hashes = []
    for _ in range(2):
        with open_game(GALLERY, headless=True, policy="raise") as made:
            made.world[Scenes].go("explosion")
            made.run(frames=50)
            hashes.append(made.world.hash())
    assert hashes[0] == hashes[1]
