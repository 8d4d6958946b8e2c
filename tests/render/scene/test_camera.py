"""Cameras: the visible part of the world and its place on the screen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import Disabled, RishError, Transform, world_matrices
from rish_frame import Frame
from rish_frame.frame.camera_math import project
from rish_render import Camera, camera_at, main_view, screen_view, to_screen, to_world
from rish_render.scene.camera import View, views_of, world_pose
from rish_render.scene.camera_views import CameraViews

VIEWS = [
    screen_view((320, 240)),
    View((320, 240), (10, -20), 0.6, 2.5),
    View((100, 240), (5, 5), -1.0, 0.5, corner=(60, 0)),
]


@pytest.mark.parametrize("view", VIEWS)
def test_the_way_to_the_screen_and_back(view):
    """`to_world` and `to_screen` are inverse to each other, for one point and for many."""
    points = np.array([[0.0, 0], [33, -7], [-500, 1000]])
    assert view.to_world(view.to_screen(points)) == pytest.approx(points)
    assert view.to_screen(view.to_world(points[1])) == pytest.approx(points[1])


@pytest.mark.parametrize("view", VIEWS[:2])
def test_the_matrices_say_the_same(view):
    """The matrices that a backend receives place a point where `to_screen` places it."""
    points = np.array([[12.0, 30], [-5, 4]])
    seen = project(view.projection @ view.view, points, view.size)[:, :2]
    assert seen == pytest.approx(view.to_screen(points), abs=1e-3)


def test_bounds_hold_all_that_is_seen():
    """The bounds contain every corner of the screen and are no larger than necessary."""
    view = VIEWS[1]
    corners = view.to_world([[0, 0], [320, 0], [0, 240], [320, 240]])
    x0, y0, x1, y1 = view.bounds
    assert [x0, y0] == pytest.approx(corners.min(axis=0))
    assert [x1, y1] == pytest.approx(corners.max(axis=0))


def test_without_a_camera_a_unit_is_a_pixel(studio):
    """Without a camera one unit is one pixel, and the origin is at the bottom left."""
    stage = studio()
    assert main_view(stage.world) == screen_view((320, 240))
    assert to_world(stage.world, (12, 34)).tolist() == [12, 34]


def test_a_camera_stands_in_the_middle(studio):
    """A camera's position is in the middle of the screen; height in units and zoom determine the density."""
    stage = studio()
    stage.put(100, 50, Camera(height=60, zoom=2), rotation=0.25)
    view = main_view(stage.world)
    assert view.density == 8
    assert view.rotation == pytest.approx(0.25)
    assert to_world(stage.world, (160, 120)) == pytest.approx([100, 50])


def test_the_first_primary_camera_counts(studio):
    """The main camera is the first active primary one, or the first active one in drawing order if none is primary."""
    stage = studio()
    stage.put(1, 1, Camera(enabled=False))
    assert main_view(stage.world).center == (160, 120)
    stage.put(2, 2, Camera(primary=False, order=1))
    stage.put(3, 3, Camera(primary=False))
    assert main_view(stage.world).center == (3, 3)
    stage.put(4, 4, Camera(target="tv"))
    stage.put(5, 5, Camera(order=2))
    stage.put(6, 6, Camera(order=3))
    assert main_view(stage.world).center == (5, 5)


def test_any_camera_can_be_asked(studio):
    """A camera can be chosen by its entity; screen positions always refer to the complete screen."""
    stage = studio()
    stage.put(0, 0, Camera(viewport=(0, 0, 0.5, 1)))
    right = stage.put(1000, 500, Camera(viewport=(0.5, 0, 0.5, 1), zoom=2))
    assert to_world(stage.world, [(240, 120), (242, 124)], right).tolist() == [[1000, 500], [1001, 502]]
    assert to_screen(stage.world, (1000, 500), right).tolist() == [240, 120]
    assert to_screen(stage.world, (0, 0)).tolist() == [80, 120]
    with pytest.raises(RishError, match="entity 12345 is not a camera"):
        to_world(stage.world, (0, 0), 12345)


