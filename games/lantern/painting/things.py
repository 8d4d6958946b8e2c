"""Paints the objects in the keep: pillars, crates, jars, fires and their holders."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from .clay import Clay
from .noise import cloudy, hashed

SOUTH = (0.0, -0.75, 0.66)


def _grain(clay: Clay, size: float, seed: int, much: float) -> Array:
    return (cloudy(clay.shape, size, seed, 2) - 0.5) * much


def pillar() -> Clay:
    """18 x 30: a plinth, a shaft of drums, and a capital, viewed from above."""
    clay = Clay(18, 30)
    grain = _grain(clay, 4, 3, 0.26)
    clay.put(clay.box(1, 21, 17, 30), "brick", 0.62 + grain - (clay.y > 28) * 0.2, SOUTH)
    clay.put(clay.box(1, 20, 17, 22), "brick", 0.86 + grain, (0, 0.1, 1))
    clay.put(clay.box(3, 8, 15, 21), "brick", 0.68 + grain - (np.abs(clay.y - 14) < 0.6) * 0.3, clay.column(9, 6))
    clay.put(clay.box(1, 5, 17, 10), "brick", 0.72 + grain - (clay.y > 9) * 0.25, SOUTH)
    clay.put(clay.box(1, 0, 17, 6) & clay.oval(9, 4, 10, 5), "brick", 0.84 + grain, (0, 0.15, 1))
    clay.put(clay.oval(9, 3.2, 4.5, 1.8), "brick", 0.66 + grain, (0, 0.15, 1))
    clay.outline("rock", 0.2)
    return clay


def crate() -> Clay:
    """16 x 18: boards with iron corners; the lid is two thirds of it."""
    clay = Clay(16, 18)
    grain = _grain(clay, 3, 5, 0.3)
    board = (clay.x % 4 < 1) * 0.2
    clay.put(clay.box(0, 0, 16, 12), "wood", 0.62 + grain - board, (0, 0.12, 1))
    clay.put(clay.box(0, 12, 16, 18), "wood", 0.46 + grain - (clay.y % 3 < 1) * 0.15, SOUTH)
    frame = clay.box(0, 0, 16, 12) & ~clay.box(2, 2, 14, 10)
    clay.put(frame, "wood", 0.74 + grain * 0.6, (0, 0.12, 1))
    clay.put(np.abs((clay.x - 8) * 0.62 - (clay.y - 6)) < 1.0 * clay.box(2, 2, 14, 10), "wood", 0.74, (0, 0.12, 1))
    for x in (0, 13):
        clay.put(clay.box(x, 0, x + 3, 3) | clay.box(x, 9, x + 3, 12), "iron", 0.7, (0, 0.2, 1))
        clay.put(clay.box(x, 12, x + 3, 18), "iron", 0.5, SOUTH)
    clay.outline("wood", 0.0)
    return clay


def barrel() -> Clay:
    """A barrel, 13 x 17."""
    clay = Clay(13, 17)
    grain = _grain(clay, 3, 7, 0.24)
    stave = (np.floor(clay.x / 2.6) % 2) * 0.12
    clay.put(clay.oval(6.5, 11, 6.5, 6) | clay.box(0.5, 5, 12.5, 12), "wood", 0.5 + grain - stave, clay.column(6.5, 7))
    hoops = ((np.abs(clay.y - 8.5) < 0.9) | (np.abs(clay.y - 13.5) < 0.9)) & clay.there
    clay.put(hoops, "iron", 0.55, clay.column(6.5, 7))
    clay.put(clay.oval(6.5, 4.2, 6.0, 4), "wood", 0.75, (0, 0.15, 1))
    clay.put(clay.oval(6.5, 4.2, 4.6, 2.9), "wood", 0.55 + grain - (clay.x % 3 < 1) * 0.12, (0, 0.15, 1))
    clay.outline("wood", 0.0)
    return clay


def plate(down: bool) -> Clay:
    """20 x 20: a pressure plate, up or down."""
    clay = Clay(20, 20)
    grain = _grain(clay, 4, 9, 0.2)
    clay.put(clay.box(0, 0, 20, 20), "slab", 0.16 + grain)
    inner, up = (clay.box(3, 3, 17, 17), 0.0) if down else (clay.box(2, 1, 18, 17), 0.2)
    clay.put(inner, "gold", 0.34 + grain + up)
    clay.put(inner & clay.box(5, 5, 15, 15) & ~clay.box(7, 7, 13, 13), "gold", 0.6 + up * 0.8)
    if not down:
        clay.put(clay.box(2, 16, 18, 18), "gold", 0.18, SOUTH)
    else:
        ring = clay.box(5, 5, 15, 15) & ~clay.box(7, 7, 13, 13)
        clay.shine(ring, "#ffb040", 0.7)
    return clay


def gate() -> Clay:
    """48 x 30: iron bars with points."""
    clay = Clay(48, 30)
    for x in range(4, 48, 8):
        clay.put(clay.box(x - 1.5, 2, x + 1.5, 27), "iron", 0.5, clay.column(x, 2))
        clay.put((np.abs(clay.x - x) < (30 - clay.y) * 0.6) & (clay.y > 26), "iron", 0.6, clay.column(x, 2))
    for y in (5, 14, 23):
        clay.put(clay.box(0, y - 1, 48, y + 2), "iron", 0.6 - (clay.y > y + 1) * 0.2, (0, 0.3, 1))
        for x in range(4, 48, 8):
            clay.put(clay.oval(x, y + 0.5, 1.6, 1.6), "iron", 0.85, (0, 0.2, 1))
    clay.outline("rock", 0.1)
    return clay


def tomb() -> Clay:
    """20 x 36: a stone coffin with a sword on its lid."""
    clay = Clay(20, 36)
    grain = _grain(clay, 5, 11, 0.2)
    clay.put(clay.box(0, 28, 20, 36), "brick", 0.46 + grain - (clay.y > 34) * 0.2, SOUTH)
    clay.put(clay.box(0, 0, 20, 29), "brick", 0.66 + grain, (0, 0.12, 1))
    lid = clay.box(2, 2, 18, 27)
    clay.put(lid, "brick", 0.54 + grain, (0, 0.12, 1))
    clay.put(clay.box(2, 2, 18, 3) | clay.box(2, 2, 3, 27), "brick", 0.36, (-0.4, 0.4, 1))
    clay.put(clay.box(9, 6, 11, 23), "bone", 0.72, clay.column(10, 1.5))
    clay.put(clay.box(6, 9, 14, 11), "bone", 0.62, (0, 0.3, 1))
    clay.put(clay.oval(10, 5.5, 1.8, 1.8), "gold", 0.75, clay.round(10, 5.5, 2, 2))
    clay.outline("rock", 0.2)
    return clay


def jar() -> Clay:
    """9 x 12: a jar of oil with a stopper."""
    clay = Clay(9, 12)
    clay.put(clay.oval(4.5, 7.5, 4.3, 4.3), "gold", 0.52 - (clay.x > 6) * 0.14, clay.round(4.5, 7.5, 4.4, 4.4))
    clay.put(clay.box(2.5, 2, 6.5, 4.5), "gold", 0.62, clay.column(4.5, 2.5))
    clay.put(clay.box(3, 0, 6, 2.5), "wood", 0.5, clay.column(4.5, 2))
    clay.put(clay.box(1, 6.6, 8, 8.2), "cloak", 0.6, clay.round(4.5, 7.5, 4.4, 4.4))
    clay.put(clay.box(2, 5, 3, 6), "gold", 0.95)
    clay.outline("wood", 0.05)
    return clay


def bracket(lit: bool) -> Clay:
    """9 x 16: the holder of a torch, burnt out or glowing."""
    clay = Clay(9, 16)
    clay.put(clay.box(3.2, 5, 5.8, 14), "wood", 0.5 - (clay.x > 5) * 0.15, clay.column(4.5, 1.6))
    clay.put(clay.box(2, 8, 7, 10), "iron", 0.6, clay.column(4.5, 3))
    clay.put(clay.box(3.5, 13, 5.5, 16), "iron", 0.4, clay.column(4.5, 1.6))
    clay.put(clay.oval(4.5, 4, 2.6, 2.4), "wood", 0.7 if lit else 0.12, clay.round(4.5, 4, 3, 3))
    clay.outline("rock", 0.05)
    if lit:
        clay.shine(clay.oval(4.5, 3.2, 2.4, 2.2), "#ffc060")
    return clay


def lamp() -> Clay:
    """11 x 14: an iron lamp on a chain, viewed from below."""
    clay = Clay(11, 14)
    clay.put(clay.box(5, 0, 6, 4), "iron", 0.5)
    clay.put(clay.box(2, 3, 9, 5), "iron", 0.6, (0, 0.4, 1))
    clay.put(clay.box(2.5, 5, 8.5, 11), "gold", 0.9)
    clay.put(clay.box(5, 5, 6, 11) | clay.box(1.5, 5, 2.5, 11) | clay.box(8.5, 5, 9.5, 11), "iron", 0.35)
    clay.put(clay.box(2, 11, 9, 13), "iron", 0.5, SOUTH)
    clay.shine(clay.box(2.5, 5, 8.5, 11) & ~clay.box(5, 5, 6, 11), "#ffd890")
    return clay


def lantern() -> Clay:
    """7 x 9: the hero's lantern."""
    clay = Clay(7, 9)
    clay.put(clay.box(2, 0, 5, 1) | clay.box(1, 1, 2, 2) | clay.box(5, 1, 6, 2), "iron", 0.6)
    clay.put(clay.box(1, 2, 6, 3.5), "gold", 0.55, (0, 0.4, 1))
    clay.put(clay.box(1, 3.5, 6, 7.5), "gold", 0.98)
    clay.put(clay.box(0.5, 3.5, 1.5, 7.5) | clay.box(5.5, 3.5, 6.5, 7.5), "gold", 0.35)
    clay.put(clay.box(1, 7.5, 6, 9), "gold", 0.45, SOUTH)
    clay.shine(clay.box(1.5, 3.5, 5.5, 7.5), "#ffe0a0")
    return clay


