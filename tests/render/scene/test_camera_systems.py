"""Cameras that follow, stay within limits and shake; all of it state that no window changes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import RishError, Stage, Transform, system
from rish_render import Camera, main_view, plugin, shake
from rish_render.scene.camera_systems import move_cameras
from rish_render.scene.shaking import noise


def place(stage, camera):
    """Where a camera stands."""
    return stage.world.get(camera, Transform).position.tolist()


def move(stage, entity, x, y):
    """Put something somewhere, and let a tick pass."""
    stage.world.get(entity, Transform).position = (x, y)
    stage.app.frame(draw=False)


def test_a_camera_follows(studio):
    """It jumps to what it follows at first, then goes along, with its offset."""
    stage = studio()
    hero = stage.put(500, 300)
    camera = stage.put(0, 0, Camera(follow=hero, offset=(0, 20)))
    stage.shoot()
    assert place(stage, camera) == [500, 320]
    assert main_view(stage.world, interpolated=True).centre == (500, 320)
    move(stage, hero, 510, 300)
    assert place(stage, camera) == [510, 320]


def test_what_moves_in_the_same_tick_is_not_lagged_behind(rish_app):
    """A game's own system of the last stage runs before the camera's."""

    class Walk:
        """A plugin that is declared after the renderer."""

        @staticmethod
        def rish_systems():
            """One step to the right a tick."""
            return [walk]

    @system(Stage.UPDATE, writes=Transform)
    def walk(world, dt):
        world[Transform].position[world.table(Transform).row_of(hero), 0] += 5

    app = rish_app({}, plugins={"render": plugin, "walk": Walk()})
    hero = app.world.spawn(Transform())
    camera = app.world.spawn(Transform(), Camera(follow=hero))
    app.frame()
    app.frame()
    assert app.world.get(camera, Transform).position[0] == app.world.get(hero, Transform).position[0] == 10


def test_the_dead_zone_lets_it_move_freely(studio):
    """Within 40 units the camera rests; beyond it goes just as far as needed."""
    stage = studio()
    hero = stage.put(0, 0)
    camera = stage.put(0, 0, Camera(follow=hero, dead_zone=(40, 10)))
    stage.app.frame(draw=False)
    move(stage, hero, 20, 5)
    assert place(stage, camera) == [0, 0]
    move(stage, hero, 25, -15)
    assert place(stage, camera) == [5, -10]


def test_the_dead_zone_turns_with_the_camera(studio):
    """Its width lies along the picture, not along the world."""
    stage = studio()
    hero = stage.put(0, 0)
    camera = stage.put(0, 0, Camera(follow=hero, dead_zone=(40, 0)), rotation=math.pi / 2)
    stage.app.frame(draw=False)
    move(stage, hero, 10, 20)
    assert place(stage, camera) == pytest.approx([10, 0], abs=1e-4)


def test_smoothing_does_not_depend_on_the_rate_of_ticks(studio):
    """After a second the same part of the way is left at 30 and at 120 ticks a second: e to the minus four."""
    left = {}
    for rate in (30, 120):
        stage = studio(strict=False)
        hero = stage.put(0, 0)
        camera = stage.put(0, 0, Camera(follow=hero, smoothing=0.25))
        move_cameras(stage.world, 1 / rate)
        stage.world.get(hero, Transform).position = (1000, 0)
        for _ in range(rate):
            move_cameras(stage.world, 1 / rate)
        left[rate] = 1000 - place(stage, camera)[0]
    assert left[30] == pytest.approx(1000 * math.exp(-4), rel=1e-3)
    assert left[30] == pytest.approx(left[120], rel=1e-3)


def test_limits_are_never_looked_beyond(studio):
    """The view stops at the border of the world, also where it is turned; a small world lies in the middle."""
    stage = studio((320, 240))
    hero = stage.put(0, 0)
    camera = stage.put(0, 0, Camera(follow=hero, limits=(0, 0, 1000, 200)), rotation=0.5)
    for x in (-500, 300, 5000):
        move(stage, hero, x, 0)
        x0, _, x1, _ = main_view(stage.world).bounds
        assert x0 >= -1e-3
        assert x1 <= 1000 + 1e-3
        assert place(stage, camera)[1] == 100


def test_a_camera_that_rides_stays_within_limits_too(studio):
    """A child camera is moved against its parent's pose."""
    stage = studio((320, 240))
    ship = stage.put(0, 0, rotation=math.pi / 2, scale=(2, 2))
    stage.put(0, 0, Camera(limits=(0, 0, 2000, 2000)), parent=ship)
    stage.app.frame(draw=False)
    view = main_view(stage.world)
    x0, y0, _, _ = view.bounds
    assert (x0, y0) == pytest.approx((0, 0), abs=1e-3)


