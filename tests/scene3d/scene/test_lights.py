"""gather_lights: what a world's lights become for a camera, and what stays the same object."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rish_core import Assets, World
from rish_core.common import HierarchyCache
from rish_scene3d import Lamp3D, Sky3D, Sun3D
from rish_scene3d import layout as at
from rish_scene3d.light.environment_light import ambient_light
from rish_scene3d.models.materials import decoded
from rish_scene3d.scene.lights import Lights3D, forget_lights, gather_lights
from rish_scene3d.scene.views import View3D
from rish_scene3d.shadows.faces import camera_at, projection_of
from rish_space3d import Transform3D, WorldMatrices3D, quaternions
from rish_space3d.interpolation import interpolate_poses_3d

BOX = np.array([[-5, 0, -5], [5, 2, 5]], np.float32)


@pytest.fixture
def world() -> World:
    """A world with lights and no entities."""
    made = World([Transform3D, Lamp3D, Sun3D, Sky3D])
    for resource in (WorldMatrices3D(), HierarchyCache(), Lights3D(), Assets()):
        made.put(resource)
    return made


def a_view(z: float = 10.0, name: str = "view") -> View3D:
    """A camera before the origin."""
    place = np.array([0, 2, z], np.float32)
    view = camera_at(place, (0, 0, -1), (0, 1, 0))
    return View3D(name, "screen", (160, 90), (0, 0, 1, 1), view, projection_of(0.6, 60), place, 0.05, 60)


def gathered(world: World, view: View3D | None = None, casters: np.ndarray | None = BOX, quality: float = 1.0):
    """The light of a frame."""
    interpolate_poses_3d(world, world.dt)
    return gather_lights(world, view or a_view(), casters, quality)


DOWN = tuple(quaternions.from_axis([1, 0, 0], -np.pi / 2).tolist())


def test_a_lamp_becomes_a_row(world: World) -> None:
    """A row has place, range, linear color times intensity, and the way of -z of the pose."""
    world.spawn(
        Transform3D(position=(1, 2, 3), rotation=DOWN),
        Lamp3D(color=(1, 0.5, 0, 1), intensity=2, range=7, angle=1.0, edge=0.5),
    )
    row = gathered(world).lamps[0]
    assert row[:4].tolist() == [1, 2, 3, 7]
    assert row[at.LAMP_COLOR : at.LAMP_COLOR + 3] == pytest.approx(2 * decoded([1, 0.5, 0]))
    assert row[at.LAMP_AXIS : at.LAMP_AXIS + 3] == pytest.approx([0, -1, 0], abs=1e-6)
    assert row[at.LAMP_ANGLE] == pytest.approx(np.cos(0.5))
    assert row[at.LAMP_INNER] == pytest.approx(np.cos(0.25))
    assert row[at.LAMP_MAP] == -1


def test_what_is_switched_off_gives_no_light(world: World) -> None:
    """Lights that are disabled or have no intensity are left out."""
    world.spawn(Transform3D(), Lamp3D(enabled=False))
    world.spawn(Transform3D(), Lamp3D(intensity=0))
    world.spawn(Transform3D(), Sun3D(enabled=False))
    made = gathered(world)
    assert len(made.lamps) == len(made.suns) == 0


def test_the_first_four_suns_count(world: World) -> None:
    """Of five suns four shine; the shadows of each have a map of their own."""
    for k in range(5):
        world.spawn(Transform3D(rotation=DOWN), Sun3D(intensity=k + 1, cascades=2, map_size=64))
    made = gathered(world)
    assert made.suns[:, at.SUN_MAP].tolist() == [0, 1, 2, 3]
    assert made.maps == ("view.sun0", "view.sun1", "view.sun2", "view.sun3")
    assert len(made.shadows) == 8
    assert made.shadows[0].size == (128, 64)


def test_nothing_moves_nothing_changes(world: World) -> None:
    """Without a change the light is the same object; a moved camera keeps lamps, sky, and the maps of lamps."""
    world.spawn(Transform3D(position=(0, 1, 0)), Lamp3D(shadows=True))
    world.spawn(Transform3D(), Sky3D())
    first = gathered(world)
    assert gathered(world) is first
    second = gathered(world, a_view(9.0))
    assert second.version != first.version
    assert second.lamps is first.lamps
    assert second.atlas is first.atlas
    assert all(a is b for a, b in zip(first.shadows, second.shadows, strict=True))
    other = gathered(world, a_view(9.0, "other"))
    assert other.maps == first.maps
    assert other.shadows[0] is first.shadows[0]


def test_a_pose_that_moves_elsewhere_changes_no_light(world: World) -> None:
    """While something else moves, the light stays the same object."""
    world.spawn(Transform3D(position=(0, 1, 0)), Lamp3D(shadows=True))
    other = world.spawn(Transform3D())
    first = gathered(world)
    world.set(other, Transform3D(position=(3, 0, 0)))
    assert gathered(world) is first


def test_at_most_eight_maps_and_the_nearest_first(world: World, caplog: pytest.LogCaptureFixture) -> None:
    """Of twelve lamps with shadows the eight near ones get a map, and a warning says so once; without casters none."""
    for k in range(12):
        world.spawn(Transform3D(position=(0, 1, 4 - 2.0 * k)), Lamp3D(shadows=True, range=3))
    made = gathered(world, casters=np.array([[-50, 0, -50], [50, 2, 50]], np.float32))
    assert len(made.maps) == at.MAX_MAPS
    assert (made.lamps[:, at.LAMP_MAP] >= 0).tolist() == [True] * 8 + [False] * 4
    assert sorted(made.lamps[:8, at.LAMP_MAP]) == list(range(8))
    assert gathered(world, casters=None).maps == gathered(world, quality=0).maps == ()
    gathered(world, casters=np.array([[-50, 0, -50], [50, 3, 50]], np.float32))
    assert [record.getMessage()[:9] for record in caplog.records] == ["12 lights"]


def test_lamps_out_of_sight_or_away_from_casters_need_no_map(world: World) -> None:
    """A lamp behind the camera, or one whose light touches nothing that casts shadows, has no map."""
    world.spawn(Transform3D(position=(0, 1, 30)), Lamp3D(shadows=True, range=5))
    world.spawn(Transform3D(position=(0, 1, -20)), Lamp3D(shadows=True, range=5))
    assert gathered(world).maps == ()


def test_sky_fog_and_camera_fill_the_scene_row(world: World) -> None:
    """The scene row holds the camera's place and exposure, and fog and factors of the sky."""
    world.spawn(Sky3D(fog_density=0.25, fog_base=1, fog_fall=0.5, intensity=2, ambient=3, stars=0.5, sun_size=0.02))
    made = gathered(world, replace(a_view(), exposure=1.5))
    scene = made.scene
    assert scene[:4].tolist() == [0, 2, 10, 1.5]
    assert scene[[at.FOG_DENSITY, at.FOG_BASE, at.FOG_FALL]].tolist() == [0.25, 1, 0.5]
    assert scene[[at.AMBIENT_STRENGTH, at.SKY_LIGHT, at.STARS]].tolist() == [6, 2, 0.5]
    assert scene[at.DISC] == pytest.approx(0.01)
    assert made.picture is not None


