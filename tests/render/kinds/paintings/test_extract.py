"""Paintings become batches that stay the same while nothing changes, and are in order with other things."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from rish_core import Transform
from rish_frame import BoxItem, Frame, ImageItem, LineItem, Painting, Paintings, Part, TextItem, TextLook
from rish_render import Camera, Shape, Sprite, Text
from rish_render.materials.material_images import Pictures

LAYERS = ["world", {"hud": {"space": "screen"}}]
RED, WHITE = (255, 0, 0, 255), (255, 255, 255, 255)


@pytest.fixture
def stage(studio):
    """Make a studio with a layer of the world and one of the screen."""
    made = studio((200, 100), layers=LAYERS, strict=False)
    made.shoot()
    return made


def paint(stage, layer="hud", name="a", **fields):
    """Add a painting with one part that has a box, a line, an image and a text; return it and the part."""
    part = Part(boxes=[BoxItem(10, 10, 20, 20, RED)], lines=[LineItem(50, 10, 80, 10, 2, WHITE)])
    part.images = [ImageItem("face.png", 100, 10, 16, 16)]
    part.texts = [TextItem(words(stage, "Words"), 10, 60, WHITE)]
    painting = Painting(layer, parts=[part], **fields)
    stage.world[Paintings].items[name] = painting
    return painting, part


def words(stage, text, **look):
    """Return a text that was set."""
    return stage.world[Frame].typesetter.typeset(stage.world, text, TextLook(**look))


def kinds(stage):
    """Return the kinds of the batches of the last frame."""
    return [batch.kind for batch in stage.batches]


def test_a_part_is_drawn_in_order(stage):
    """Backs, boxes, images, lines and texts of a part are batches in this order."""
    _, part = paint(stage)
    part.backs = [ImageItem("face.png", 0, 0, 50, 50, slices=(4, 4, 4, 4))]
    stage.shoot()
    assert kinds(stage) == ["sprites_wide", "shapes", "sprites_wide", "lines", "sprites"]
    assert stage.batches[0].count == 9
    assert stage.pixel(15, 15) == [255, 0, 0]


def test_a_still_painting_is_the_same_batches(stage):
    """While nothing changes the batches are the same objects with a version, and so is the picture."""
    paint(stage)
    first = stage.shoot()
    before = list(stage.batches)
    for _ in range(4):
        np.testing.assert_array_equal(stage.shoot(), first)
    assert all(a is b for a, b in zip(before, stage.batches, strict=True))
    assert all(batch.version == 0 for batch in stage.batches)


def test_only_the_changed_part_is_converted(stage):
    """A part whose version rises is converted again; the batches of other parts stay."""
    painting, part = paint(stage)
    other = Part(boxes=[BoxItem(150, 50, 20, 20, WHITE)])
    painting.parts.append(other)
    for _ in range(3):
        stage.shoot()
    before = list(stage.batches)
    other.boxes = [BoxItem(150, 50, 20, 20, RED)]
    stage.shoot()
    assert stage.batches == before
    other.version += 1
    stage.shoot()
    assert stage.batches[:-1] == before[:-1]
    assert stage.batches[-1] is not before[-1]
    assert stage.pixel(155, 55) == [255, 0, 0]
    part.boxes.clear()
    part.version += 1
    stage.shoot()
    assert kinds(stage) == ["sprites_wide", "lines", "sprites", "shapes"]


@pytest.mark.parametrize(
    "change",
    [
        {"visible": False},
        {"opacity": 0.0},
        {"opacity": 0.5},
        {"offset": (7.0, 3.0)},
        {"scale": 1.5},
        {"z": 3.0},
        {"parts": []},
        {"layer": "world"},
    ],
    ids=str,
)
def test_changes_are_seen_in_a_still_frame(stage, change):
    """Each field of a painting takes effect in the next frame, also if the last frames were equal."""
    stage.put(70, 40, Camera())
    painting, _ = paint(stage)
    stage.world[Paintings].items["b"] = Painting("hud", z=2.0, parts=[Part(boxes=[BoxItem(12, 12, 5, 5, WHITE)])])
    for _ in range(4):
        before = stage.shoot()
    for name, value in change.items():
        setattr(painting, name, value)
    after = stage.shoot()
    assert (before != after).any()


def test_texts_that_stay_keep_their_letters(stage):
    """Of a part whose boxes change, the letters stay the same batch, and are in the picture; other words are set."""
    _, part = paint(stage)
    before = [stage.shoot() for _ in range(4)][-1]
    letters = stage.batches[-1]
    part.boxes[:] = [BoxItem(10, 10, 20, 20, WHITE)]
    part.version += 1
    after = stage.shoot()
    assert stage.batches[-1] is letters
    np.testing.assert_array_equal(after[:60], before[:60])
    assert stage.pixel(15, 15) == [255, 255, 255]
    part.texts[0] = TextItem(words(stage, "Others"), 10, 60, WHITE)
    part.version += 1
    assert (stage.shoot()[:60] != before[:60]).any()


def test_moving_keeps_the_letters(stage):
    """A painting that moves by whole pixels keeps the sprites of its letters and changes their origin only."""
    painting, _ = paint(stage)
    for _ in range(4):
        before = stage.shoot()
    letters = stage.batches[-1]
    painting.offset = (5.0, 2.0)
    after = stage.shoot()
    np.testing.assert_array_equal(after[:-2, 5:][:, :80], before[2:, :-5][:, :80])
    assert stage.batches[-1] is letters
    assert letters.origin == pytest.approx((5, 2))
    assert stage.pixel(16, 13) == [255, 0, 0]


def test_a_painting_follows_its_entity(stage):
    """A painting with an entity is at the position of the entity, and is not drawn when the entity is gone."""
    stage.put(0, 0, Camera())
    entity = stage.put(-20, -20)
    painting, _ = paint(stage, "world", entity=entity)
    stage.shoot()
    assert stage.pixel(100 - 20 + 15, 50 - 20 + 15) == [255, 0, 0]
    stage.world.get(entity, Transform).position = (0, 0)
    for _ in range(3):
        stage.shoot()
    assert stage.pixel(115, 65) == [255, 0, 0]
    stage.world.despawn(entity)
    stage.shoot()
    assert stage.batches == []
    assert painting.visible


def test_a_camera_shows_and_leaves_out_paintings(stage):
    """On a layer of the world a painting moves and grows with the camera; outside of the view it has no batches."""
    eye = stage.put(20, 20, Camera())
    paint(stage, "world")
    stage.shoot()
    fine = stage.batches[-1]
    stage.world.get(eye, Camera).zoom = 2.0
    stage.shoot()
    assert stage.pixel(100, 50) == [255, 0, 0]
    assert stage.batches[-1] is not fine
    assert stage.batches[-1].unit == pytest.approx(0.5)
    stage.world.get(eye, Transform).position = (900, 900)
    for _ in range(3):
        stage.shoot()
    assert stage.batches == []


def test_a_clip_cuts_in_pixels(stage):
    """Nothing outside of a part's clip is drawn; a clip that is changed takes effect without a new version."""
    _, part = paint(stage)
    part.clip = (10, 10, 10, 10)
    stage.shoot()
    assert stage.pixel(15, 15) == [255, 0, 0]
    assert stage.pixel(25, 15) != [255, 0, 0]
    assert stage.batches[0].clip == pytest.approx((0.05, 0.1, 0.05, 0.1))
    for _ in range(3):
        stage.shoot()
    part.clip = (20, 10, 10, 10)
    stage.shoot()
    assert stage.pixel(25, 15) == [255, 0, 0]
    part.clip = (500, 10, 10, 10)
    stage.shoot()
    assert stage.batches == []