def test_what_is_gone_is_not_followed(studio):
    """The camera stays where it was when its hero is despawned, and nothing fails."""
    stage = studio()
    hero = stage.put(70, 80)
    camera = stage.put(0, 0, Camera(follow=hero))
    stage.shoot()
    stage.world.despawn(hero)
    stage.shoot()
    assert place(stage, camera) == [70, 80]


def test_the_window_does_not_change_the_state(studio):
    """A camera at its limits has the same hash in a small window, a wide one, and without a picture."""
    hashes = set()
    for window, aspect in (((320, 240), "keep"), ((900, 200), "expand"), ((64, 333), "none")):
        settings = {"stretch": "none"} if aspect == "none" else {"aspect": aspect}
        stage = studio((320, 240), settings={"render": settings})
        stage.app.host.backend.configure(size=window)
        hero = stage.put(50, 60)
        camera = stage.put(0, 0, Camera(follow=hero, limits=(0, 0, 700, 700), trauma=0.8, smoothing=0.1))
        for _ in range(5):
            stage.app.frame()
        hashes.add((stage.world.hash() if aspect == "keep" else None, *place(stage, camera)))
    assert len({each[1:] for each in hashes}) == 1


def test_an_expanded_view_is_kept_within_limits_when_drawn(studio):
    """What a wide window shows more of stays inside as well."""
    stage = studio((320, 240), settings={"render": {"aspect": "expand"}})
    stage.app.host.backend.configure(size=(960, 240))
    stage.put(0, 0, Camera(limits=(0, 0, 2000, 2000)))
    stage.shoot()
    assert main_view(stage.world, interpolated=True).bounds[0] == pytest.approx(0, abs=1e-3)


@pytest.mark.slow
def test_a_blow_shakes_and_wears_off(studio):
    """The picture trembles around its place, within reach, and is still again after the trauma has decayed."""
    stage = studio((320, 240))
    camera = stage.put(0, 0, Camera(shake_reach=0.1, shake_turn=0.2, shake_decay=2))
    shake(stage.world, camera, 0.6)
    shake(stage.world, strength=0.7)
    assert stage.world.get(camera, Camera).trauma == 1
    centres = []
    for _ in range(40):
        stage.app.frame()
        view = main_view(stage.world, interpolated=True)
        centres.append((*view.centre, view.rotation))
        assert main_view(stage.world).centre == (0, 0)
    spread = np.abs(centres).max(axis=0)
    assert (spread[:2] > 2).all()
    assert (spread[:2] <= 24).all()
    assert 0.02 < spread[2] <= 0.2
    assert centres[-1] == (0, 0, 0)
    assert place(stage, camera) == [0, 0]


@pytest.mark.slow
def test_a_shaken_camera_stays_within_limits(studio):
    """Nothing beyond the border of the world is seen, however hard the blow."""
    stage = studio((320, 240))
    stage.put(160, 120, Camera(limits=(0, 0, 1000, 1000), trauma=1, shake_reach=0.5, shake_decay=0))
    for _ in range(20):
        stage.app.frame()
        x0, y0, _, _ = main_view(stage.world, interpolated=True).bounds
        assert min(x0, y0) >= -1e-3


def test_only_a_camera_can_be_shaken(studio):
    """An entity that is none is named; a game without a camera has nothing to shake."""
    stage = studio()
    other = stage.put(0, 0)
    with pytest.raises(RishError, match=f"entity {other} is no camera"):
        shake(stage.world, other)
    shake(stage.world)


def test_noise_is_smooth_and_centred():
    """It stays within -1 and 1, its steps are small, its mean is near 0, and two seeds differ."""
    times = np.arange(0, 400, 0.05)
    values = np.array([noise(float(t), 3) for t in times])
    assert np.abs(values).max() <= 1
    assert np.abs(np.diff(values)).max() < 0.2
    assert abs(values.mean()) < 0.1
    assert values.std() > 0.3
    assert not np.allclose(values, [noise(float(t), 4) for t in times])
