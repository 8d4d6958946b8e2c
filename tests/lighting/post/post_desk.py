"""A desk: one image under a chain of effects, drawn by either backend without a game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from rish_core import Assets, World
from rish_frame import Backend, BackendError, Batch, Frame, Page, Pass
from rish_frame.backend import sync_pages
from rish_frame.frame import identity
from rish_lighting.post.chain import Post, set_post
from rish_lighting.post.effect import effect_of
from rish_lighting.post.effect_library import EffectLibrary
from rish_lighting.post.effects.builtin import EFFECTS
from rish_lighting.post.passes import KIND, Source, post

SIZE = (192, 108)
WHOLE = np.array([[2, 0, 0, 2, 0, 0]], np.float32)


def picture(size: tuple[int, int] = SIZE) -> np.ndarray:
    """Return uint8 (h, w, 4), opaque: gradients, lights, stripes and single bright texels."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width]
    made = np.full((height, width, 4), 255, np.uint8)
    made[..., 0] = 30 + 90 * x / width
    made[..., 1] = 20 + 60 * y / height
    made[..., 2] = 90 - 60 * x / width
    made[(x // 6) % 2 == 0, 2] //= 2
    for k, color in enumerate([(255, 220, 120), (90, 160, 255), (255, 60, 40), (255, 255, 255)]):
        far = np.hypot(x - width * (0.2 + 0.2 * k), y - height * (0.3 + 0.12 * k))
        made[far < height * 0.1, :3] = color
    made[height // 4 :: 17, width // 3 :: 23, :3] = 255
    return made


class Desk:
    """Draws an image and the effects over it. world: the world of the systems; `light` is an image of floats."""

    def __init__(self, backend: Backend, size: tuple[int, int] = SIZE) -> None:
        self.backend, self.size = backend, size
        self.frame = Frame(size)
        library = EffectLibrary({effect.name: effect for effect in map(effect_of, EFFECTS) if effect is not None})
        self.world = World()
        for resource in (self.frame, Post(), Source(), library, Assets(None)):
            self.world.put(resource)
        self.known: dict[int, int] = {}

    def paint(self, pixels: np.ndarray) -> None:
        """Replace the world's image by this one, uint8 (h, w, 4)."""
        height, width = pixels.shape[:2]
        number = self.frame.pages[0].version + 1 if self.frame.pages else 1
        self.frame.pages = [Page(1, pixels, number)]
        self.frame.set_frames([[1, 0, 0, width, height, 0]])

    def show(self, chain: Sequence[Any] = (), dt: float = 0.0) -> np.ndarray:
        """Return the canvas, uint8 (h, w, 4), under a chain."""
        set_post(self.world, chain)
        return self.draw(dt)

    def draw(self, dt: float = 0.0) -> np.ndarray:
        """Return the next frame."""
        if not self.frame.pages:
            self.paint(picture(self.size))
        self.frame.reset()
        main = self.frame.passes["main"]
        main.view, main.projection = identity(), identity()
        arrays = {"matrix": WHOLE, "frame": np.zeros(1, np.uint16), "rgba": np.full((1, 4), 255, np.uint8)}
        main.batches.append(Batch("sprites_wide", arrays, blend="replace"))
        post(self.world, dt)
        sync_pages(self.backend, self.frame, self.known)
        stats = self.backend.draw(self.frame)
        assert not stats.skipped
        return self.backend.pixels(self.frame.canvas)


class FloatPicture:
    """Draws an array of floats onto a target, instead of lights."""

    needs: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.light = np.zeros((0, 0, 4), np.float32)

    def draw(self, device: Any, target: Any, batch: Batch, pass_: Pass) -> None:
        """Copy the array."""
        if device is None:
            target.colors[0][...] = self.light
        else:
            target.colors[0].write(np.ascontiguousarray(self.light[::-1]).astype(np.float16).tobytes())


def opened(make: Callable[[], Any], effects: Callable[[], Any], size: tuple[int, int] = SIZE) -> Any:
    """Return an open backend with drawers, or skip."""
    backend = make()
    backend.add_drawer(KIND, effects())
    try:
        backend.open("post", size, False)
    except BackendError as error:
        pytest.skip(str(error))
    return backend
