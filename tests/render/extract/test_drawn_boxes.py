"""Drawn boxes enclose what the picture shows: each thing is drawn alone, and its pixels are compared with its box."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Transform
from rish_render import Camera, Line, NinePatch, Shape, Sprite, Text, View, drawn_boxes, main_view

SIZE = (160, 120)
WHITE = (1, 1, 1, 1)
THINGS = {
    "sprite": (Sprite(image="face.png"), {"rotation": 0.5, "scale": (1.5, 1)}),
    "region": (Sprite(image="face.png", region=(0, 0, 8, 16), anchor=(0, 1)), {"scale": (-1.2, 1)}),
    "sized": (Sprite(image="face.png", size=(40, 10), anchor=(0.25, 0.5)), {}),
    "repeated": (Sprite(image="face.png", repeat=(3, 1), size=(10, 0)), {"rotation": -0.3}),
    "box": (Shape(size=(30, 12)), {"rotation": 0.7}),
    "circle": (Shape(shape="circle", radius=12, anchor=(0.5, 0)), {"scale": (1, 0.6)}),
    "ellipse": (Shape(shape="circle", size=(30, 12)), {}),
    "polygon": (Shape(shape="polygon", points=[(-20, -16), (24, -16), (0, 30)]), {}),
    "outlined": (Shape(shape="polygon", points=[(-20, 0), (20, -20), (20, 20)], outline=WHITE, outline_width=1), {}),
    "line": (Shape(shape="line", points=[(-30, 10), (0, -10), (40, 10)], outline_width=3), {}),
    "path": (Line(points=[(-30, -10), (30, -10), (30, 30)], width=2, width_end=4), {}),
    "panel": (NinePatch(image="face.png", border=(4, 4, 4, 4), size=(50, 30)), {}),
    "text": (Text(text="HHH\nHH", size=24), {"rotation": 0.1}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", THINGS)
def test_the_box_encloses_the_pixels_closely(studio, name):
    """All pixels of a thing lie in its box, which is not larger than what is drawn, except for the air of letters."""
    made = studio(SIZE)
    thing, pose = THINGS[name]
    entity = made.put(70, 60, thing, **pose)
    made.shoot()
    boxes = drawn_boxes(made.world, [entity])
    picture = made.shoot()[::-1].astype(int)
    rows, columns = np.nonzero(np.abs(picture - picture[-1, 0]).sum(axis=2))
    low, high = boxes.corners[0].min(axis=0), boxes.corners[0].max(axis=0)
    seen = np.array([[columns.min(), rows.min()], [columns.max() + 1, rows.max() + 1]])
    assert boxes.drawn.all()
    assert (seen[0] >= low - 1.5).all()
    assert (seen[1] <= high + 1.5).all()
    air = 12 if name == "text" else 4
    assert (seen[0] <= low + air).all()
    assert (seen[1] >= high - air).all()


def test_what_draws_nothing_has_no_box(studio):
    """An entity without a picture, an empty text and a line without points have no box, and have their pose."""
    made = studio(SIZE)
    entities = [made.put(10, 20, Text(text="")), made.put(30, 40, Line()), made.put(50, 60, Camera(), rotation=1.0)]
    made.shoot()
    boxes = drawn_boxes(made.world, entities)
    assert not boxes.drawn.any()
    np.testing.assert_allclose(boxes.matrix[:, 4:], [(10, 20), (30, 40), (50, 60)])
    np.testing.assert_allclose(boxes.matrix[2, :2], [np.cos(1.0), np.sin(1.0)], atol=1e-6)


def test_an_entity_of_the_last_moment_has_a_box(studio):
    """An entity that was spawned after the last frame, below another, has its place in the world."""
    made = studio(SIZE)
    parent = made.put(10, 20, Shape(size=(4, 4)), scale=(2, 2))
    made.shoot()
    child = made.world.spawn(Transform(position=(5, 5), parent=parent), Shape(size=(2, 4)))
    corners = drawn_boxes(made.world, [child, parent]).corners
    np.testing.assert_allclose(corners[0], [(18, 26), (22, 26), (22, 34), (18, 34)])
    np.testing.assert_allclose(corners[1], [(6, 16), (14, 16), (14, 24), (6, 24)])


def test_layers_decide_where_a_box_is(studio):
    """Things on layers in screen space are reported as such, and parallax moves a box with the view."""
    made = studio(SIZE, layers=["world", {"hud": {"space": "screen"}}, {"far": {"parallax": [0.5, 0.25]}}])
    entities = [made.put(8, 9, Shape(size=(2, 2), layer=name)) for name in ("world", "hud", "far")]
    made.put(0, 0, Camera())
    made.shoot()
    boxes = drawn_boxes(made.world, entities, View(SIZE, (100, 80)))
    assert boxes.screen.tolist() == [False, True, False]
    np.testing.assert_allclose(boxes.matrix[:, 4:], [(8, 9), (8, 9), (58, 69)])
    assert main_view(made.world).center == (0, 0)


def test_all_components_of_an_entity_count(studio):
    """The box of an entity with a shape and a text is the box around both."""
    made = studio(SIZE)
    entity = made.put(0, 0, Shape(size=(10, 200)), Text(text="WIDE WORDS", size=24))
    made.shoot()
    x0, y0, x1, y1 = drawn_boxes(made.world, [entity]).local[0]
    assert (y0, y1) == (-100, 100)
    assert x1 > 50
    assert x0 < -50
