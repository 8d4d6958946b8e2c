"""Repeated sprites: images side by side, as one grid without seams. At equal z they are below other sprites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Batch, WorldMatrices
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y
from rish_jit import Array

from ...components.visible import Sprite
from ...drawables.drawables import Drawables, Things
from .looks import SpriteLooks

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction
    from .parts import Part
    from .style import Styles


def repeated_sprites(scene: Extraction, styles: Styles, part: Part, shift: tuple[float, float]) -> list[Things]:
    """Return the repeated sprites of a part, each as a batch of `tiles`. shift: added to the positions."""
    table, looks = scene.world.table(Sprite), scene.world[SpriteLooks]
    repeats = looks.repeat[part.rows]
    which = np.flatnonzero((repeats > 0).any(axis=1) & table.column("visible")[part.rows])
    if not len(which):
        return []
    rows, repeat = part.rows[which], repeats[which]
    size = table.column("size")[rows]
    size = np.where(size > 0, size, looks.texels[rows])
    matrix = scene.world[WorldMatrices].rows(part.places[which])
    grids = _grids(matrix, size, repeat, table.column("anchor")[rows])
    grids[:, 4:] += np.array(shift, np.float32)
    groups = part.groups
    key = part.style.key[which]
    state = groups.state[key]

    def make(chosen: Array | slice, number: int) -> Batch:
        k = int(np.arange(len(which))[chosen][0])
        look = styles.states[int(state[k])]
        across, down = int(repeat[k, 0]), int(repeat[k, 1])
        frame = int(part.style.frame[which[k]])  # one of the four frames of an image: plain or flipped
        cell = ((frame & ~3) + 1) | CELL_MIRRORED_X * (frame & 1) | CELL_MIRRORED_Y * (frame >> 1 & 1)
        arrays = {
            "cells": np.full((down, across), cell, np.uint32),
            "grid": grids[k],
            "rgba": part.style.rgba[which[k] : which[k] + 1].view(np.uint8),
        }
        batch = Batch("tiles", arrays, source="render", **look.modes(scene.world))
        batch.material = look.material_in(scene.world)
        return batch

    return [Drawables(groups.layer[key], groups.z[key], matrix[:, 5], np.arange(len(which)), make)]


def _grids(matrix: Array, size: Array, repeat: Array, anchor: Array) -> Array:
    """Return the maps from column and row, from the top left corner, to the space of the pass, float32 (n, 6)."""
    across, up = matrix[:, 0:2] * size[:, :1], matrix[:, 2:4] * size[:, 1:]
    corner = matrix[:, 4:] - across * anchor[:, :1] * repeat[:, :1] + up * (1 - anchor[:, 1:]) * repeat[:, 1:]
    return np.concatenate([across, -up, corner], axis=1)