def test_without_a_sky_there_is_dim_even_light(world: World) -> None:
    """A scene without Sky3D is lit evenly, and shows no sky."""
    made = gathered(world)
    light = ambient_light(made.ambient, np.eye(3)) * made.scene[at.AMBIENT_STRENGTH]
    assert light == pytest.approx(0.2, abs=1e-3)
    assert made.picture is None


def test_the_light_of_the_sky_turns_with_it(world: World) -> None:
    """A sky of colors is the same from all sides, so its light does not change with its turn."""
    sky = world.spawn(Sky3D())
    before = gathered(world).ambient
    world.set(sky, Sky3D(turn=1.2))
    assert np.allclose(gathered(world).ambient, before, atol=1e-3)


def test_forgotten_views_leave_no_maps(world: World) -> None:
    """Light and maps of views that are gone are forgotten."""
    world.spawn(Transform3D(rotation=DOWN), Sun3D())
    gathered(world)
    kept = world[Lights3D]
    forget_lights(world, {"other"})
    assert not kept.views
    assert not kept.maps.kept


def test_tools_see_by_a_light_of_their_own(world: World) -> None:
    """Plain light has a sun along the view and no lamps, shadows, fog or sky; the arrays stay while the camera does."""
    world.spawn(Transform3D(), Lamp3D())
    world.spawn(Transform3D(), Sky3D(fog_density=0.5))
    view = replace(a_view(), exposure=0.01)
    world[Lights3D].rebuild(world)
    first, again = (gather_lights(world, view, BOX, plain=True) for _ in range(2))
    assert (len(first.suns), len(first.lamps), first.shadows, first.picture) == (1, 0, (), None)
    assert -view.view[2, :3] @ first.suns[0, at.SUN_AXIS : at.SUN_AXIS + 3] > 0.9
    assert (first.scene[at.EXPOSURE], first.scene[at.FOG_DENSITY]) == (1, 0)
    assert again is first
    assert len(gathered(world, view).lamps) == 1
