"""Warm-up before a scene begins: prepares the kernels from columns to batches, and a sample of each batch.

The reason is explained in `rish_frame.host.samples`. A small scene warms up only the code that its backend draws with;
see `rish_jit.ahead.precompiled`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_frame import INSTANCE, Batch, Frame
from rish_jit import worth_preparing

from ..components.visible import Shape, Sprite, Text
from ..packing.packer import READY
from ..tiles.component import TileMap
from .warm_up_motion import motion_features, motion_samples, names

if TYPE_CHECKING:
    from rish_ecs import World

_SQUARE = np.array([[8, 0, 0, 8, 8, 8]], np.float32)
_WHITE = np.full((1, 4), 255, np.uint8)


def warm_up(world: World) -> dict[str, Callable[[], object]]:
    """Return the features between columns and batches that this scene needs, for `rish_warm_up`."""
    packing = {"packing": READY.now} if worth_preparing(len(world.table(Transform))) else {}
    texts = {"texts": partial(_texts, world)} if names(world, Text) else {}
    sprites = {"sprites": partial(_sprite_looks, world)} if names(world, Sprite) else {}
    shapes = {"shapes": partial(_boxes, world)} if names(world, Shape) else {}
    return {**packing, **texts, **sprites, **shapes, **motion_features(world)}


def _texts(world: World) -> None:
    from ..kinds.text.drawing.shown import warm_up

    warm_up(world)


def _sprite_looks(world: World) -> None:
    from ..kinds.sprites.looks import warm_up

    warm_up(world)


def _boxes(world: World) -> None:
    from ..kinds.shapes.extract import warm_up

    warm_up(world)


def samples(world: World, frame: Frame) -> list[Batch]:
    """Return samples of each kind of batches that the scene may show, for `rish_samples`."""
    frame.set_frames([[0, 0, 0, 1, 1, 0]])
    tiles = _tiles() if names(world, TileMap) else []
    return [*_sprites(), *tiles, *_shapes(), *motion_samples(world)]


def _sprites() -> list[Batch]:
    """Return samples of sprites in both forms, with both filters and every blend."""
    packed = np.zeros(1, INSTANCE)
    packed["w"] = packed["h"] = 16
    wide = {"matrix": _SQUARE, "frame": np.zeros(1, np.uint16), "rgba": _WHITE}
    samples: list[Batch] = []
    for filter_ in ("nearest", "linear"):
        for blend in ("alpha", "multiply", "screen", "replace"):
            samples.append(Batch("sprites", {"instances": packed}, blend=blend, filter=filter_))
            samples.append(Batch("sprites_wide", wide, blend=blend, filter=filter_))
    return samples


def _tiles() -> list[Batch]:
    """Return samples of a grid of tiles, with both filters."""
    grid = {
        "cells": np.ones((1, 1), np.uint32), "grid": np.array([8, 0, 0, -8, 0, 8], np.float32), "rgba": _WHITE[0],
    }  # fmt: skip
    return [Batch("tiles", grid, filter=filter_) for filter_ in ("nearest", "linear")]


def _shapes() -> list[Batch]:
    """Return samples of a box, a line and a triangle in every blend."""
    number, point = np.ones(1, np.float32), np.array([[0, 0, 4, 4]], np.float32)
    box = {
        "matrix": _SQUARE, "half": np.ones((1, 2), np.float32), "corner": number, "line": number,
        "kind": np.zeros(1, np.uint8), "rgba": _WHITE, "rgba2": _WHITE, "edge": _WHITE,
    }  # fmt: skip
    corners = {
        "points": np.array([[0, 0], [4, 0], [0, 4]], np.float32), "starts": np.array([0, 3], np.int32),
        "triangles": np.array([[0, 1, 2]], np.int32), "rgba": _WHITE,
    }  # fmt: skip
    samples: list[Batch] = []
    for blend in ("alpha", "add", "multiply", "screen", "replace"):
        samples.append(Batch("shapes", box, blend=blend))
        samples.append(Batch("lines", {"points": point, "width": number, "rgba": _WHITE}, blend=blend))
        samples.append(Batch("polygons", corners, blend=blend))
    return samples
