"""Beacon is won by its autopilot, lost without oil, and the same on every machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from long_runs import LONG
from played_game import SharedGame, without
from rish_core import App, InputRecord, WindowEvent, find, open_game
from rish_gltf import read_gltf
from rish_physics3d import Body3D, Collider3D
from rish_space3d import Transform3D, world_matrices_3d

BEACON = Path(__file__).parents[2] / "games" / "beacon"


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGame]:
    """The game without sound, opened once."""
    with open_game(BEACON, ["scene=harbour"], headless=True, policy="raise", installed=without("audio")) as app:
        yield SharedGame(app)


@pytest.fixture
def app(shared: SharedGame) -> App:
    """The game at the beginning of a climb, headless."""
    app = shared.again("harbour")
    app.tick(InputRecord())
    return app


def robot(app: Any) -> Any:
    """Return the robot's own component."""
    return app.world.get(find(app.world, "robot"), app.world.kind("game.Robot"))


def place(app: Any, name: str = "robot") -> Any:
    """Return the position of a named entity."""
    return np.asarray(app.world.get(find(app.world, name), Transform3D).position)


def press(name: str, down: bool = True) -> InputRecord:
    """Return the input of a key that is pressed or released."""
    return InputRecord((WindowEvent("key", name, down=down),))


@pytest.mark.slow
def test_the_autopilot_lights_the_beacon(app: Any) -> None:
    """Without a player the robot climbs to the gallery within a minute, the beacon flares up and the game says so.

    The sample begins near the end of the climb.
    """
    if not LONG:
        app.run(20, draw=False)  # the crates fall onto each other
        app.world.set(find(app.world, "robot"), Transform3D(position=(-3.0, 5.1, -2.0)))
        pilot = app.world.kind("game.Pilot")
        app.world.set(int(app.world.query(pilot).entities[0]), pilot(step=7, idle=60.0))
    for _ in range(60 * 60):
        app.tick(InputRecord())
        if robot(app).done:
            break
    assert robot(app).oil > 0
    assert place(app)[1] > 6
    for _ in range(120):
        app.tick(InputRecord())
    beam = app.world.query(app.world.kind("game.Beam"))
    assert float(beam[app.world.kind("game.Beam").lit][0]) == 1
    assert app.world.get(find(app.world, "ending"), app.world.kind("ui.Screen")).visible


def test_a_person_walks_jumps_and_is_stopped_by_crates(app: Any) -> None:
    """Keys move the robot; it stands on a crate only after a jump."""
    app.tick(press("RIGHT"))
    for _ in range(150):
        app.tick(InputRecord())
    x, y, _ = place(app)
    assert x < -6.5
    assert y == pytest.approx(0, abs=2e-3)
    app.tick(press("SPACE"))
    for _ in range(60):
        app.tick(InputRecord())
    assert place(app)[1] == pytest.approx(1, abs=3e-3)


def test_the_robot_pushes_a_loose_crate_but_not_the_pile(app: Any) -> None:
    """A light crate that has fallen beside it moves away before the robot; one that carries others does not."""
    world = app.world
    crates = world.query(Body3D, Collider3D)
    light = int(crates.entities[crates[Collider3D.density] == 20][0])
    world.set(light, Transform3D(position=(-9.4, 0.5, 1.2), rotation=(0, 0, 0, 1)), Body3D(velocity=(0, 0, 0)))
    app.tick(press("LEFT"))
    app.run(60, draw=False)
    assert world.get(light, Transform3D).position[0] < -9.5
    app.tick(press("LEFT", down=False))
    world.set(find(world, "robot"), Transform3D(position=(-6.8, 0, 0)))
    app.tick(press("RIGHT"))
    app.run(60, draw=False)
    assert place(app)[0] == pytest.approx(-6 - 0.46 - 0.21, abs=0.06)
    assert place(app)[1] == pytest.approx(0, abs=3e-3)


def test_rewind_brings_back_robot_and_crates(app: Any) -> None:
    """While its key is held, the robot and all bodies are where they were in earlier ticks, to the bit."""
    table, past = app.world.table(Transform3D), []
    app.tick(press("LEFT"))
    for _ in range(40):
        past.append(table.position[table.rows_of(app.world.table(Body3D).entities)].copy())
        app.tick(InputRecord())
    app.tick(press("R"))
    app.run(10, draw=False)
    now = table.position[table.rows_of(app.world.table(Body3D).entities)].copy()
    app.tick(press("R", down=False))
    assert any((now == then).all() for then in past[:30])


def test_without_oil_it_is_lost(app: Any) -> None:
    """When the oil is burnt the lantern is nearly dark and the game ends."""
    world, entity = app.world, find(app.world, "robot")
    world.set(entity, world.kind("game.Robot")(oil=0.0001))
    for _ in range(3):
        app.tick(press("LEFT"))
    assert robot(app).done
    assert robot(app).oil == 0


def test_the_lantern_is_in_the_robot_s_hand(app: Any) -> None:
    """The light of the lantern follows the hand of the robot."""
    app.run(10, draw=False)
    world = app.world
    places = world_matrices_3d(world)[:, :, 3]
    lantern = places[world.table(Transform3D).row_of(find(world, "lantern"))]
    assert np.abs(place(app) + np.array((0, 0.7, 0)) - lantern).max() < 0.9


@pytest.mark.slow
def test_the_models_can_be_made_again(tmp_path: Path) -> None:
    """The script that makes the models finds its parts, and writes a crate with as many meshes as the game's."""
    code = (
        "import pathlib, sys, make_models as script; script.FOLDER = pathlib.Path(sys.argv[1]); "
        "script.BUILDERS = {'crate': script.BUILDERS['crate']}; script.main()"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=BEACON, check=True, capture_output=True)
    files = [folder / "crate.glb" for folder in (tmp_path, BEACON / "models")]
    again, shipped = (read_gltf(path.read_bytes(), lambda _: b"", path.name) for path in files)
    assert len(again.meshes) == len(shipped.meshes) > 0
