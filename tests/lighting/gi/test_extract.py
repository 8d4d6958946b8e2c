"""Emission and reflected light in a game, on both backends, as a setting."""

from __future__ import annotations

import numpy as np
import pytest

import rish_jit
from plain_radiance import fluence
from rish_core import Transform
from rish_frame import Frame
from rish_lighting import Light
from rish_lighting.components.settings import LightingSettings
from rish_lighting.gi.extract import Glow
from rish_lighting.gi.walls_kernels import rasterize

from ..conftest import BACKENDS
from ..test_standing import Counted

FLOOR = "- {at: [80, 48], Transform: {}, Shape: {size: [160, 96], color: white}}"
WALL = "- {at: [100, 48], Transform: {}, Shape: {size: [8, 200], color: white}, Occluder: {size: [8, 200]}}"
FIRE = "- {at: [50, 48], Transform: {}, Sprite: {image: ball.png, emission: glow.png}}"
DARK = "- {Ambient: {color: black}}"
SCENE = "\n".join((FLOOR, WALL, FIRE, DARK))
SETTINGS = "{lighting: {gi: medium, emission: 8}}"
LAMP = "- {at: [60, 30], Transform: {}, Light: {radius: 90, color: '#ffcc88', intensity: 3}}"
BOX = "- {at: [120, 60], Transform: {rotation: 20}, Occluder: {size: [24, 16]}}"
ROOM = "\n".join((FLOOR, WALL.replace("100, 48", "30, 48"), BOX, LAMP, DARK))


def light_of(game):
    """Return float32 (h, w, 3): the light target, the bottom row first."""
    return game.pixels("light.light.1")[::-1, :, :3].astype(np.float32)


def switch(game, grade):
    """Set the quality grade during the game, and draw a frame."""
    game.world.defer(lambda world: setattr(world[LightingSettings], "gi", grade))
    game.app.run(frames=2)
    return game.app.host.backend.pixels().copy()


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_glows_lights_the_floor_and_not_what_lies_behind_a_wall(hall, backend):
    """An emission map lights the floor, not the other side of a wall; without the setting all is dark."""
    picture = hall(SCENE, backend, SETTINGS).app.host.backend.pixels().astype(int)
    near, far, behind = picture[48, 74], picture[10, 10], picture[48, 130]
    assert near[0] > far[0] > 20
    assert near[0] > near[2] + 20
    assert behind[:3].max() <= 3
    plain = hall(SCENE, backend).app.host.backend.pixels()
    assert plain[48, 74, :3].max() <= 1


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("camera", ["", "- {at: [80, 48], Transform: {rotation: 90}, Camera: {}}"])
def test_walls_throw_back_the_light_of_lamps_as_rays_find_it(hall, backend, camera):
    """The setting adds one bounce of the lamps' light as the reference has it, and no direct light."""
    scene = f"{ROOM}\n{camera}"
    plain = light_of(hall(scene, backend))
    game = hall(scene, backend, "{lighting: {gi: medium, gi_strength: 1}}")
    added = light_of(game) - plain
    ((_, solid),) = game.world[Glow].grids.values()
    assert added.shape[:2] == solid.shape == (48, 80)
    row, column = np.mgrid[1:47:2, 1:79:2]
    places = np.stack([column.ravel(), row.ravel()], axis=1)
    places = places[solid[places[:, 1], places[:, 0]] == 0]
    table, query = game.world.table(Light), game.world.query(Light, Transform)
    assert len(query) == 1
    red, green, blue = (((c + 0.055) / 1.055) ** 2.4 for c in table.column("color")[0, :3].astype(float))
    x, y = (30.0, 15.0) if not camera else (40 + (30 - 48) / 2, 24 - (60 - 80) / 2)
    lamps = [(x, y, 45, 3 * red, 3 * green, 3 * blue)]
    albedo = np.full((*solid.shape, 3), game.world[LightingSettings].gi_albedo, np.float32)
    wanted = fluence(solid, 0 * albedo, albedo, places, rays=512, bounces=1, lamps=lamps)
    found = added[places[:, 1], places[:, 0]]
    assert np.sqrt(((found - wanted) ** 2).mean() / (wanted**2).mean()) <= 0.08
    assert found.max() > 0.05


