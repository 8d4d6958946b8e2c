"""A stage for tests of the renderer: a game with the render plugin, and its picture."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from rish_core import Transform
from rish_core.frame.passes import Frame
from rish_core.testing import compare_pictures
from rish_render import plugin

PICTURES = Path(__file__).parent.parent / "pictures" / "render"


class Studio:
    """A World that can be looked at. `world` holds no entities at first."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.world = app.world

    @staticmethod
    def png(pixels: npt.NDArray[np.uint8]) -> bytes:
        """A picture as the bytes of a PNG file."""
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        return file.getvalue()

    def put(
        self, x: float, y: float, *parts: Any, rotation: float = 0.0, scale: tuple[float, float] = (1, 1), **place: Any
    ) -> int:
        """Make an entity that stands somewhere."""
        return self.world.spawn(Transform(position=(x, y), rotation=rotation, scale=scale, **place), *parts)

    def shoot(self) -> npt.NDArray[np.uint8]:
        """One frame of the game, and its picture, uint8 (h, w, 4), top row first."""
        self.app.frame()
        return self.app.pixels()

    def pixel(self, x: int, y: int) -> list[int]:
        """Red, green and blue of a pixel of the last picture, counted from the bottom left."""
        picture = self.app.pixels()
        return picture[len(picture) - 1 - y, x, :3].tolist()

    def compare(self, name: str) -> None:
        """Compare the next picture with the reference of that name."""
        compare_pictures(self.shoot(), PICTURES / f"{name}.png", busy=0.05)

    @property
    def batches(self) -> list[Any]:
        """The batches of the last frame, pass by pass, in drawing order."""
        return [batch for step in self.world[Frame].steps() for batch in step.batches]


def face() -> npt.NDArray[np.uint8]:
    """A picture that is not symmetrical: 16x16, straight alpha."""
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
def studio(rish_app: Any) -> Callable[..., Studio]:
    """Make a studio: `studio(size, layers=[...], backend="software")`; `face.png` lies in the game's folder."""

    def make(
        size: tuple[int, int] = (320, 240),
        layers: Any = None,
        backend: Any = None,
        strict: bool = True,
        **manifest: Any,
    ) -> Studio:
        written = {"game": {"title": "Studio", "size": list(size)}, **manifest}
        if layers is not None:
            written["layers"] = layers
        return Studio(
            rish_app(
                written,
                plugins={"render": plugin},
                backend=backend if backend is not None else plugin.make_software(),
                files={"face.png": Studio.png(face())},
                strict=strict,
            )
        )

    return make
