"""Chooses from the moments of a play: pictures that differ, the picture that shows most, and the stretch of the film.

A moment is looked at as a thumbnail, float32 (h, w, 3) from 0 to 1.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Thumbs = npt.NDArray[np.float32]
"""Thumbnails one after another: (n, h, w, 3)."""
Floats = npt.NDArray[np.float32]
_LEAST = 0.012
"""The least distance of two pictures, of 1: about three levels of 255 in every pixel."""
_JUMP = 0.15
"""The greatest change between two moments that counts as motion: what is above is a change of scene."""


def distances(thumbs: Thumbs, one: Thumbs) -> Floats:
    """Return the distance of each thumbnail to one: the mean difference of the channels, 0 to 1."""
    return np.abs(thumbs - one).mean(axis=(1, 2, 3))


def interest(thumbs: Thumbs) -> Floats:
    """Return how much there is to see in each thumbnail: its contrast, and the spread of its colors."""
    light = thumbs.mean(axis=3)
    colors = thumbs - light[..., None]
    return light.std(axis=(1, 2)) + 2 * np.abs(colors).mean(axis=(1, 2, 3))


def choose_pictures(thumbs: Thumbs, count: int, first: int) -> list[int]:
    """Return the indices of at most `count` thumbnails that differ from each other, in order. first: one of them.

    Each further one is the farthest from those that are chosen (Gonzalez 1985), where the distance counts for less if
    a picture is dull, or follows soon. Thumbnails that are nearly equal to a chosen one are left out.
    """
    shows = interest(thumbs)
    weight = np.minimum(1, shows / max(float(np.median(shows)), 1e-6))
    numbers, apart = np.arange(len(thumbs)), max(1.0, len(thumbs) / count)
    nearest, value = np.ones(len(thumbs), np.float32), weight
    chosen: list[int] = []
    best = first
    while len(chosen) < count and nearest[best] >= _LEAST:
        chosen.append(best)
        away = distances(thumbs, thumbs[best])
        nearest = np.minimum(nearest, away)
        value = np.minimum(value, away * weight * np.minimum(1, np.abs(numbers - best) / apart))
        best = int(np.where(nearest < _LEAST, -1, value).argmax())
    return sorted(chosen)


def choose_stretch(thumbs: Thumbs, length: int) -> int:
    """Return the first index of the stretch of some thumbnails in which most moves."""
    moves = np.abs(np.diff(thumbs, axis=0)).mean(axis=(1, 2, 3))
    moves[moves > _JUMP] = 0
    steps = min(length, len(moves))
    if steps == 0:
        return 0
    return int(np.convolve(moves, np.ones(steps, np.float32), "valid").argmax())


def main_picture(thumbs: Thumbs, length: int) -> int:
    """Return the index of a thumbnail that shows much and is typical of the stretch of the film.

    It is the one with the least distance to the others (medoid), of the half of them that show most. A menu in between
    the play is not typical.
    """
    first = choose_stretch(thumbs, length)
    part = thumbs[first : first + length + 1]
    shows = interest(part)
    away = np.array([np.median(distances(part, one)) for one in part])
    return first + int(np.where(shows >= np.median(shows), away, np.inf).argmin())
