"""The light of skies: harmonics and the atlas against sums over all directions."""

from __future__ import annotations

import numpy as np
import pytest

from rish_scene3d import layout as at
from rish_scene3d.light.environment_light import ambient_light, atlas_light, octahedral_direction, turned
from rish_scene3d.light.formulas import unit
from rish_scene3d.light.prefilter import ambient_of, atlas_of, directions_of, pyramid, turned_ambient
from rish_scene3d.light.sky import even_sky, sky_of_colors, sky_of_picture
from rish_scene3d.models.materials import decoded

NORMALS = unit(np.random.default_rng(2).normal(size=(40, 3)))


def smooth_picture(high: int = 64) -> np.ndarray:
    """A picture whose light changes slowly with the direction."""
    ways, _ = directions_of(high, 2 * high)
    return (1 + 0.8 * ways + 0.3 * ways[..., [1, 2, 0]] * ways).astype(np.float32)


def test_harmonics_give_the_light_that_a_matt_surface_reflects() -> None:
    """Nine numbers give the sum over all directions of light times cosine, within 1 %."""
    picture = smooth_picture()
    ways, angles = directions_of(64, 128)
    for normal in NORMALS:
        cosine = np.maximum(ways @ normal, 0) * angles / np.pi
        found = ambient_light(ambient_of(picture), normal[None])[0]
        assert found == pytest.approx((picture * cosine[..., None]).sum(axis=(0, 1)), rel=0.01)


def test_turned_light_is_that_of_the_turned_sky() -> None:
    """Turned harmonics give at a normal what the others give at the normal turned back."""
    ambient = ambient_of(smooth_picture())
    found = ambient_light(turned_ambient(ambient, 0.9), NORMALS)
    assert np.allclose(found, ambient_light(ambient, turned(NORMALS, 0.9)), atol=1e-5)


def test_the_atlas_is_the_mean_over_each_lobe() -> None:
    """Each level of the atlas is the sum over the mirrored lobe of its roughness, within 0.02 for a smooth sky."""
    picture = smooth_picture()
    atlas = atlas_of(picture)
    assert atlas.shape == (at.ATLAS_LEVELS, at.ATLAS_SIDE, at.ATLAS_SIDE, 3)
    ways, angles = directions_of(64, 128)
    for rough in (0.4, 0.8, 1.0):
        alpha2 = rough**4
        for normal in NORMALS[:8]:
            cosine = ways @ normal
            half2 = np.clip((1 + cosine) / 2, 0, 1)  # the squared cosine between the normal and the half vector
            lobe = np.maximum(cosine, 0) * angles / (half2 * (alpha2 - 1) + 1) ** 2
            mean = (picture * lobe[..., None]).sum(axis=(0, 1)) / lobe.sum()
            assert atlas_light(atlas, normal[None], np.array([rough]))[0] == pytest.approx(mean, abs=0.02)


def test_an_even_sky_is_even() -> None:
    """An even sky of 0.7 gives 0.7 to each surface, matt or not."""
    sky = even_sky(0.7)
    assert ambient_light(sky.ambient, NORMALS) == pytest.approx(0.7, rel=5e-3)
    assert np.allclose(sky.atlas, 0.7, rtol=1e-5)


def test_a_sky_of_colors_has_its_colors() -> None:
    """Straight up is the zenith, straight down the ground, and at the horizon the horizon; the middle is between."""
    zenith, horizon, ground = [0.1, 0.2, 0.9], [0.8, 0.8, 0.8], [0.2, 0.1, 0.0]
    sky = sky_of_colors(zenith, horizon, ground)
    assert sky.picture[0, 0] == pytest.approx(zenith, abs=0.01)
    assert sky.picture[-1, 0] == pytest.approx(ground, abs=0.01)
    assert sky.picture[len(sky.picture) // 2 - 1, 0] == pytest.approx(horizon, abs=0.02)
    up = ambient_light(sky.ambient, np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]))
    assert up[0, 2] > up[1, 2]


def test_a_picture_is_decoded_and_reduced() -> None:
    """Pictures with more than 1024 rows are averaged, and their colors become linear."""
    pixels = np.full((1026, 2052, 4), 128, np.uint8)
    sky = sky_of_picture(pixels)
    assert sky.picture.shape == (513, 1026, 3)
    assert np.allclose(sky.picture, decoded(128 / 255), rtol=1e-5)


@pytest.mark.parametrize("rows", [16, 64, 100])
def test_a_pyramid_keeps_the_light(rows: int) -> None:
    """Coarser pictures of any picture have the same light over all directions, and end with 16 rows."""
    levels = pyramid(smooth_picture(rows))
    sums = [(level * directions_of(*level.shape[:2])[1][..., None]).sum(axis=(0, 1)) for level in levels]
    assert levels[-1].shape == (16, 32, 3)
    assert np.allclose(sums, sums[0], rtol=0.02)


def test_a_small_bright_spot_is_mirrored_where_it_is() -> None:
    """The brightest place of each level of the atlas is where the light comes from."""
    picture = np.zeros((128, 256, 3), np.float32)
    ways, _ = directions_of(128, 256)
    spot = unit(np.array([0.5, 0.6, -0.7]))
    picture[ways @ spot > 0.99] = 50
    y, x = np.mgrid[0 : at.ATLAS_SIDE, 0 : at.ATLAS_SIDE] / (at.ATLAS_SIDE - 1)
    places = octahedral_direction(np.stack([x, y], axis=-1))
    for level in atlas_of(picture):
        brightest = np.unravel_index(level[..., 0].argmax(), level.shape[:2])
        assert places[brightest] @ spot > 0.93


@pytest.mark.parametrize("size", [(1, 1), (32, 32), (3, 7), (2, 90), (40, 1), (17, 30)])
def test_a_picture_of_any_size_is_a_sky(size: tuple[int, int]) -> None:
    """A picture that is tiny or not twice as wide as high lights surfaces with its color, and no number is NaN."""
    sky = sky_of_picture(np.full((*size, 4), 128, np.uint8))
    assert 32 <= 2 * sky.picture.shape[0] <= sky.picture.shape[1]
    assert np.allclose(sky.atlas, decoded(128 / 255), rtol=1e-4)
    assert ambient_light(sky.ambient, NORMALS) == pytest.approx(float(decoded(128 / 255)), rel=5e-3)
