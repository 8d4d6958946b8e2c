"""Picking finds what the picture shows: each thing is drawn alone, and its pixels are compared with what is found."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from long_runs import long
from rish_core import Assets, Layers, Transform
from rish_ecs import Stage, UsageError, system
from rish_frame import Region, pick
from rish_render import Camera, CanvasGroup, Line, NinePatch, Shape, Sprite, Text, TileMap, Trail, region_at

SIZE = (96, 72)
KINDS = (Sprite, Shape, Text, Line, NinePatch, TileMap, Trail)


def at(made, x, y, **options):
    """Return the entities at a point of the screen, from the top down."""
    return pick(made.app, region_at(made.world, (x, y), **options)).distinct


def pixels_of(made, entity):
    """Return bool (h, w), bottom row first: where an entity alone covers at least half a pixel, and where any of it."""
    for kind in KINDS:
        query = made.world.query(kind)
        if len(query.entities):
            made.world.set(query.entities, kind(visible=query.entities == entity))
    picture = made.shoot()[::-1].astype(int)
    for kind in KINDS:
        query = made.world.query(kind)
        if len(query.entities):
            made.world.set(query.entities, kind(visible=np.ones(len(query.entities), bool)))
    change = np.abs(picture - picture[-1, 0]).sum(axis=2)
    return change > 0.5 * change.max(), change > 0


@pytest.fixture
def zoo(studio):
    """Make a scene with one thing of every form, turned, scaled and hanging on others, seen through a turned camera."""

    def make(**camera):
        layers = ["world", {"hud": {"space": "screen"}}, {"far": {"parallax": [0.5, 0.5]}}]
        made = studio(SIZE, layers=layers)
        (made.world[Assets].root / "plate.png").write_bytes(made.png(np.full((12, 12, 4), 255, np.uint8)))
        put = made.put
        made.things = {
            "sprite": put(20, 20, Sprite(image="face.png"), rotation=0.5, scale=(1.5, 1)),
            "flipped": put(50, 16, Sprite(image="face.png", flip_x=True, region=(0, 0, 8, 16)), scale=(-1.2, 1)),
            "repeated": put(76, 14, Sprite(image="face.png", repeat=(2, 1), size=(10, 10)), rotation=-0.3),
            "box": put(16, 50, Shape(size=(20, 12), corner_radius=5), rotation=0.7),
            "circle": put(40, 40, Shape(shape="circle", radius=8, anchor=(0.5, 0)), scale=(1, 0.6)),
            "hollow": put(60, 42, Shape(size=(16, 16), color=(0, 0, 0, 0), outline=(1, 1, 1, 1), outline_width=3)),
            "polygon": put(80, 40, Shape(shape="polygon", points=[(-9, -8), (9, -8), (0, 0), (9, 8), (-9, 8)])),
            "line": put(50, 60, Shape(shape="line", points=[(-20, 0), (0, 6), (20, 0)], outline_width=4)),
            "path": put(70, 62, Line(points=[(-8, -4), (8, -4), (8, 4)], width=2, width_end=6)),
            "panel": put(30, 58, NinePatch(image="plate.png", border=(4, 4, 4, 4), size=(14, 8))),
            "far": put(26, 38, Shape(size=(8, 8), layer="far")),
            "hud": put(8, 8, Shape(size=(9, 9), layer="hud")),
        }
        made.put(48 + camera.pop("dx", 0), 36, Camera(**camera), rotation=camera.pop("turn", 0.0))
        made.shoot()
        return made

    return make


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "camera"),
    [
        (("sprite", "flipped", "repeated", "box", "circle", "hollow", "polygon", "line", "path"), {}),
        (("panel", "far", "hud", "sprite", "box"), {"zoom": 1.3, "dx": 4}),
    ],
    ids=["plain", "zoomed"],
)
def test_a_point_finds_what_is_drawn_there(zoo, names, camera):
    """At each pixel that a thing covers by more than half it is found, and nowhere that it leaves untouched."""
    made = zoo(**camera)
    for name in names:
        solid, some = pixels_of(made, made.things[name])
        assert solid.sum() > 20
        rows, columns = np.nonzero(some)
        for y in range(max(rows.min() - 2, 0), min(rows.max() + 3, SIZE[1]), long(1, 4)):
            for x in range(max(columns.min() - 2, 0), min(columns.max() + 3, SIZE[0])):
                if solid[y, x] or not some[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2].any():
                    found = made.things[name] in at(made, x + 0.5, y + 0.5, reach=0.0)
                    assert found == solid[y, x], (name, x, y)


def test_things_are_found_from_the_top_down(studio):
    """Later layers come first, then greater z, then texts before sprites before shapes, then younger entities."""
    made = studio(SIZE, layers=["world", "front"])
    low, high = made.put(40, 40, Shape()), made.put(40, 40, Shape(z=2))
    sprite, young = made.put(40, 40, Sprite(image="face.png")), made.put(40, 40, Sprite(image="face.png"))
    text = made.put(40, 40, Text(text="MM", size=30))
    front = made.put(40, 40, Shape(layer="front", z=-9))
    made.shoot()
    assert at(made, 40.5, 40.5) == [front, high, text, young, sprite, low]
    assert pick(made.app, region_at(made.world, (40.5, 40.5))).first == front


def test_layers_sorted_by_height_are_found_in_that_order(studio):
    """On a layer that is sorted by y the lower thing is in front."""
    made = studio(SIZE, layers=[{"world": {"y_sort": True}}])
    front, back = made.put(40, 30, Sprite(image="face.png")), made.put(40, 34, Sprite(image="face.png"))
    made.shoot()
    assert at(made, 40.5, 32.5) == [front, back]


def test_what_is_not_drawn_is_not_found(studio):
    """Invisible things, those of opacity 0, on hidden layers, or on layers that the camera leaves out are not found."""
    made = studio(SIZE, layers=["world", "other"])
    made.put(48, 36, Camera(layers=["world"]))
    shapes = [made.put(40, 40, Shape()) for _ in range(3)]
    other = made.put(40, 40, Shape(layer="other"))
    made.shoot()
    assert at(made, 40, 40) == shapes[::-1]
    made.world.set(shapes[0], Shape(visible=False))
    made.world.set(shapes[1], Shape(opacity=0.0))
    assert at(made, 40, 40) == [shapes[2]]
    made.world[Layers].show("world", False)
    assert at(made, 40, 40) == []
    assert other not in at(made, 40, 40)


def test_what_was_added_since_the_last_frame_is_found_where_it_will_be_drawn(studio):
    """New, moved and removed entities count at once, also those that hang on others."""
    made = studio(SIZE)
    first = made.put(20, 20, Shape())
    made.shoot()
    child = made.put(30, 0, Shape(size=(4, 4)), parent=first)
    assert at(made, 50, 20) == [child]
    made.world.despawn(first)
    last = made.put(50, 20, Shape())
    assert at(made, 50, 20) == [last]


def test_a_box_finds_everything_that_it_touches(zoo):
    """A box over everything finds all things, one in a free corner nothing; any two corners make a box."""
    made = zoo()
    assert set(at(made, 0, 0, to=SIZE)) == set(made.things.values())
    assert set(at(made, 96, 0, to=(0, 72))) == set(made.things.values())
    assert at(made, 0, 71, to=(2, 72)) == []


def test_a_box_touches_what_it_only_cuts(studio):
    """A box counts that crosses a turned thing without containing a corner of it, for every kind of outline."""
    made = studio(SIZE)
    turned = made.put(48, 36, Shape(size=(60, 4)), rotation=0.6)
    line = made.put(48, 36, Shape(shape="line", points=[(-40, 30), (40, -30)], outline_width=1))
    made.shoot()
    assert at(made, 46, 35, to=(50, 37)) == [line, turned]
    assert at(made, 20, 50, to=(28, 58)) == [line]
    assert at(made, 60, 44, to=(64, 48)) == [turned]
    assert at(made, 28, 8, to=(34, 14)) == []


def test_a_text_is_found_between_its_letters(studio):
    """A text is found anywhere within the block of its lines; an empty one never."""
    made = studio(SIZE)
    text = made.put(48, 36, Text(text="I I", size=20))
    made.put(48, 36, Text(text=""))
    made.shoot()
    assert at(made, 48, 36) == [text]
    assert at(made, 48, 60) == []


def test_a_map_is_found_where_it_has_a_tile(studio):
    """A map is found at its tiles, not at its empty cells, and by a box that contains a tile."""
    board = 'cell: 16\nlegend: {"a": {tile: 0}}\ntilesets: {face: face.png}\nlayers:\n  ground: |\n    a.\n    .a\n'
    made = studio(SIZE, files={"m.map.yaml": board.encode()})
    entity = made.put(20, 20, TileMap(map="m.map.yaml"))
    made.shoot()
    assert at(made, 28, 44) == [entity]
    assert at(made, 44, 44) == []
    assert at(made, 44, 28) == [entity]
    assert at(made, 38, 38, to=(50, 50)) == []
    assert at(made, 22, 22, to=(50, 50)) == [entity]


def test_a_map_is_found_at_its_objects_that_show_a_tile(studio):
    """A map of objects is found at their tiles, by a point and by a box, and not at its images and its color."""
    tileset = {"firstgid": 1, "tilewidth": 16, "tileheight": 16, "image": "face.png"}
    things = [{"id": 1, "gid": 1, "x": 16, "y": 32}, {"id": 2, "gid": 1, "x": 0, "y": 16, "visible": False}]
    layers = [{"type": "imagelayer", "image": "face.png"}, {"type": "objectgroup", "name": "o", "objects": things}]
    board = {"width": 3, "height": 2, "tilewidth": 16, "tileheight": 16, "backgroundcolor": "#204060"}
    text = json.dumps({**board, "tilesets": [tileset], "layers": layers})
    made = studio(SIZE, files={"m.tmj": text.encode()})
    entity = made.put(20, 20, TileMap(map="m.tmj"))
    made.shoot()
    assert at(made, 44, 28) == [entity]
    assert at(made, 24, 48) == []
    assert at(made, 60, 28) == []
    assert at(made, 22, 22, to=(50, 30)) == [entity]


def test_a_trail_is_found_where_it_lies(studio):
    """A trail is found along the way that its entity went, on both sides of the middle, and nowhere else."""

    @system(Stage.STEP, writes=Transform)
    def walk(world, dt):
        world[Transform].position[:, 0] += 4

    made = studio(SIZE, plugins={"legs": SimpleNamespace(rish_systems=lambda: [walk])})
    entity = made.put(8, 36, Trail(seconds=2.0, width=8, width_end=8))
    for _ in range(14):
        made.shoot()
    assert at(made, 30, 38) == [entity]
    assert at(made, 30, 44) == []
    assert at(made, 20, 30, to=(24, 50)) == [entity]


def test_members_of_a_group_take_the_place_of_the_group(studio):
    """Things of a group are found where the group is in the order, and not beyond the rectangle that it shows."""
    made = studio(SIZE, layers=["world", "front"])
    group = made.put(40, 40, CanvasGroup(z=1, clip=(-10, -10, 20, 20)))
    low = made.put(0, 0, Shape(size=(60, 8), z=50, layer="front"), parent=group)
    high = made.put(0, 0, Shape(size=(8, 60), z=60), parent=group)
    above, below = made.put(40, 40, Shape(z=2)), made.put(40, 40, Shape(z=0))
    made.shoot()
    assert at(made, 40, 40) == [above, high, low, below]
    assert at(made, 64, 40) == []
    made.world.set(group, CanvasGroup(visible=False))
    assert at(made, 40, 40) == [above, below]


def test_a_thin_line_is_found_from_nearby(studio):
    """The pointer may be a few pixels away from a line; the distance counts on the screen, whatever the zoom."""
    made = studio(SIZE)
    line = made.put(48, 36, Line(points=[(-20, 0), (20, 0)], width=0.1))
    made.put(48, 36, Camera(zoom=4.0))
    made.shoot()
    assert at(made, 48, 39) == [line]
    assert at(made, 48, 42) == []
    assert at(made, 48, 42, reach=7.0) == [line]


@pytest.mark.parametrize("points", [[(0, 0), (1, 1)], [(math.nan, 0)], []])
def test_only_points_and_boxes_are_regions(points):
    """Two corners, infinite numbers and no point at all are refused."""
    with pytest.raises(UsageError, match="a point"):
        Region(np.array(points, float).reshape(-1, 2), np.zeros((1, 2)))
    with pytest.raises(UsageError, match="alike"):
        Region(np.zeros((1, 2)), np.zeros((4, 2)))


def test_an_empty_world_has_nothing_to_find(studio):
    """Nothing is found in a game without entities, also before its first frame."""
    made = studio(SIZE)
    found = pick(made.app, region_at(made.world, (5, 5)))
    assert (len(found), found.first, found.distinct, found.kinds) == (0, None, [], ())
