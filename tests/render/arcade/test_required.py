"""On machines where OpenGL is required, the tests that need it must not be skipped."""

from __future__ import annotations

import os

import pytest

from rish_render.backends.arcade.backend import ArcadeBackend


@pytest.mark.skipif(os.environ.get("RISH_REQUIRE_GL") != "1", reason="RISH_REQUIRE_GL=1 is not set")
def test_opengl_is_there() -> None:
    """A backend opens off screen and draws at a size of its own."""
    backend = ArcadeBackend()
    backend.open("required", (32, 24), False)
    try:
        assert backend.pixels().shape == (24, 32, 4)
    finally:
        backend.close()
