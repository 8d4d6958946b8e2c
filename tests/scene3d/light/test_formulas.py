"""The sheet of light: energy, symmetry, Phong, lamps and fog."""

from __future__ import annotations

import numpy as np
import pytest

from rish_scene3d import layout as at
from rish_scene3d.light import formulas
from rish_scene3d.light.albedo import albedo_rows

UP = np.array([0.0, 1.0, 0.0])
ROUGHNESSES = (0.05, 0.2, 0.4, 0.6, 0.8, 1.0)


def around_mirror(eye: np.ndarray, count: int = 160) -> tuple[np.ndarray, np.ndarray]:
    """Directions (n, 3) above the plane, dense around the one that is mirrored to the eye, and their weights."""
    axis = formulas.mirror(UP, eye)
    side = np.array([0.0, 0.0, 1.0])
    third = np.cross(axis, side)
    turn = (np.arange(count) + 0.5) / count * 2 * np.pi
    part = (np.arange(count) + 0.5) / count
    angle, width = part**3 * np.pi, 3 * part**2 / count * np.pi
    t, p = np.meshgrid(angle, turn, indexing="ij")
    t, p = t[..., None], p[..., None]
    ways = (np.cos(t) * axis + np.sin(t) * (np.cos(p) * side + np.sin(p) * third)).reshape(-1, 3)
    weights = np.broadcast_to((np.sin(angle) * width)[:, None] * (2 / count), (count, count)).reshape(-1)
    above = ways[:, 1] > 0
    return ways[above], weights[above]


def albedo(base: float, metallic: float, roughness: float, cosine: float) -> float:
    """The share of even light from everywhere that a surface of one gray reflects to an eye."""
    eye = np.array([np.sqrt(1 - cosine * cosine), cosine, 0.0])
    ways, weights = around_mirror(eye)
    surface = formulas.gloss(np.array([[base] * 3]), np.array([metallic]), np.array([roughness]))
    shares = formulas.reflected(surface, UP[None], eye[None], ways)
    return float((shares[:, 0] * weights).sum())


@pytest.mark.parametrize("roughness", ROUGHNESSES)
@pytest.mark.parametrize("metallic", [0.0, 1.0])
def test_a_white_surface_in_white_light_cannot_be_seen(roughness: float, metallic: float) -> None:
    """A white metal and a white matt body reflect all of even light, within 1 %."""
    for cosine in (0.15, 0.5, 0.95):
        assert albedo(1, metallic, roughness, cosine) == pytest.approx(1, abs=0.01)


def test_nothing_reflects_more_than_arrives() -> None:
    """No mixture of metal and paint reflects more than all light."""
    for base, metallic in ((1.0, 0.5), (0.5, 0.0), (0.5, 1.0), (0.02, 0.3)):
        for roughness in ROUGHNESSES:
            assert 0 < albedo(base, metallic, roughness, 0.3) <= 1.01


def test_eye_and_light_can_change_places() -> None:
    """Without the cosine, the share of reflected light is the same when eye and light change places."""
    rng = np.random.default_rng(1)
    ways = formulas.unit(rng.normal(size=(2, 200, 3)))
    ways[..., 1] = np.abs(ways[..., 1]) + 0.01
    ways = formulas.unit(ways)
    surface = formulas.gloss(rng.uniform(size=(200, 3)), rng.uniform(size=200), rng.uniform(0.2, 1, 200))
    there = formulas.reflected(surface, UP[None], ways[0], ways[1]) / ways[1, :, 1:2]
    back = formulas.reflected(surface, UP[None], ways[1], ways[0]) / ways[0, :, 1:2]
    assert np.allclose(there, back, rtol=1e-6)


@pytest.mark.parametrize("roughness", ROUGHNESSES)
def test_even_sky_is_balanced_too(roughness: float) -> None:
    """A white surface under an even sky of 1 is as bright as 1 from all sides; a mixture is not brighter."""
    cosine = np.linspace(0.02, 1, 20)
    eye = np.stack([np.sqrt(1 - cosine**2), cosine, 0 * cosine], axis=-1)
    one = np.ones((20, 3))
    for metallic in (0.0, 0.4, 1.0):
        surface = formulas.gloss(one, np.full(20, metallic), np.full(20, roughness))
        seen = formulas.environment(surface, UP[None], eye, one, one)
        assert seen.max() <= 1.01
        assert metallic == 0.4 or seen.min() >= 0.99


