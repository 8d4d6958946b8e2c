"""Emission from the solid parts of an image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rish_particles import emit
from rish_particles.preset import EmitterShape


@pytest.fixture
def letter(new_yard: Any, tmp_path: Path) -> Any:
    """A yard with an image of an L: 8 by 16 texels, a bar at the left and one below; the rest is transparent."""
    folder = tmp_path / "letters"
    folder.mkdir()
    pixels = np.zeros((16, 8, 4), np.uint8)
    pixels[:, :, 3] = 100
    pixels[:, :2, 3] = pixels[14:, :, 3] = 255
    Image.fromarray(pixels).save(folder / "l.png")
    Image.fromarray(np.zeros((4, 4, 4), np.uint8)).save(folder / "glass.png")
    return new_yard(folder=folder)


def test_particles_are_born_where_a_picture_is_solid(letter: Any):
    """Particles are emitted on the solid texels only, equally often; a texel is a unit, centered on the emitter."""
    emit(letter.world, letter.add(capacity=9000, shape=EmitterShape("image", image="l.png")), (100, 50), count=8800)
    found = letter.run().particles()
    column, row = np.floor(found["x"] - 96).astype(int), np.floor(58 - found["y"]).astype(int)
    assert (((column < 2) | (row >= 14)) & (column >= 0) & (column < 8) & (row >= 0) & (row < 16)).all()
    places, counts = np.unique(row * 8 + column, return_counts=True)
    assert len(places) == 16 * 2 + 2 * 6
    assert counts.min() > 130
    assert counts.max() < 280


def test_a_picture_can_be_stretched(letter: Any):
    """An image can be stretched to a size in units."""
    emit(letter.world, letter.add(shape=EmitterShape("image", (80.0, 32.0), image="l.png")), (0, 0), count=900)
    found = letter.run().particles()
    assert (found["x"].min(), found["x"].max()) == pytest.approx((-35, 35))
    assert (found["y"].min(), found["y"].max()) == pytest.approx((-15, 15))


def test_a_picture_of_glass_has_its_middle(letter: Any):
    """A fully transparent image emits at its middle."""
    emit(letter.world, letter.add(shape=EmitterShape("image", image="glass.png")), (7, 8), count=3)
    found = letter.run().particles()
    assert found["x"].tolist() == [7] * 3


def test_a_picture_that_is_missing_counts_as_solid(letter: Any):
    """A missing image counts as solid, like its placeholder, and the game continues."""
    emit(letter.world, letter.add(shape=EmitterShape("image", image="gone.png")), (0, 0), count=50)
    assert letter.run().live() == 50
