"""Reference scenes of lines, trails, panels, shapes with images and animations."""

from __future__ import annotations

import io
import itertools

import numpy as np
from PIL import Image

from rish_core import Transform
from rish_ecs import Stage, system
from rish_render import Camera, Line, Shape, Sprite
from rish_render.animation import Animation, SpriteSheet
from rish_render.kinds.panels.nine_patch import NinePatch
from rish_render.kinds.trails.trail import Trail

STAR = [(40 * np.cos(a), 40 * np.sin(a)) for a in np.arange(5) * 4 * np.pi / 5 + np.pi / 2]
BLOB = [(-40, -32), (0, -16), (40, -36), (32, 8), (44, 36), (0, 20), (-36, 40), (-24, 0)]
FRAME = [(-36, -36), (36, -36), (36, 36), (-36, 36), (-16, -16), (16, -16), (16, 16), (-16, 16)]
WAVE = [(4 * k, 20 * np.sin(k / 4)) for k in range(36)]
LOOPS = [(40 * np.cos(3 * t), 40 * np.sin(2 * t)) for t in np.linspace(0, 2 * np.pi, 60)[:-1]]


def picture(size, paint):
    """Return an image, uint8 (h, w, 4); `paint(x, y)` returns a color for arrays of columns and rows."""
    y, x = np.mgrid[: size[1], : size[0]]
    colors = np.array(paint(x, y)).astype(np.uint8)
    return np.concatenate([np.moveaxis(colors, 0, -1), np.full((*x.shape, 1), 255, np.uint8)], axis=2)


