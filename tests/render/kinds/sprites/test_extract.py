"""Sprites become batches: packed if they fit, wide otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Transform
from rish_render import Blend, Sprite


def sprite_at(studio, x, y, rotation=0.0, scale=(1, 1), **fields):
    """Spawn one sprite of the test image."""
    return studio.put(x, y, Sprite(image="face.png", **fields), rotation=rotation, scale=scale)


def test_a_sprite_lies_around_its_position(studio):
    """An image of 16 texels covers 16 units around the position, with its own colors."""
    stage = studio()
    sprite_at(stage, 100, 100)
    stage.shoot()
    assert stage.pixel(100, 104) == [250, 210, 60]
    assert stage.pixel(100, 92 - 2) != [250, 210, 60]
    assert stage.batches[0].kind == "sprites"


def test_an_anchor_moves_the_picture(studio):
    """With the anchor at the bottom left the image is above and to the right of the position."""
    stage = studio()
    sprite_at(stage, 100, 100, anchor=(0, 0))
    stage.shoot()
    assert stage.pixel(108, 108) == [250, 210, 60]


def test_flips_mirror_the_picture(studio):
    """The red eye is on the right, and on the left when mirrored; a negative scale mirrors as well."""
    stage = studio()
    sprite_at(stage, 100, 100)
    sprite_at(stage, 130, 100, flip_x=True)
    sprite_at(stage, 160, 100, scale=(-1, 1))
    sprite_at(stage, 190, 100, flip_y=True)
    stage.shoot()
    red = [200, 30, 20]
    assert stage.pixel(103, 102) == red
    assert stage.pixel(126, 102) == red
    assert stage.pixel(156, 102) == red
    assert stage.pixel(193, 97) == red


def test_a_region_is_a_part_of_the_picture(studio):
    """A region of 2x2 texels at the red eye, drawn 20 units wide, is red everywhere."""
    stage = studio()
    sprite_at(stage, 100, 100, region=(10, 5, 2, 2), size=(20, 20))
    stage.shoot()
    assert stage.pixel(92, 92) == stage.pixel(108, 108) == [200, 30, 20]


@pytest.mark.parametrize(
    ("fields", "scale", "rotation"),
    [({"size": (5000, 10)}, (1, 1), 0.0), ({}, (300, 300), 0.0)],
    ids=["wide", "scaled"],
)
def test_what_sixteen_bytes_cannot_hold_is_drawn_wide(studio, fields, scale, rotation):
    """A sprite larger than 4095 units is drawn by a `sprites_wide` batch."""
    stage = studio()
    sprite_at(stage, 100, 100, rotation, scale, **fields)
    stage.shoot()
    assert [batch.kind for batch in stage.batches] == ["sprites_wide"]


def test_a_sheared_sprite_is_drawn_wide(studio):
    """A rotated child of a stretched parent is a parallelogram, which needs a `sprites_wide` batch."""
    stage = studio()
    parent = stage.put(100, 100, scale=(3, 1))
    stage.put(0, 0, Sprite(image="face.png"), rotation=0.5, parent=parent)
    stage.shoot()
    assert [batch.kind for batch in stage.batches] == ["sprites_wide"]


def test_unseen_sprites_are_left_out(studio):
    """Invisible sprites, those on hidden layers and those outside the view are in no batch."""
    stage = studio(layers=["world", {"secret": {"visible": False}}])
    sprite_at(stage, 100, 100, visible=False)
    sprite_at(stage, 100, 100, layer="secret")
    sprite_at(stage, 400, 100)
    stage.shoot()
    assert stage.batches == []


def test_runs_are_cut_only_where_the_state_changes(studio):
    """A thousand sprites of one state are one batch, even with an additive one among them; another blend splits it."""
    stage = studio()
    stage.world.spawn_many(1000, Transform(position=np.full((1000, 2), 50.0, np.float32)), Sprite(image="face.png"))
    stage.shoot()
    assert [batch.count for batch in stage.batches] == [1000]
    sprite_at(stage, 60, 60, blend=Blend.ADD, z=1)
    sprite_at(stage, 60, 60, z=2)
    stage.shoot()
    assert [(batch.count, batch.blend) for batch in stage.batches] == [(1002, "alpha")]
    sprite_at(stage, 60, 60, blend=Blend.MULTIPLY, z=1)
    stage.shoot()
    assert [(batch.count, batch.blend) for batch in stage.batches] == [(1001, "alpha"), (1, "multiply"), (1, "alpha")]


def test_still_things_give_the_same_batch_again(studio):
    """While nothing moves, the backend gets the same batch object with the same version and can keep its upload; then
    another batch or version.
    """
    stage = studio(strict=False)
    handle = sprite_at(stage, 100, 100)
    stage.shoot()
    first = stage.batches[0]
    for _ in range(3):
        stage.shoot()
    assert stage.batches[0] is first
    assert stage.app.host.shown.static_batches == 1
    version = first.version
    stage.world.get(handle, Transform).position = (110, 100)
    stage.shoot()
    assert stage.batches[0] is not first or first.version != version


def test_a_missing_image_is_a_checkerboard_and_one_line(studio, caplog):
    """A missing image is drawn as a checkerboard; one log line names the file and the nearest one."""
    stage = studio()
    stage.put(100, 100, Sprite(image="fase.png"))
    stage.put(200, 100, Sprite(image="fase.png"))
    stage.shoot()
    stage.shoot()
    lines = [record.getMessage() for record in caplog.records if "fase.png" in record.getMessage()]
    assert len(lines) == 1
    assert "face.png" in lines[0]
    assert stage.pixel(86, 114) == [255, 0, 255]


def test_an_image_that_changes_on_disk_is_shown_anew(studio):
    """After `assets.reload` the sprite shows the new image, even of another size."""
    from rish_core import Assets

    stage = studio()
    sprite_at(stage, 100, 100)
    stage.shoot()
    assets = stage.world[Assets]
    (assets.root / "face.png").write_bytes(stage.png(np.full((8, 8, 4), (0, 0, 255, 255), np.uint8)))
    assert assets.reload("face.png")
    stage.shoot()
    assert stage.pixel(100, 100) == [0, 0, 255]
    assert stage.pixel(106, 100) != [0, 0, 255]