def test_without_walls_lamps_throw_nothing_back(hall):
    """An empty floor is as bright with the setting as without it."""
    scene = "\n".join((FLOOR, LAMP, DARK))
    assert np.array_equal(hall(scene, settings="{lighting: {gi: low}}").pixels(), hall(scene).pixels())


def test_ambient_light_is_not_thrown_back(hall):
    """Ambient light is not reflected by walls."""
    scene = "\n".join((FLOOR, WALL, "- {Ambient: {color: '#808080', color_end: red, gradient: true}}"))
    assert np.array_equal(hall(scene, settings="{lighting: {gi: low}}").pixels(), hall(scene).pixels())


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_sun_lights_the_walls_that_face_it(hall, backend):
    """A sun's light is reflected by the side of a wall that faces it, and not by the other."""
    sun = "- {Transform: {}, Light: {kind: directional, direction: 0, length: 20}}"
    scene = "\n".join((FLOOR, WALL, sun, DARK))
    added = light_of(hall(scene, backend, SETTINGS)) - light_of(hall(scene, backend))
    assert added[24, 44].min() > 0.2
    assert np.abs(added[24, 60]).max() < 0.01


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_view_of_a_split_screen_has_light_of_its_own(hall, backend):
    """Two cameras at the same place: both halves are equally bright, and both have the walls."""
    cameras = "\n".join(
        f"- {{at: [60, 48], Transform: {{}}, Camera: {{viewport: [{x}, 0, 0.5, 1]}}}}" for x in (0, 0.5)
    )
    picture = hall(f"{SCENE}\n{LAMP}\n{cameras}", backend, SETTINGS).pixels().astype(int)
    assert np.abs(picture[:, 2:78] - picture[:, 82:158]).max() <= 1
    alone = hall(f"{SCENE}\n{LAMP}\n{cameras}", backend, "{lighting: {emission: 8}}").pixels().astype(int)
    assert (picture - alone)[:, :80, :3].mean() > 5


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_setting_may_change_in_play_and_leaves_nothing_behind(hall, backend):
    """Switched on and off, the frames equal those of games that started so, and passes and targets are removed."""
    wanted = {grade: hall(ROOM, backend, f"{{lighting: {{gi: {grade}}}}}").pixels().copy() for grade in ("off", "low")}
    game = hall(ROOM, backend)
    for grade in ("low", "off", "low"):
        np.testing.assert_array_equal(switch(game, grade), wanted[grade])
        frame = game.world[Frame]
        assert any(name.startswith("light.gi") for name in [*frame.passes, *frame.targets]) == (grade == "low")


@pytest.mark.parametrize("backend", BACKENDS)
def test_light_depends_on_nothing_but_what_is_shown(hall, backend):
    """Light has no history: the first frame equals the hundredth, also after a restore."""
    game = hall(f"{SCENE}\n{LAMP}", backend, SETTINGS, run=1)
    world, before, state = game.world, game.pixels().copy(), game.world.snapshot()
    game.app.run(frames=4)
    np.testing.assert_array_equal(game.pixels(), before)
    lamp = int(world.query(Light).entities[0])
    world.defer(lambda world: world.set(lamp, Transform(position=(20, 80))))
    game.app.run(frames=2)
    assert not np.array_equal(game.pixels(), before)
    world.defer(lambda world: world.restore(state))
    game.app.run(frames=2)
    np.testing.assert_array_equal(game.pixels(), before)


