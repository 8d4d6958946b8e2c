"""Paints the keep's map as one image of stone and its normal map."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import yaml
from PIL import Image

from rish_jit import Array

from . import stone
from .noise import cloudy, distance, normals
from .palette import shade

CELL = 16
GROWN = 46
"""The first column of the map's caves."""


def read_rows(path: Path, layer: str) -> Array:
    """Return the characters of a layer of a map, (rows, columns)."""
    text = yaml.safe_load(path.read_text(encoding="utf-8"))["layers"][layer]
    return np.array([list(row) for row in text.split()])


def paint(path: Path) -> tuple[Image.Image, Image.Image]:
    """Return the image of a map, and its normal map."""
    marks = read_rows(path, "walls")
    wide = np.kron(marks == "#", np.ones((CELL, CELL))) > 0
    face = np.kron(marks == "w", np.ones((CELL, CELL))) > 0
    shape = wide.shape
    down = _below(face)
    inward = distance(wide, 28)
    grown = np.zeros(shape, np.bool_)
    wobble = (cloudy(shape, 40, 71) * 60).astype(np.int64)
    grown |= np.arange(shape[1])[None, :] + wobble - 30 > GROWN * CELL
    built_rim = ~grown
    parts = [
        (~wide & ~face & ~grown, stone.floor(shape)),
        (~wide & ~face & grown, stone.cave(shape)),
        (face & ~grown, stone.bricks(shape, down)),
        (face & grown, stone.cliff(shape, down)),
        (wide, stone.rock(shape, inward, built_rim)),
    ]
    color, height, lean = np.zeros((*shape, 3)), np.zeros(shape), np.zeros((*shape, 2))
    for where, (its_color, its_height, its_lean) in parts:
        color[where], height[where], lean[where] = its_color[where], its_height[where], its_lean[where]
    _inlay(color, height, ~wide & ~face)
    color *= _corners(wide, face)[..., None]
    picture = Image.fromarray(np.clip(color, 0, 255).astype(np.uint8))
    return picture, Image.fromarray(normals(height, 0.9, lean))


def _below(face: Array) -> Array:
    """Return int64: for each pixel of a wall's face, its distance in pixels from the upper end of the wall."""
    down = np.zeros(face.shape, np.int64)
    for y in range(1, len(face)):
        down[y] = np.where(face[y] & face[y - 1], down[y - 1] + 1, 0)
    return down


def _corners(wide: Array, face: Array) -> Array:
    """Return 0..1: how dirty and dark the floor is at the walls and in the corners of rooms."""
    near = distance(~(wide | face), 9)
    dusk = 0.58 + 0.42 * np.clip(near / 8, 0, 1)
    below = np.pad(face, ((9, 0), (0, 0)))[: len(face)]
    return np.where(wide, 1.0, np.where(face, 1.0, dusk * np.where(below & ~face, 0.93, 1)))


def _inlay(color: Array, height: Array, floor: Array) -> None:
    """Paint a ring of bronze and runes into the floor around the great brazier, in place."""
    y, x = np.mgrid[0 : color.shape[0], 0 : color.shape[1]] + 0.5
    dx, dy = x - 33 * CELL, y - 24 * CELL
    far, turn = np.hypot(dx, dy), np.arctan2(dy, dx)
    grain = cloudy(color.shape[:2], 5, 91, 2)
    spokes = np.abs((turn / (2 * np.pi) * 24 + 0.5) % 1 - 0.5) * far * 2 * np.pi / 24
    dark = (far < 62) & (far > 25) & floor
    color[dark] = shade("slab", 0.30 + 0.2 * (grain - 0.5) + 0.06 * (spokes > 2))[dark]
    height[dark] = ((grain - 0.5) * 0.8 + np.minimum(spokes, 2) * 0.5)[dark]
    runes = dark & (np.abs(far - 43.5) < 6.5) & _runes(turn, far - 43.5)
    bronze = dark & ((np.abs(far - 60) < 2) | (np.abs(far - 53) < 1) | (np.abs(far - 34) < 1) | (np.abs(far - 27) < 2))
    for where, bright in ((bronze, 0.44), (runes, 0.5)):
        color[where] = shade("gold", bright + 0.3 * (grain - 0.5))[where]
        height[where] += 1.0


def _runes(turn: Array, up: Array) -> Array:
    """Return the bool mask of 24 runes on a ring. up: pixels outwards from the ring's middle."""
    place = (turn / (2 * np.pi) * 24) % 24
    number = place.astype(np.int64)
    along = (place - number - 0.5) * 11.4
    staff = np.abs(along + (number % 3 - 1) * 1.5) < 0.9
    one = np.abs(up - along * (1 - 2 * (number % 2)) - (number % 5 - 2)) < 1.1
    two = np.abs(up + along * 0.8 + (number % 4 - 2) * 1.5) < 1.0
    inside = np.abs(along) < 3.6
    return inside & (np.abs(up) < 5.5) & (staff | (one & (number % 4 != 3)) | (two & (number % 3 == 0)))