def test_layers_and_z_count(stage):
    """Paintings are sorted with other things by layer and z, and by the order of their names otherwise."""
    stage.put(20, 20, Shape(size=(10, 10), color=(0, 1, 0, 1), layer="hud", z=1))
    paint(stage)
    stage.shoot()
    assert stage.pixel(20, 20) == [0, 255, 0]
    stage.world[Paintings].items["a"].z = 2.0
    stage.shoot()
    assert stage.pixel(20, 20) == [255, 0, 0]
    stage.world[Paintings].items["b"] = Painting("hud", z=2.0, parts=[Part(boxes=[BoxItem(15, 15, 9, 9, WHITE)])])
    stage.shoot()
    assert stage.pixel(20, 20) == [255, 255, 255]


def test_an_unknown_layer_is_told_once(stage, caplog):
    """A painting on a layer that does not exist is drawn on the first one, with one warning."""
    with caplog.at_level(logging.WARNING, "rish.render"):
        paint(stage, "hut")
        for _ in range(3):
            stage.shoot()
    (line,) = [record.getMessage() for record in caplog.records]
    assert "painting 'a'" in line
    assert "hud" in line
    assert stage.batches[0].layer == 0


def test_a_camera_with_sprites_keeps_paintings_of_the_screen(stage):
    """With sprites and a moving camera, the paintings of the screen stay and are still updated."""
    eye = stage.put(0, 0, Camera())
    stage.put(0, 0, Sprite(image="face.png", layer="world"))
    _, part = paint(stage)
    for k in range(8):
        stage.world.get(eye, Transform).position = (k, 0)
        stage.shoot()
        assert stage.pixel(15, 15) == [255, 0, 0]
    part.boxes = [BoxItem(10, 10, 20, 20, WHITE)]
    part.version += 1
    stage.world.get(eye, Transform).position = (9, 0)
    stage.shoot()
    assert stage.pixel(15, 15) == [255, 255, 255]


