"""Shadows of suns: no acne, shadows that touch their casters, cascades without seams, nothing that flickers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.helpers.shadow_maps import box_triangles, draw_map, floor_triangles

from rish_scene3d import layout as at
from rish_scene3d.light.formulas import unit
from rish_scene3d.light.shadowing import sun_share
from rish_scene3d.scene.shadows import Maps, SunPlan, aim_sun
from rish_scene3d.scene.views import View3D
from rish_scene3d.shadows.cascades import axes_of, enclosing_sphere, split_distances
from rish_scene3d.shadows.faces import camera_at, projection_of

UP = np.array([0.0, 1.0, 0.0])
FLOOR = floor_triangles(60)


def looking(eye: tuple[float, float, float] = (0, 3, 8), turn: float = 0.0, name: str = "view") -> View3D:
    """A camera that looks down a little, turned around y."""
    ahead = np.array([np.sin(turn) * 0.96, -0.28, -np.cos(turn) * 0.96])
    above = np.array([np.sin(turn) * 0.28, 0.96, -np.cos(turn) * 0.28])
    view = camera_at(eye, ahead, above)
    return View3D(
        name, "screen", (160, 90), (0, 0, 1, 1), view, projection_of(0.5, 40), np.array(eye, np.float32), 0.05, 40
    )


def sun(way: tuple[float, float, float], bias: float = 1.5) -> np.ndarray:
    """The row of a sun whose light travels along `way`."""
    row = np.zeros(at.SUN, np.float32)
    row[:3] = axes_of(way)[2]
    row[at.SUN_COLOR : at.SUN_COLOR + 3] = 1
    row[at.SUN_BIAS], row[at.SUN_FADE] = bias, 0.1
    return row


def shadowed(view: View3D, row: np.ndarray, triangles: np.ndarray, plan: SunPlan) -> np.ndarray:
    """Aim a sun, and draw its map."""
    points = triangles.reshape(-1, 3)
    box = np.stack([points.min(axis=0), points.max(axis=0)])
    return draw_map(aim_sun(Maps(), view, row, plan, box, 1.0, "map"), triangles)


def depth_of(view: View3D, points: np.ndarray) -> np.ndarray:
    """Meters along the view."""
    return -(points @ view.view[2, :3] + view.view[2, 3])


PLAN = SunPlan(shadows=True, cascades=2, reach=30, split=0.6, map_size=128)


def seen(view: View3D, points: np.ndarray) -> np.ndarray:
    """The points that a camera sees, nearer than 29 m."""
    clip = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ (view.projection @ view.view).T
    return points[(np.abs(clip[:, :2]) < clip[:, 3:]).all(axis=1) & (clip[:, 3] < 29)]


@pytest.mark.parametrize("step", range(20))
def test_a_lit_floor_has_no_point_in_shadow(step: int) -> None:
    """Under a sun at 20 heights and turns, all light arrives at every point of a plain floor."""
    height, turn = 0.04 + step / 20 * 1.5, step * 0.7
    way = (np.cos(height) * np.cos(turn), -np.sin(height), np.cos(height) * np.sin(turn))
    view, row = looking(), sun(way)
    drawn = shadowed(view, row, FLOOR, PLAN)
    rng = np.random.default_rng(step)
    points = seen(view, np.stack([rng.uniform(-8, 8, 4000), np.zeros(4000), rng.uniform(-18, 6, 4000)], axis=-1))
    assert len(points) > 500
    share = sun_share(drawn, row, points, np.broadcast_to(UP, points.shape), depth_of(view, points))
    assert share.min() > 1 - 1e-9


def test_a_lit_slope_has_no_point_in_shadow() -> None:
    """On 20 planes that lean in any direction, under a sun from anywhere, no point loses half a level of its light."""
    checked = 0
    for step in range(20):
        rng = np.random.default_rng(step)
        normal, way = unit(rng.normal(size=3) * [1, 0.5, 1] + [0, 0.8, 0]), unit(rng.normal(size=3))
        way = way if way @ normal < 0 else -way
        view, row = looking(), sun(tuple(way))
        along = unit(np.cross(normal, [0.0, 0.0, 1.0]))
        across = np.cross(normal, along)
        a, b, c, d = (60 * (x * along + y * across) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
        drawn = shadowed(view, row, np.array([[a, b, c], [a, c, d]]), PLAN)
        points = seen(view, rng.uniform(-8, 8, (4000, 1)) * along + rng.uniform(-8, 8, (4000, 1)) * across)
        share = sun_share(drawn, row, points, np.broadcast_to(normal, points.shape), depth_of(view, points))
        checked += len(points)
        assert ((1 - share) * -(way @ normal)).max(initial=0) < 0.5 / 255
    assert checked > 20_000


def test_shadows_touch_their_casters() -> None:
    """The shadow of a box begins less than 1.5 texels from its foot, and is as long as the angle of the sun says."""
    view, row = looking(), sun((1, -1, 0))
    box = box_triangles((-1, 0, -1), (0, 1, 1))
    drawn = shadowed(view, row, np.concatenate([FLOOR, box]), SunPlan(True, 1, 20, 0.5, 256))
    texel = float(row[at.SUN_TEXELS])
    x = np.linspace(0, 2, 4001)
    points = np.stack([x, 0 * x, 0 * x], axis=-1)
    share = sun_share(drawn, row, points, np.broadcast_to(UP, points.shape), depth_of(view, points))
    dark = x[share < 0.5]
    assert dark[0] < 1.5 * texel
    assert abs(dark[-1] - 1) < 1.5 * texel * np.sqrt(2)
    assert share[(x > 3 * texel) & (x < 1 - 3 * texel)].max() == 0


def test_the_dark_side_of_a_box_leaks_no_light() -> None:
    """On the floor inside a box, nothing is lit up to the reach of offset and taps from its walls."""
    view, row = looking(), sun((0.4, -1, 0.3))
    box = box_triangles((-1, 0, -1), (1, 2, 1))
    drawn = shadowed(view, row, np.concatenate([FLOOR, box]), SunPlan(True, 1, 20, 0.5, 256))
    edge = 1 - 3.2 * float(row[at.SUN_TEXELS])
    x, z = np.meshgrid(np.linspace(-edge, edge, 60), np.linspace(-edge, edge, 60))
    points = np.stack([x.ravel(), 0 * x.ravel(), z.ravel()], axis=-1)
    assert sun_share(drawn, row, points, np.broadcast_to(UP, points.shape), depth_of(view, points)).max() == 0


def test_two_cascades_agree_where_they_meet() -> None:
    """Just before and just behind the border of two cascades, the shadow of an edge lies at the same place."""
    view, row = looking(), sun((1, -2, 0.3))
    wall = box_triangles((-1, 0, -30), (0, 1.5, 6))
    drawn = shadowed(view, row, np.concatenate([FLOOR, wall]), PLAN)
    border = float(row[at.SUN_FAR])
    x = np.linspace(-0.5, 2, 500)
    edges = []
    for depth in (border - 1e-3, border + 1e-3):
        z = (depth + view.view[2, 3]) / -view.view[2, 2] * np.ones_like(x)
        points = np.stack([x, 0 * x, z], axis=-1)
        share = sun_share(drawn, row, points, np.broadcast_to(UP, points.shape), np.full(500, depth))
        edges.append(x[share < 0.5].max())
    assert abs(edges[0] - edges[1]) < float(row[at.SUN_TEXELS + 1])


def test_shadows_fade_out_at_their_reach() -> None:
    """Beyond the last cascade everything is lit, and before it the shadow fades evenly."""
    row = sun((0, -1, 0))
    row[at.SUN_CASCADES], row[at.SUN_SIZE], row[at.SUN_FAR] = 1, 64, 20
    row[at.SUN_MATRICES : at.SUN_MATRICES + 12] = [0, 0, 0, 0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5]
    depth = np.array([10.0, 18.0, 19.0, 20.0, 30.0])
    points = np.zeros((5, 3))
    share = sun_share(np.zeros((64, 64)), row, points, points, depth)
    assert np.allclose(share, [0, 0, 0.5, 1, 1])


def test_shadows_stand_still_while_the_camera_moves_and_turns() -> None:
    """While a camera moves by small steps and turns, the share of light at fixed places does not change."""
    box = box_triangles((-1, 0, -3), (0, 1.3, -2))
    triangles = np.concatenate([FLOOR, box])
    x, z = np.meshgrid(np.linspace(-1, 2, 40), np.linspace(-4, -1, 40))
    points = np.stack([x.ravel(), 0 * x.ravel(), z.ravel()], axis=-1)
    seen = []
    for k in range(4):
        view, row = looking((0.037 * k, 3, 8 - 0.053 * k), 0.02 * k), sun((0.7, -1, 0.2))
        drawn = shadowed(view, row, triangles, SunPlan(True, 1, 30, 0.5, 192))
        seen.append(sun_share(drawn, row, points, np.broadcast_to(UP, points.shape), depth_of(view, points)))
    assert max(np.abs(share - seen[0]).max() for share in seen) < 0.05
    assert np.mean([np.abs(share - seen[0]).mean() for share in seen]) < 1e-3


def test_a_map_is_kept_until_the_camera_has_moved_a_step() -> None:
    """While a camera turns in place by little or moves less than a step, the pictures are the same objects."""
    maps, plan = Maps(), SunPlan(True, 1, 30, 0.5, 256)
    box = np.array([[-1, 0, -1], [1, 1, 1]], np.float32)
    first = aim_sun(maps, looking((0.5, 3, 8)), sun((0.2, -1, 0)), plan, box, 1.0, "map")
    assert aim_sun(maps, looking((0.5001, 3, 8)), sun((0.2, -1, 0)), plan, box, 1.0, "map") is first
    assert aim_sun(maps, looking((9.5, 3, 8)), sun((0.2, -1, 0)), plan, box, 1.0, "map") is not first


def test_casters_before_the_view_are_in_the_map() -> None:
    """A roof far above the view casts its shadow, and the depth of the map begins before it."""
    view, row = looking(), sun((0, -1, 0.01))
    roof = box_triangles((-1, 150, -1), (1, 151, 1))
    drawn = shadowed(view, row, np.concatenate([FLOOR, roof]), PLAN)
    points = np.array([[0.0, 0, 1.5], [5.0, 0, 1.5]])
    share = sun_share(drawn, row, points, np.broadcast_to(UP, points.shape), depth_of(view, points))
    assert share.tolist() == [0, 1]


@given(
    near=st.floats(0.01, 10),
    depth=st.floats(0.1, 100),
    slopes=st.tuples(st.floats(0.05, 3), st.floats(0.05, 3)),
    orthographic=st.booleans(),
)
def test_a_cascade_encloses_its_part_of_the_view(
    near: float, depth: float, slopes: tuple[float, float], orthographic: bool
) -> None:
    """The sphere of a cascade encloses all corners of its part of the view, and touches at least one."""
    middle, radius = enclosing_sphere(near, near + depth, slopes, orthographic=orthographic)
    corners = [
        np.array([*(np.array(slopes) * (1 if orthographic else far)), far - middle]) for far in (near, near + depth)
    ]
    distances = np.linalg.norm(corners, axis=1)
    assert distances.max() == pytest.approx(radius, rel=1e-6)


def test_split_distances_end_at_the_reach() -> None:
    """Cascades end at rising distances; split 0 divides evenly, 1 in equal proportions."""
    assert split_distances(0, 60, 3, 0) == pytest.approx([20, 40, 60])
    assert split_distances(1, 64, 3, 1) == pytest.approx([4, 16, 64])


@pytest.mark.parametrize("way", [(0, -1, 0), (1, -0.2, 0), (0.3, -0.9, 0.1), (0, 0, 1)])
def test_axes_are_right_handed(way: tuple[float, float, float]) -> None:
    """Right, up and the way of the light are unit vectors at right angles, as a camera along the light has them."""
    axes = axes_of(way)
    assert np.allclose(axes @ axes.T, np.eye(3))
    assert np.allclose(np.cross(axes[0], axes[1]), -axes[2])
