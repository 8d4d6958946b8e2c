"""Lights, layers and effects that several threads of the software backend draw together."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import App, parse_manifest
from rish_render.backends.software.backend import SoftwareBackend

GAME = """
rish: 1
game: {size: [400, 300]}
plugins: [render, lighting]
settings:
  lighting:
    ambient: "#202030"
    post: [{bloom: {}}, {grading: {}}, {vignette: {}}, {tone_map: {}}]
scenes:
  main:
    - {Transform: {position: [200, 150]}, Shape: {shape: box, size: [360, 260], color: "#806040"}}
    - {Transform: {position: [120, 90]}, Light: {radius: 220}}
    - {Transform: {position: [280, 200]}, Light: {radius: 160, color: "#ffb060"}}
    - {Transform: {position: [210, 150]}, Shape: {shape: box, size: [40, 40]}, Occluder: {shape: box, size: [40, 40]}}
"""


def _picture(threads: int) -> Any:
    with App(parse_manifest(GAME), backend=SoftwareBackend(threads=threads), headless=True) as app:
        app.run(frames=2)
        return app.host.backend.pixels("screen")


def test_threads_change_no_pixel() -> None:
    """A lit picture with effects is the same, whether one thread draws it or four do."""
    alone, together = _picture(1), _picture(4)
    assert len(np.unique(alone.reshape(-1, 4), axis=0)) > 100
    assert np.array_equal(alone, together)
