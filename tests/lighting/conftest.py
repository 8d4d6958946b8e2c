"""Fixtures: `hall`, a game with lights on any backend and its pixels; and empty targets to which lights are added."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rish_core import App, read_manifest
from rish_frame import BackendError, Batch, Frame, Pass, Target
from rish_frame import plugin as frame_plugin
from rish_frame.frame.camera_math import pixels as pixel_camera
from rish_lighting import formulas as f
from rish_lighting import plugin as lighting
from rish_lighting.passes.compose import NO_COOKIES
from rish_lighting.passes.kinds import LIGHTS
from rish_lighting.plugin.drawers import MAKERS
from rish_lighting.shadows.diamond import WEDGES
from rish_render import plugin as render

BACKENDS = ["software", pytest.param("arcade", marks=pytest.mark.gl)]
"""Both backends, for `pytest.mark.parametrize`."""


class Halls:
    """Makes games and closes them again; all games share their backends, since opening one takes long."""

    def __init__(self, folder: Path, kept: dict[str, Any]) -> None:
        self.folder, self._kept, self._open = folder, kept, []

    def backend(self, name: str, size: tuple[int, int]) -> Any:
        """Return an open backend with drawers for light; skip the test if it does not open here."""
        if name not in self._kept:
            made = render.rish_backends()[name]()
            try:
                made.open("hall", size, visible=False)
            except (BackendError, ImportError) as error:
                pytest.skip(f"'{name}' does not open here: {error}")
            for kind, make in MAKERS[name].items():
                made.add_drawer(kind, make())
            made.close_for_good, made.close = made.close, lambda: None
            self._kept[name] = made
        self._kept[name].configure(size=size)
        return self._kept[name]

    def __call__(
        self, scene: str, backend: str = "software", settings: str = "{}", layers: str = "[world]",
        size: tuple[int, int] = (160, 96), plugins: str = "render, lighting", run: int = 2, extra: Any = None,
    ) -> Any:  # fmt: skip
        """Return a game that has run for some frames. scene: entries in YAML, each on a line that begins with `- `."""
        folder = self.folder / f"game{len(self._open)}"
        folder.mkdir(exist_ok=True)
        self.paint(folder)
        lines = "\n".join(f"    {line.strip()}" for line in scene.strip().splitlines())
        text = (
            f"rish: 1\ngame: {{size: [{size[0]}, {size[1]}]}}\nplugins: [{plugins}]\nsettings: {settings}\n"
            f"layers: {layers}\nscenes:\n  main:\n{lines or '    []'}\n"
        )
        (folder / "game.yaml").write_text(text, encoding="utf-8")
        known = {"frame": frame_plugin, "render": render, "lighting": lighting, **(extra or {})}
        app = App(
            read_manifest(folder), backend=self.backend(backend, size), headless=True, installed=[], extra=known,
            policy="raise",
        )  # fmt: skip
        self._open.append(app)
        app.run(frames=run)
        pixels = app.host.backend.pixels
        return SimpleNamespace(app=app, world=app.world, folder=folder, frame=app.world[Frame], pixels=pixels)

    def paint(self, folder: Path) -> None:
        """Write the images that scenes use: `bump.png`, `glow.png`, `cookie.png`, `ring.png`."""
        y, x = np.mgrid[0:32, 0:32]
        dx, dy = (x - 15.5) / 16, (15.5 - y) / 16
        inside = dx**2 + dy**2 < 1
        normal = np.zeros((32, 32, 4), np.uint8)
        normal[..., :3] = np.stack([dx, dy, np.sqrt(np.maximum(1 - dx**2 - dy**2, 0))], axis=-1) * 127.5 + 127.5
        normal[..., 3] = inside * 255
        Image.fromarray(normal).save(folder / "bump.png")
        ball = np.zeros((32, 32, 4), np.uint8)
        ball[inside] = (200, 180, 160, 255)
        Image.fromarray(ball).save(folder / "ball.png")
        glow = np.zeros((32, 32, 4), np.uint8)
        glow[12:20, 12:20] = (255, 120, 0, 255)
        Image.fromarray(glow).save(folder / "glow.png")
        cookie = np.full((16, 16, 4), 255, np.uint8)
        cookie[::4, :, :3] = cookie[:, ::4, :3] = 0
        Image.fromarray(cookie).save(folder / "cookie.png")

    def close(self) -> None:
        """Close all games."""
        for app in self._open:
            app.close()


@pytest.fixture(scope="session")
def backends() -> Iterator[dict[str, Any]]:
    """The open backends, by name."""
    kept: dict[str, Any] = {}
    yield kept
    for backend in kept.values():
        backend.close_for_good()


@pytest.fixture
def hall(tmp_path: Path, backends: dict[str, Any]) -> Iterator[Halls]:
    """A factory of games with lights."""
    made = Halls(tmp_path, backends)
    yield made
    made.close()


def lamp(**columns: Any) -> np.ndarray:
    """Return a light as drawers get it: by default a white point of radius 60 in the middle of 128 by 128 pixels."""
    row = np.zeros(f.COLUMNS, np.float32)
    plain = {
        "X": 64, "Y": 64, "RADIUS": 60, "RED": 1, "GREEN": 1, "BLUE": 1, "HEIGHT": 40, "HALF": 15, "POWER": 1,
        "WINDOW": 1, "AXIS_X": 1,
    }  # fmt: skip
    for name, value in {**plain, **columns}.items():
        row[getattr(f, name)] = value
    return row


@pytest.fixture
def shine(hall: Halls) -> Callable[..., np.ndarray]:
    """A function that adds lights to an empty target and returns float32 (h, w, 3), the top row first."""

    def draw(
        backend: str, *lamps: Any, maps: Any = None, reach: Any = None, size: tuple[int, int] = (128, 128)
    ) -> np.ndarray:
        frame = Frame(size)
        frame.add_target(Target("light", size, ("rgba16f",)))
        rows = np.array(lamps, np.float32)
        texels = np.full(8192, 1e30, np.float32) if maps is None else np.asarray(maps, np.float32)
        far = np.full((len(rows), WEDGES), 4 * max(size), np.float32) if reach is None else reach
        arrays = {"lights": rows, "reach": far, "maps": texels, "cookies": NO_COOKIES}
        batch = Batch(LIGHTS, arrays, blend="add", count=len(rows))
        frame.add_pass(Pass("light", targets=("light",), projection=pixel_camera(size), batches=[batch]))
        made = hall.backend(backend, size)
        stats = made.draw(frame)
        assert not stats.skipped
        return made.pixels("light")[..., :3]

    return draw
