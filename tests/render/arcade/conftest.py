"""Fixtures for the tests of the arcade backend: an open backend; its tests are skipped without OpenGL."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rish_frame import BackendError
from rish_render.backends.arcade.backend import ArcadeBackend

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module")
def arcade() -> Iterator[ArcadeBackend]:
    """Open a backend of 64x48 pixels, off screen; the tests of a module share it."""
    backend = ArcadeBackend()
    try:
        backend.open("test", (64, 48), False)
    except BackendError as error:
        pytest.skip(str(error))
    yield backend
    backend.close()