def brazier() -> Clay:
    """40 x 34: the great bowl of bronze on its foot, full of coals."""
    clay = Clay(40, 34)
    grain = _grain(clay, 4, 13, 0.2)
    clay.put(clay.box(3, 24, 37, 30), "brick", 0.62 + grain, (0, 0.12, 1))
    clay.put(clay.box(3, 29, 37, 34), "brick", 0.46 + grain - (clay.y > 33) * 0.2, SOUTH)
    clay.put(clay.oval(20, 27, 10, 3), "gold", 0.4 + grain, (0, 0.1, 1))
    clay.put(clay.box(16, 20, 24, 30), "gold", 0.4 + grain, clay.column(20, 4.5))
    bowl = clay.oval(20, 12, 19, 14) & (clay.y > 11)
    clay.put(bowl, "gold", 0.48 + grain - (clay.y - 12) * 0.012, clay.round(20, 8, 20, 18))
    clay.put(bowl & (np.abs(clay.y - 18) < 1.1), "gold", 0.74, clay.round(20, 8, 20, 18))
    clay.put(clay.oval(20, 11, 19.5, 8.6), "gold", 0.72 + grain, (0, 0.2, 1))
    clay.put(clay.oval(20, 11, 16.5, 6.6), "wood", 0.08)
    coal = hashed((clay.x // 3).astype(int), (clay.y // 2).astype(int), 8)
    clay.put(clay.oval(20, 11.4, 15.6, 5.8), "rock", 0.2 + 0.4 * coal, (0, 0.2, 1))
    clay.outline("wood", 0.0)
    return clay


def coals() -> Clay:
    """40 x 34: the glow in the bowl while it burns."""
    clay = Clay(40, 34)
    coal = hashed((clay.x // 3).astype(int), (clay.y // 2).astype(int), 8)
    bed = clay.oval(20, 11.4, 15.6, 5.8)
    clay.put(bed, "gold", 0.45 + 0.5 * coal)
    clay.shine(bed, "#ff9840", 0.5 + 0.5 * coal)
    return clay


def crystal(large: bool) -> Clay:
    """14 x 16 or 22 x 26: glowing prisms."""
    wide, high = (22, 26) if large else (14, 16)
    clay = Clay(wide, high)
    prisms = (
        ((0.3, -0.32, 0.62), (0.72, 0.34, 0.55), (0.5, 0.02, 1.0)) if large else ((0.3, -0.3, 0.66), (0.6, 0.1, 1.0))
    )
    for place, lean, tall in prisms:
        foot, top = high - 2.0, high - high * tall * 0.96
        middle = place * wide + lean * (foot - clay.y) * 0.6
        half = wide * 0.155 * np.clip((clay.y - top) / (wide * 0.2), 0, 1)
        inside = (np.abs(clay.x - middle) < half) & (clay.y > top) & (clay.y < foot)
        left = clay.x < middle - 0.4
        bright = 0.5 + 0.36 * left + (foot - clay.y) / high * 0.16
        side = np.where(left[..., None], (-0.6, 0.1, 0.7), (0.65, -0.1, 0.6))
        clay.put(inside, "violet", bright, side)
        clay.shine(inside, "#a66cff", 0.35 + 0.45 * left + 0.25 * (foot - clay.y) / high)
        clay.put(inside & (np.abs(clay.x - middle) < 0.6), "violet", 0.96, (0, 0, 1))
    clay.put(clay.oval(wide / 2, high - 2, wide * 0.42, 2.2) & ~clay.there, "cave", 0.4, (0, -0.2, 1))
    return clay


def mushroom() -> Clay:
    """14 x 13: three glowing mushroom caps."""
    clay = Clay(14, 13)
    for x, y, size in ((3.5, 7.5, 2.6), (10.5, 8.5, 2.3), (7, 4.5, 3.8)):
        clay.put(clay.box(x - 0.9, y, x + 0.9, 12), "bone", 0.55, clay.column(x, 1.5))
        cap = clay.oval(x, y, size, size * 0.8) & (clay.y < y + 1)
        clay.put(cap, "green", 0.6 + (y - clay.y) * 0.08, clay.round(x, y, size, size))
        clay.shine(cap, "#5cff9c", 0.45 + (y - clay.y) * 0.08)
        clay.put(clay.box(x - 1.4, y - 1.6, x - 0.2, y - 0.6) & cap, "green", 0.95)
    return clay


def ember() -> Clay:
    """9 x 9, white; the game tints it in the ember's color."""
    clay = Clay(9, 9)
    far = np.hypot(clay.x - 4.5, clay.y - 4.5)
    clay.put((np.abs(clay.x - 4.5) + np.abs(clay.y - 4.5)) < 4.6, "bone", 1.0 - far * 0.13)
    clay.shine(clay.there, "#ffffff", 1 - far * 0.12)
    return clay


def life() -> Clay:
    """9 x 11, white: a small flame that the game tints."""
    clay = Clay(9, 11)
    body = clay.oval(4.5, 7, 3.6, 3.8) | ((np.abs(clay.x - 4.2) < (clay.y - 0.5) * 0.5) & (clay.y < 7))
    clay.put(body, "bone", 0.99)
    clay.put(clay.oval(4.5, 8.2, 1.7, 2.0), "bone", 0.6)
    return clay
