"""The light of each pixel on both backends, compared with the formulas."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rish_lighting import formulas as f

from ..conftest import BACKENDS, lamp

SIZE = (128, 128)


def distances(x=64.0, y=64.0):
    """Return the distance of each pixel's center from a point, y up; the top row first."""
    rows, columns = np.mgrid[0:128, 0:128]
    return np.hypot(columns + 0.5 - x, 127.5 - rows - y)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("falloff", [f.INVERSE, f.LINEAR, f.NONE])
def test_attenuation_is_the_formula_at_each_pixel(shine, backend, falloff):
    """Every falloff, windowed or cut off at the radius, equals its formula to the precision of half floats."""
    for windowed, power in itertools.product((True, False), (1.0, 3.0)):
        made = shine(backend, lamp(FALLOFF=falloff, WINDOW=windowed, POWER=power))
        wanted = f.attenuation(distances(), 60, 15, power, falloff, windowed)
        away = np.abs(distances() - 60) > 1e-3
        np.testing.assert_allclose(made[away][:, 0], wanted[away], atol=1.5e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_lights_that_overlap_add_up_without_a_limit(shine, backend):
    """Five lights of intensity three add up to fifteen."""
    made = shine(backend, *[lamp(RED=3, GREEN=1, BLUE=0, FALLOFF=f.NONE, WINDOW=0)] * 5)
    np.testing.assert_allclose(made[64, 64], (15, 5, 0), rtol=1e-2)


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_pixel_is_lit_once(shine, backend):
    """The wedges of the disc meet without a gap and without an overlap, for any place of the light."""
    rng = np.random.default_rng(2)
    for _ in range(6):
        x, y = rng.integers(50, 78, 2) + rng.choice([0, 0.5, 0.25], 2)
        made = shine(backend, lamp(X=x, Y=y, RADIUS=40, FALLOFF=f.NONE, WINDOW=0))
        inside = distances(x, y) < 39.9
        np.testing.assert_allclose(made[inside], 1, atol=1e-3)
        assert not made[distances(x, y) > 40.1].any()


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_spot_shines_within_its_cone(shine, backend):
    """A spot is full inside its cone, zero outside, and smooth at the edge."""
    outer, inner = np.cos(0.5), np.cos(0.3)
    made = shine(backend, lamp(KIND=f.SPOT, AXIS_X=0.0, AXIS_Y=1.0, OUTER=outer, INNER=inner, FALLOFF=f.NONE, WINDOW=0))
    rows, columns = np.mgrid[0:128, 0:128]
    x, y = columns + 0.5 - 64, 127.5 - rows - 64
    d = np.hypot(x, y)
    t = np.clip((y / d - outer) / (inner - outer), 0, 1)
    wanted = np.where(d < 60, t * t * (3 - 2 * t), 0)
    clear = np.abs(d - 60) > 1e-3
    np.testing.assert_allclose(made[clear][:, 0], wanted[clear], atol=3e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_line_of_light_is_the_mean_of_its_points(shine, backend):
    """A line equals eight points along it, each with an eighth of its color."""
    made = shine(backend, lamp(KIND=f.AREA, AXIS_X=1.0, OUTER=30, INNER=8, RADIUS=40))
    places = 64 + 30 * ((np.arange(8) + 0.5) / 4 - 1)
    wanted = np.mean([f.attenuation(distances(64, y), 40, 15) for y in places], axis=0)
    np.testing.assert_allclose(made[..., 0], wanted, atol=2e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_ambient_light_may_lead_from_one_color_to_another(shine, backend):
    """Ambient light can be a gradient: red at the bottom, blue at the top, mixed linearly between."""
    row = lamp(KIND=f.GRADIENT, RADIUS=0, RED=0, GREEN=0, BLUE=1, HALF=1, POWER=0, FALLOFF=0, AXIS_X=0, AXIS_Y=-64)
    row[f.INNER] = 64
    made = shine(backend, row)
    share = (127.5 - np.arange(128)) / 128
    np.testing.assert_allclose(made[:, 5, 2], share, atol=2e-3)
    np.testing.assert_allclose(made[:, 90, 0], 1 - share, atol=2e-3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_larger_source_has_softer_shadows(shine, backend):
    """A larger source has a wider penumbra: dark if no part of the source is visible, full if all is."""
    from plain_shadows import shadow_map

    maps = np.full(8192, 1e30, np.float32)
    maps[:1024] = shadow_map((0, 0), 1024, [[20.0, -30.0, 20.0, 0.0]], True)
    soft = lamp(SHADOW=f.SOFT, BINS=1024, SIZE=4, FIRST=20, FALLOFF=f.NONE, WINDOW=0)
    made = shine(backend, soft, maps=maps)[..., 0]
    column = made[:, 64 + 50]
    assert np.allclose(column[34:52], 1, atol=0.02)
    assert np.allclose(column[80:96], 0, atol=0.02)
    half = column[52:80]
    assert (np.diff(half) <= 0.08).all()
    assert ((half > 0.1) & (half < 0.9)).sum() >= 5


@pytest.mark.gl
def test_both_backends_add_the_same(shine):
    """Both backends agree to a hundredth with lights of all kinds."""
    from plain_shadows import shadow_map

    rng = np.random.default_rng(8)
    edges = [[90, 40, 100, 70], [30, 90, 60, 95], [70, 70, 66, 60]]
    maps = np.full(8192, 1e30, np.float32)
    maps[:1024] = shadow_map((64, 64), 1024, np.array(edges, float), True)
    rows = [lamp(SHADOW=f.HARD, BINS=1024), lamp(KIND=f.SPOT, OUTER=0.5, INNER=0.7, X=20, Y=30)]
    rows += [lamp(X=rng.uniform(0, 128), Y=rng.uniform(0, 128), POWER=2) for _ in range(5)]
    rows += [lamp(KIND=f.SUN, RADIUS=0, SHADOW=f.NO_SHADOW, RED=0.1)]
    a, b = (shine(backend, *rows, maps=maps) for backend in ("software", "arcade"))
    off = np.abs(a - b).max(axis=2)
    assert (off > 0.01).sum() <= 30
    assert off.mean() < 1e-3
