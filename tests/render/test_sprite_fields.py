"""The other fields of a sprite: cells, repeats, snapping, materials, maps, and images of cameras."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import Assets, Transform
from rish_frame import Frame, Pass, Target
from rish_frame.frame import ADDITIVE, CELL_MIRRORED_X
from rish_render import Blend, Camera, Shape, Sprite
from rish_render.animation.sheet import SpriteSheet

COLORS = [(250, 40, 30, 255), (40, 220, 60, 255), (50, 90, 250, 255), (240, 220, 60, 255)]


def lay(stage, name, pixels):
    """Write an image into the game's folder."""
    (stage.world[Assets].root / name).write_bytes(stage.png(pixels))


def four_cells(stage):
    """Write `cells.png`: four colors, 8x8 each, two in a row."""
    pixels = np.zeros((16, 16, 4), np.uint8)
    for k, color in enumerate(COLORS):
        pixels[k // 2 * 8 : k // 2 * 8 + 8, k % 2 * 8 : k % 2 * 8 + 8] = color
    lay(stage, "cells.png", pixels)


def test_a_frame_is_a_cell_of_the_sheet(studio):
    """Cells are counted along the rows; an index beyond the last starts again; a change applies to the next frame."""
    stage = studio()
    four_cells(stage)
    sheet = SpriteSheet(cell=(8, 8))
    handles = [stage.put(20 + 20 * k, 50, Sprite(image="cells.png", frame=k), sheet) for k in range(6)]
    stage.shoot()
    assert [stage.pixel(20 + 20 * k, 50) for k in range(6)] == [list(COLORS[k % 4][:3]) for k in range(6)]
    stage.world.get(handles[0], Sprite).frame = 3
    stage.shoot()
    assert stage.pixel(20, 50) == list(COLORS[3][:3])
    assert stage.pixel(27, 50) == stage.pixel(5, 5), "a cell is drawn at its own size"


@pytest.mark.parametrize("filter_", ["nearest", "linear"])
def test_a_repeated_picture_is_one_grid(studio, filter_):
    """A repeated image is one grid of tiles without seams, with one anchor, that rotates with its entity."""
    stage = studio()
    four_cells(stage)
    repeated = Sprite(image="cells.png", repeat=(5, 3), anchor=(0, 0), sampling=filter_, flip_x=True)
    handle = stage.put(40, 30, repeated)
    stage.shoot()
    (batch,) = stage.batches
    assert (batch.kind, batch.filter) == ("tiles", filter_)
    assert batch.arrays["cells"].shape == (3, 5)
    assert (batch.arrays["cells"] & CELL_MIRRORED_X).all()
    assert stage.pixel(44, 34) == list(COLORS[3][:3]), "mirrored, the lower right cell comes first"
    assert stage.pixel(52, 34) == list(COLORS[2][:3])
    assert stage.pixel(44 + 64, 34 + 40) == list(COLORS[1][:3])
    assert stage.pixel(38, 34) == stage.pixel(124, 34) == stage.pixel(44, 80) == [15, 18, 26]
    stage.world.get(handle, Transform).rotation = math.pi / 2
    stage.app.frame()
    stage.shoot()
    assert stage.pixel(36, 34) == list(COLORS[3][:3])


def test_a_repeat_that_makes_no_sense_is_one_picture(studio):
    """A repeat of zero, one or less gives an ordinary sprite."""
    stage = studio()
    for k, repeat in enumerate([(0, 0), (1, 1), (0, 0.4)]):
        stage.put(40 + 40 * k, 30, Sprite(image="face.png", repeat=repeat))
    stage.shoot()
    assert [(batch.kind, batch.count) for batch in stage.batches] == [("sprites", 3)]


def test_what_snaps_lies_on_whole_pixels(studio):
    """A snapped sprite looks the same at any place of sprite and camera, also for odd sizes and quarter turns."""
    stage = studio()
    camera = stage.put(0, 0, Camera())
    odd = np.random.default_rng(1).integers(0, 255, (7, 5, 4)).astype(np.uint8)
    odd[..., 3] = 255
    lay(stage, "odd.png", odd)
    handle = stage.put(10, 10, Sprite(image="odd.png", snap=True))
    for turn in range(2):
        stage.world.get(handle, Transform).rotation = turn * math.pi / 2
        pictures = set()
        for step in range(5):
            stage.world.get(handle, Transform).position = (10 + step * 0.23, 10 - step * 0.41)
            stage.world.get(camera, Transform).position = (step * 0.37, step * 0.19)
            stage.app.frame()
            picture = stage.shoot()[..., :3]
            rows, columns = np.nonzero((picture != (15, 18, 26)).any(axis=2))
            box = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
            assert box.shape[:2] == ((7, 5) if turn == 0 else (5, 7))
            pictures.add(box.tobytes())
        assert len(pictures) == 1


def test_added_light_is_a_flag_of_the_frame(studio):
    """An additive sprite shares the batch of the others, and brightens what is below it."""
    stage = studio()
    stage.put(100, 100, Shape(size=(60, 60), color=(0.2, 0.2, 0.2, 1), z=-1))
    stage.put(100, 100, Sprite(size=(20, 20), color=(0.5, 0, 0, 1), blend=Blend.ADD))
    stage.put(140, 100, Sprite(size=(20, 20), color=(0.5, 0, 0, 1)))
    stage.shoot()
    assert [batch.kind for batch in stage.batches] == ["shapes", "sprites"]
    table = stage.world[Frame].frames
    first, second = (int(k) for k in stage.batches[1].arrays["instances"]["frame"])
    assert (table[first, 5], table[second, 5]) == (ADDITIVE, 0)
    assert stage.pixel(100, 100) == [51 + 128, 51, 51]
    assert stage.pixel(140, 100) == [128, 0, 0]


def test_maps_lie_row_for_row_beside_the_frames(studio, caplog):
    """A normal map of the right size is stored beside its frame; a map of a wrong size is logged."""
    stage = studio()
    four_cells(stage)
    lay(stage, "up.png", np.full((16, 16, 4), (128, 128, 255, 255), np.uint8))
    lay(stage, "small.png", np.full((4, 4, 4), 255, np.uint8))
    stage.put(50, 50, Sprite(image="cells.png", normal="up.png", region=(8, 0, 8, 8), flip_x=True))
    stage.put(90, 50, Sprite(image="cells.png"))
    stage.put(130, 50, Sprite(image="face.png", emission="small.png"))
    stage.shoot()
    stage.shoot()
    frame = stage.world[Frame]
    (batch,) = stage.batches
    mapped, plain, wrong = (int(k) for k in batch.arrays["instances"]["frame"])
    normal = frame.channels["normal"]
    assert normal.shape == frame.frames.shape
    own, beside = frame.frames[mapped], normal[mapped]
    assert beside[0] >= 0
    assert (own[3] - own[1], own[4] - own[2]) == (beside[3] - beside[1], beside[4] - beside[2]) == (-8, 8)
    assert normal[plain, 0] == normal[wrong, 0] == -1
    assert len([r for r in caplog.records if "small.png" in r.getMessage()]) == 1


def test_a_material_cuts_a_run(studio, caplog):
    """Sprites of one material are one batch; an unknown material is reported once, and the plain sprites are drawn."""
    stage = studio(strict=False)
    for k in range(3):
        stage.put(20 * k, 50, Sprite(image="face.png", material="shimer", z=1))
        stage.put(20 * k, 50, Sprite(image="face.png"))
    stage.shoot()
    stage.shoot()
    assert [(batch.count, batch.material) for batch in stage.batches] == [(3, None), (3, None)]
    assert len([r for r in caplog.records if "shimer" in r.getMessage()]) == 1


def test_a_sprite_shows_what_a_camera_sees(studio):
    """The sprite of a camera's image has the target's size, and its pass reads the target."""
    stage = studio()
    stage.put(1000, 1000, Shape(size=(50, 50), color=(0, 1, 0, 1)))
    stage.put(1000, 1000, Camera(target="mirror", target_size=(40, 20), primary=False, background=(1, 0, 0, 1)))
    stage.put(100, 100, Sprite(image="camera:mirror"))
    stage.shoot()
    stage.shoot()
    batch = next(batch for batch in stage.batches if batch.texture)
    assert batch.texture == "camera.mirror"
    assert stage.pixel(100, 100) == [0, 255, 0]
    assert stage.pixel(82, 92) == stage.pixel(118, 108) == [0, 255, 0]
    assert stage.pixel(122, 100) == [15, 18, 26]


def test_a_camera_that_is_not_there_is_a_checkerboard_and_one_line(studio, caplog):
    """A missing camera is drawn as a checkerboard and logged once; when the camera is spawned, its image is shown."""
    stage = studio()
    stage.put(100, 100, Sprite(image="camera:miror"))
    stage.shoot()
    stage.shoot()
    assert len([r for r in caplog.records if "miror" in r.getMessage()]) == 1
    assert stage.pixel(86, 114) == [255, 0, 255]
    stage.put(1000, 1000, Camera(target="miror", target_size=(40, 20), primary=False, background=(1, 0, 0, 1)))
    stage.shoot()
    stage.shoot()
    assert stage.pixel(100, 100) == [255, 0, 0]


def test_a_sprite_shows_the_picture_of_a_plugin(studio, caplog):
    """A picture that a plugin draws is shown in its size as soon as the frame names it among its cameras."""
    stage = studio()
    stage.put(100, 100, Sprite(image="camera:radar"))
    stage.shoot()
    frame = stage.world[Frame]
    frame.cameras["radar"] = (40, 20)
    frame.add_target(Target("camera.radar", (40, 20), clear=((0.0, 0.0, 1.0, 1.0),)), replace=True)
    frame.add_pass(Pass("radar", ("camera.radar",)))
    stage.shoot()
    stage.shoot()
    batch = next(batch for batch in stage.batches if batch.texture)
    assert batch.texture == "camera.radar"
    assert stage.pixel(82, 92) == stage.pixel(118, 108) == [0, 0, 255]
    assert stage.pixel(122, 100) == [15, 18, 26]
    assert len([r for r in caplog.records if "radar" in r.getMessage()]) == 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.png", b"\x89PNG\r\n\x1a\nnothing"),
        ("text.png", b"no picture at all"),
        ("huge.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100_000).to_bytes(4, "big") * 2 + b"\x08\x06\0\0\0\0\0\0\0"),
        ("wrong.txt", b"a text"),
    ],
)
def test_a_picture_that_can_not_be_shown_is_a_checkerboard_and_one_line(studio, caplog, name, content):
    """A corrupt, unknown or huge image file is drawn as a checkerboard, and the file is named once in the log."""
    stage = studio()
    (stage.world[Assets].root / name).write_bytes(content)
    stage.put(100, 100, Sprite(image=name))
    stage.put(200, 100, Sprite(image=name, region=(2, 2, 4, 4)))
    stage.shoot()
    stage.shoot()
    assert len([r for r in caplog.records if name in r.getMessage()]) == 1
    assert stage.pixel(86, 114) == [255, 0, 255]
