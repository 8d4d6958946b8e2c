"""The bounds of batches contain everything that they draw."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_frame import ArraySpec, Batch, BatchKind, pack_sprites
from rish_render.extract.bounds import EMPTY, bounds_of

F32 = np.float32


def sprite(turn: float) -> Batch:
    """Return one sprite of 40x20 at 100, 50, packed with a unit of 0.5."""
    packed = pack_sprites(100, 50, 40, 20, turn, origin=(90.0, 40.0), unit=0.5)
    return Batch("sprites", {"instances": packed}, origin=(90.0, 40.0), unit=0.5)


@pytest.mark.parametrize("turn", [0.0, 0.3, 2.0])
def test_a_sprite(turn):
    """The bounds of a rotated sprite reach its corners, whatever unit the batch has."""
    w, h = abs(40 * math.cos(turn)) + abs(20 * math.sin(turn)), abs(40 * math.sin(turn)) + abs(20 * math.cos(turn))
    expected = (100 - w / 2, 50 - h / 2, 100 + w / 2, 50 + h / 2)
    assert bounds_of([sprite(turn)]) == pytest.approx(expected, abs=0.1)


def test_every_standard_kind():
    """The bounds of each standard kind equal those computed by hand, alone and together."""
    matrix = {"matrix": np.array([[10, 0, 0, 4, 5, 5]], F32)}
    lines = {"points": np.array([[0, 0, 30, -10]], F32), "width": np.array([4], F32)}
    points = {"points": np.array([[0, 0], [7, 1], [3, 9]], F32), "starts": np.array([0, 3], np.int32)}
    tiles = {"cells": np.zeros((3, 2), np.uint32), "grid": np.array([16, 0, 0, -16, 100, 200], F32)}
    boxes = {
        "sprites_wide": (matrix, (0, 3, 10, 7)),
        "shapes": (matrix, (0, 3, 10, 7)),
        "lines": (lines, (-2, -12, 32, 2)),
        "polygons": (points, (0, 0, 7, 9)),
        "tiles": (tiles, (100, 152, 132, 200)),
    }
    for kind, (arrays, expected) in boxes.items():
        assert bounds_of([Batch(kind, arrays, count=1)]) == expected
    everything = [Batch(kind, arrays, count=1) for kind, (arrays, _) in boxes.items()]
    assert bounds_of(everything) == (-2, -12, 132, 200)


def test_nothing_and_the_unknown():
    """No batch gives empty bounds, an unknown kind gives None, and NaN is ignored."""
    assert bounds_of([]) == EMPTY
    assert bounds_of([Batch("fog", {"density": np.zeros(3)})]) is None
    broken = {"matrix": np.array([[10, 0, 0, 4, 5, 5], [np.nan] * 6], F32)}
    assert bounds_of([Batch("shapes", broken)]) == (0, 3, 10, 7)


def test_a_kind_tells_its_bounds():
    """The bounds of a kind of a plugin are those that the kind returns."""
    spec = {"center": ArraySpec(np.dtype(F32), ("n", 2), "x and y")}
    kind = BatchKind("fog.puffs", "Puffs.", spec, bounds=lambda b: (b.arrays["center"] - 3, b.arrays["center"] + 3))
    assert bounds_of([Batch(kind, {"center": np.array([[10, 20], [30, 0]], F32)})]) == (7, -3, 33, 23)
