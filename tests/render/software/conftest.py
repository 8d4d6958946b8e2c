"""Helpers for the tests of the software backend: images, scenes, and the formulas of blending."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rish_frame import Batch, Frame, pack_sprites
from rish_render.backends.software.backend import SoftwareBackend


def words(colors):
    """Return colors (..., 4) as uint32 pixels."""
    return np.ascontiguousarray(colors, dtype=np.uint8).view(np.uint32)[..., 0]


def channels(pixels):
    """Return uint32 pixels as (..., 4)."""
    return np.ascontiguousarray(pixels).view(np.uint8).reshape(*pixels.shape, 4)


def blended(d, s, mode):
    """Return the unrounded result of a blend mode for premultiplied colors 0..255."""
    d, s = np.asarray(d, float), np.asarray(s, float)
    a = s[..., 3:] / 255
    found = {
        "alpha": s + d * (1 - a),
        "add": d + s * [1, 1, 1, 0],
        "multiply": s * d / 255 + d * (1 - a),
        "screen": s + d * (1 - s / 255),
        "replace": s,
        "mask": d * a,
        "erase": d * (1 - a),
    }[mode]
    return np.minimum(found, 255)


def page(seed=0, width=64, height=48):
    """Return a premultiplied image with transparent, half transparent and opaque patches."""
    rng = np.random.default_rng(seed)
    alpha = np.kron(rng.choice([0, 90, 255, 255], (height // 4, width // 4)), np.ones((4, 4), int))
    rgb = np.kron(rng.integers(0, 256, (height // 4, width // 4, 3)), np.ones((4, 4, 1), int))
    return np.concatenate([(rgb * alpha[..., None] + 127) // 255, alpha[..., None]], axis=2).astype(np.uint8)


TABLE = [
    [0, 0, 0, 16, 16, 0], [0, 16, 0, 32, 16, 0], [0, 32, 0, 40, 8, 0], [0, 64, 16, 32, 48, 0], [0, 0, 16, 24, 48, 1],
    [0, 40, 0, 47, 5, 0], [7, 0, 0, 4, 4, 0],
]  # fmt: skip


class Stage:
    """A backend with a page and a frame table, and its frame."""

    def __init__(self, size=(96, 64), quality="exact", threads=1, seed=0):
        self.backend = SoftwareBackend(quality, threads=threads)
        self.backend.open("", size)
        self.backend.image(0, page(seed))
        self.frame = Frame(size)
        self.frame.set_frames(TABLE)

    def draw(self, *batches):
        """Draw these batches; return the screen, uint8 (h, w, 4)."""
        self.frame.reset()
        for batch in batches:
            self.frame.add(batch)
        self.stats = self.backend.draw(self.frame)
        return self.backend.pixels()

    def again(self, *batches, times=4):
        """Return the image after several drawings, so that bitmaps are used."""
        for _ in range(times):
            picture = self.draw(*batches)
        return picture


SIZES = np.array([row[3:5] for row in TABLE]) - np.array([row[1:3] for row in TABLE])


def crowd(n, seed=0, size=(96, 64), turned=True, scaled=True, **options):
    """Return a batch of n sprites at random places, some of them off the screen."""
    rng = np.random.default_rng(seed)
    frames = rng.choice([0, 1, 2, 4, 5, *([3] * scaled)], n)  # scaled only: between texels a mirrored image may differ
    own = np.abs(SIZES[frames])
    packed = pack_sprites(
        rng.uniform(-10, size[0] + 10, n),
        rng.uniform(-10, size[1] + 10, n),
        rng.choice([8, 16, 24], n) if scaled else own[:, 0],
        rng.choice([8, 16], n) if scaled else own[:, 1],
        rng.uniform(0, 7, n) if turned else 0,
        frames,
        np.where(rng.random((n, 1)) < 0.5, 255, rng.integers(0, 256, (n, 4))),
    )
    return Batch("sprites", {"instances": packed}, **options)


@pytest.fixture(scope="session")
def kit():
    """The functions and classes of this file."""
    return SimpleNamespace(**{name: thing for name, thing in globals().items() if name[0] != "_"})
