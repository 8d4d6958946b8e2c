"""Fixtures for the tests of the renderer: a game with the render plugin, and the images it draws."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import tile_maps
from rish_core import Assets, Stage, Transform, system
from rish_frame import BackendError, Batch, Frame
from rish_frame.testing import compare_pictures
from rish_render import plugin

PICTURES = Path(__file__).parent.parent / "pictures" / "render"


class Rivals:
    """The backends whose images are compared with those of the software backend. Each opens at its first use."""

    def __init__(self) -> None:
        self._open: dict[str, Any] = {}
        self._refused: dict[str, str] = {}

    def picture(self, name: str, frame: Frame) -> npt.NDArray[np.uint8]:
        """Return the frame as that backend draws it, uint8 (h, w, 4); skip the test if the backend cannot open."""
        backend = self._backend(name, frame.size)
        backend.configure(size=frame.size)
        for page in frame.pages:
            backend.image(page.id, page.pixels)
        backend.draw(frame)
        return backend.pixels()

    def _backend(self, name: str, size: tuple[int, int]) -> Any:
        if name in self._refused:
            self._skip(name)
        if name not in self._open:
            backend = _rival(name)
            try:
                backend.open("rival", size, visible=False)
            except (BackendError, ImportError) as error:
                self._refused[name] = str(error)
                self._skip(name)
            self._open[name] = backend
        return self._open[name]

    def _skip(self, name: str) -> None:
        if os.environ.get("RISH_REQUIRE_GL") == "1":
            pytest.fail(f"'{name}' must open here: {self._refused[name]}")
        pytest.skip(f"the software picture is right; '{name}' does not open here: {self._refused[name]}")

    def close(self) -> None:
        """Close all open backends."""
        for backend in self._open.values():
            backend.close()


def _rival(name: str) -> Any:
    """Return a backend that is not yet open."""
    if name != "fast":
        return plugin.rish_backends()[name]()
    backend = plugin.make_software()
    backend.configure(quality="fast")
    return backend


@pytest.fixture(scope="session")
def rivals() -> Iterator[Rivals]:
    """Provide the other backends to all tests, because opening one takes longer than drawing on it."""
    made = Rivals()
    yield made
    made.close()


class Studio:
    """A game with its World and the images it draws. `world` has no entities at first."""

    def __init__(self, app: Any, rivals: Rivals) -> None:
        self.app = app
        self.world = app.world
        self.rivals = rivals

    @staticmethod
    def png(pixels: npt.NDArray[np.uint8]) -> bytes:
        """Return an image as the bytes of a PNG file."""
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        return file.getvalue()

    def put(
        self, x: float, y: float, *parts: Any, rotation: float = 0.0, scale: tuple[float, float] = (1, 1), **place: Any
    ) -> int:
        """Spawn an entity at a position."""
        return self.world.spawn(Transform(position=(x, y), rotation=rotation, scale=scale, **place), *parts)

    def shoot(self) -> npt.NDArray[np.uint8]:
        """Run one frame and return its image, uint8 (h, w, 4), top row first."""
        self.app.frame()
        return self.app.pixels()

    def pixel(self, x: int, y: int) -> list[int]:
        """Return red, green and blue of a pixel of the last image, counted from the bottom left."""
        picture = self.app.pixels()
        return picture[len(picture) - 1 - y, x, :3].tolist()

    def compare(self, name: str, busy: float = 0.3) -> None:
        """Compare the next image with the reference of that name, and with those of the other backends.

        Only tiles of the image that have content are compared; `busy` is the least share of such tiles.
        """
        exact = self.shoot()
        ground = tuple(round(255 * part) for part in self.world[Frame].target("screen").clear_color()[:3])
        failed = PICTURES / "failed"
        compare_pictures(exact, PICTURES / f"{name}.png", background=ground, busy=busy, failures=failed)
        quick = self.rivals.picture("fast", self.world[Frame])
        loose = {"mean": 255.0, "p99": 255.0, "worst": -1.0}
        compare_pictures(quick, exact, background=ground, ssim=0.85, name=f"{name}.fast", failures=failed, **loose)
        with_gl = self.rivals.picture("arcade", self.world[Frame])
        compare_pictures(with_gl, exact, background=ground, name=f"{name}.arcade", failures=failed)

    @property
    def batches(self) -> list[Any]:
        """The batches of the last frame, pass by pass, in drawing order."""
        return [batch for step in self.world[Frame].steps() for batch in step.batches]


def face() -> npt.NDArray[np.uint8]:
    """Return an image that is not symmetrical: 16x16, straight alpha."""
    rows, columns = np.mgrid[:16, :16]
    distance = np.hypot(columns - 7.5, rows - 7.5)
    picture = np.zeros((16, 16, 4), np.uint8)
    picture[distance < 7.8] = (250, 210, 60, 255)
    picture[(distance < 7.8) & (distance > 6.6)] = (120, 80, 10, 255)
    picture[5:7, 4:6] = (40, 30, 20, 255)
    picture[5:7, 10:12] = (200, 30, 20, 255)
    picture[10:11, 5:11] = (120, 30, 30, 255)
    return picture


@pytest.fixture
def studio(rish_app: Any, rivals: Rivals) -> Callable[..., Studio]:
    """Make a studio: `studio(size, layers=[...], backend="software")`; the game's folder contains `face.png`."""

    def make(
        size: tuple[int, int] = (320, 240),
        layers: Any = None,
        backend: Any = None,
        strict: bool = True,
        files: Any = None,
        plugins: Any = None,
        **manifest: Any,
    ) -> Studio:
        written = {"game": {"title": "Studio", "size": list(size)}, **manifest}
        if layers is not None:
            written["layers"] = layers
        return Studio(
            rish_app(
                written,
                plugins={"render": plugin, **(plugins or {})},
                backend=backend if backend is not None else plugin.make_software(),
                files={"face.png": Studio.png(face()), **(files or {})},
                strict=strict,
            ),
            rivals,
        )

    return make


@pytest.fixture
def streaks() -> Callable[..., SimpleNamespace]:
    """Make a plugin that adds a batch of lines to `main` before extraction: `streaks(layer=1, z=0)`."""

    def make(**place: Any) -> SimpleNamespace:
        @system(Stage.EXTRACT, before="render.extract", writes=Frame)
        def streak(world: Any, dt: float) -> None:
            arrays = {
                "points": np.zeros((1, 4), np.float32),
                "width": np.ones(1, np.float32),
                "rgba": np.full((1, 4), 255, np.uint8),
            }
            world[Frame].add(Batch("lines", arrays, **place))

        return SimpleNamespace(rish_systems=lambda: [streak])

    return make


@pytest.fixture
def maps() -> ModuleType:
    """Return the module `tile_maps`, with functions that make maps."""
    return tile_maps


@pytest.fixture
def map_studio(studio: Any) -> Callable[..., Any]:
    """Make a studio with files in its folder: `map_studio({"room.map.yaml": text}, size=(64, 64))`."""

    def make(files: dict[str, str | bytes], **options: Any) -> Any:
        made = studio(**options)
        for name, data in {"tiles.png": tile_maps.sheet(), **files}.items():
            path = made.world[Assets].root / name
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        return made

    return make
