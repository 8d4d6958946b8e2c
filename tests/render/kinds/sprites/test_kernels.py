"""The kernels of looks give what numpy computes from the same columns."""

from __future__ import annotations

import numpy as np
import pytest

from rish_frame import NullBackend
from rish_render import Blend, Sprite
from rish_render.drawables.colors import rgba_bytes
from rish_render.kinds.sprites.looks import SpriteLooks
from rish_render.materials import material_images as module

FRAMES = 4
PLAIN = module.Maps("", "", additive=False)


@pytest.fixture
def sprites(monkeypatch, studio):
    """Return a World of random sprites, in which each image has a frame and a size of its own."""
    random, seen = np.random.default_rng(3), {}

    def frame_of(self, world, path, region=module.WHOLE, beside=PLAIN):
        number = seen.setdefault((path, region, beside), len(seen))
        return FRAMES * number, 10 + number, 20 + number

    monkeypatch.setattr(module.Pictures, "frame_of", frame_of)
    world, count = studio(backend=NullBackend(), strict=False).world, 300
    names = np.array([world.intern(f"{letter}.png") for letter in "abcd"], np.int32)
    maps = np.array([0, world.intern("normal.png")], np.int32)
    region = np.where(random.integers(0, 3, (count, 1)) > 0, random.integers(0, 2, (count, 4)), 0).astype(np.float32)
    world.spawn_many(
        count, Sprite(
            image=names[random.integers(0, 4, count)], normal=maps[random.integers(0, 2, count)], region=region,
            blend=random.integers(0, len(Blend), count), visible=random.integers(0, 3, count) > 0,
            size=random.integers(0, 2, (count, 2)) * np.float32(7), anchor=random.uniform(0, 1, (count, 2)),
            flip_x=random.integers(0, 2, count) > 0, flip_y=random.integers(0, 2, count) > 0,
            color=random.uniform(0, 1, (count, 4)), opacity=random.uniform(0, 1, count),
        ),
    )  # fmt: skip
    world[Sprite].repeat[:] = random.choice([0, 1, 2.6, 9000, np.nan], (count, 2))
    return world, seen


def test_looks_are_those_of_the_columns(sprites):
    """Each sprite has the frame and the size of its image, its color as bytes, and the other values of its row."""
    world, seen = sprites
    looks, table = world[SpriteLooks], world[Sprite]
    region = np.where(table.region[:, 2:3] > 0, table.region, 0).astype(int)
    adds = table.blend == list(Blend).index(Blend.ADD)
    numbers = np.array([
        seen[(world.text(image), tuple(part), module.Maps(world.text(normal), "", bool(add)))]
        for image, part, normal, add in zip(
            table.image.tolist(), region.tolist(), table.normal.tolist(), adds, strict=True
        )
    ])  # fmt: skip
    assert len(set(numbers.tolist())) == len(seen) > 20
    assert (looks.frame == FRAMES * numbers + table.flip_x + 2 * table.flip_y).all()
    assert (looks.texels == numbers[:, None] + [10, 20]).all()
    assert (looks.rgba.view(np.uint8).reshape(-1, 4) == rgba_bytes(table.color.copy(), table.opacity)).all()
    assert (looks.shift == np.float32(0.5) - table.anchor).all()
    whole = np.minimum(np.floor(np.nan_to_num(table.repeat) + 0.5), 4096)
    several = (whole > 1).any(axis=1)
    assert (looks.repeat == np.where(several[:, None], np.maximum(whole, 1), 0)).all()
    size = np.where(table.size > 0, table.size, looks.texels)
    assert (looks.size == np.where((table.visible & ~several)[:, None], size, 0)).all()