def test_the_fitted_albedo_is_that_of_the_integral() -> None:
    """The rows of the table agree with light summed over the hemisphere, for a mirror of reflectance 1."""
    cosine = 0.6
    eye = np.array([0.8, cosine, 0.0])
    ways, weights = around_mirror(eye)
    half = formulas.unit(eye + ways)
    for row in (8, 16, 31):
        alpha = np.array((row / 31) ** 2)
        single = formulas.ggx(alpha, ways[:, 1], np.array(cosine), half[:, 1]) * ways[:, 1] * weights
        fit = formulas.dot(albedo_rows()[row, :6], formulas.powers(np.array(cosine)))
        assert fit == pytest.approx(single.sum(), abs=0.006)
        bright = (single * (1 - half @ eye) ** 5).sum()
        assert formulas.dot(albedo_rows()[row, 6:], formulas.powers(np.array(cosine))) == pytest.approx(
            bright, abs=0.006
        )


def test_phong_follows_its_formula() -> None:
    """A light 30 degrees off the normal gives base times its cosine, and the highlight where it is mirrored."""
    light = np.array([[0.5, np.sqrt(0.75), 0.0]])
    base = np.array([[0.2, 0.4, 0.6]])
    at_mirror = formulas.phong(base, np.array(0.5), np.array(32.0), UP[None], light * [-1, 1, 1], light)
    assert np.allclose(at_mirror, base * np.sqrt(0.75) + 0.5)
    above = formulas.phong(base, np.array(0.5), np.array(32.0), UP[None], UP[None], light)
    assert np.allclose(above, base * np.sqrt(0.75) + 0.5 * np.sqrt(0.75) ** 32)
    assert not formulas.phong(base, np.array(0.5), np.array(32.0), UP[None], UP[None], light * [1, -1, 1]).any()


def lamp_row(**columns: float) -> np.ndarray:
    """A lamp at (0, 2, 0) of range 10 in white, with other columns as given."""
    row = np.zeros(at.LAMP, np.float32)
    row[at.LAMP_PLACE : at.LAMP_PLACE + 3] = 0, 2, 0
    row[at.LAMP_RANGE], row[at.LAMP_COLOR : at.LAMP_COLOR + 3] = 10, 1
    row[at.LAMP_ANGLE], row[at.LAMP_INNER], row[at.LAMP_AXIS + 1] = -1, 1, -1
    for name, value in columns.items():
        row[getattr(at, name)] = value
    return row


def test_a_lamp_over_a_plane() -> None:
    """A matt white plane under a lamp is as bright as height / distance**3, times the window of the range."""
    x = np.linspace(0, 9, 30)
    points = np.stack([x, 0 * x, 0 * x], axis=-1)
    to_light, light = formulas.lamp_light(points, lamp_row())
    seen = (light * np.maximum(to_light[:, 1:2], 0))[:, 0]
    distance = np.sqrt(x * x + 4)
    assert np.allclose(seen, 2 / distance**3 * np.clip(1 - (distance / 10) ** 4, 0, 1) ** 2, rtol=1e-5)
    assert formulas.lamp_light(np.array([[0.0, -8.1, 0.0]]), lamp_row())[1].max() == 0


def test_a_cone_fades_to_its_edge() -> None:
    """A spot gives all its light inside the inner angle, none outside the outer one."""
    lamp = lamp_row(LAMP_ANGLE=np.cos(0.5), LAMP_INNER=np.cos(0.3))
    points = np.stack([2 * np.tan([0.0, 0.29, 0.4, 0.51])] + [np.zeros(4)] * 2, axis=-1)
    whole = formulas.lamp_light(points, lamp_row())[1][:, 0]
    share = formulas.lamp_light(points, lamp)[1][:, 0] / whole
    assert share[:2] == pytest.approx(1)
    assert 0 < share[2] < 1
    assert share[3] == 0


def test_fog_is_the_closed_integral() -> None:
    """The share of light through fog that thins upwards is that of many small steps along the way."""
    scene = np.zeros(at.SCENE, np.float32)
    scene[at.FOG_DENSITY], scene[at.FOG_BASE], scene[at.FOG_FALL] = 0.05, 1, 0.3
    eye = np.array([[0.0, 2.0, 0.0]] * 3)
    point = np.array([[30.0, 12.0, 0.0], [30.0, 2.0001, 5.0], [3.0, -6.0, 1.0]])
    steps = (np.arange(4000) + 0.5) / 4000
    heights = eye[:, 1:2] + (point - eye)[:, 1:2] * steps
    depth = (0.05 * np.exp(-0.3 * (heights - 1))).mean(axis=1) * np.linalg.norm(point - eye, axis=1)
    assert np.allclose(formulas.clear(eye, point, scene), np.exp(-depth), rtol=1e-3)


def test_clusters_are_counted_across_up_and_away() -> None:
    """The first cluster is at the left bottom next to the eye, the last one at the far right top."""
    scene = np.zeros(at.SCENE, np.float32)
    scene[at.NEAR], scene[at.FAR] = 1, 100
    across, up, depth = np.array([0.0, 0.999, 0.07]), np.array([0.0, 0.999, 0.0]), np.array([0.5, 99.9, 1.0])
    assert formulas.cluster_of(across, up, depth, scene).tolist() == [0, 16 * 9 * 24 - 1, 1]
