"""The light of surfaces on OpenGL, against the formula sheet."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d import layout as at
from rish_scene3d.light.sky import sky_of_colors
from scene3d import Scene, placed, quad, sphere
from scene3d_sheet import sheet_picture

pytestmark = pytest.mark.gl


def spheres(*, models: bool = True) -> Scene:
    """Return three spheres above a floor, from smooth to rough, matt to metal; with two more for the other models.

    Without them the three are one run that has three materials.
    """
    scene = Scene(eye=(0, 1.4, 5), aim=(0, 0.1, 0), fov=0.6)
    scene.sky = sky_of_colors((0.1, 0.25, 0.7), (0.8, 0.85, 0.9), (0.12, 0.1, 0.08))
    ball, floor = scene.mesh(sphere(32, 64)), scene.mesh(quad(12))
    scene.show(floor, scene.material(base=(0.4, 0.4, 0.4, 1), roughness=0.8), placed(0, -0.5))
    looks = [{"metallic": k / 2, "roughness": rough} for k, rough in enumerate((0.2, 0.5, 1.0))]
    rows = [scene.material(base=(0.95, 0.64, 0.54, 1), **look) for look in looks]
    matrices = [placed((k - 1) * 1.1) for k in range(3)]
    for row, matrix in zip(rows, matrices, strict=True):
        if models:
            scene.show(ball, row, matrix)
    if not models:
        scene.show(ball, rows, *matrices)
    if models:
        shiny = scene.material(
            base=(0.2, 0.3, 0.8, 1), model=at.PHONG, specular=0.6, shininess=40, emissive=(0.1, 0, 0)
        )
        scene.show(ball, shiny, placed(-0.6, 0.9, scale=0.7))
        scene.show(ball, scene.material(base=(0.9, 0.5, 0.1, 1), model=at.UNLIT), placed(0.6, 0.9, scale=0.7))
    return scene


def differences(scene: Scene, arcade: ArcadeBackend) -> np.ndarray:
    """Return how far the forward and the deferred picture are from the sheet, in half floats' steps, (2, n)."""
    found: list[np.ndarray] = []
    arcade.draw(scene.frame(deferred=True))
    wanted, drawn = sheet_picture(scene, arcade.pixels)
    found.append(arcade.pixels("scene3d.view")[drawn][:, :3] - wanted)
    arcade.draw(scene.frame())
    found.append(arcade.pixels("scene3d.view")[drawn][:, :3] - wanted)
    return np.abs(found).max(axis=-1) / np.maximum(wanted.max(axis=-1), 0.05)


@pytest.mark.slow
def test_suns_and_sky_follow_the_sheet(arcade: ArcadeBackend) -> None:
    """PBR, Phong and unlit spheres under a sun and a sky have the light of the sheet, forward and deferred."""
    scene = spheres()
    scene.sun()
    scene.lights = {at.SKY_TURN: 0.8, at.AMBIENT_STRENGTH: 0.7, at.EXPOSURE: 0.5}
    apart = differences(scene, arcade)
    assert np.quantile(apart, 0.999) < 0.005
    assert apart.mean() < 0.001


@pytest.mark.slow
def test_lamps_spots_and_fog_follow_the_sheet(arcade: ArcadeBackend) -> None:
    """A lamp, a spot and height fog give the light of the sheet."""
    scene = spheres()
    scene.lamp((1.5, 1.5, 1.5), (3, 2, 1), 6.0)
    scene.lamp((-2, 3, 2), (6, 8, 12), axis=np.array([2, -3, -2]) / np.sqrt(17), angle=np.cos(0.35), inner=np.cos(0.2))
    scene.lights = {at.FOG_DENSITY: 0.1, at.FOG_FALL: 0.5, at.FOG_BASE: 0.2, at.FOG_COLOR: 0.4}
    apart = differences(scene, arcade)
    assert np.quantile(apart, 0.999) < 0.005
    assert apart.mean() < 0.001


@pytest.mark.slow
def test_shadows_follow_the_sheet(arcade: ArcadeBackend) -> None:
    """Cascades of a sun, the six faces of a lamp and the map of a spot are looked up as the sheet says."""
    scene = spheres(models=False)
    scene.cast_sun(scene.sun(), (2.0, 5.0, 9.0), 256)
    scene.cast_lamp(scene.lamp((0.6, 1.0, 0.8), (2, 2, 2), 6.0), 128)
    axis = np.array([2, -3, -2]) / np.sqrt(17)
    scene.cast_lamp(scene.lamp((-2, 3, 2), (6, 8, 12), axis=axis, angle=np.cos(0.35), inner=np.cos(0.2)), 256)
    apart = differences(scene, arcade)
    assert np.quantile(apart, 0.995) < 0.02
    assert apart.mean() < 0.001
    picture = arcade.pixels("scene3d.view")
    assert picture[..., :3].max() > 4 * np.quantile(picture[..., :3], 0.05)


@pytest.mark.slow
def test_lights_see_only_their_clusters(arcade: ArcadeBackend) -> None:
    """A lamp that no cluster names gives no light; those of another half of the view change nothing there."""
    scene = spheres(models=False)
    scene.lamp((0, 1.5, 1.5), (3, 3, 3), 6.0)
    frame = scene.frame()
    lit = scene.light()
    left = np.arange(int(np.prod(at.CLUSTERS))) % at.CLUSTERS[0] < at.CLUSTERS[0] // 2
    lit["clusters"][~left] = 0
    frame.passes["scene3d.view"].batches[1].arrays["clusters"] = lit["clusters"]
    arcade.draw(frame)
    half = arcade.pixels("scene3d.view")
    scene.lamps.clear()
    arcade.draw(scene.frame())
    dark, middle = arcade.pixels("scene3d.view"), half.shape[1] // 2
    assert (half[:, middle:] == dark[:, middle:]).all()
    assert (half[:, :middle] > dark[:, :middle] + 0.01).any()


def test_things_without_shadows_stay_lit(arcade: ArcadeBackend) -> None:
    """A run with the flag NO_SHADOWS is lit where others lie in shadow, forward and deferred."""
    for deferred in (False, True):
        seen: list[float] = []
        for flags in (0, at.NO_SHADOWS):
            scene = Scene(eye=(0, 3, 3), aim=(0, 0, 0), sky=(0.01, 0.01, 0.01))
            scene.show(scene.mesh(quad(4)), scene.material(), placed(), flags=flags)
            scene.show(scene.mesh(quad(1)), scene.material(), placed(0, 1.5))
            scene.cast_sun(scene.sun((0, -1, -0.01)), (8.0,), 256)
            arcade.draw(scene.frame(deferred=deferred))
            seen.append(float(arcade.pixels("scene3d.view")[100, 160, 0]))
        assert seen[0] < 0.1 < seen[1]
