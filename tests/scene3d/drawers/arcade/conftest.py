"""A backend with the drawers of 3D scenes on OpenGL; the tests are skipped without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rish_frame import BackendError, Frame
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d.plugin.drawers import DRAWERS
from scene3d import SIZE

Show = Callable[..., Any]


@pytest.fixture(scope="module")
def arcade() -> Iterator[ArcadeBackend]:
    """Open a backend off screen; the tests of a module share it and its programs."""
    backend = ArcadeBackend()
    try:
        backend.open("test", SIZE, False)
    except BackendError as error:
        pytest.skip(str(error))
    for kind, make in DRAWERS["arcade"].items():
        backend.add_drawer(kind, make())
    yield backend
    backend.close()


@pytest.fixture
def show(arcade: ArcadeBackend) -> Show:
    """Return a function that draws a frame and returns a target as an array, top row first."""

    def shown(frame: Frame, target: str = "scene3d.view") -> Any:
        if arcade.size != frame.size:
            arcade.configure(size=frame.size)
        stats = arcade.draw(frame)
        assert not stats.skipped
        return arcade.pixels(target)

    return shown
