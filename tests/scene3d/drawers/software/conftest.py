"""A backend with the software drawers of 3D scenes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rish_frame import Frame
from rish_render.backends.software.backend import SoftwareBackend
from rish_scene3d.plugin.drawers import DRAWERS
from scene3d import SIZE

Show = Callable[..., Any]


def opened(threads: int = 1) -> SoftwareBackend:
    """Return an open backend with all drawers."""
    backend = SoftwareBackend(threads=threads)
    backend.open("test", SIZE, visible=False)
    for kind, make in DRAWERS["software"].items():
        backend.add_drawer(kind, make())
    return backend


@pytest.fixture
def software() -> Iterator[SoftwareBackend]:
    """Open a backend with one thread."""
    backend = opened()
    yield backend
    backend.close()


@pytest.fixture
def show(software: SoftwareBackend) -> Show:
    """Return a function that draws a frame and returns a target as an array, top row first."""

    def shown(frame: Frame, target: str = "scene3d.view") -> Any:
        if software.size != frame.size:
            software.configure(size=frame.size)
        stats = software.draw(frame)
        assert not stats.skipped
        return software.pixels(target)

    return shown
