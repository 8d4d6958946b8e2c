"""Radiance cascades compared with light computed ray by ray."""

from __future__ import annotations

import numpy as np
import pytest

from long_runs import long
from plain_radiance import fallen, fluence
from rish_lighting.gi.cascades import FACE, illuminate

from .scenes import NAMES, blank, disc, put, scene


def free_places(solid, step):
    """Return columns and rows of some free texels, one every `step`."""
    side = len(solid)
    j, i = np.mgrid[step // 2 : side : step, step // 2 : side : step]
    places = np.stack([i.ravel(), j.ravel()], axis=1)
    return places[solid[places[:, 1], places[:, 0]] == 0]


def error(found, wanted):
    """Return the root mean square error relative to the root mean square of the reference."""
    return float(np.sqrt(((found - wanted) ** 2).mean() / (wanted**2).mean()))


def at(light, places):
    """Return the light of some texels."""
    return light[places[:, 1], places[:, 0]]


@pytest.mark.slow
@pytest.mark.parametrize("name", long(NAMES, NAMES[:3]))
def test_light_with_one_bounce_is_within_eight_percent_of_what_rays_find(name):
    """Light with one bounce is within 8 % of the reference, for five scenes of 256 by 256 texels."""
    solid, emission, albedo = scene(name, 256)
    places = free_places(solid, long(8, 16))
    wanted = fluence(solid, emission, albedo, places, rays=512)
    assert error(at(illuminate(solid, emission, albedo), places), wanted) <= 0.08


LAMPS = {
    "lamp": [(30, 200, 220, 2, 1.5, 1), (200, 60, 150, 0.2, 0.5, 2)],
    "rooms": [(64, 190, 120, 3, 3, 2)],
    "colors": [(128, 60, 200, 2, 2, 2)],
    "pillars": [(102, 103, 150, 3, 2, 1), (50, 160, 90, 0, 1, 3)],
    "slits": [(60, 128, 200, 2, 2, 2)],
}
"""The lamps in scenes of 256 texels: x, y, radius, color."""


@pytest.mark.slow
@pytest.mark.parametrize("name", long(NAMES, NAMES[2:4]))
def test_what_walls_throw_back_of_lamps_is_within_eight_percent_as_well(name):
    """The light of lamps reflected by walls is within 8 % of the reference; their direct light is not included."""
    solid, emission, albedo = scene(name, 256)
    places = free_places(solid, long(8, 16))
    wanted = fluence(solid, 0 * emission, albedo, places, rays=512, bounces=1, lamps=LAMPS[name])
    found = illuminate(solid, 0 * emission, albedo, fallen(solid, LAMPS[name]))
    assert error(at(found, places), wanted) <= 0.08
    both = wanted + fluence(solid, emission, albedo, places, rays=512)
    assert error(at(illuminate(solid, emission, albedo, fallen(solid, LAMPS[name])), places), both) <= 0.08


def test_a_wall_throws_back_what_can_be_worked_out():
    """A long white wall under even distant light reflects π/2 times that light into half of the circle."""
    made = blank(64)
    put(made, 0, 0, 1, 0.03, albedo=1)
    above = np.zeros((64, 64, 3), np.float32)
    above[2] = FACE
    light = illuminate(*made, above)
    np.testing.assert_allclose(light[2, 32], FACE / 2, rtol=0.03)
    assert illuminate(*made, above, bounces=0).max() == 0


def test_a_small_scene_is_what_rays_find():
    """A small scene is within 8 % of the reference."""
    solid, emission, albedo = scene("colors", 48)
    places = free_places(solid, 3)
    wanted = fluence(solid, emission, albedo, places, rays=512)
    assert error(at(illuminate(solid, emission, albedo), places), wanted) <= 0.08


def test_rays_find_what_can_be_worked_out():
    """The reference gives a surrounding glow its own radiance, and a distant disc the covered share of the circle."""
    made = blank(64)
    put(made, 0, 0, 1, 1, (1, 2, 3))
    made[0][8:56, 8:56] = 0
    np.testing.assert_allclose(fluence(*made, np.array([[30, 20]]), rays=64, bounces=0), [[1, 2, 3]], rtol=1e-5)
    made = blank(128)
    disc(made, 0.5, 0.5, 0.04, (1, 1, 1))
    share = np.arcsin(0.04 / (0.5 - 14.5 / 128)) / np.pi
    found = fluence(*made, np.array([[64, 14]]), rays=4096, bounces=0)
    np.testing.assert_allclose(found[0, 0], share, rtol=0.05)


def test_no_light_leaks_through_a_wall_of_two_texels():
    """Behind a wall of two texels there is less than half a percent of the light in front of it."""
    for wall in (((63, 0), (65, 128)), ((0, 63), (128, 65))):
        made = blank(128)
        disc(made, 0.25, 0.3, 0.05, (5, 5, 5))
        (x0, y0), (x1, y1) = wall
        made[0][y0:y1, x0:x1], made[2][y0:y1, x0:x1] = 1, 0.8
        light = illuminate(*made)
        lit, dark = (light[:, :60], light[:, 66:]) if x0 else (light[:60], light[66:])
        assert dark.mean() <= 0.005 * lit.mean()
        assert dark.max() <= 0.005 * lit.max()


def test_a_slanted_wall_of_two_texels_is_tight_as_well():
    """A diagonal wall of two texels, in steps of one texel, is tight as well."""
    made = blank(96)
    for k in range(96):
        put(made, k / 96, max(k - 1, 0) / 96, k / 96, max(k - 1, 0) / 96)
    disc(made, 0.2, 0.8, 0.06, (5, 5, 5))
    light = illuminate(*made)
    j, i = np.mgrid[0:96, 0:96]
    assert light[j < i - 6].max() <= 0.005 * light[j > i + 6].mean()


def test_walls_throw_light_back_in_their_own_color():
    """A red wall beside a white lamp adds red light only with a bounce."""
    made = blank(64)
    put(made, 0.4, 0.05, 0.6, 0.1, (4, 4, 4))
    put(made, 0.05, 0, 0.1, 1, albedo=(0.9, 0, 0))
    direct, bounced = (illuminate(*made, bounces=bounces)[32, 12] for bounces in (0, 1))
    np.testing.assert_allclose(direct[0], direct[1])
    assert bounced[0] > 1.1 * bounced[1]
    np.testing.assert_allclose(bounced[1], direct[1], rtol=1e-5)


def test_darkness_stays_dark():
    """Without a lamp there is no light, whatever the walls; a grid of one texel is possible."""
    made = blank(32)
    put(made, 0.2, 0.2, 0.5, 0.5, albedo=1)
    assert illuminate(*made).max() == 0
    assert illuminate(*blank(1)).shape == (1, 1, 3)
