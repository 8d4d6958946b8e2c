"""Cameras that follow, stay within limits and shake; their state does not depend on the window."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import RishError, Stage, Transform, system
from rish_render import Camera, ToolView, main_view, plugin, shake, view_of
from rish_render.scene.camera_systems import move_cameras
from rish_render.scene.shaking import noise


def place(stage, camera):
    """Return the position of a camera."""
    return stage.world.get(camera, Transform).position.tolist()


def move(stage, entity, x, y):
    """Move an entity, and run a tick."""
    stage.world.get(entity, Transform).position = (x, y)
    stage.app.frame(draw=False)


def test_a_camera_follows(studio):
    """A camera jumps to its target at first, then follows it, with its offset."""
    stage = studio()
    hero = stage.put(500, 300)
    camera = stage.put(0, 0, Camera(follow=hero, offset=(0, 20)))
    stage.shoot()
    assert place(stage, camera) == [500, 320]
    assert main_view(stage.world, interpolated=True).center == (500, 320)
    move(stage, hero, 510, 300)
    assert place(stage, camera) == [510, 320]


def test_what_moves_in_the_same_tick_is_not_lagged_behind(rish_app):
    """The camera does not lag behind a game's own system of the same stage, because that runs before the camera's."""

    class Walk:
        """A plugin that is declared after the renderer."""

        @staticmethod
        def rish_systems():
            """Return a system that moves the hero to the right in each tick."""
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
    """The camera rests within the dead zone of 40 units and moves only as far as needed beyond it."""
    stage = studio()
    hero = stage.put(0, 0)
    camera = stage.put(0, 0, Camera(follow=hero, dead_zone=(40, 10)))
    stage.app.frame(draw=False)
    move(stage, hero, 20, 5)
    assert place(stage, camera) == [0, 0]
    move(stage, hero, 25, -15)
    assert place(stage, camera) == [5, -10]


def test_the_dead_zone_turns_with_the_camera(studio):
    """The dead zone's width is along the screen's x axis, not the world's."""
    stage = studio()
    hero = stage.put(0, 0)
    camera = stage.put(0, 0, Camera(follow=hero, dead_zone=(40, 0)), rotation=math.pi / 2)
    stage.app.frame(draw=False)
    move(stage, hero, 10, 20)
    assert place(stage, camera) == pytest.approx([10, 0], abs=1e-4)


def test_smoothing_does_not_depend_on_the_rate_of_ticks(studio):
    """At 30 and at 120 ticks per second the same part of the distance remains after a second: exp(-4)."""
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
    """The view stops at the limits, also when rotated; a world that is smaller than the view is centered."""
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
    """A child camera is kept within limits by moving it relative to its parent's pose."""
    stage = studio((320, 240))
    ship = stage.put(0, 0, rotation=math.pi / 2, scale=(2, 2))
    stage.put(0, 0, Camera(limits=(0, 0, 2000, 2000)), parent=ship)
    stage.app.frame(draw=False)
    view = main_view(stage.world)
    x0, y0, _, _ = view.bounds
    assert (x0, y0) == pytest.approx((0, 0), abs=1e-3)


def test_what_is_gone_is_not_followed(studio):
    """A camera stays in place when its target is despawned, and no error is raised."""
    stage = studio()
    hero = stage.put(70, 80)
    camera = stage.put(0, 0, Camera(follow=hero))
    stage.shoot()
    stage.world.despawn(hero)
    stage.shoot()
    assert place(stage, camera) == [70, 80]


def test_the_window_does_not_change_the_state(studio):
    """A camera at its limits gets the same state in a small window, in a wide one, and with stretch "none"."""
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
    """The additional area that a wide window shows is kept within the limits as well."""
    stage = studio((320, 240), settings={"render": {"aspect": "expand"}})
    stage.app.host.backend.configure(size=(960, 240))
    stage.put(0, 0, Camera(limits=(0, 0, 2000, 2000)))
    stage.shoot()
    assert main_view(stage.world, interpolated=True).bounds[0] == pytest.approx(0, abs=1e-3)


