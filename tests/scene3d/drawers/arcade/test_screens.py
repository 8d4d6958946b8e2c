"""Sky, developing and lines on OpenGL."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rish_frame import Batch
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d import layout as at
from rish_scene3d.light import formulas
from rish_scene3d.light.sky import SkyLight
from rish_scene3d.passes import kinds
from scene3d import Scene, box, placed, sky_of
from scene3d_sheet import sky_light

pytestmark = pytest.mark.gl

YELLOW = (255, 255, 0, 255)


def test_the_sky_follows_the_sheet(arcade: ArcadeBackend) -> None:
    """A picture around, turned, with stars, the disc of a sun and fog is the light of the sheet in each pixel."""
    even = sky_of((0.1, 0.1, 0.1))
    rng = np.random.default_rng(5)
    picture = rng.random((8, 16, 3), np.float32)
    scene = Scene(size=(96, 64), eye=(0, 1, 0), aim=(0.5, 1.3, -1), fov=1.2)
    scene.sky = SkyLight(picture, even.ambient, even.atlas)
    scene.sun((-0.5, -0.3, 1.0))
    scene.lights = {at.SKY_TURN: 0.7, at.STARS: 3, at.DISC: 0.06, at.SKY_LIGHT: 0.5, at.EXPOSURE: 0.8}
    scene.lights |= {at.FOG_DENSITY: 0.004, at.FOG_FALL: 0.02, at.FOG_COLOR: 0.5}
    arcade.configure(size=scene.size)
    arcade.draw(scene.frame())
    seen = arcade.pixels("scene3d.view")[..., :3]
    width, height = scene.size
    x, y = np.meshgrid((np.arange(width) + 0.5) / width * 2 - 1, 1 - (np.arange(height) + 0.5) / height * 2)
    projection, back = scene.projection.astype(float), np.linalg.inv(scene.view.astype(float))
    rays = np.stack([x / projection[0, 0], y / projection[1, 1], -np.ones_like(x)], axis=-1) @ back[:3, :3].T
    directions = formulas.unit(rays.reshape(-1, 3))
    row, pixel = scene.scene_row().astype(float), 2 / (projection[1, 1] * height)
    wanted = sky_light(directions, picture, scene.suns, row, pixel).reshape(seen.shape)
    apart = np.abs(seen - wanted) / np.maximum(wanted, 0.1)
    assert np.quantile(apart, 0.998) < 0.01
    assert wanted.max() > 5 * np.median(wanted)


def test_a_sky_covers_what_was_drawn_before(arcade: ArcadeBackend) -> None:
    """The sky of a second camera hides the picture of the first, and its own things are not behind that one's."""
    scene = Scene(size=(64, 64), eye=(0, 0, 3), aim=(0, 0, 0), sky=(0.5, 0.5, 0.5))
    number, blue = scene.mesh(box()), scene.material(base=(0, 0, 1, 1), model=at.UNLIT)
    scene.show(number, blue, placed(scale=2))
    behind = Scene(size=(64, 64), sky=scene.sky, library=scene.library, materials=scene.materials)
    behind.show(number, blue, placed(0, 0, -2, scale=0.5))
    frame = scene.frame(batches=[replace(behind.sky_batch(), z=2.0), replace(behind.surfaces(), z=3.0)])
    arcade.configure(size=scene.size)
    arcade.draw(frame)
    seen = arcade.pixels("scene3d.view")
    assert seen[32, 32, :3] == pytest.approx([0, 0, 1], abs=1e-3)
    assert seen[32, 20, :3] == pytest.approx([0.5, 0.5, 0.5], abs=1e-3)


@pytest.mark.parametrize("tone", [0, 1])
def test_developing_encodes_and_maps_tones(arcade: ArcadeBackend, tone: int) -> None:
    """Light becomes encoded levels: clipped, or by the ACES curve, times the exposure."""
    scene = Scene(size=(32, 32), sky=(0.02, 0.4, 3.0))
    scene.tone = tone
    arcade.configure(size=scene.size)
    arcade.draw(scene.frame())
    light = np.array([0.02, 0.4, 3.0])
    if tone:
        x = light * 0.6
        light = x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14)
    light = np.clip(light, 0, 1)
    levels = 255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    assert np.abs(arcade.pixels()[16, 16, :3] - levels).max() <= 1


def test_slow_changes_of_light_show_no_bands(arcade: ArcadeBackend) -> None:
    """Between two levels, as many pixels of each square get the higher one as the light is above the lower one."""
    for share in (0.25, 0.5, 0.75):
        level = (100 + share) / 255
        scene = Scene(size=(32, 32), sky=(((level + 0.055) / 1.055) ** 2.4,) * 3)
        scene.tone = 0
        arcade.configure(size=scene.size)
        arcade.draw(scene.frame())
        shown = arcade.pixels()[..., 0]
        assert set(np.unique(shown)) == {100, 101}
        assert abs((shown == 101).mean() - share) < 0.07
        assert np.array_equal(shown[:4, :4], shown[8:12, 12:16])


def lines(*rows: Any) -> Batch:
    """Return a batch of lines. rows: (end, end, width, hidden)."""
    arrays = {
        "ends": np.array([row[:2] for row in rows], np.float32), "width": np.float32([row[2] for row in rows]),
        "rgba": np.tile(np.uint8(YELLOW), (len(rows), 1)), "hidden": np.uint8([row[3] for row in rows]),
    }  # fmt: skip
    return Batch(kinds.LINES, arrays, z=3.0)


def test_lines_are_hidden_or_dimmed(arcade: ArcadeBackend) -> None:
    """Behind a box a line with `hidden` is not seen, another one is dim; beside the box both are full."""
    scene = Scene(size=(96, 64), eye=(0, 0, 3), aim=(0, 0, 0), orthographic=2.0, sky=(0, 0, 0))
    scene.show(scene.mesh(box()), scene.material(base=(0, 0, 1, 1), model=at.UNLIT), placed())
    batch = lines(((-2, 0.25, -1), (2, 0.25, -1), 3, 1), ((-2, -0.25, -1), (2, -0.25, -1), 3, 0))
    arcade.configure(size=scene.size)
    arcade.draw(scene.frame(batches=[batch]))
    seen = arcade.pixels("scene3d.view")
    high, low = 64 // 2 - 8, 64 // 2 + 8
    assert seen[high, 5, 0] == pytest.approx(1, abs=0.01)
    assert seen[low, 5, 0] == pytest.approx(1, abs=0.01)
    assert seen[high, 48, 0] == 0
    assert 0.2 < seen[low, 48, 0] < 0.3
    assert seen[low, 48, 2] == pytest.approx(0.75, abs=0.01)


def test_lines_keep_their_width_in_pixels(arcade: ArcadeBackend) -> None:
    """A line of 4 pixels covers 4 pixels near and far, also if it begins behind the camera."""
    scene = Scene(size=(64, 64), eye=(0, 1, 4), aim=(0, 1, 0), sky=(0, 0, 0))
    arcade.configure(size=scene.size)
    batch = lines(((0, 1, -30), (0, 0.98, 6), 4, 1), ((-3, 1.5, 1), (3, 1.5, 1), 4, 1))
    arcade.draw(scene.frame(batches=[batch]))
    seen = arcade.pixels("scene3d.view")[..., 0]
    assert seen[:32, 10].sum() == pytest.approx(4, abs=0.3)
    assert seen[40, :].sum() == pytest.approx(4, abs=0.5)
