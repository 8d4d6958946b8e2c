"""A map of three layers of a thousand by a thousand tiles, scrolled by the camera: a map of Tiled's, as JSON."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_core import App, Stage, Transform, World, read_manifest, system
from rish_render import Camera

from . import _engine_clock
from ._sprites_rish import arcade, software
from ._sprites_scene import DT, HEIGHT, WIDTH
from ._task import Task

SIDE, TILE, COLUMNS = 1000, 16, 8
"""Tiles per side of the map, pixels per side of a tile, tiles per row of the tile set."""
STEP = 7.3
"""The movement of the camera in a frame, in pixels."""


@system(Stage.STEP, writes=(Camera, Transform))
def scroll(world: World, dt: float) -> None:
    """Scroll to the right and up, and start again at the end."""
    query = world.query(Camera, Transform)
    way = (world.tick * STEP) % 8000
    query[Transform.position] = (2000 + way, 3000 + 0.4 * way)


@system(Stage.STEP, writes=(Camera, Transform))
def tremble(world: World, dt: float) -> None:
    """Move the camera a little around the middle of the map."""
    query = world.query(Camera, Transform)
    query[Transform.position] = (SIDE * TILE / 2 + STEP * (world.tick % 20), SIDE * TILE / 2)


def _write_map(folder: Path) -> None:
    """Write a map with ground everywhere, plants on a third of it, clouds on a tenth."""
    from PIL import Image

    random = np.random.default_rng(3)
    rows, columns = np.mgrid[: TILE * COLUMNS, : TILE * COLUMNS]
    number = rows // TILE * COLUMNS + columns // TILE
    sheet = np.zeros((TILE * COLUMNS, TILE * COLUMNS, 4), np.uint8)
    sheet[..., 0], sheet[..., 1], sheet[..., 2] = 40 + number * 3, 90 + (rows % TILE) * 6, 60 + (columns % TILE) * 5
    inside = np.hypot(rows % TILE - 7.5, columns % TILE - 7.5) < 7
    sheet[..., 3] = np.where((number < 16) | inside, 255, 0)
    Image.fromarray(sheet).save(folder / "tiles.png")
    layers = []
    for place, (low, share) in enumerate(((0, 1.0), (16, 0.33), (32, 0.1))):
        cells = random.integers(low + 1, low + 17, (SIDE, SIDE))
        cells[random.random((SIDE, SIDE)) > share] = 0
        layer = {"type": "tilelayer", "id": place + 1, "name": f"layer{place}", "data": cells.ravel().tolist()}
        layers.append({**layer, "width": SIDE, "height": SIDE, "x": 0, "y": 0, "opacity": 1, "visible": True})
    tiles = {"firstgid": 1, "name": "tiles", "image": "tiles.png", "margin": 0, "spacing": 0, "columns": COLUMNS}
    size = {"tilewidth": TILE, "tileheight": TILE}
    tiles |= {"imagewidth": TILE * COLUMNS, "imageheight": TILE * COLUMNS, "tilecount": COLUMNS * COLUMNS, **size}
    whole = {"type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "orthogonal", "infinite": False}
    whole |= {"renderorder": "right-down", "width": SIDE, "height": SIDE, **size, "nextlayerid": 4, "nextobjectid": 1}
    (folder / "map.tmj").write_text(json.dumps({**whole, "tilesets": [tiles], "layers": layers}), encoding="utf-8")


@cache
def _folder() -> Path:
    """Return the folder of the game with the map, made once per process."""
    folder = Path(tempfile.mkdtemp(prefix="rish-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    _write_map(folder)
    entries = "[{Transform: {}, TileMap: {map: map.tmj}}, {Transform: {position: [8000, 8000]}, Camera: {}}]"
    head = f"rish: 1\ngame: {{size: [{WIDTH}, {HEIGHT}]}}\nplugins: [render, bench]\n"
    (folder / "game.yaml").write_text(f"{head}scenes: {{main: {entries}}}\n", encoding="utf-8")
    return folder


def _open(folder: Path, backend: Any, zoom: float, systems: list[Callable[..., None]]) -> App:
    bench = SimpleNamespace(rish_systems=lambda: systems)
    app = App(read_manifest(folder), backend=backend, headless=True, extra={"bench": bench}, policy="raise")
    app.headless = False
    query = app.world.query(Camera)
    query[Camera.zoom] = zoom
    app.frame(seconds=1.5 * DT)
    return app


def _playing(backend: Any, clock: str, zoom: float = 1.0) -> Task:
    app = _open(_folder(), backend, zoom, [scroll] if zoom == 1 else [tremble])
    frame = partial(app.frame, seconds=DT)
    before = None
    if app.host.backend.device is not None:
        _engine_clock.set_clock(clock)
        before = app.host.backend.device.finish
    return Task(frame, before, app.close, clock)


def cpu() -> Task:
    """A frame drawn by OpenGL, without OpenGL's own time."""
    return _playing(arcade(), "engine")


def software_frame() -> Task:
    """A complete frame without OpenGL."""
    return _playing(software("fast", 0), "frame")


def whole_map() -> Task:
    """A frame that shows all three million cells."""
    return _playing(software("fast", 0), "frame", HEIGHT / (SIDE * TILE))


def load() -> Task:
    """Loading, from the manifest to the first frame."""
    folder, opened = _folder(), list[App]()

    def run() -> None:
        opened.append(_open(folder, software("fast", 0), 1.0, []))

    def close() -> None:
        while opened:
            opened.pop().close()

    return Task(run, close, close, "frame")
