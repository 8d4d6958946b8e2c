"""Random scenes of one kind of batch each, for comparing backends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_frame import Batch, Frame, Page, Target, orthographic, pack_sprites, view_2d

SIZE = (320, 240)
MANY = 40
FRAMES = 40
Random = np.random.Generator


def blocks(random: Random, width: int, height: int) -> np.ndarray:
    """Return a page of colored blocks, some of them half transparent, premultiplied."""
    small = random.integers(0, 256, (height // 4 + 1, width // 4 + 1, 4)).astype(np.float32)
    small[..., :3] *= small[..., 3:] / 255
    large = np.round(small).astype(np.uint8).repeat(4, 0).repeat(4, 1)
    return np.ascontiguousarray(large[:height, :width])


def pages(random: Random) -> list[Page]:
    """Return three pages of different sizes."""
    return [Page(k, blocks(random, *size)) for k, size in ((3, (128, 64)), (7, (50, 300)), (9, (16, 16)))]


def table(random: Random, found: list[Page]) -> list[list[float]]:
    """Return a frame table with random rectangles of the pages, some of them mirrored."""
    rows: list[list[float]] = []
    for _ in range(FRAMES):
        page = found[int(random.integers(len(found)))]
        height, width = page.pixels.shape[:2]
        w, h = (int(random.integers(2, min(side, 33))) for side in (width, height))
        x, y = int(random.integers(0, width - w + 1)), int(random.integers(0, height - h + 1))
        across, down = [x, x + w], [y, y + h]
        if random.random() < 0.3:
            across.reverse()
        if random.random() < 0.3:
            down.reverse()
        rows.append([page.id, across[0], down[0], across[1], down[1], 0])
    return rows


def colors(random: Random, count: int) -> np.ndarray:
    """Return random colors, half of them opaque."""
    rgba = random.integers(0, 256, (count, 4)).astype(np.uint8)
    rgba[random.random(count) < 0.5, 3] = 255
    return rgba


def matrices(random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Return random matrices with rotation and some shear, (n, 6), and their sizes, (n, 2)."""
    angle = random.uniform(0, 7, MANY) * (random.random(MANY) < 0.7)
    sizes = random.uniform(2, 80, (MANY, 2))
    shear = random.uniform(-0.5, 0.5, MANY) * (random.random(MANY) < 0.5)
    cos, sin = np.cos(angle), np.sin(angle)
    w, h = sizes.T
    sides = [cos * w, sin * w, -sin * h + shear * cos * h, cos * h + shear * sin * h]
    place = [random.uniform(0, side, MANY) for side in SIZE]
    return np.stack([*sides, *place], axis=1).astype(np.float32), sizes.astype(np.float32)


def sprites(random: Random, **options: Any) -> Batch:
    """Return a batch of rotated and tinted sprites."""
    x, y = (random.uniform(0, side, MANY) for side in SIZE)
    w, h = (random.uniform(2, 60, MANY) for _ in range(2))
    turn = random.uniform(0, 7, MANY) * (random.random(MANY) < 0.7)
    packed = pack_sprites(x, y, w, h, turn, random.integers(0, FRAMES, MANY), colors(random, MANY))
    return Batch("sprites", {"instances": packed}, **options)


def wide(random: Random, **options: Any) -> Batch:
    """Return a batch of sprites that are sheared as well."""
    frame = random.integers(0, FRAMES, MANY).astype(np.uint16)
    arrays = {"matrix": matrices(random)[0], "frame": frame, "rgba": colors(random, MANY)}
    return Batch("sprites_wide", arrays, **options)


def shapes(random: Random, **options: Any) -> Batch:
    """Return boxes, rounded boxes and ellipses, with gradient fills and outlines."""
    matrix, sizes = matrices(random)
    some = random.random((2, MANY)) < 0.5
    arrays = {
        "matrix": matrix,
        "half": sizes / 2,
        "corner": (random.uniform(0, 12, MANY) * some[0]).astype(np.float32),
        "line": (random.uniform(0, 6, MANY) * some[1]).astype(np.float32),
        "kind": random.integers(0, 2, MANY).astype(np.uint8),
        **{name: colors(random, MANY) for name in ("rgba", "rgba2", "edge")},
    }
    return Batch("shapes", arrays, **options)


