"""Shadows of lamps and spots: no acne, no seams between the faces of a cube, shadows where they belong."""

from __future__ import annotations

import numpy as np
import pytest
from tests.helpers.shadow_maps import box_triangles, draw_map, floor_triangles

from rish_scene3d import layout as at
from rish_scene3d.light.formulas import unit
from rish_scene3d.light.shadowing import FACE_MARGIN, face_of, lamp_share, weights
from rish_scene3d.scene.shadows import Maps, aim_lamp
from rish_scene3d.shadows.faces import FORWARD, cube_cameras

UP = np.array([0.0, 1.0, 0.0])


def lamp(height: float = 2.0, angle: float = 0.0, axis: tuple[float, float, float] = (0, -1, 0)) -> np.ndarray:
    """The row of a lamp above the origin; with an angle, a spot."""
    row = np.zeros(at.LAMP, np.float32)
    row[1], row[at.LAMP_RANGE], row[at.LAMP_COLOR : at.LAMP_COLOR + 3] = height, 12, 1
    row[at.LAMP_AXIS : at.LAMP_AXIS + 3] = unit(np.array(axis, np.float64))
    row[at.LAMP_ANGLE], row[at.LAMP_BIAS] = np.cos(angle / 2) if angle else -1, 1.5
    return row


def share_on_floor(row: np.ndarray, triangles: np.ndarray, x: np.ndarray, z: np.ndarray, side: int) -> np.ndarray:
    """The share of light at points of the floor."""
    drawn = draw_map(aim_lamp(Maps(), row, side, "map"), triangles)
    points = np.stack([x.ravel(), 0 * x.ravel(), z.ravel()], axis=-1)
    return lamp_share(drawn, row, points, np.broadcast_to(UP, points.shape)).reshape(x.shape)


def test_weights_of_taps_are_even_and_smooth() -> None:
    """Three weights sum up to 1, and mirror each other."""
    part = np.linspace(0, 1, 11)
    found = weights(part)
    assert np.allclose(found.sum(axis=-1), 1)
    assert np.allclose(found, weights(1 - part)[:, ::-1])
    assert np.allclose(found @ [-1, 0, 1], part - 0.5)


def test_faces_of_the_cube_are_their_cameras() -> None:
    """A direction falls on the face whose camera sees it in its middle part, at the place that the formula says."""
    ways = unit(np.random.default_rng(1).normal(size=(300, 3)))
    face, right, up, depth = face_of(ways)
    assert face_of(FORWARD)[0].tolist() == [0, 1, 2, 3, 4, 5]
    side = 64
    for k, (view, projection) in enumerate(cube_cameras(np.zeros(3), 10, side)):
        mine = face == k
        clip = np.concatenate([ways[mine], np.ones((mine.sum(), 1))], axis=1) @ (projection @ view).T
        slope = side / (side - 2 * FACE_MARGIN)
        assert np.allclose(clip[:, 3], depth[mine], atol=1e-5)
        assert np.allclose(clip[:, 0] / clip[:, 3], right[mine] / slope, atol=1e-5)
        assert np.allclose(clip[:, 1] / clip[:, 3], up[mine] / slope, atol=1e-5)


@pytest.mark.parametrize("height", [0.5, 2.0, 4.0])
@pytest.mark.parametrize("angle", [0.0, 1.2])
def test_a_lit_floor_has_no_point_in_shadow(height: float, angle: float) -> None:
    """Over all faces of the cube, no point of a plain floor loses half a level of the light of a lamp or a spot."""
    reach = height * np.tan(angle / 2) * 0.7 if angle else 6
    x, z = np.meshgrid(np.linspace(-reach, reach, 61), np.linspace(-reach, reach, 61))
    share = share_on_floor(lamp(height, angle), floor_triangles(20), x, z, 96)
    distance = np.sqrt(x * x + z * z + height * height)
    assert ((1 - share) * height / distance).max() < 0.5 / 255


def test_shadows_of_a_lamp_lie_on_the_line_of_its_light() -> None:
    """The edges of the shadow of a box are where lines from the lamp over its edges meet the floor."""
    row, box = lamp(2), box_triangles((1, 0, -5), (1.5, 0.5, 5))
    x = np.linspace(0.2, 5, 2001)
    share = share_on_floor(row, np.concatenate([floor_triangles(20), box]), x, 0 * x, 128)
    dark = x[share < 0.5]
    texel = float(row[at.LAMP_TEXEL]) * 2.5
    assert dark[0] == pytest.approx(1, abs=1.5 * texel)
    assert dark[-1] == pytest.approx(2, abs=3 * texel)


@pytest.mark.parametrize("axis", [0, 2])
def test_faces_of_the_cube_have_no_seam(axis: int) -> None:
    """A shadow that crosses the border of two faces continues without a gap or a line of light."""
    row = lamp(2)
    beam = box_triangles((-0.3, 0.9, -6), (0.3, 1.1, 6)) if axis == 0 else box_triangles((-6, 0.9, -0.3), (6, 1.1, 0.3))
    along = np.linspace(1.8, 2.2, 401)
    places = (0 * along, along) if axis == 0 else (along, 0 * along)
    share = share_on_floor(row, np.concatenate([floor_triangles(20), beam]), *places, 80)
    assert share.max() == 0
    aside = np.full_like(along, 1.2)
    places = (aside, along) if axis == 0 else (along, aside)
    assert share_on_floor(row, np.concatenate([floor_triangles(20), beam]), *places, 80).min() > 0.99


def test_a_still_lamp_keeps_its_pictures() -> None:
    """The pictures of a lamp are the same objects until it moves, and only a moved one gets others."""
    maps = Maps()
    first = aim_lamp(maps, lamp(2), 64, "map")
    assert len(first) == 6
    assert aim_lamp(maps, lamp(2), 64, "map") is first
    assert aim_lamp(maps, lamp(2.1), 64, "map") is not first
    assert len(aim_lamp(maps, lamp(2, 1.0), 64, "spot")) == 1
