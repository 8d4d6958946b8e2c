"""Grades of global illumination: how fine the grid is, and how many directions are looked in."""

from __future__ import annotations

from typing import NamedTuple


class Grade(NamedTuple):
    """side: texels along the longer side of the picture, on a card and in memory. directions: of the first cascade."""

    side: int
    plain_side: int
    directions: int


GRADES = {"low": Grade(128, 64, 8), "medium": Grade(256, 96, 8), "high": Grade(384, 128, 16)}
