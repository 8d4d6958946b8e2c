"""Paints the characters of the keep, pixel by pixel."""

from __future__ import annotations

import numpy as np

from .clay import Clay, carve
from .noise import hashed

HERO = {
    "k": ("rock", 0.17), "r": ("cloak", 0.5), "d": ("cloak", 0.34), "D": ("cloak", 0.17), "l": ("cloak", 0.67),
    "L": ("cloak", 0.84), "s": ("skin", 0.7), "t": ("skin", 0.45), "e": ("rock", 0.0), "b": ("wood", 0.2),
    "B": ("wood", 0.4), "g": ("gold", 0.7), "h": ("rock", 0.34), "w": ("bone", 0.84),
}  # fmt: skip
FRONT = (
    ".....kkkk.....",
    "....kllLLk....",
    "...krllLLlk...",
    "...krlllllk...",
    "..kdrhhhhlrk..",
    "..kdhsssshrk..",
    "..kdhsesethk..",
    "..kdhssssthk..",
    "..kDdhtthhrk..",
    "...kwwwwwwk...",
    "..kdrwwwrrlk..",
    "..kdrrwrrrlk..",
    ".kddrrrrrrllk.",
    ".ksdrrrrrrlsk.",
    "..kdrrggrrlk..",
    "..kDdrrrrrlk..",
    "..kDddrrrrlk..",
    "...kDDddrrk...",
)
BACK = (
    ".....kkkk.....",
    "....kllLLk....",
    "...krllLLlk...",
    "...krllLllk...",
    "..kdrrllllrk..",
    "..kdrrrlllrk..",
    "..kdrrrrllrk..",
    "..kddrrrllrk..",
    "..kDddrrrrrk..",
    "...kwwwwwwk...",
    "..kdrrrwrrlk..",
    "..kdrrrrrrlk..",
    ".kddrrrrrrllk.",
    ".kddrrrrrrlrk.",
    "..kdrrrrrrlk..",
    "..kDdrrrrrlk..",
    "..kDddrrrrlk..",
    "...kDDddrrk...",
)
SIDE = (
    ".....kkkk.....",
    "....kllLLk....",
    "...krrllLLk...",
    "...krrlllhhk..",
    "..kdrrllhssk..",
    "..kdrrrlhsesk.",
    "..kddrrrhsssk.",
    "..kddrrrhsstk.",
    "..kDddrrrhhk..",
    "...kwwwwwwk...",
    "..wwdrrwrlk...",
    ".ww.kdrrrlk...",
    "...kddrrrllk..",
    "...kddrrrlsk..",
    "...kddrggrlk..",
    "...kDddrrrlk..",
    "..kDDddrrrlk..",
    "...kDDDddrk...",
)
FEET = {
    "front": ("....bB..bB....", "....bB........", "....bB..bB....", "........bB...."),
    "side": (".....bBbB.....", "...bB...bB....", ".....bB.......", "....bB.bB....."),
}
RAT = {
    "k": ("rock", 0.34), "f": ("wood", 0.5), "d": ("wood", 0.25), "l": ("wood", 0.7), "p": ("skin", 0.6),
    "e": ("rock", 0.0),
}  # fmt: skip
RATS = (
    (
        ".........k...",
        "...kkkk.kpk..",
        "..kflllkfllk.",
        ".pkdffffffelp",
        "p.kddffffdk..",
        "p..pd..dp....",
    ),
    (
        ".........k...",
        "...kkkk.kpk..",
        "p.kflllkfllk.",
        ".pkdffffffelp",
        "..kddffffdk..",
        "..dp....pd...",
    ),
)


def hero() -> list[Clay]:
    """Return twelve frames: four steps to the front, four to the back, four to the right."""
    found: list[Clay] = []
    for body, feet in ((FRONT, "front"), (BACK, "front"), (SIDE, "side")):
        for step in range(4):
            lifted = ["." * 14, *body[:-1]] if step % 2 == 0 else list(body)
            found.append(carve([*lifted, FEET[feet][step]], HERO, 0.8))
    return found


def rats() -> list[Clay]:
    """Return two steps, to the right."""
    return [carve(rows, RAT, 0.7) for rows in RATS]


def wraith() -> list[Clay]:
    """Return four frames of a floating rag with glowing eyes."""
    found: list[Clay] = []
    for step in range(4):
        clay = Clay(18, 22)
        turn = step * np.pi / 2
        sway = np.sin(clay.y * 0.55 + turn) * np.clip((clay.y - 8) / 8, 0, 1) * 1.6
        half = np.where(clay.y < 7, np.sqrt(np.clip(25 - (clay.y - 7) ** 2, 0, None)), 5 + (clay.y - 7) * 0.14)
        hem = 18 + 2.5 * np.sin((clay.x + sway) * 1.7 + turn) + hashed(clay.x.astype(int) // 2, step) * 2
        rag = (np.abs(clay.x - 9 - sway) < half) & (clay.y > 2) & (clay.y < hem)
        across = (clay.x - 9 - sway) / 6
        facing = np.stack([across, np.full(clay.shape, -0.1), np.sqrt(np.clip(1.1 - across**2, 0.1, None))], axis=-1)
        fold = 0.34 + 0.16 * np.sin(clay.x * 1.9 - sway * 2) - 0.018 * (clay.y - 8)
        clay.put(rag, "shade", fold, facing)
        clay.outline("shade", 0.0)
        clay.put(clay.oval(9 + sway[8, 8] * 0.5, 8, 3.6, 3.8) & rag, "rock", 0.02)
        for side in (-1.6, 1.6):
            eye = clay.oval(9 + side, 7.6, 0.9, 1.1)
            clay.put(eye, "cyan", 0.95)
            clay.shine(eye, "#8ff4ff")
        found.append(clay)
    return found
