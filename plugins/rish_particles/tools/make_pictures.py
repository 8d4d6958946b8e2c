"""Draws the particle images that ship with the plugin: white on transparent, so that a preset's colors are
unchanged.

python plugins/rish_particles/tools/make_pictures.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from rish_jit import Array

FOLDER = Path(__file__).parents[1] / "src" / "rish_particles" / "pictures"
FINE = 8
"""Each texel is the mean of FINE x FINE samples."""


def plane(width: int, height: int) -> tuple[Array, Array]:
    """Return x and y of each sample, from -1 to 1 across the longer side, y up."""
    longer = max(width, height)
    x = (np.arange(width * FINE) + 0.5) / FINE * 2 / longer - width / longer
    y = height / longer - (np.arange(height * FINE) + 0.5) / FINE * 2 / longer
    across, up = np.meshgrid(x, y)
    return across, up


def smooth(a: float, b: float, x: Array) -> Array:
    """Return 0 below a, 1 above b, and a smooth transition between (smoothstep)."""
    t = np.clip((x - a) / (b - a), 0, 1)
    return t * t * (3 - 2 * t)


def save(name: str, opacity: Array, light: Array | float = 1.0) -> None:
    """Write an image from samples of its opacity and of its brightness, 0..1."""
    high, wide = (side // FINE for side in opacity.shape)

    def texels(samples: Array) -> Array:
        return samples.reshape(high, FINE, wide, FINE).mean(axis=(1, 3))

    opacity = np.clip(opacity, 0, 1)
    alpha = texels(opacity)
    bright = texels(np.broadcast_to(light, opacity.shape) * opacity) / np.maximum(alpha, 1e-6)
    gray = np.where(alpha > 0, np.clip(bright, 0, 1), 1.0)
    pixels = np.stack([gray, gray, gray, alpha], axis=2)
    Image.fromarray((pixels * 255 + 0.5).astype(np.uint8)).save(FOLDER / f"{name}.png", optimize=True)


def noise(x: Array, y: Array, seed: int, octaves: int = 4) -> Array:
    """Return smooth noise around 0; each octave is twice as fine and half as strong."""
    rng = np.random.default_rng(seed)
    total = np.zeros_like(x)
    for octave in range(octaves):
        size = 3 * 2**octave
        knots = rng.uniform(-1, 1, (size + 2, size + 2))
        u, v = (np.clip((part + 1) / 2, 0, 0.9999) * size for part in (x, y))
        i, j = u.astype(int), v.astype(int)
        u, v = (part * part * (3 - 2 * part) for part in (u - i, v - j))
        low = knots[j, i] * (1 - u) + knots[j, i + 1] * u
        high = knots[j + 1, i] * (1 - u) + knots[j + 1, i + 1] * u
        total += (low * (1 - v) + high * v) / 2**octave
    return total


def make_round() -> None:
    """Draw the images without a direction: soft, glow, dot, ring, bubble, star."""
    x, y = plane(64, 64)
    r = np.hypot(x, y)
    save("soft", np.exp(-4.5 * r * r) * smooth(1.0, 0.75, r))
    save("glow", (0.75 * np.exp(-26 * r * r) + 0.4 * np.exp(-5 * r * r)) * smooth(1.0, 0.6, r))
    save("dot", smooth(0.94, 0.88, r))
    save("ring", np.exp(-((r - 0.8) ** 2) * 160) * smooth(1.0, 0.95, r))
    save(
        "bubble",
        smooth(0.95, 0.9, r)
        * (0.12 + 0.75 * smooth(0.55, 0.95, r) + 0.9 * np.exp(-22 * ((x + 0.35) ** 2 + (y - 0.4) ** 2))),
    )
    cross = np.exp(-np.abs(x) * 26) * np.exp(-np.abs(y) * 3.4) + np.exp(-np.abs(y) * 26) * np.exp(-np.abs(x) * 3.4)
    save("star", (cross + 0.8 * np.exp(-42 * r * r)) * smooth(1.0, 0.7, r))


def make_smoke() -> None:
    """Draw a sheet of four puffs, each of overlapping discs, lit a little from above."""
    sheet, shade = [], []
    for seed in range(4):
        x, y = plane(64, 64)
        rng = np.random.default_rng(40 + seed)
        body, light = np.zeros_like(x), np.zeros_like(x)
        for _ in range(11):
            turn, out, size = rng.uniform(0, 2 * np.pi), rng.uniform(0.05, 0.34), rng.uniform(0.36, 0.58)
            cx, cy = out * np.cos(turn), out * np.sin(turn)
            d = np.hypot(x - cx, y - cy) / size
            puff = smooth(1.15, 0.1, d)
            light = light * (1 - puff) + puff * (0.86 + 0.2 * (y - cy) / size)
            body = 1 - (1 - body) * (1 - 0.55 * puff)
        body *= smooth(1.0, 0.6, np.hypot(x, y)) * np.clip(0.92 + 0.22 * noise(x, y, seed), 0, 1)
        sheet.append(body)
        shade.append(np.clip(light, 0.55, 1))
    save("smoke", np.concatenate(sheet, axis=1), np.concatenate(shade, axis=1))


def make_flame() -> None:
    """Draw a tongue of flame that is broad below and pointed above."""
    x, y = plane(48, 64)
    height = (y + 1) / 2
    width = 0.62 * np.sin(np.pi * np.clip(height, 0, 1) ** 0.62) * (1 - 0.25 * height)
    inside = 1 - np.abs(x) / np.maximum(width, 1e-3)
    save("flame", smooth(0, 0.75, inside) * smooth(0, 0.22, height) * smooth(1.0, 0.6, height))


def make_flake() -> None:
    """Draw a snow crystal with six arms, each with two pairs of twigs."""
    x, y = plane(32, 32)
    found = np.zeros_like(x)
    for k in range(6):
        turn = np.pi / 3 * k
        u, v = x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn)
        found = np.maximum(found, smooth(0.105, 0.05, np.abs(v)) * (u > 0) * smooth(0.95, 0.88, u))
        for at, length in ((0.38, 0.34), (0.62, 0.24)):
            for side in (-1, 1):
                c, s = np.cos(np.pi / 3), side * np.sin(np.pi / 3)
                p, q = (u - at) * c + v * s, -(u - at) * s + v * c
                found = np.maximum(found, smooth(0.08, 0.035, np.abs(q)) * (p > 0) * smooth(length, length - 0.06, p))
    save("flake", found)


def make_leaf() -> None:
    """Draw a leaf with its stalk and ribs."""
    x, y = plane(48, 32)
    along = (x + 0.78) / 1.68
    width = 0.5 * np.sin(np.pi * np.clip(along, 0, 1) ** 0.8) ** 0.9
    leaf = smooth(0.0, 0.05, width - np.abs(y)) * ((along > 0) & (along < 1))
    stalk = smooth(0.055, 0.03, np.abs(y - 0.05 * (x + 0.8))) * ((x < -0.6) & (x > -0.98))
    rib = smooth(0.05, 0.015, np.abs(y))
    veins = smooth(0.06, 0.02, np.abs((np.abs(y) * 1.1 - (x + 0.8)) % 0.3 - 0.15)) * 0.6
    save("leaf", np.maximum(leaf, stalk), 1 - 0.3 * np.maximum(rib, veins) - 0.12 * (y < 0))


def make_long() -> None:
    """Draw the images that are aligned with their movement: a spark, a drop of rain, a piece of paper."""
    x, y = plane(64, 16)
    taper = np.clip((x + 1) / 1.8, 0, 1)
    across = np.abs(y) / np.maximum(0.2 * taper**0.7 * smooth(1.0, 0.72, x), 1e-3)
    save("spark", np.exp(-2.6 * across**2) * taper**1.2 * smooth(1.0, 0.8, x))
    x, y = plane(64, 8)
    across = np.abs(y) / 0.075
    save("streak", smooth(1.0, 0.35, across) * smooth(-1.0, 0.9, x) * smooth(1.0, 0.9, x))
    x, y = plane(24, 16)
    edge = np.maximum(np.abs(x) - 0.85, np.abs(y) - 0.52)
    save("paper", smooth(0.05, 0.0, edge), 1 - 0.14 * smooth(-0.1, 0.3, x - y))


def make_chip() -> None:
    """Draw a splinter of stone."""
    x, y = plane(24, 24)
    corners = np.array([(-0.75, -0.4), (0.1, -0.8), (0.8, -0.15), (0.45, 0.7), (-0.5, 0.6)])
    inside = np.full_like(x, np.inf)
    for (ax, ay), (bx, by) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        inside = np.minimum(inside, ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / np.hypot(bx - ax, by - ay))
    save("chip", smooth(0.0, 0.06, inside), 0.72 + 0.28 * smooth(-0.2, 0.25, y - 0.5 * x))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for make in (make_round, make_smoke, make_flame, make_flake, make_leaf, make_long, make_chip):
        make()