def test_glyphs_of_paintings_stay(stage):
    """Texts that come and go never remove the glyphs that a painting shows."""
    stage.world[Pictures].atlas.page_size = 64
    paint(stage)
    still = stage.shoot()[:60, :60].copy()
    label = stage.put(150, 80, Text(text="", size=30, layer="hud"))
    cache = stage.world[Pictures].atlas.cache["text"]
    for k in range(60):
        stage.world.get(label, Text).text = chr(0x4E00 + k) if k % 2 else chr(0x41 + k // 2 % 26)
        stage.world.get(label, Text).size = 20 + k
        shown = stage.shoot()[:60, :60]
    assert cache.glyphs.forgotten > 0
    np.testing.assert_array_equal(shown, still)


def test_huge_and_far_texts_are_drawn(stage):
    """Letters that sixteen bytes can't hold are drawn as parallelograms, at the same place."""
    stage.put(100_000, 0, Camera())
    part = Part(texts=[TextItem(words(stage, "I"), 99_990, 10, WHITE)])
    stage.world[Paintings].items["far"] = Painting("world", parts=[part])
    far = stage.shoot()
    assert kinds(stage) == ["sprites_wide"]
    part.texts = [TextItem(words(stage, "I"), -10, 10, WHITE)]
    part.version += 1
    stage.world[Paintings].items["far"].offset = (100_000, 0)
    near = stage.shoot()
    assert kinds(stage) == ["sprites"]
    assert int(np.abs(far.astype(int) - near.astype(int)).mean()) == 0


def test_texts_of_another_typesetter_are_set_again(stage):
    """A text that was set by another typesetter, such as one of a terminal, is set again by its source and look."""

    class Other:
        source, text, look = "Words", "Words", TextLook()

    _, part = paint(stage)
    expected = stage.shoot()
    part.texts = [TextItem(Other(), 10, 60, WHITE)]
    part.version += 1
    np.testing.assert_array_equal(stage.shoot(), expected)


def test_a_picture_of_a_camera(stage):
    """`camera:NAME` shows what a camera with a target of its own sees."""
    stage.put(0, 0, Camera(target="map", target_size=(32, 32), background=(0, 0, 1, 1)))
    part = Part(images=[ImageItem("camera:map", 10, 10, 40, 40, smooth=False)])
    stage.world[Paintings].items["map"] = Painting("hud", parts=[part])
    for _ in range(2):
        stage.shoot()
    assert stage.pixel(30, 30) == [0, 0, 255]


def boxes_at(*places, color=RED):
    """Return a part with a box at each place."""
    return Part(boxes=[BoxItem(x, y, 10, 10, color) for x, y in places])


def test_neighbors_become_one_batch(stage):
    """Boxes of many paintings of a layer are one batch, each at the place, scale and opacity of its painting."""
    stage.put(100, 50, Camera())
    items = stage.world[Paintings].items
    for k in range(12):
        items[str(k)] = Painting("world", parts=[boxes_at((0, 0), (10, 10))], offset=(15.0 * k, 5.0), scale=0.5)
    items["3"].opacity = 0.5
    stage.shoot()
    assert [(batch.kind, batch.count) for batch in stage.batches] == [("shapes", 24)]
    assert stage.pixel(2, 7) == stage.pixel(7, 12) == stage.pixel(167, 7) == [255, 0, 0]
    assert 100 < stage.pixel(47, 7)[0] < 200
    items["2"].offset = (30.0, 60.0)
    items["4"].parts[0].boxes[0] = BoxItem(0, 0, 10, 10, WHITE)
    items["4"].parts[0].version += 1
    stage.shoot()
    assert [batch.count for batch in stage.batches] == [24]
    assert stage.pixel(32, 62) == [255, 0, 0]
    assert stage.pixel(32, 7) == stage.pixel(40, 40)
    assert stage.pixel(62, 7) == [255, 255, 255]


@pytest.mark.parametrize("between", [{"clip": (0, 0, 50, 50)}, {"texts": True}], ids=str)
def test_neighbors_stay_in_order(stage, between):
    """What lies between two boxes in the drawing order, such as a text or a box with a clip, is drawn between them."""
    items = stage.world[Paintings].items
    middle = boxes_at((15, 15), color=WHITE)
    if "clip" in between:
        middle.clip = between["clip"]
    else:
        middle.texts = [TextItem(words(stage, "Words"), 15, 30, WHITE)]
    for name, part in (("a", boxes_at((10, 10))), ("b", middle), ("c", boxes_at((20, 20)))):
        items[name] = Painting("hud", parts=[part])
    stage.shoot()
    assert len(stage.batches) == 3
    assert stage.pixel(17, 17) == [255, 255, 255]
    assert stage.pixel(22, 22) == [255, 0, 0]


def test_other_things_are_drawn_between_paintings(stage):
    """A shape whose z is between those of two paintings is over the one and under the other."""
    stage.put(20, 20, Shape(size=(10, 10), color=(0, 1, 0, 1), layer="hud", z=1))
    items = stage.world[Paintings].items
    items["below"] = Painting("hud", parts=[boxes_at((12, 12))])
    items["above"] = Painting("hud", z=2.0, parts=[boxes_at((20, 20))])
    stage.shoot()
    assert [batch.count for batch in stage.batches] == [1, 1, 1]
    assert stage.pixel(18, 18) == [0, 255, 0]
    assert stage.pixel(22, 22) == [255, 0, 0]