def png(pixels):
    """Return pixels as the bytes of a PNG file."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


def rope():
    """Return an image of 16x8: two colors, dark rims, a light dot."""

    def paint(x, y):
        dark = (y == 0) | (y == 7)
        dot = (x // 2 == 1) & (y // 2 == 1)
        return [np.where(dark, 30, np.where(dot, 255, c + 40 * (x > 7))) for c in (190, 90, 50)]

    return picture((16, 8), paint)


def grass():
    """Return an image of 16x16 with a rim on two sides, so that rotations are visible."""
    return picture(
        (16, 16),
        lambda x, y: [np.where((x == 0) | (y == 0), 30, c + 20 * ((7 * x + 13 * y) % 11 < 3)) for c in (90, 140, 70)],
    )


def panel():
    """Return an image of 24x24: a rim, a border with stripes, a middle with checks."""

    def paint(x, y):
        d = np.minimum(np.minimum(x, 23 - x), np.minimum(y, 23 - y))
        stripe, check = (x + y) % 4 < 2, (x // 2 + y // 2) % 4 == 0
        return [
            np.where(d < 2, rim, np.where(d < 7, border + 20 * stripe, middle + 14 * check))
            for rim, border, middle in ((240, 70, 50), (220, 90, 60), (150, 140, 90))
        ]

    return picture((24, 24), paint)


def dancer():
    """Return eight cells of sixteen pixels that show a rotating bar."""

    def paint(x, y):
        turn = np.pi * (x // 16) / 8
        u, v = x % 16 - 7.5, y - 7.5
        bar = (np.abs(u * np.sin(turn) - v * np.cos(turn)) < 2.5) & (np.hypot(u, v) < 7)
        return [np.where(bar, c, 40) for c in (250, 200, 60 + 20 * (x // 16))]

    return picture((128, 16), paint)


def test_joints_and_caps(studio):
    """Every joint is drawn with every cap, at three bends."""
    stage = studio((360, 300))
    for row, (joint, cap) in enumerate(itertools.product(("miter", "round", "bevel"), ("butt", "round", "square"))):
        for column, bend in enumerate(
            ([(0, 0), (50, 0), (50, 20)], [(0, 0), (60, 8), (0, 16)], [(0, 0), (30, 16), (60, 0), (86, 18)])
        ):
            color = (1, 0.8, 0.4, 1) if row % 2 else (0.5, 0.8, 1, 1)
            stage.put(20 + 115 * column, 268 - 32 * row, Line(points=bend, width=10, joint=joint, cap=cap, color=color))
    stage.compare("lines_joints")


def test_translucent_lines(studio):
    """Translucent lines cross and touch themselves, wide and thin, with alpha and additive blending."""
    stage = studio((360, 240))
    stage.put(180, 120, Shape(size=(360, 70), color=(0.5, 0.2, 0.3, 1)))
    stage.put(60, 180, Line(points=LOOPS, closed=True, width=9, color=(0.5, 0.9, 1, 0.5)))
    stage.put(170, 180, Line(points=STAR, closed=True, joint="miter", width=8, color=(1, 1, 1, 0.5)))
    stage.put(280, 180, Line(points=LOOPS, closed=True, width=14, color=(1, 0.6, 0.2, 0.5), blend="add"))
    stage.put(20, 70, Line(points=WAVE, width=24, color=(0.6, 1, 0.6, 0.4)))
    stage.put(190, 70, Line(points=WAVE, width=0, width_end=22, color=(1, 1, 1, 0.6)))
    for k, width in enumerate((0.3, 0.6, 1, 1.5, 2.2)):
        stage.put(20, 8 + 7 * k, Line(points=[(0, 0), (320, 6)], width=width))
    stage.compare("lines_translucent")


def test_dashes_and_colors(studio):
    """Dashes with every cap run around corners, and colors run from the start to the end."""
    stage = studio((360, 240))
    colors = [(1, 0.3, 0.3, 1), (1, 1, 0.3, 1), (0.3, 1, 0.5, 1), (0.3, 0.6, 1, 1)]
    for k, (cap, dashes) in enumerate((("butt", [14, 8]), ("round", [0, 12]), ("square", [10, 16, 2, 16]))):
        line = Line(
            points=[(0, 0), (90, 0), (90, 60), (0, 60)], closed=True, width=8, cap=cap, dashes=dashes, joint="miter"
        )
        stage.put(20 + 118 * k, 160, line)
    stage.put(20, 100, Line(points=WAVE, width=16, colors=colors))
    stage.put(190, 100, Line(points=WAVE, width=16, colors=[(1, 1, 1, 1), (1, 1, 1, 0)]))
    stage.put(20, 40, Line(points=WAVE, width=10, dashes=[18, 12], dash_offset=7, colors=colors))
    stage.put(190, 40, Line(points=WAVE, width=4, width_end=20, dashes=[6, 9], cap="butt", color=(1, 0.8, 0.5, 0.7)))
    stage.compare("lines_dashes")


def test_pictures_along_lines(studio):
    """Images are stretched or repeated along lines, around corners, translucent, with a linear filter and magnified."""
    stage = studio((360, 200), files={"rope.png": png(rope())})
    stage.put(20, 150, Line(points=WAVE, width=16, image="rope.png", image_mode="tile"))
    stage.put(190, 150, Line(points=WAVE, width=16, image="rope.png", cap="butt"))
    zigzag = [(0, 0), (60, 30), (80, -20), (140, 10)]
    stage.put(
        20, 70, Line(points=zigzag, width=20, image="rope.png", image_mode="tile", joint="miter", color=(1, 1, 1, 0.6))
    )
    stage.put(190, 70, Line(points=zigzag, width=20, image="rope.png", image_mode="tile", sampling="linear"))
    stage.put(20, 22, Line(points=[(0, 0), (80, 0)], width=6, image="rope.png", image_mode="tile"), scale=(4, 4))
    stage.compare("lines_pictures")


def test_polygons_with_holes_and_pictures(studio):
    """Polygons have holes, images and outlines, cross themselves, and are rotated and stretched."""
    stage = studio((400, 280), files={"grass.png": png(grass())})
    white = {"outline": (1, 1, 1, 0.5), "outline_width": 6}
    eight = [(-40, -24), (40, 24), (40, -24), (-40, 24)]
    stage.put(50, 230, Shape(shape="polygon", points=BLOB, color=(0.8, 0.4, 0.3, 1), **white))
    stage.put(150, 230, Shape(shape="polygon", points=STAR, color=(0.8, 0.7, 0.3, 1)))
    stage.put(250, 230, Shape(shape="polygon", points=eight, color=(0.4, 0.6, 0.9, 1), **white))
    stage.put(350, 230, Shape(shape="polygon", points=FRAME, holes=[4], color=(0.5, 0.8, 0.6, 0.7), **white))
    grassy = {"image": "grass.png"}
    stage.put(50, 140, Shape(shape="polygon", points=BLOB, **grassy))
    stage.put(150, 140, Shape(shape="polygon", points=STAR, image_rotation=0.5, image_scale=(2, 2), **grassy))
    stage.put(250, 140, Shape(shape="polygon", points=eight, color=(1, 0.7, 0.7, 1), **grassy, **white))
    stage.put(
        350, 140, Shape(shape="polygon", points=FRAME[3::-1] + FRAME[4:], holes=[4], color=(1, 1, 1, 0.6), **grassy)
    )
    stage.put(50, 45, Shape(shape="polygon", points=BLOB, **grassy), rotation=0.4, scale=(1, 0.5))
    stage.put(150, 45, Shape(shape="circle", radius=38, outline=(0.1, 0.1, 0.1, 1), outline_width=4, **grassy))
    stage.put(250, 45, Shape(size=(84, 70), corner_radius=18, image_scale=(1.5, 1.5), sampling="linear", **grassy))
    stage.put(
        350,
        45,
        Shape(
            shape="line",
            points=[(-36, -24), (-16, 30), (0, -30), (20, 30), (36, -24)],
            color=(1, 1, 1, 0.5),
            outline_width=10,
        ),
    )
    stage.compare("shapes_pictures")


def test_panels(studio):
    """Panels are stretched, tiled, hollow, tiny, rotated and magnified."""
    stage = studio((400, 220), files={"panel.png": png(panel())})

    def put(x, y, rotation=0.0, **values):
        stage.put(x, y, NinePatch(**{"image": "panel.png", **values}), rotation=rotation)

    put(70, 165, size=(120, 90))
    put(200, 165, size=(120, 90), image_mode="tile")
    put(290, 165, size=(40, 90), image_mode="tile")
    put(355, 180, size=(70, 60), hollow=True, color=(1, 0.7, 0.7, 1))
    put(330, 130, size=(12, 12))
    put(365, 130, size=(50, 6))
    put(70, 60, rotation=0.2, size=(110, 70))
    put(200, 60, rotation=0.2, size=(110, 70), image_mode="tile")
    put(300, 60, size=(70, 90), scale=2)
    put(366, 60, rotation=-0.3, size=(50, 70), sampling="linear", opacity=0.6)
    stage.compare("panels")


class Dance:
    """A plugin that moves entities: `steps` are functions of the world and the time."""

    def __init__(self):
        self.steps = []

        @system(Stage.STEP, writes=Transform)
        def dance(world, dt):
            for step in self.steps:
                step(world, world.time)

        self.rish_systems = lambda: [dance]


def test_trails(studio):
    """Trails follow entities that circle, bounce, turn back and glow."""
    dance = Dance()
    stage = studio((360, 220), plugins={"dance": dance}, strict=False)

    def put(way, **values):
        thing = stage.put(0, 0, Trail(**values), Shape(shape="circle", radius=5))
        dance.steps.append(lambda world, t: world.set(thing, Transform(position=way(t))))

    put(lambda t: (70 + 45 * np.cos(4 * t), 150 + 45 * np.sin(4 * t)), width=16, seconds=1.1)
    put(
        lambda t: (200 + 50 * np.cos(5 * t), 150 + 45 * np.sin(8 * t)),
        width=12,
        seconds=0.9,
        color=(1, 0.6, 0.2, 1),
        color_end=(1, 0, 0, 0),
        blend="add",
    )
    put(lambda t: (280 + 40 * t, 110 + 90 * abs(np.sin(4 * t))), width=10, seconds=1.2, color=(0.4, 0.8, 1, 0.7))
    put(lambda t: (30 + 300 * abs(t % 2 - 1), 50), width=22, width_end=8, seconds=1, color=(0.7, 1, 0.6, 0.8))
    put(lambda t: (30 + 190 * t, 22 + 10 * np.sin(9 * t)), width=3, seconds=2, color_end=(0.4, 0.4, 1, 0.4))
    for _ in range(85):
        stage.app.frame()
    stage.compare("trails")


def test_animations(studio):
    """Animations loop, end and run backwards, and the sprites show the right cells after 70 frames."""
    stage = studio((320, 120), files={"dancer.png": png(dancer())}, strict=False)
    for k, (mode, speed) in enumerate(itertools.product(("loop", "once", "ping_pong"), (1, -1, 3))):
        look = Animation(frames="0-7", fps=10, mode=mode, speed=speed, time=k % 3)
        stage.put(20 + 35 * k, 85, Sprite(image="dancer.png"), SpriteSheet(cell=(16, 16)), look, scale=(2, 2))
    for k in range(8):
        stage.put(24 + 38 * k, 32, Sprite(image="dancer.png", frame=k), SpriteSheet(cell=(16, 16)), scale=(2, 2))
    for _ in range(70):
        stage.app.frame()
    stage.compare("animations")


def test_far_and_near(studio):
    """Lines, outlines and panels keep smooth edges when the camera zooms in and rotates."""
    stage = studio((300, 200), files={"panel.png": png(panel())})
    stage.put(0, 0, Camera(zoom=6), rotation=0.3)
    stage.put(-12, 6, Line(points=[(-4, 0), (0, 4), (4, 0), (8, 5)], width=1.6, color=(1, 0.9, 0.5, 0.7)))
    stage.put(
        12,
        6,
        Shape(
            shape="polygon",
            points=[(-7, -5), (7, -5), (0, 7)],
            color=(0.4, 0.6, 0.9, 1),
            outline=(1, 1, 1, 0.6),
            outline_width=1,
        ),
    )
    stage.put(-12, -8, NinePatch(image="panel.png", size=(20, 10), scale=0.25))
    stage.put(12, -8, Line(points=[(-9, 0), (9, 0)], width=3, dashes=[3, 2], cap="butt"))
    stage.compare("strokes_near")
