"""The software backend in a window: one backend draws, the other one has the window and shows the picture."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import App, WindowEvent, parse_manifest
from rish_frame import Frame, NullBackend
from rish_render.backends import make_software
from rish_render.backends.software_window import SoftwareWindow


class Screen(NullBackend):
    """A backend with a window whose size a test changes."""

    capabilities = NullBackend.capabilities | {"window"}


def test_the_picture_is_shown_in_the_window() -> None:
    """A frame is drawn by the software backend at the window's size, and shown as one image; a splash is only shown."""
    screen = Screen(events=[(), WindowEvent("resize", x=60.0, y=50.0)])
    backend = SoftwareWindow(make_software(), screen)
    assert "window" not in make_software().capabilities
    backend.open("Shown", (40, 30))
    assert {"window", "pixels", "read_clipboard"} <= backend.capabilities
    frame = Frame((40, 30))
    frame.set_clear((1.0, 0.0, 0.0, 1.0))
    for size in ((40, 30), (60, 50)):
        screen.configure(size=size)
        backend.poll()
        frame.size = size
        backend.draw(frame)
        backend.present()
        [picture] = screen.images.values()
        assert picture.shape == (size[1], size[0], 4)
        assert (picture == (255, 0, 0, 255)).all()
        assert (picture == backend.pixels()).all()
        [batch] = screen.draws[-1].passes[0].batches
        assert batch.kind == "sprites"
    assert screen.presented == 2
    backend.splash(np.full((50, 60, 4), 7, np.uint8))
    assert screen.presented == 3
    assert (next(iter(screen.images.values())) == 7).all()
    assert screen.options["title"] == "Shown"
    backend.close()
    assert not screen.is_open


@pytest.mark.gl
def test_a_game_is_swapped_between_opengl_and_software() -> None:
    """The pictures agree to a few levels, and the state does not change."""
    text = "rish: 1\ngame: {size: [64, 48]}\nplugins: [render]\n"
    text += "scenes: {main: [{Transform: {position: [32, 24]}, Shape: {size: [20, 20]}}]}"
    with App(parse_manifest(text), headless=True, backend="arcade") as app:
        app.run(2)
        before, picture = app.world.hash(), app.pixels()
        for name in ("software", "arcade", "software"):
            app.host.swap(name)  # pyright: ignore[reportAttributeAccessIssue]
            app.draw()
            assert np.abs(app.pixels().astype(int) - picture).max() <= 3
            assert app.world.hash() == before