def lines(random: Random, **options: Any) -> Batch:
    """Return thin and thick lines across the frame."""
    arrays = {
        "points": random.uniform(-20, 340, (MANY, 4)).astype(np.float32),
        "width": random.uniform(0.3, 9, MANY).astype(np.float32),
        "rgba": colors(random, MANY),
    }
    return Batch("lines", arrays, **options)


def polygons(random: Random, **options: Any) -> Batch:
    """Return polygons with three to eight corners each."""
    points, starts, triangles = [], [0], []
    for _ in range(12):
        count = int(random.integers(3, 9))
        angle, reach = np.sort(random.uniform(0, 2 * np.pi, count)), random.uniform(10, 70, count)
        x, y = random.uniform(0, 300, 2)
        points.append(np.stack([x + reach * np.cos(angle), y + reach * np.sin(angle)], axis=1))
        triangles += [(starts[-1], starts[-1] + k, starts[-1] + k + 1) for k in range(1, count - 1)]
        starts.append(starts[-1] + count)
    arrays = {
        "points": np.concatenate(points).astype(np.float32),
        "starts": np.array(starts, np.int32),
        "triangles": np.array(triangles, np.int32),
        "rgba": colors(random, 12),
    }
    return Batch("polygons", arrays, **options)


def mesh(random: Random, **options: Any) -> Batch:
    """Return triangles with three colors each; half of these batches are textured with a page."""
    count = 20
    flat = random.uniform(-20, 330, (3 * count, 2))
    arrays = {
        "positions": np.concatenate([flat, random.uniform(-1, 1, (3 * count, 1))], axis=1).astype(np.float32),
        "colors": colors(random, 3 * count),
        "indices": np.arange(3 * count, dtype=np.int32).reshape(count, 3),
    }
    if random.random() < 0.5:
        arrays["uv"] = random.uniform(0, 50, (3 * count, 2)).astype(np.float32)
        options["texture"] = 7
    return Batch("mesh", arrays, **options)


def tiles(random: Random, **options: Any) -> Batch:
    """Return a rotated map of mirrored and turned tiles with holes."""
    cells = random.integers(0, FRAMES + 1, (9, 13)).astype(np.uint32)
    cells |= (random.integers(0, 8, cells.shape).astype(np.uint32) << 29) * (cells > 0)
    side, angle = random.uniform(15, 40), random.uniform(-1, 1) * (random.random() < 0.5)
    cos, sin = np.cos(angle) * side, np.sin(angle) * side
    grid = np.array([cos, sin, sin, -cos, random.uniform(-20, 60), random.uniform(170, 260)], np.float32)
    return Batch("tiles", {"cells": cells, "grid": grid, "rgba": colors(random, 1)[0]}, **options)


KINDS: dict[str, Callable[..., Batch]] = {
    made.__name__: made for made in (sprites, wide, shapes, lines, polygons, mesh, tiles)
}


def scene(kind: str, seed: int, **options: Any) -> Frame:
    """Return a frame that draws one batch onto a half transparent target `canvas`, through a 2D camera."""
    random = np.random.default_rng(seed)
    frame = Frame(SIZE)
    frame.pages = pages(random)
    frame.set_frames(table(random, frame.pages))
    frame.add_target(Target("canvas", SIZE, clear=((0.3, 0.3, 0.1, 0.6),)))
    main = frame.passes["main"]
    main.targets = ("canvas",)
    if seed % 2:
        turn = random.uniform(0, 6)
        main.view = view_2d(160 + random.uniform(-30, 30), 120, turn, random.uniform(0.8, 2))
        main.projection = orthographic(-160, 160, -120, 120)
    frame.add(KINDS[kind](random, **options))
    return frame
