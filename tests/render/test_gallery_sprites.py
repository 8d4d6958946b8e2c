"""Reference scenes of sprites: each blend mode, every limit of the 16-byte format, materials with their fallbacks."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from rish_core import Transform
from rish_frame import sample
from rish_render import Blend, Camera, Sampling, Shape, ShapeForm, Sprite
from rish_render.animation import SpriteSheet

FACE = "face.png"
COLORS = [(0.91, 0.30, 0.24, 1), (0.95, 0.61, 0.07, 1), (0.18, 0.80, 0.44, 1), (0.20, 0.60, 0.86, 1)]


def ground(stage, width=320, height=240):
    """Add a chequered background of warm and cold colors, light and dark."""
    shades = [(0.15, 0.20, 0.35, 1), (0.75, 0.70, 0.60, 1), (0.45, 0.25, 0.30, 1), (0.30, 0.55, 0.50, 1)]
    for x in range(0, width, 40):
        for y in range(0, height, 40):
            fill = shades[(x // 40 + 2 * (y // 40)) % 4]
            stage.put(x, y, Shape(size=(40, 40), anchor=(0, 0), color=fill, z=-10))


@pytest.mark.parametrize("blend", list(Blend), ids=lambda blend: blend.value)
def test_every_blend_mode_over_a_ground(studio, blend):
    """Opaque, tinted and fading sprites and shapes are drawn in one blend mode."""
    stage = studio()
    ground(stage)
    for k in range(4):
        stage.put(50 + 75 * k, 195, Sprite(image=FACE, size=(60, 60), opacity=1 - 0.25 * k, blend=blend))
        stage.put(50 + 75 * k, 120, Sprite(image=FACE, size=(60, 60), color=COLORS[k], blend=blend), rotation=0.3 * k)
        stage.put(50 + 75 * k, 45, Shape(size=(64, 60), color=COLORS[k], opacity=1 - 0.25 * k, blend=blend))
    stage.compare(f"blend_{blend.value}")


def test_sheared_and_squeezed_sprites(studio):
    """Rotated children of stretched parents are sheared; they are drawn right, but not as 16-byte instances."""
    stage = studio()
    ground(stage)
    for k in range(4):
        parent = stage.put(50 + 75 * k, 120, scale=(1.6, 0.7))
        for j in range(3):
            place = Transform(position=(0, (j - 1) * 100), rotation=0.4 * k + 0.5 * j, parent=parent)
            stage.world.spawn(place, Sprite(image=FACE, size=(44, 44), flip_x=bool(k & 1)))
    stage.compare("sprites_sheared")


def test_huge_and_far_sprites(studio):
    """Sprites can be larger than 16 bits hold, and farther apart than 16-bit positions reach."""
    stage = studio()
    stage.put(0, 0, Camera(zoom=0.02))
    stage.put(0, 0, Sprite(image=FACE, size=(9000, 9000), color=(0.5, 0.6, 1, 1)))
    for k in range(8):
        angle = k * math.pi / 4
        x, y = 6200 * math.cos(angle), 4200 * math.sin(angle)
        stage.put(x, y, Sprite(image=FACE, size=(2200, 2200), z=1), rotation=angle)
    stage.compare("sprites_far")


def test_repeated_pictures_have_no_seams(studio):
    """A repeated image has no seams when magnified by a fraction, rotated, and filtered."""
    stage = studio()
    ground(stage)
    stage.put(85, 180, Sprite(image=FACE, repeat=(6, 4), size=(25.2, 25.3)))
    stage.put(240, 180, Sprite(image=FACE, repeat=(4, 3), size=(30, 27), sampling=Sampling.LINEAR), rotation=0.3)
    stage.put(160, 60, Sprite(image=FACE, repeat=(12, 3), size=(25, 30), color=(1, 1, 1, 0.6)))
    stage.compare("sprites_repeated")


def test_cells_of_a_sheet(studio):
    """A sprite shows one cell of its sheet: quarters of a face in order, mirrored and rotated."""
    stage = studio()
    ground(stage)
    for k in range(8):
        sheet = SpriteSheet(cell=(8, 8))
        sprite = Sprite(image=FACE, frame=k % 4, size=(56, 56), flip_x=k > 5)
        stage.put(45 + 76 * (k % 4), 170 - 100 * (k // 4), sprite, sheet, rotation=0.15 * (k // 4))
    stage.compare("sprites_cells")


def test_snapped_sprites_lie_on_whole_pixels(studio):
    """Snapped sprites, below, have texels of equal width; those above are not snapped."""
    stage = studio()
    for k in range(6):
        x = 30.37 + 52.21 * k
        stage.put(x, 170.43, Sprite(image=FACE, size=(48, 48), color=(1, 0.8, 0.8, 1)))
        stage.put(x, 70.43, Sprite(image=FACE, size=(48, 48), snap=True))
        stage.put(x, 120, Shape(size=(48, 8), color=COLORS[k % 4]))
    stage.compare("sprites_snapped")


def test_a_heap_of_lights(studio):
    """Sixty additive sprites add up to white, over and under plain sprites of the same image."""
    stage = studio()
    ground(stage)
    for k in range(60):
        angle, far = k * 2.4, 14 * math.sqrt(k)
        x, y = 160 + far * math.cos(angle), 120 + far * math.sin(angle)
        tint = (*COLORS[k % 4][:3], 0.35)
        stage.put(x, y, Sprite(image=FACE, size=(50, 50), color=tint, blend=Blend.ADD, z=k % 3))
        if k % 5 == 0:
            stage.put(x, y, Sprite(image=FACE, size=(20, 20), z=k % 3))
    stage.compare("sprites_lights")


@pytest.mark.slow
def test_a_crowd_on_several_layers(studio):
    """Three hundred rotated sprites on three layers are interleaved with shapes by z."""
    stage = studio(layers=["low", "middle", "high"])
    random = np.random.default_rng(8)
    for k in range(300):
        x, y = random.uniform(0, 320), random.uniform(0, 240)
        layer = ("low", "middle", "high")[k % 3]
        z = float(random.integers(0, 4))
        tint = (*random.uniform(0.5, 1, 3), 1)
        if k % 6 == 0:
            stage.put(x, y, Shape(shape=ShapeForm.CIRCLE, radius=9, color=tint, layer=layer, z=z))
        else:
            stage.put(x, y, Sprite(image=FACE, color=tint, layer=layer, z=z), rotation=float(random.uniform(0, 6)))
    stage.compare("sprites_crowd")


TWO_TONE = """
uniform vec3 dark = vec3(0.1, 0.0, 0.3);
uniform vec3 light = vec3(1.0, 0.9, 0.5);
vec4 shade(Pixel p) {
    float gray = dot(p.color.rgb, vec3(0.3, 0.6, 0.1));
    return vec4(mix(dark, light, gray) * p.color.a, p.color.a);
}
"""
RIPPLE = """
vec4 shade(Pixel p) {
    vec4 below = screen(p.at + vec2(0.02 * sin(p.uv.y * 12.0), 0.0));
    return vec4(below.rgb * vec3(0.7, 1.0, 1.0), 1.0);
}
"""


def two_tone(pixels, uniforms):
    """Compute TWO_TONE on arrays."""
    color = pixels.color
    gray = color[:, :3] @ np.float32([0.3, 0.6, 0.1])
    dark, light = np.float32(uniforms["dark"]), np.float32(uniforms["light"])
    color[:, :3] = (dark + (light - dark) * gray[:, None]) * color[:, 3:]


def ripple(pixels, uniforms):
    """Compute RIPPLE on arrays."""
    at = pixels.at.copy()
    at[:, 0] += np.float32(0.02) * np.sin(pixels.uv[:, 1] * 12)
    pixels.color[:, :3] = sample(pixels.screen, at, rim=True)[:, :3] * np.float32([0.7, 1, 1])
    pixels.color[:, 3] = 1


def test_materials_and_their_twins(studio):
    """Shaders on GL and their fallbacks on arrays give the same: two tones, and water over everything below it."""
    materials = {"toned": {"shader": "toned.frag"}, "water": {"shader": "water.frag"}}
    stage = studio(
        settings={"render": {"materials": materials}},
        files={"toned.frag": TWO_TONE, "water.frag": RIPPLE},
        plugins={"fallbacks": SimpleNamespace(rish_fallbacks=lambda: {"toned": two_tone, "water": ripple})},
    )
    ground(stage)
    for k in range(4):
        stage.put(50 + 75 * k, 180, Sprite(image=FACE, size=(60, 60), material="toned"), rotation=0.3 * k)
        stage.put(50 + 75 * k, 80, Sprite(image=FACE, size=(60, 60)), rotation=0.3 * k)
    stage.put(160, 60, Sprite(size=(320, 120), material="water", z=5))
    stage.compare("materials")