def test_the_camera_under_a_point(studio):
    """`camera_at` returns the topmost camera whose viewport contains the point, or None."""
    stage = studio()
    left = stage.put(0, 0, Camera(viewport=(0, 0, 0.5, 1)))
    small = stage.put(0, 0, Camera(viewport=(0.25, 0, 0.5, 0.5), order=1))
    stage.put(0, 0, Camera(target="tv"))
    points = [(10, 10), (79, 10), (80, 10), (239, 119), (240, 119), (100, 120)]
    assert [camera_at(stage.world, point) for point in points] == [left, left, small, small, None, left]


def test_an_entitys_pose_is_that_of_all_of_them(studio):
    """`world_pose` agrees with `world_matrices`; a cycle of parents ends, and a missing parent counts as none."""
    stage = studio()
    random = np.random.default_rng(3)
    entities = [0]
    for _ in range(12):
        x, y, angle, sx, sy = random.uniform(0.5, 2, 5).tolist()
        entities.append(stage.put(x, y, rotation=angle, scale=(sx, sy), parent=int(random.choice(entities))))
    everything = world_matrices(stage.world)
    for entity in entities[1:]:
        row = stage.world.table(Transform).row_of(entity)
        assert world_pose(stage.world, entity) == pytest.approx(everything[row], rel=1e-4)
    stage.world.get(entities[1], Transform).parent = entities[1]
    assert len(world_pose(stage.world, entities[1])) == 6


def test_a_camera_can_ride_on_something(studio):
    """A child camera moves with its parent."""
    stage = studio()
    ship = stage.put(100, 0, rotation=math.pi / 2)
    stage.put(10, 0, Camera(), parent=ship)
    assert main_view(stage.world).center == pytest.approx((100, 10))


def test_plugins_ask_what_the_camera_of_a_target_shows(studio):
    """`Frame.area_of` returns the corners, turned like the camera; there is nothing for an unknown target."""
    stage = studio()
    stage.put(100, 50, Camera(target="tv", target_size=(40, 20), height=10), rotation=math.pi / 2)
    area = stage.world[Frame].area_of(stage.world, "tv")
    np.testing.assert_allclose(area.world, [(105, 40), (105, 60), (95, 60), (95, 40)], atol=1e-4)
    assert stage.world[Frame].area_of(stage.world, "radio") is None


@pytest.mark.parametrize("first", [True, False])
def test_a_camera_is_used_as_soon_as_it_has_a_place(studio, first):
    """A frame is drawn through a camera that gets or loses its Transform, or is disabled, and whose place in its table
    changes, also beside another camera that stands still."""
    stage = studio(size=(64, 48), strict=False)
    world = stage.world
    other = world.spawn(Transform()) if first else stage.put(5, 5, Camera(order=-1))
    late = world.spawn(Camera(primary=True, order=1))

    def center() -> tuple[float, float]:
        stage.app.frame()
        stage.app.frame()
        assert views_of(world) == uncached_views(world)
        return views_of(world)[-1].center

    before = center()
    world.add(late, Transform(position=(20, 30)))
    assert center() == (20, 30)
    world.add(late, Disabled())
    assert center() == before
    world.remove(late, Disabled)
    assert center() == (20, 30)
    world.despawn(other)
    assert center() == (20, 30)
    world.remove(late, Transform)
    assert center() == ((32, 24) if not world.table(Transform).used else before)


def test_views_stay_while_no_camera_moves(studio):
    """Writes that name no rows leave the views as they are, the same objects, unless a camera or its parent moved."""
    stage = studio()
    world, carrier, thing = stage.world, stage.put(1, 2), stage.put(3, 4)
    cameras = [stage.put(5, 5, Camera(order=-1)), stage.put(8, 0, Camera(primary=True), parent=carrier)]
    table = world[Transform]
    stage.app.run(3)
    for entity in (thing, None, carrier, thing, cameras[0], None, cameras[1], thing):
        before = views_of(world)
        if entity is not None:
            table.position[table.row_of(entity), 0] += 1
        table.mark()
        stage.app.run(2)
        assert (views_of(world) is before) == (entity in (thing, None))
        assert views_of(world) == uncached_views(world)


def uncached_views(world):
    """Return the views that a World computes which has drawn no frame."""
    last = world[CameraViews]
    world.put(CameraViews())
    views = views_of(world)
    world.put(last)
    return views
