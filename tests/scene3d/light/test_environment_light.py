"""Light from all around: octahedral squares, harmonics, pictures, stars and discs."""

from __future__ import annotations

import numpy as np

from rish_scene3d import layout as at
from rish_scene3d.light import environment_light
from rish_scene3d.light.formulas import unit

RNG = np.random.default_rng(4)
WAYS = unit(RNG.normal(size=(500, 3)))


def test_the_octahedral_square_holds_each_direction_once() -> None:
    """A direction comes back from its place in the square."""
    place = environment_light.octahedral(WAYS)
    assert place.min() >= 0
    assert place.max() <= 1
    assert np.allclose(environment_light.octahedral_direction(place), WAYS)


def test_the_atlas_has_no_seam() -> None:
    """A smooth sky is as smooth across the edges of the square as elsewhere."""
    side = at.ATLAS_SIDE
    y, x = np.mgrid[0:side, 0:side] / (side - 1)
    ways = environment_light.octahedral_direction(np.stack([x, y], axis=-1))
    atlas = np.broadcast_to(0.5 + 0.5 * ways, (at.ATLAS_LEVELS, side, side, 3))
    found = environment_light.atlas_light(atlas, WAYS, RNG.uniform(size=500))
    assert np.abs(found - (0.5 + 0.5 * WAYS)).max() < 6e-3


def test_a_picture_shows_minus_z_in_its_middle() -> None:
    """The middle of a picture of the sky lies at -z, its right half at +x, its top at +y, its sides at +z."""
    picture = np.zeros((64, 128, 3), np.float32)
    picture[:, 64:, 0] = 1
    picture[:32, :, 1] = 1
    picture[:, 32:96, 2] = 1
    ways = np.array([[1.0, 0.1, -0.2], [-1.0, -0.1, -0.2], [1.0, 0.1, 0.3], [0.1, 5.0, -0.1]])
    assert environment_light.picture_light(picture, unit(ways)).tolist() == [[1, 1, 1], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
    left, right = environment_light.picture_light(picture, unit(np.array([[-1e-4, 0.0, 1.0], [1e-4, 0.0, 1.0]])))
    assert np.abs(left - right).max() < 0.02


def test_a_turned_sky_moves_with_the_angle() -> None:
    """After a quarter turn around y, what stood at -z stands at -x."""
    seen = environment_light.turned(np.array([[-1.0, 0.0, 0.0]]), np.pi / 2)
    assert np.allclose(seen, [[0, 0, -1]], atol=1e-12)


def test_stars_are_small_and_equally_bright_at_all_sizes_of_pixels() -> None:
    """The light of the stars over a part of the sky depends on the size of a pixel by less than a fifth."""
    n = 480
    x, z = np.meshgrid(np.linspace(-0.08, 0.08, n), np.linspace(-0.08, 0.08, n))
    ways = unit(np.stack([x, np.ones_like(x), z], axis=-1))
    fine, coarse = environment_light.star_light(ways, 1, 0.0005), environment_light.star_light(ways, 1, 0.0025)
    assert 0 < (fine > 0).mean() < 0.01
    assert abs(coarse.mean() / fine.mean() - 1) < 0.2
    assert fine.max() > 0.5
    assert not environment_light.star_light(-ways[:5], 1, 0.0005).any()


def test_a_sun_has_a_round_disc_against_its_direction() -> None:
    """The disc of a sun lies where its light comes from, and has the width of DISC."""
    suns, scene = np.zeros((1, at.SUN), np.float32), np.zeros(at.SCENE, np.float32)
    suns[0, at.SUN_AXIS + 1], suns[0, at.SUN_COLOR] = -1, 2
    scene[at.DISC] = 0.05
    ways = unit(np.stack([[0, 0.04, 0.06], [1.0, 1, 1], [0, 0, 0]], axis=-1))
    light = environment_light.disc_light(ways, suns, scene, 0.001)
    assert light[:, 0].tolist() == [2 * environment_light.DISC_LIGHT, 2 * environment_light.DISC_LIGHT, 0]
    scene[at.DISC] = 0
    assert not environment_light.disc_light(ways, suns, scene, 0.001).any()
