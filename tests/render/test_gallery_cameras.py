"""Reference scenes of cameras and canvas groups, the same on every drawing backend."""

from __future__ import annotations

import math

from rish_core import Transform
from rish_render import Blend, Camera, CanvasGroup, Shape, ShapeForm, Sprite, Text

FACE = "face.png"
COLORS = [(0.91, 0.30, 0.24, 1), (0.95, 0.61, 0.07, 1), (0.18, 0.80, 0.44, 1), (0.20, 0.60, 0.86, 1)]


def town(stage):
    """Add a grid of boxes with faces for the cameras."""
    for x in range(-6, 7):
        for y in range(-5, 6):
            stage.put(x * 40, y * 40, Shape(size=(30, 30), corner_radius=5, color=COLORS[(x + 2 * y) % 4]))
            stage.put(x * 40, y * 40, Sprite(image=FACE, z=1))


def wall(stage, width=320, height=240):
    """Add stripes that make transparency visible."""
    for k, x in enumerate(range(0, width, 20)):
        fill = (0.25, 0.30, 0.40, 1) if k % 2 else (0.55, 0.60, 0.70, 1)
        stage.put(x, 0, Shape(size=(20, height), anchor=(0, 0), color=fill, z=-10))


def child(stage, parent, x, y, *parts):
    """Spawn a child of an entity."""
    return stage.world.spawn(Transform(position=(x, y), parent=parent), *parts)


def test_a_split_screen_with_a_map(studio):
    """Two cameras share the screen, one of them rotated; a small one with its own background is above both."""
    stage = studio()
    town(stage)
    stage.put(-60, 0, Camera(viewport=(0, 0, 0.5, 1)))
    stage.put(80, 20, Camera(viewport=(0.5, 0, 0.5, 1), primary=False, zoom=1.5), rotation=0.3)
    small = Camera(viewport=(0.35, 0.05, 0.3, 0.3), primary=False, height=400, order=1, background=(0, 0, 0, 0.6))
    stage.put(0, 0, small)
    stage.compare("camera_split")


def test_a_camera_zoomed_far_in(studio):
    """At a zoom of eight pixels per unit sprites are placed as exactly as at one."""
    stage = studio()
    town(stage)
    stage.put(3.3, 2.7, Camera(zoom=8), rotation=0.1)
    stage.compare("camera_near")


def test_a_camera_zoomed_far_out(studio):
    """A camera can zoom out to four units per pixel."""
    stage = studio()
    for x in range(-12, 13):
        for y in range(-9, 10):
            stage.put(x * 60, y * 60, Shape(size=(50, 50), color=COLORS[(x * y) % 4]))
            stage.put(x * 60, y * 60, Sprite(image=FACE, size=(40, 40), z=1), rotation=x * 0.1)
    stage.put(0, 0, Camera(zoom=0.25))
    stage.compare("camera_far")


def test_a_picture_of_a_camera(studio):
    """A sprite shows the image of another camera, rotated and tinted."""
    stage = studio()
    town(stage)
    stage.put(0, 0, Camera())
    stage.put(120, 80, Camera(target="tv", target_size=(120, 90), primary=False, background=(0.1, 0.1, 0.3, 1)))
    stage.put(-60, 0, Sprite(image="camera:tv", z=5), rotation=0.2)
    stage.put(90, -20, Sprite(image="camera:tv", size=(80, 60), color=(1, 0.6, 0.6, 1), z=5))
    stage.compare("camera_picture")


def test_groups_fade_as_one(studio):
    """Overlapping members of a group fade together, single shapes independently, and a group can contain a group."""
    stage = studio()
    wall(stage)
    whole = stage.put(90, 160, CanvasGroup(opacity=0.5))
    for k in range(3):
        part = Shape(shape=ShapeForm.CIRCLE, radius=36, color=COLORS[k])
        child(stage, whole, -30 + 30 * k, 10 * k, part)
        stage.put(200 + 30 * k, 160 + 10 * k, Shape(shape=ShapeForm.CIRCLE, radius=36, color=COLORS[k], opacity=0.5))
    child(stage, whole, 0, -30, Sprite(image=FACE, size=(48, 48), z=1))
    outer = stage.put(160, 50, CanvasGroup(opacity=0.8))
    child(stage, outer, -60, 0, Shape(size=(80, 60), color=COLORS[3]))
    inner = child(stage, outer, 20, 0, CanvasGroup(opacity=0.6, z=1))
    child(stage, inner, -10, 0, Shape(size=(90, 40), color=COLORS[1]))
    child(stage, inner, 20, 5, Text(text="inner", size=30, z=1))
    stage.compare("groups_fade")


def test_groups_are_masked_and_clipped(studio):
    """A group is visible inside a circle, outside it if inverted, or within a rectangle, upright and rotated."""
    stage = studio()
    wall(stage)
    for k, inverted in enumerate((False, True)):
        x = 80 + 160 * k
        hole = stage.put(x, 175, Shape(shape=ShapeForm.CIRCLE, radius=46))
        group = stage.put(x, 175, CanvasGroup(mask=hole, inverted=inverted))
        _faces(stage, group)
    for k in range(2):
        group = stage.put(80 + 160 * k, 60, CanvasGroup(clip=(-50, -30, 100, 60)), rotation=0.4 * k)
        _faces(stage, group)
    stage.compare("groups_masked")


def _faces(stage, group):
    """Add faces on a background that is larger than the mask."""
    child(stage, group, 0, 0, Shape(size=(130, 100), color=(0.1, 0.3, 0.3, 1)))
    for x in range(-2, 3):
        for y in range(-1, 2):
            child(stage, group, x * 26, y * 30, Sprite(image=FACE, size=(24, 24), z=1))


def test_a_group_adds_its_light(studio):
    """A group is blended as one image: its members cover each other, then the result is blended."""
    stage = studio()
    wall(stage)
    for k, blend in enumerate((Blend.ADD, Blend.MULTIPLY, Blend.SCREEN)):
        group = stage.put(60 + 100 * k, 120, CanvasGroup(blend=blend))
        for j in range(6):
            angle = j * math.pi / 3
            place = 24 * math.cos(angle), 40 * math.sin(angle)
            child(stage, group, *place, Shape(shape=ShapeForm.CIRCLE, radius=28, color=COLORS[j % 4]))
    stage.compare("groups_blend")


def test_letterboxes(studio):
    """A game of 320x180 in a window of another shape is shown completely, with bars, at the window's resolution."""
    stage = studio((320, 180), settings={"render": {"bars": "#402030"}})
    wall(stage, 320, 180)
    for k in range(5):
        stage.put(40 + 60 * k, 90, Sprite(image=FACE, size=(50, 50)), rotation=0.2 * k)
    stage.put(160, 30, Text(text="Letterbox", size=30))
    stage.app.host.backend.configure(size=(301, 233))
    stage.compare("stretch_canvas")


def test_whole_pixels(studio):
    """A game is drawn at its own size and enlarged by a whole factor, with bars on all sides."""
    settings = {"render": {"bars": "#402030", "stretch": "integer"}}
    stage = studio((160, 90), settings=settings)
    wall(stage, 160, 90)
    for k in range(4):
        stage.put(25 + 36 * k, 50, Sprite(image=FACE, size=(30, 30)), rotation=0.2 * k)
    stage.put(80, 14, Text(text="Pixels", size=16))
    stage.app.host.backend.configure(size=(361, 225))
    stage.compare("stretch_integer")