@pytest.mark.slow
def test_a_blow_shakes_and_wears_off(studio):
    """The view shakes around its place, within its reach, and is still again after the trauma has decayed."""
    stage = studio((320, 240))
    camera = stage.put(0, 0, Camera(shake_reach=0.1, shake_turn=0.2, shake_decay=2))
    shake(stage.world, camera, 0.6)
    shake(stage.world, strength=0.7)
    assert stage.world.get(camera, Camera).trauma == 1
    centers = []
    for _ in range(40):
        stage.app.frame()
        view = main_view(stage.world, interpolated=True)
        centers.append((*view.center, view.rotation))
        assert main_view(stage.world).center == (0, 0)
    spread = np.abs(centers).max(axis=0)
    assert (spread[:2] > 2).all()
    assert (spread[:2] <= 24).all()
    assert 0.02 < spread[2] <= 0.2
    assert centers[-1] == (0, 0, 0)
    assert place(stage, camera) == [0, 0]


@pytest.mark.slow
def test_a_shaken_camera_stays_within_limits(studio):
    """A shaken camera shows nothing outside its limits."""
    stage = studio((320, 240))
    stage.put(160, 120, Camera(limits=(0, 0, 1000, 1000), trauma=1, shake_reach=0.5, shake_decay=0))
    for _ in range(20):
        stage.app.frame()
        x0, y0, _, _ = main_view(stage.world, interpolated=True).bounds
        assert min(x0, y0) >= -1e-3


def test_only_a_camera_can_be_shaken(studio):
    """`shake` raises for an entity without a camera, and does nothing in a game without cameras."""
    stage = studio()
    other = stage.put(0, 0)
    with pytest.raises(RishError, match=f"entity {other} is not a camera"):
        shake(stage.world, other)
    shake(stage.world)


def test_noise_is_smooth_and_centered():
    """Noise stays within -1 and 1, has small steps and a mean near 0, and differs between seeds."""
    times = np.arange(0, 400, 0.05)
    values = np.array([noise(float(t), 3) for t in times])
    assert np.abs(values).max() <= 1
    assert np.abs(np.diff(values)).max() < 0.2
    assert abs(values.mean()) < 0.1
    assert values.std() > 0.3
    assert not np.allclose(values, [noise(float(t), 4) for t in times])


@pytest.mark.parametrize("seed", range(12))
def test_while_a_tool_arranges_the_view_is_that_of_the_first_tick(rish_app, seed):
    """A camera is seen where the first tick puts it: at what it follows, within its limits; nothing is written."""
    random = np.random.default_rng(seed)
    target, offset = random.integers(-900, 900, 2).tolist(), random.integers(-50, 50, 2).tolist()
    limits = [(0, 0, 0, 0), (0, 0, 640, 480), (-300, -100, 400, 2000)][seed % 3]
    angle, dead_zone = (0.0, 0.4)[seed % 2], ((0, 0), (60, 40))[seed % 4 // 2]
    app = rish_app({"game": {"size": [320, 240]}}, plugins={"render": plugin})
    world = app.world
    base = world.spawn(Transform(position=(10, 20), rotation=0.3))
    hero = world.spawn(Transform(position=target, parent=base))
    camera = world.spawn(
        Transform(position=(7, 9), rotation=angle),
        Camera(height=200, follow=hero, offset=offset, limits=limits, dead_zone=dead_zone, smoothing=0.3),
    )
    before = world.hash()
    world[ToolView].arranging = True
    seen = view_of(world, camera).center, main_view(world, interpolated=True).center
    assert world.hash() == before
    world[ToolView].arranging = False
    assert view_of(world, camera).center == (7, 9)
    app.frame(draw=False)
    first = view_of(world, camera).center
    assert seen[0] == pytest.approx(first, abs=1e-3)
    assert seen[1] == pytest.approx(first, abs=1e-3)
    app.close()
