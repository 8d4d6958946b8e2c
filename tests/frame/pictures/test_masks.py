"""ImageMask: the opacity of images without a renderer, with limited memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rish_core import Assets
from rish_core.assets import LOADERS
from rish_ecs import UsageError, World
from rish_frame.pictures.images import LOADERS as IMAGES
from rish_frame.pictures.masks import ImageMask

PIL = pytest.importorskip("PIL.Image")


def save(folder: Path, name: str, opacity: int, size: tuple[int, int] = (8, 4)) -> None:
    """Write an image of (width, height) with one opacity."""
    pixels = np.full((size[1], size[0], 4), opacity, dtype=np.uint8)
    pixels[0, 0, 3] = 7
    PIL.fromarray(pixels).save(folder / name)


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A World with the assets of a folder and their masks."""
    save(tmp_path, "a.png", 200)
    world = World()
    world.put(Assets(tmp_path, {**LOADERS, **IMAGES}))
    world.put(ImageMask())
    world[ImageMask].rebuild(world)
    return world


def test_a_mask_is_the_opacity_of_the_file(world: World) -> None:
    """A mask has the file's opacity by asset number or path, height by width, the top row first."""
    mask = world[ImageMask].of(world.intern("a.png"))
    assert (mask.shape, mask.dtype) == ((4, 8), np.uint8)
    assert mask[0, 0] == 7
    assert (mask.ravel()[1:] == 200).all()
    assert mask.flags.c_contiguous
    assert world[ImageMask].of("a.png") is mask


def test_a_missing_image_is_as_solid_as_its_placeholder(world: World) -> None:
    """A missing image has the opaque mask of its placeholder."""
    assert (world[ImageMask].of("none.png") == 255).all()


def test_what_is_no_image_has_no_mask(world: World, tmp_path: Path) -> None:
    """The mask of a text asset is an error with a message."""
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(UsageError, match=r"'a\.txt' is not an image"):
        world[ImageMask].of("a.txt")
    with pytest.raises(UsageError, match="belongs to no world"):
        ImageMask().of("a.png")


def test_those_unused_for_longest_are_dropped(world: World, tmp_path: Path) -> None:
    """The least recently used masks are dropped to keep the limit; a dropped one is decoded again equally."""
    masks = world[ImageMask]
    masks.limit = 100
    for i in range(4):
        save(tmp_path, f"{i}.png", i)
    first = masks.of("0.png")
    for i in (1, 2, 0, 3):
        masks.of(f"{i}.png")
    assert list(masks) == ["2.png", "0.png", "3.png"]
    assert masks.of("0.png") is first
    assert (masks.of("1.png").ravel()[1:] == 1).all()
    assert sum(masks.of(path).nbytes for path in masks) <= 100


def test_one_mask_is_kept_however_large(world: World) -> None:
    """A single image above the limit still has a mask."""
    world[ImageMask].limit = 1
    assert world[ImageMask].of("a.png") is world[ImageMask].of("a.png")


def test_an_edited_image_has_a_new_mask(world: World, tmp_path: Path) -> None:
    """A reload of an image updates its mask."""
    before = world[ImageMask].of("a.png")
    save(tmp_path, "a.png", 90)
    assert world[Assets].reload("a.png")
    assert world[ImageMask].of("a.png")[1, 1] == 90
    assert before[1, 1] == 200


def test_masks_are_no_state(world: World) -> None:
    """Decoding an image changes no hash, and a restored world has its masks."""
    saved, before = world.snapshot(), world.hash()
    mask = world[ImageMask].of("a.png").copy()
    assert world.hash() == before
    world.restore(saved)
    assert (world[ImageMask].of("a.png") == mask).all()
