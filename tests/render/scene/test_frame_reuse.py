"""Unchanged scenes and moving cameras cost no extraction, and changes are still detected."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rish_core import Disabled, Layers, Stage, Transform, system
from rish_frame import Batch, Frame
from rish_render import Camera, RenderSettings, Shape, Sprite, Text
from rish_render.drawables.extraction import RenderCache
from rish_render.drawables.kind import DrawableKinds
from rish_render.packing.packer import Packer


@pytest.fixture
def work(monkeypatch):
    """Count how often a scene was extracted, and how often sprites were packed."""
    done = SimpleNamespace(extracted=0, packed=0)
    all_, pack = DrawableKinds.extract, Packer.pack

    def extract(self, *args):
        done.extracted += 1
        return all_(self, *args)

    def packing(self, *args, **options):
        done.packed += 1
        return pack(self, *args, **options)

    monkeypatch.setattr(DrawableKinds, "extract", extract)
    monkeypatch.setattr(Packer, "pack", packing)
    return done


def scene(studio, **options):
    """Return sprites, a shape, a text, and a camera, after enough frames that everything is cached."""
    stage = studio(strict=False, **options)
    place = np.random.default_rng(2).uniform(0, 300, (50, 2)).astype(np.float32)
    stage.sprites = stage.world.spawn_many(50, Transform(position=place), Sprite(image="face.png"))
    stage.shape = stage.put(100, 100, Shape(size=(20, 20)))
    stage.text = stage.put(100, 140, Text(text="still"))
    stage.camera = stage.put(160, 120, Camera())
    for _ in range(4):
        stage.shoot()
    return stage


def test_a_still_picture_is_not_extracted_again(studio, work):
    """An unchanged frame is not extracted or packed again: its batches are the same objects, reported as static."""
    stage = scene(studio)
    done = work.extracted
    before = list(stage.batches)
    stage.shoot()
    assert work.extracted == done
    assert all(a is b for a, b in zip(before, stage.batches, strict=True))
    assert stage.app.host.shown.static_batches == len(before) == 3


def test_recorded_batches_of_others_leave_a_picture_still(studio, work):
    """A batch that another plugin records is no reason to extract again, until it differs."""
    side = [8.0]

    @system(Stage.EXTRACT, writes=Frame, before="render.extract")
    def draw(world, dt):
        arrays = {
            "points": np.array([[0, 0, side[0], 40]], np.float32),
            "width": np.ones(1, np.float32),
            "rgba": np.full((1, 4), 255, np.uint8),
        }
        world[Frame].record("other").add(Batch("lines", arrays, z=1, source="other"))

    stage = scene(studio, plugins={"other": SimpleNamespace(rish_systems=lambda: [draw])})
    done, before = work.extracted, list(stage.batches)
    stage.shoot()
    assert work.extracted == done
    assert all(a is b for a, b in zip(before, stage.batches, strict=True))
    assert sum(batch.kind == "lines" for batch in stage.batches) == 1
    picture = stage.app.pixels().copy()
    side[0] = 200.0
    stage.shoot()
    assert work.extracted == done + 1
    assert (stage.app.pixels() != picture).any()


CHANGES = {
    "a sprite moves": lambda s: setattr(s.world.get(int(s.sprites[3]), Transform), "position", (100, 100)),
    "a sprite is tinted": lambda s: setattr(s.world.get(int(s.sprites[3]), Sprite), "color", (1, 0, 0, 1)),
    "a sprite goes": lambda s: s.world.despawn(int(s.sprites[3])),
    "a sprite is disabled": lambda s: s.world.add(int(s.sprites[3]), Disabled),
    "a sprite comes": lambda s: s.put(50, 50, Sprite(image="face.png", size=(50, 50))),
    "a column is written": lambda s: setattr(s.world[Sprite], "opacity", 0.5),
    "a text changes": lambda s: setattr(s.world.get(s.text, Text), "text", "moved"),
    "a shape turns": lambda s: setattr(s.world.get(s.shape, Transform), "rotation", 0.5),
    "the camera moves": lambda s: setattr(s.world.get(s.camera, Transform), "position", (170, 120)),
    "the camera zooms": lambda s: setattr(s.world.get(s.camera, Camera), "zoom", 1.3),
    "a layer hides": lambda s: s.world[Layers].show("world", False),
    "the background changes": lambda s: setattr(s.world[RenderSettings], "background", (1, 1, 1, 1)),
}


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_is_seen_at_once(studio, change):
    """After each change the image equals one that is drawn without cached data."""
    stage = scene(studio)
    before = stage.shoot().copy()
    change(stage)
    after = stage.shoot()
    assert not np.array_equal(after, before)
    stage.world[RenderCache].clear()
    stage.shoot()
    difference = np.abs(after.astype(int) - stage.app.pixels().astype(int)).max(axis=2)
    assert (difference > 8).mean() < 0.002


def test_a_moving_camera_packs_nothing(studio, work):
    """A system that scrolls and zooms the camera and marks its row causes no packing: the same batch is reused."""
    stage = scene(studio)
    place, camera = stage.world[Transform], stage.world[Camera]
    row = place.row_of(stage.camera)
    shown = []
    for step in range(12):
        place.position[row] += (4, 1)
        place.mark(row)
        camera.zoom[0] = 1 + 0.02 * step
        camera.version += 1
        stage.shoot()
        shown.append(next(batch for batch in stage.batches if batch.kind == "sprites"))
        if step == 2:
            done = work.packed
    assert work.packed == done
    assert all(batch is shown[2] for batch in shown[3:])
    assert shown[-1].version == 0


def only_sprites(studio, layers=("world",)):
    """Return sprites and a camera that scrolls a little, after enough frames that the batches are cached."""
    stage = studio(strict=False, layers=list(layers))
    place = np.random.default_rng(2).uniform(0, 300, (50, 2)).astype(np.float32)
    stage.sprites = stage.world.spawn_many(50, Transform(position=place), Sprite(image="face.png"))
    stage.camera = stage.put(160, 120, Camera())
    for _ in range(5):
        scroll(stage)
        stage.shoot()
    return stage


def scroll(stage):
    """Move the camera a little."""
    place = stage.world.get(stage.camera, Transform)
    place.position = (place.position[0] + 2, place.position[1] + 1)


def test_a_moving_camera_over_sprites_extracts_nothing(studio, work):
    """A camera that moves over sprites causes no extraction: the batches stay, only the pass's camera changes."""
    stage = only_sprites(studio)
    done, before, cameras = work.extracted, list(stage.batches), []
    for _ in range(6):
        scroll(stage)
        stage.shoot()
        assert all(a is b for a, b in zip(before, stage.batches, strict=True))
        cameras.append(stage.world[Frame].passes["main"].camera.tobytes())
    assert work.extracted == done
    assert len(set(cameras)) == 6


