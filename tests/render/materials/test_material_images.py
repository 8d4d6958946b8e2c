"""Reference scenes for each visible feature, drawn by the software backend and compared with a stored image.

Run with RISH_SAVE_PICTURES=1 to write the references again, and check the written images by eye.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from PIL import features

from rish_render import Align, Blend, Camera, Sampling, Shape, ShapeForm, Sprite, Text

FACE = "face.png"
STAR = [
    (radius * math.sin(k * math.pi / 5), radius * math.cos(k * math.pi / 5))
    for k, radius in enumerate([40, 17] * 5)
]  # fmt: skip
ARROW = [(-40, -10), (10, -10), (10, -28), (42, 0), (10, 28), (10, 10), (-40, 10)]
COLORS = [(0.91, 0.30, 0.24, 1), (0.95, 0.61, 0.07, 1), (0.18, 0.80, 0.44, 1), (0.20, 0.60, 0.86, 1)]
KERNED = pytest.mark.skipif(not features.check("raqm"), reason="without Raqm letters are not kerned")
PANEL = (0.13, 0.15, 0.20, 1)


def stripes(stage, width, height, step=20, **fields):
    """Add a striped background that makes transparency visible."""
    for k, x in enumerate(range(0, width, step)):
        fill = (0.25, 0.30, 0.40, 1) if k % 2 else (0.55, 0.60, 0.70, 1)
        stage.put(x, 0, Shape(size=(step, height), anchor=(0, 0), color=fill, z=-10, **fields))


def test_turned_and_scaled_sprites(studio):
    """Sprites are drawn at every angle and several sizes, with a nearest filter above and a linear one below."""
    stage = studio()
    for row, sampling in enumerate((Sampling.LINEAR, Sampling.NEAREST)):
        for k in range(6):
            stage.put(
                30 + k * 52, 40 + row * 120, Sprite(image=FACE, sampling=sampling, size=(40, 40)), rotation=k * 0.35
            )
            stage.put(30 + k * 52, 90 + row * 120, Sprite(image=FACE, sampling=sampling), scale=(0.5 + k * 0.5,) * 2)
    stage.compare("sprites_turned")


def test_tinted_and_mirrored_sprites(studio):
    """Sprites are drawn with tints, opacities, mirroring, anchors at a cross, a region and a stretched region."""
    stage = studio()
    stripes(stage, 320, 240)
    for k, tint in enumerate([(1, 1, 1, 1), (1, 0.4, 0.4, 1), (0.4, 1, 0.5, 1), (0.5, 0.6, 1, 1), (1, 1, 1, 0.4)]):
        stage.put(40 + k * 60, 200, Sprite(image=FACE, size=(48, 48), color=tint))
    for k, (x, y) in enumerate([(False, False), (True, False), (False, True), (True, True)]):
        stage.put(40 + k * 60, 140, Sprite(image=FACE, size=(48, 48), flip_x=x, flip_y=y))
    stage.put(280, 140, Sprite(image=FACE, size=(48, 48), region=(8, 2, 8, 8)))
    for k, anchor in enumerate([(0, 0), (1, 0), (0.5, 0.5), (0, 1), (1, 1)]):
        x = 40 + k * 60
        stage.put(x, 60, Sprite(image=FACE, size=(24, 24), anchor=anchor, opacity=0.9))
        stage.put(x, 60, Shape(shape=ShapeForm.LINE, points=[(-8, 0), (8, 0)], outline=(1, 0, 0, 1)))
        stage.put(x, 60, Shape(shape=ShapeForm.LINE, points=[(0, -8), (0, 8)], outline=(1, 0, 0, 1)))
    stage.compare("sprites_tinted")


def test_blend_modes(studio):
    """The five blend modes apply to sprites and to shapes, over light and dark stripes."""
    stage = studio()
    stripes(stage, 320, 240, 16)
    for k, blend in enumerate(Blend):
        x = 36 + k * 62
        stage.put(x, 190, Sprite(image=FACE, size=(52, 52), blend=blend, z=1))
        stage.put(x, 125, Shape(shape=ShapeForm.CIRCLE, radius=26, color=(0.9, 0.4, 0.2, 0.6), blend=blend, z=1))
        stage.put(
            x,
            65,
            Shape(
                size=(50, 30), corner_radius=8, color=(0.2, 0.7, 0.9, 1), color_end=(0.8, 0.2, 0.6, 1), blend=blend, z=1
            ),
        )
        stage.put(x, 30, Text(text=blend.value, size=12, z=1))
    stage.compare("blend_modes")


def test_rectangles_and_circles(studio):
    """Rectangles and circles can be rounded, filled, hollow, outlined, with a gradient, rotated and thin."""
    stage = studio()
    white = (1, 1, 1, 1)
    for k, corner in enumerate((0, 4, 12, 24)):
        stage.put(
            45 + k * 76,
            205,
            Shape(size=(64, 48), corner_radius=corner, color=COLORS[k], outline=white, outline_width=k),
        )
    for k, fade in enumerate(COLORS):
        stage.put(
            45 + k * 76,
            145,
            Shape(size=(64, 40), corner_radius=6, color=fade, color_end=COLORS[(k + 1) % 4]),
            rotation=k * 0.3,
        )
    for k in range(4):
        kind = Shape(shape=ShapeForm.CIRCLE, radius=24, color=COLORS[k], outline=white, outline_width=k * 2)
        stage.put(45 + k * 76, 90, kind, scale=(1 + k * 0.2, 1 - k * 0.15))
    stage.put(45, 35, Shape(size=(60, 30), color=(0, 0, 0, 0), outline=COLORS[0], outline_width=3))
    stage.put(
        121, 35, Shape(shape=ShapeForm.CIRCLE, size=(64, 34), color=(0, 0, 0, 0), outline=COLORS[1], outline_width=2)
    )
    stage.put(197, 35, Shape(shape=ShapeForm.CIRCLE, radius=22, color=COLORS[2], color_end=(0, 0.1, 0.3, 1)))
    for k in range(6):
        stage.put(250 + k * 11, 35, Shape(size=(0.5 + k * 0.5, 50), color=white), rotation=k * 0.05)
    stage.compare("shapes_round")


def test_lines_and_polygons(studio):
    """Lines of many widths and slopes have round ends; concave polygons have smooth edges."""
    stage = studio()
    for k in range(12):
        angle = k * math.pi / 12
        end = (50 * math.cos(angle), 50 * math.sin(angle))
        line = Shape(shape=ShapeForm.LINE, points=[(0, 0), end], outline=COLORS[k % 4], outline_width=0.5 + k * 0.5)
        stage.put(70, 130, line)
    wave = [(x, 18 * math.sin(x / 9)) for x in range(0, 150, 3)]
    stage.put(20, 60, Shape(shape=ShapeForm.LINE, points=wave, outline=COLORS[3], outline_width=4))
    stage.put(200, 170, Shape(shape=ShapeForm.POLYGON, points=STAR, color=COLORS[1]), scale=(1.4, 1.4))
    star = Shape(shape=ShapeForm.POLYGON, points=STAR, color=COLORS[0], outline=(1, 1, 1, 1), outline_width=2)
    stage.put(275, 190, star, rotation=0.3)
    stage.put(
        240,
        70,
        Shape(shape=ShapeForm.POLYGON, points=ARROW, color=(0.3, 0.8, 0.9, 0.5)),
        rotation=0.4,
        scale=(1.3, 1.3),
    )
    hollow = Shape(shape=ShapeForm.POLYGON, points=ARROW, color=(0, 0, 0, 0), outline=COLORS[2], outline_width=3)
    stage.put(240, 70, hollow, rotation=0.4)
    stage.compare("shapes_pointed")


@KERNED
def test_text_is_aligned_and_wrapped(studio):
    """Text is aligned in panels of equal width and anchored, and lines break between words."""
    stage = studio((530, 240))
    words = "The ball flew over the wall,\nbounced twice, and took the last brick along."
    for k, align in enumerate(Align):
        x = 70 + k * 130
        stage.put(x, 150, Shape(size=(124, 130), color=PANEL, corner_radius=4))
        stage.put(x, 150, Text(text=words, size=15, wrap=116, align=align))
    for k, anchor in enumerate([(0, 0), (0.5, 0.5), (1, 1)]):
        x = 70 + k * 130
        stage.put(x, 40, Text(text="Anchor", size=22, anchor=anchor, color=COLORS[k]))
        stage.put(x, 40, Shape(shape=ShapeForm.CIRCLE, radius=2.5, color=(1, 1, 1, 1)))
    stage.compare("text_aligned")


@KERNED
def test_text_sizes_outlines_and_shadows(studio):
    """Text is drawn small and large with kerning, outlined, with a shadow, half transparent, rotated and magnified."""
    stage = studio((400, 260))
    for k, size in enumerate((9, 12, 16, 22, 30)):
        stage.put(10, 245 - k * k * 4.5 - k * 12, Text(text=f"AVATAR Type {size}", size=size, anchor=(0, 1)))
    outlined = Text(text="Outline", size=40, outline=(0.1, 0.2, 0.6, 1), outline_width=3)
    stage.put(300, 220, outlined)
    stage.put(300, 165, Text(text="Shadow", size=40, shadow=(0, 0, 0, 0.8), shadow_offset=(3, -3), color=COLORS[1]))
    stage.put(300, 110, Text(text="Half", size=40, opacity=0.5))
    stage.put(230, 60, Text(text="Turned", size=26, color=COLORS[2]), rotation=0.35)
    stage.put(340, 50, Text(text="Twice", size=16, color=COLORS[3]), scale=(2, 2))
    stage.put(10, 35, Text(text="0123456789 (){}[] @#$%", size=16, anchor=(0, 0.5)))
    stage.compare("text_styles")


def test_layers_and_z(studio):
    """Layers are drawn bottom up, within a layer by z; a hidden layer is absent, a screen layer ignores the camera."""
    layers = ["back", {"secret": {"visible": False}}, "front", {"hud": {"space": "screen"}}]
    stage = studio(layers=layers)
    stage.put(60, 40, Camera(zoom=1.2))
    for k, (layer, z) in enumerate([("front", 0), ("back", 5), ("back", 1), ("front", -1), ("secret", 9)]):
        fill = [*COLORS, (1, 0, 1, 1)][k]
        stage.put(
            10 + k * 25,
            20 + k * 12,
            Shape(size=(70, 70), color=fill, outline=(1, 1, 1, 1), outline_width=2, layer=layer, z=z),
        )
    stage.put(10, 10, Text(text="hud", size=20, anchor=(0, 0), layer="hud"))
    stage.put(300, 220, Shape(size=(30, 30), color=COLORS[2], layer="hud"))
    stage.compare("layers")


def _town(stage):
    """Add a grid of shapes and sprites for the camera tests."""
    for x in range(-3, 4):
        for y in range(-3, 4):
            fill = COLORS[(x + 2 * y) % 4]
            stage.put(x * 40, y * 40, Shape(size=(30, 30), corner_radius=5, color=fill))
            stage.put(x * 40, y * 40, Sprite(image=FACE))
    stage.put(0, 20, Text(text="origin", size=14))


def test_a_camera_zooms_and_turns(studio):
    """The camera zooms to double size, rotates by 20 degrees, and is centered to the right of the origin."""
    stage = studio()
    _town(stage)
    stage.put(20, 10, Camera(zoom=2), rotation=math.radians(20))
    stage.compare("camera_turned")


def test_a_camera_has_a_height_in_units(studio):
    """A camera with a height in units fills the screen with that many units, whatever its size in pixels."""
    stage = studio()
    stage.put(0, 0, Camera(height=10, background=(0.2, 0.1, 0.25, 1)))
    stage.put(0, 0, Shape(size=(12, 8), color=PANEL, corner_radius=0.5))
    for k in range(5):
        stage.put(-4 + 2 * k, 1, Sprite(image=FACE, size=(1.6, 1.6)), rotation=k * 0.2)
    stage.put(0, -2, Text(text="ten units high", size=1.2))
    line = Shape(shape=ShapeForm.LINE, points=[(-5, 3), (5, 3)], outline=COLORS[2], outline_width=0.1)
    stage.put(0, 0, line)
    stage.compare("camera_height")


def test_a_viewport_is_a_part_of_the_screen(studio):
    """A camera with a viewport fills that part of the screen; the rest keeps the background."""
    stage = studio()
    _town(stage)
    stage.put(0, 0, Camera(viewport=(0.5, 0.1, 0.45, 0.8), background=(0.1, 0.2, 0.2, 1)))
    stage.compare("camera_viewport")


def test_a_layer_can_be_sorted_by_height(studio):
    """On a y-sorted layer lower things are drawn in front, whatever the order in which they were spawned."""
    stage = studio(layers=[{"world": {"y_sort": True}}])
    for k, y in enumerate((60, 180, 100, 140, 80, 160, 120)):
        stage.put(
            50 + k * 36,
            y,
            Shape(size=(60, 90), corner_radius=10, color=COLORS[k % 4], outline=(0, 0, 0, 1), outline_width=2),
        )
    stage.compare("y_sorted")


def test_a_layer_can_follow_the_camera_slowly(studio):
    """With parallax 0.5 a layer moves half as far as the near ones, with 0 not at all."""
    layers = [{"sky": {"parallax": [0, 0]}}, {"hills": {"parallax": [0.5, 0.5]}}, "world"]
    stage = studio(layers=layers)
    stage.put(100, 0, Camera())
    for k, layer in enumerate(("sky", "hills", "world")):
        stage.put(0, 70 - k * 70, Shape(size=(170, 60), color=COLORS[k], layer=layer))
        stage.put(0, 70 - k * 70, Text(text=layer, size=14, layer=layer))
    stage.compare("parallax")


def test_a_game(studio):
    """A scene of a complete game is drawn: a wall of bricks, a ball with a glow, a paddle, a score."""
    stage = studio((480, 320), layers=["world", {"hud": {"space": "screen"}}])
    for row in range(6):
        for column in range(10):
            fill = np.array(COLORS[row % 4], np.float32)
            dark = fill * np.array([0.6, 0.6, 0.6, 1], np.float32)
            brick = Shape(
                size=(42, 16), corner_radius=3, color=fill, color_end=dark, outline=(1, 1, 1, 0.3), outline_width=1
            )
            stage.put(33 + column * 46, 290 - row * 20, brick)
    stage.put(240, 30, Shape(size=(80, 12), corner_radius=6, color=(0.8, 0.85, 1, 1), color_end=(0.3, 0.4, 0.7, 1)))
    for k in range(8):
        stage.put(
            300 - k * 7,
            120 - k * 9,
            Shape(shape=ShapeForm.CIRCLE, radius=14 - k, color=(1, 0.7, 0.2, 0.12), blend=Blend.ADD),
        )
    stage.put(300, 120, Shape(shape=ShapeForm.CIRCLE, radius=7, color=(1, 0.95, 0.7, 1)))
    stage.put(10, 8, Text(text="SCORE 001230", size=16, anchor=(0, 0), layer="hud"))
    stage.put(470, 8, Text(text="LIVES 3", size=16, anchor=(1, 0), layer="hud", color=COLORS[1]))
    stage.compare("game")
