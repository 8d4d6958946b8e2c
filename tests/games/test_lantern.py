"""Lantern's rules: winning and losing, walls, crates, oil, and light."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from long_runs import LONG
from played_game import without
from rish_core import InputRecord, Interventions, Scenes, Snapshot, Transform, WindowEvent, find, open_game
from rish_frame import DeviceRequests
from rish_lighting import Fog, Light, LightingSettings
from rish_physics import Body, Collider, teleport_bodies
from rish_render import Sprite, map_objects, tiles_in
from rish_ui import Screen

LANTERN = Path(__file__).parents[2] / "games" / "lantern"
CELL, ROWS, COLUMNS = 16, 44, 66
HASH = "561f86c89f23a9336d5afed526c06f3e"


class Play:
    """The game with helpers for tests: keys and queries."""

    def __init__(self, app: Any) -> None:
        self.app, self.world = app, app.world

    def kind(self, name: str) -> Any:
        """Return a component of the game by its name."""
        return self.world.kind(f"game.{name}")

    @property
    def quest(self) -> Any:
        """The state of the quest."""
        return self.world[next(kind for kind in self.world.resources if kind.__name__ == "Quest")]

    @property
    def scene(self) -> str:
        """The name of the current scene."""
        return self.world[Scenes].current

    def key(self, name: str, down: bool = True) -> None:
        """Press or release a key."""
        self.app.tick(InputRecord((WindowEvent("key", name, down=down),)))

    def wait(self, ticks: int) -> None:
        """Run ticks without new input."""
        for _ in range(ticks):
            self.app.tick(InputRecord())

    def wait_until(self, condition: Callable[[], bool], ticks: int) -> None:
        """Run ticks without new input until a condition holds, but no more than a number."""
        for _ in range(ticks):
            if condition():
                return
            self.app.tick(InputRecord())

    def hold(self, name: str, ticks: int) -> None:
        """Hold a key for a number of ticks."""
        self.key(name)
        self.wait(ticks - 1)
        self.key(name, False)

    def tap(self, name: str) -> None:
        """Press and release a key."""
        self.hold(name, 1)

    def at(self, entity: int) -> np.ndarray:
        """Return the position of an entity, float64 (2,)."""
        return np.array(self.world.get(entity, Transform).position, np.float64)

    @property
    def hero(self) -> int:
        """The handle of the hero."""
        return find(self.world, "hero")

    def put(self, entity: int, column: float, row: float) -> np.ndarray:
        """Move an entity to the middle of a cell of the map; return the place."""
        place = np.array([(column + 0.5) * CELL, (ROWS - row - 0.5) * CELL])
        if self.world.has(entity, Body):
            teleport_bodies(self.world, entity, place)
        else:
            self.world.set(entity, Transform(position=(float(place[0]), float(place[1]))))
        return place

    def near(self, kind: str, column: float, row: float) -> int:
        """Return the entity of a kind that is nearest to a cell."""
        query = self.world.query(self.kind(kind), Transform)
        place = np.array([(column + 0.5) * CELL, (ROWS - row - 0.5) * CELL])
        return int(query.entities[((query[Transform.position] - place) ** 2).sum(axis=1).argmin()])


def pixels(path: Path) -> np.ndarray:
    """Return the image as uint8 (h, w, channels)."""
    with Image.open(path) as image:
        return np.asarray(image)


@pytest.fixture(scope="module")
def opened() -> Iterator[tuple[Play, Snapshot]]:
    """The game without history and sound, opened once; its state two ticks after the start of a quest by a person."""
    with open_game(LANTERN, headless=True, policy="raise", installed=without("audio", "history")) as app:
        play = Play(app)
        play.tap("F5")
        play.world[Scenes].go("play")
        play.wait(2)
        yield play, app.world.snapshot()


@pytest.fixture
def play(opened: tuple[Play, Snapshot]) -> Play:
    """The keep, two ticks after the start of the quest."""
    play, start = opened
    play.world.restore(start)
    play.world.end_frame()
    return play


def test_the_map_is_whole(play: Play) -> None:
    """Every wall face is two cells high above floor, objects are on floor, and the image has the map's size."""
    keep = find(play.world, "keep")
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    floor = tiles_in(play.world, keep, "walls", x, y) == 0
    walls = np.array(
        [row.split() for row in (LANTERN / "keep.map.yaml").read_text().split("walls: |")[1].splitlines()[1 : ROWS + 1]]
    )
    marks = np.array([list(row) for row in walls[:, 0]])
    assert (marks[floor] == ".").all()
    below_rock = floor[1:] & (marks[:-1] == "#")
    assert not below_rock.any()
    faces = (marks[:-1] == "w") & floor[1:]
    assert (marks[:-2][faces[1:]] == "w").all()
    for mark in map_objects(play.world, keep):
        column, row = int(mark.x // CELL), int(-mark.y // CELL)
        assert floor[row, column] != (mark.kind == "torch"), (mark.kind, column, row)
    for name in ("keep.png", "keep_normal.png"):
        assert pixels(LANTERN / "pictures" / name).shape[:2] == (ROWS * CELL, COLUMNS * CELL)


def test_its_state_is_pinned() -> None:
    """The state after 200 ticks without a player is the same on every machine."""
    with open_game(LANTERN, headless=True, policy="raise") as app:
        app.run(200, draw=False)
        assert app.world.hash() == HASH


def test_rewind_may_be_absent_and_goes_back_where_it_is_not() -> None:
    """With the plugin history, R takes the hero back; without it, all ticks have the same hashes."""
    with (
        open_game(LANTERN, headless=True, policy="raise") as app,
        open_game(LANTERN, headless=True, policy="raise", installed=without("history")) as bare_app,
    ):
        title, bare = Play(app), Play(bare_app)
        assert "history" not in bare_app.plugins
        for each in (title, bare):
            each.tap("F5")
            each.world[Scenes].go("play")
            each.world[Interventions].note("the test begins the quest")
            each.wait(2)
        start = title.at(title.hero)
        for each in (title, bare):
            each.hold("UP", 40)
        assert title.world.hash() == bare.world.hash()
        assert title.at(title.hero)[1] > start[1] + 10
        title.hold("R", 41)
        assert title.at(title.hero) == pytest.approx(start, abs=1)


def test_the_gamepad_throbs_near_a_wraith(play: Play) -> None:
    """A wraith in the distance is not felt, a near one is, and its touch is felt most."""
    requests = play.world[DeviceRequests]
    wraiths = play.world.query(play.kind("Wraith")).entities
    felt: dict[float, float] = {}
    for far in (10.0, 4.0):
        x, y = play.at(play.hero)
        for wraith in wraiths.tolist():
            play.world.set(wraith, Transform(position=(x + far * CELL, y)))
        requests.rumbles.clear()
        play.wait(30)
        felt[far] = max((request[0] for request in requests.rumbles.values()), default=0.0)
    assert felt[10.0] == 0
    assert 0.1 < felt[4.0] < 0.6


@pytest.mark.parametrize(("key", "axis", "limit"), [("LEFT", 0, 28 * CELL), ("DOWN", 1, (ROWS - 42) * CELL)])
def test_walls_stop_the_hero(play: Play, key: str, axis: int, limit: float) -> None:
    """The hero walks up to the rock and no further."""
    play.put(play.hero, 30, 40)
    play.hold(key, 90)
    assert play.at(play.hero)[axis] == pytest.approx(limit + 5.5, abs=0.6)


def test_faces_of_walls_stop_feet_but_not_light(play: Play) -> None:
    """The face between floor and rock is lit and visible, and can't be walked on."""
    play.put(play.hero, 36, 37)
    play.hold("UP", 90)
    assert play.at(play.hero)[1] == pytest.approx((ROWS - 36) * CELL - 5.5, abs=0.6)
    assert play.world[Fog].is_seen([(36.5 * CELL, (ROWS - 35) * CELL)]).all()


def test_crates_can_be_pushed(play: Play) -> None:
    """Crates can be pushed, slowly, and stop when the hero stops."""
    crate = play.near("Crate", 29, 38)
    before = play.at(crate)
    play.put(play.hero, 28, 38)
    play.hold("RIGHT", 60)
    after = play.at(crate)
    assert 12 < after[0] - before[0] < 60
    assert abs(after[1] - before[1]) < 1
    play.wait(30)
    assert play.at(crate)[0] - after[0] < 4


def test_oil_runs_down_but_not_beside_a_fire(play: Play) -> None:
    """Oil decreases except beside a fire, and the lantern's light shrinks with it."""
    play.put(play.hero, 36, 41)
    play.wait(5)
    light = next(e for e in play.world.query(play.kind("Lantern"), Light).entities.tolist())
    full, before = play.world.get(light, Light).radius, play.quest.oil
    play.wait(120)
    assert before - play.quest.oil == pytest.approx(2.5, abs=0.1)
    assert play.world.get(light, Light).radius < full
    play.put(play.hero, 29, 36.2)
    play.wait(5)
    before = play.quest.oil
    play.wait(60)
    assert play.quest.oil == before


def test_a_jar_fills_the_lantern(play: Play) -> None:
    """A jar refills the lantern and is removed; a full lantern leaves the jar."""
    jar = play.near("Jar", 18, 39)
    place = play.at(jar)
    play.quest.oil = 99.0
    teleport_bodies(play.world, play.hero, place)
    play.wait(3)
    assert play.world.alive(jar)
    play.quest.oil = 20.0
    play.wait(3)
    assert not play.world.alive(jar)
    assert play.quest.oil == pytest.approx(65, abs=0.5)


def test_the_hero_lights_torches(play: Play) -> None:
    """The use key lights a torch within reach, for a little oil; without the key nothing happens."""
    torch = play.near("Fire", 36, 34)
    fire = play.world.get(torch, play.kind("Fire"))
    assert not fire.lit
    play.put(play.hero, 36, 36.2)
    play.wait(10)
    assert not fire.lit
    before = play.quest.oil
    play.tap("SPACE")
    assert fire.lit
    assert before - play.quest.oil == pytest.approx(3, abs=0.2)
    play.wait(60)
    assert play.world.get(torch, Light).intensity == pytest.approx(fire.bright)
    assert play.world.get(torch, Sprite).frame == 1


def test_a_crate_on_the_plate_opens_the_gate(play: Play) -> None:
    """A crate on the plate opens the gate, which closes when the crate is gone."""
    gate = int(play.world.query(play.kind("Gate")).entities[0])
    crate, plate = play.near("Crate", 11, 24), play.near("Plate", 14, 24)
    home = play.at(gate)
    teleport_bodies(play.world, crate, play.at(plate))
    play.wait(90)
    assert not play.world.get(gate, Collider).enabled
    assert play.at(gate)[1] > home[1] + 20
    play.put(crate, 8, 24)
    play.wait(90)
    assert play.world.get(gate, Collider).enabled
    assert play.at(gate) == pytest.approx(home)


@pytest.mark.slow
def test_wraiths_come_in_the_dark_and_keep_out_of_the_light(play: Play) -> None:
    """With oil wraiths stay at the rim of the light; without oil they strike, and a life is lost."""
    play.put(play.hero, 33, 10)
    play.wait(150)
    query = play.world.query(play.kind("Wraith"), Transform)
    gaps = np.linalg.norm(query[Transform.position] - play.at(play.hero), axis=1)
    assert 45 < gaps.min() < 130
    assert play.quest.lives == 3
    play.quest.oil = 0.0
    play.wait_until(lambda: play.quest.lives < 3, 300)
    assert play.quest.lives < 3


def test_fires_keep_wraiths_away(play: Play) -> None:
    """A wraith that drifts into a fire's reach leaves it."""
    wraith = int(play.world.query(play.kind("Wraith")).entities[0])
    torch = play.near("Fire", 20, 21)
    play.put(wraith, 20, 23)
    play.wait(150)
    assert np.linalg.norm(play.at(wraith) - play.at(torch)) > 52


def test_an_ember_follows_into_the_brazier(play: Play) -> None:
    """An ember is found, floats behind the hero and flies into the brazier; finding it spawns another wraith."""
    ember = play.near("Ember", 57, 20)
    before = len(play.world.query(play.kind("Wraith")))
    teleport_bodies(play.world, play.hero, play.at(ember))
    play.wait(3)
    assert len(play.world.query(play.kind("Wraith"))) == before + 1
    play.put(play.hero, 33, 21.5)
    play.wait_until(lambda: play.quest.given == 1, 240)
    assert play.quest.given == 1
    assert np.linalg.norm(play.at(ember) - play.at(find(play.world, "brazier"))) < 24


def test_a_hero_that_is_struck_too_often_is_lost(play: Play) -> None:
    """After too many strikes the lantern goes out, the hero stands still, and a screen says so."""
    play.quest.lives, play.quest.oil = 1, 0.0
    teleport_bodies(play.world, play.hero, play.at(int(play.world.query(play.kind("Wraith")).entities[0])))
    play.wait(5)
    assert play.quest.phase.name == "LOST"
    before = play.at(play.hero)
    play.hold("LEFT", 60)
    assert np.linalg.norm(play.at(play.hero) - before) < 6
    play.wait(60)
    assert play.world.get(find(play.world, "lost"), Screen).visible
    assert not play.world.get(find(play.world, "won"), Screen).visible
    assert not play.world.get(find(play.world, "readouts"), Screen).visible


@pytest.mark.slow
def test_three_embers_light_the_keep(play: Play) -> None:
    """Three embers light the brazier, and then every torch, the near ones first."""
    for ember in play.world.query(play.kind("Ember")).entities.tolist():
        teleport_bodies(play.world, play.hero, play.at(ember))
        play.wait(3)
    play.put(play.hero, 33, 21.5)
    fires = play.world.query(play.kind("Fire"))
    play.wait_until(lambda: play.quest.phase.name == "WON" and bool(fires[play.kind("Fire").lit].all()), 400)
    assert play.quest.phase.name == "WON"
    assert fires[play.kind("Fire").lit].all()
    assert play.world.get(find(play.world, "brazier"), Light).intensity > 3


def test_a_key_switches_global_illumination(play: Play) -> None:
    """The stand-in lights are off while global illumination is on, also in the next quest."""
    stand_ins = play.kind("StandIn")
    lights = play.world.query(stand_ins, Light)
    assert lights[Light.enabled].all()
    play.tap("G")
    assert play.world[LightingSettings].gi == "medium"
    assert not play.world.query(stand_ins, Light)[Light.enabled].any()
    play.world[Scenes].restart()
    play.wait(2)
    assert not play.world.query(stand_ins, Light)[Light.enabled].any()
    play.tap("G")
    assert play.world[LightingSettings].gi == "off"
    assert play.world.query(stand_ins, Light)[Light.enabled].all()


@pytest.mark.slow
def test_the_autopilot_wins() -> None:
    """Without input the autopilot wins within two minutes; then a new quest begins. The sample begins at an ember."""
    with open_game(LANTERN, headless=True, policy="raise", installed=without("audio", "history")) as app:
        play = Play(app)
        if not LONG:
            play.world[Scenes].go("play")
            app.run(2, draw=False)
            teleport_bodies(play.world, play.hero, play.at(play.near("Ember", 57, 20)))
        for _ in range(60 * 120):
            app.frame(draw=False)
            if play.quest.phase.name != "SEEK" or (not LONG and play.quest.given):
                break
        if not LONG:
            assert play.quest.given == 1
            return
        assert play.quest.phase.name == "WON"
        play.app.run(60 * 16, draw=False)
        assert play.scene == "play"
        assert play.quest.phase.name == "SEEK"


@pytest.mark.slow
def test_both_backends_draw_the_same_keep() -> None:
    """Both backends draw the same light, shadows, fog and flames, to within a few levels."""
    pictures = []
    for backend in ("arcade", "software"):
        with open_game(LANTERN, headless=True, pixels=True, policy="raise", backend=backend) as app:
            if app.host.backend.name != backend:
                pytest.skip(f"{backend} does not open here")
            app.world[Scenes].go("play")
            app.run(40, draw=False)
            for _ in range(4):
                app.frame()
            pictures.append(app.pixels()[..., :3].astype(np.float64))
    assert np.abs(pictures[0] - pictures[1]).mean() < 3
    assert pictures[0].max() > 200


def test_the_pictures_are_those_that_the_maker_paints(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The stored images are those that the script paints, so a change has to be made in the script."""
    monkeypatch.setattr(sys, "path", [str(LANTERN), *sys.path])
    from painting import clay, people, things  # pyright: ignore[reportMissingImports]

    clay.save(people.hero(), tmp_path, "hero")
    clay.save(things.crystal(True), tmp_path, "crystal_large")
    made = sorted(path.name for path in tmp_path.iterdir())
    assert made == [
        "crystal_large.png",
        "crystal_large_glow.png",
        "crystal_large_normal.png",
        "hero.png",
        "hero_normal.png",
    ]
    for name in made:
        assert np.array_equal(pixels(tmp_path / name), pixels(LANTERN / "pictures" / name)), name