SPRITE_CHANGES = {
    name: CHANGES[name]
    for name in (
        "a sprite moves", "a sprite is tinted", "a sprite goes", "a sprite is disabled", "a sprite comes",
        "a column is written", "a layer hides", "the background changes",
    )
} | {
    "a text comes": lambda s: s.put(100, 100, Text(text="here")),
    "a shape comes": lambda s: s.put(100, 100, Shape(size=(30, 30))),
    "the camera flies off": lambda s: setattr(s.world.get(s.camera, Transform), "position", (5000, 5000)),
    "the camera sees less": lambda s: setattr(s.world.get(s.camera, Camera), "viewport", (0, 0, 0.5, 0.5)),
    "a second camera comes": lambda s: s.put(60, 60, Camera(order=1, primary=False, viewport=(0.5, 0.5, 0.5, 0.5))),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("change", SPRITE_CHANGES.values(), ids=SPRITE_CHANGES)
def test_every_change_is_seen_while_the_camera_moves(studio, change):
    """After each change during camera motion the image equals one that is drawn without cached data."""
    stage = only_sprites(studio)
    scroll(stage)
    before = stage.shoot().copy()
    scroll(stage)
    change(stage)
    after = stage.shoot()
    assert not np.array_equal(after, before)
    stage.world[RenderCache].clear()
    stage.shoot()
    difference = np.abs(after.astype(int) - stage.app.pixels().astype(int)).max(axis=2)
    assert (difference > 8).mean() < 0.002


def test_a_layer_with_parallax_is_packed_where_it_stands(studio):
    """A layer with parallax moves at its own speed, so it is packed again for each view."""
    stage = only_sprites(studio, [{"far": {"parallax": [0.5, 0.5]}}])
    scroll(stage)
    kept = stage.shoot().copy()
    stage.world[RenderCache].clear()
    stage.shoot()
    difference = np.abs(kept.astype(int) - stage.app.pixels().astype(int)).max(axis=2)
    assert (difference > 8).mean() < 0.002


def test_scrolled_and_packed_anew_are_the_same_picture(studio):
    """Sprites packed for a wider window look the same as those packed for the exact view."""
    stage = scene(studio)
    for step in range(6):
        stage.world.get(stage.camera, Transform).position = (160 + 9.3 * step, 120 - 5.1 * step)
        kept = stage.shoot().copy()
    stage.world[RenderCache].clear()
    stage.shoot()
    difference = np.abs(kept.astype(int) - stage.app.pixels().astype(int)).max(axis=2)
    assert (difference > 8).mean() < 0.002


def test_the_camera_can_go_anywhere(studio, work):
    """A camera that moves far away shows other sprites, and after its return the first ones again."""
    stage = scene(studio)
    stage.put(5000, 5000, Sprite(image="face.png", size=(40, 40)))
    camera = stage.world.get(stage.camera, Transform)
    first = stage.shoot().copy()
    camera.position = (5000, 5000)
    stage.shoot()
    assert stage.pixel(160, 130) == [250, 210, 60]
    assert stage.world[Frame].culled >= 50
    camera.position = (160, 120)
    assert np.array_equal(stage.shoot(), first)


def test_what_moves_elsewhere_leaves_sprites_alone(studio, work):
    """An entity without a sprite that moves in each tick causes no packing."""
    stage = scene(studio)
    other = stage.put(0, 0)
    for _ in range(3):
        stage.shoot()
    done = work.packed
    for step in range(5):
        stage.world.get(other, Transform).position = (step, step)
        stage.shoot()
    assert work.packed == done


def test_a_moving_parent_moves_the_sprites_on_it(studio):
    """A moved parent moves its child sprites, even if it has no sprite itself and is the only marked row."""
    stage = studio(strict=False)
    parent = stage.put(100, 100)
    stage.put(0, 0, Sprite(image="face.png", size=(30, 30)), parent=parent)
    for _ in range(3):
        stage.shoot()
    stage.world.get(parent, Transform).position = (200, 100)
    stage.shoot()
    assert stage.pixel(200, 105) == [250, 210, 60]


def test_a_system_that_marks_is_believed(rish_app):
    """Only the rows that a marking system marks are drawn at their new place."""
    from rish_render import plugin

    @system(Stage.UPDATE, writes=Transform, marks=True)
    def shift(world, dt):
        table = world[Transform]
        table.position[:, 0] += 10
        table.mark(0)

    plugins = {"render": plugin, "mine": SimpleNamespace(rish_systems=lambda: [shift])}
    app = rish_app({}, plugins=plugins, strict=False)
    for k in range(2):
        app.world.spawn(Transform(position=(10, 20 + 40 * k)), Sprite(size=(4, 4)))
    app.frame()
    app.frame()
    drawn = next(b for s in app.world[Frame].steps() for b in s.batches)
    x = drawn.arrays["instances"]["x"] * drawn.unit / 8 + drawn.origin[0]
    assert x[0] == pytest.approx(30, abs=0.1)