def test_the_light_of_what_is_thrown_back_is_no_state(hall):
    """The hash does not change with the setting."""
    game = hall(f"{SCENE}\n{LAMP}", settings=SETTINGS, run=1)
    tick, code = game.world.tick, game.world.hash()
    game.world[Glow].grids.clear()
    assert (game.world.tick, game.world.hash()) == (tick, code)


def test_games_without_the_setting_have_none_of_its_passes(hall):
    """By default, and without any light, there are no passes of it."""
    assert not any(name.startswith("light.gi") for name in hall(SCENE).world[Frame].passes)
    nothing = hall(f"{FLOOR}\n{WALL}\n{DARK}", settings=SETTINGS)
    assert not any(name.startswith("light.gi") for name in nothing.world[Frame].passes)


def test_walls_that_stay_are_not_drawn_again(hall):
    """The grid of texels is kept until a wall moves."""
    game = hall(SCENE, settings=SETTINGS)
    (kept,) = game.world[Glow].grids.values()
    game.app.run(frames=2)
    (still,) = game.world[Glow].grids.values()
    assert still[1] is kept[1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_where_nothing_changes_nothing_is_drawn(hall, backend):
    """Without changes nothing is drawn again; a moved lamp draws it again."""
    game = hall(f"{SCENE}\n{LAMP}", backend, SETTINGS, run=4)
    with Counted(game.app.host.backend) as kinds:
        game.app.run(frames=3)
        assert kinds == []
        lamp = int(game.world.query(Light).entities[0])
        game.world.defer(lambda world: world.set(lamp, Transform(position=(20, 80))))
        game.app.run(frames=1)
        assert {"light.gi", "light.lights", "light.lay"} <= set(kinds)


def test_no_kernel_is_compiled_once_the_scene_is_played(hall):
    """No kernel is compiled after the warm-up."""
    game = hall(f"{SCENE}\n{LAMP}", settings=SETTINGS, run=0)
    game.app.run(frames=1)  # occluders are placed, walls collected
    before = rish_jit.compilations
    game.app.run(frames=3)
    assert rish_jit.compilations == before


@pytest.mark.gl
def test_no_shader_is_compiled_once_the_scene_is_played(hall):
    """No shader program is compiled after the warm-up."""
    backend = hall.backend("arcade", (160, 96))
    hall(f"{SCENE}\n{LAMP}", "arcade", SETTINGS, run=0)
    made = _programs(backend)
    assert len(made) > 10
    again = hall(f"{SCENE}\n{LAMP}", "arcade", SETTINGS, run=0)
    again.app.run(frames=2)
    assert _programs(backend) == made


def _programs(backend):
    """Return the keys of all programs of global illumination."""
    found = set()
    for kind, drawer in backend.drawers.items():
        if kind.startswith("light.gi"):
            screens = [*drawer._screen._objects.values()] if hasattr(drawer, "_screen") else []
            grids = [*drawer._grids._objects.values()] if hasattr(drawer, "_grids") else []
            for grid in (grid for some in grids for grid in some.values()):
                screens += [grid.screen, grid.cascades._screen]
            found |= {(kind, key) for screen in screens for key in screen._programs._made}
    return found


def test_an_outline_is_filled_and_a_line_is_not():
    """A box has an inside, also if it is partly outside the grid; a single edge is one texel thin."""
    box = np.array([[2, 2, 8, 2], [8, 2, 8, 6], [8, 6, 2, 6], [2, 6, 2, 2]], np.float64) - (5, 0, 5, 0)
    out = np.zeros((10, 12), np.uint8)
    rasterize(box.ravel(), np.ones(4, np.bool_), out)
    assert out[3:6, :3].all()
    assert not out[:, 4:].any()
    assert not out[:2].any()
    line = np.zeros((10, 12), np.uint8)
    rasterize(np.array([1.5, 1.5, 9.5, 8.5]), np.zeros(1, np.bool_), line)
    assert 12 <= line.sum() <= 20
    reached = np.argwhere(line)
    assert (np.abs(np.diff(reached, axis=0)).sum(axis=1) > 0).all()
