"""The options that the settings pass to the backend."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import NullBackend
from rish_render import plugin


def options(rish_app: Any, render: dict[str, Any], files: dict[str, bytes] | None = None) -> dict[str, Any]:
    """Return the options that the backend receives besides those of `open`."""
    backend = NullBackend()
    rish_app({"settings": {"render": render}}, plugins={"render": plugin}, backend=backend, files=files or {})
    return {name: value for name, value in backend.options.items() if name not in ("title", "size", "visible")}


def test_plain_settings_ask_for_nothing(rish_app: Any) -> None:
    """Default settings pass no options."""
    assert options(rish_app, {}) == {}


def test_the_window_can_be_described(rish_app: Any) -> None:
    """Fullscreen, vsync, cursor, quality and threads are passed on unchanged."""
    render = {"fullscreen": True, "vsync": False, "cursor": False, "quality": "fast", "threads": 2}
    assert options(rish_app, render) == render


def test_an_icon_is_loaded(rish_app: Any) -> None:
    """The icon is loaded from the game's folder and passed as pixels."""
    import io

    from PIL import Image

    file = io.BytesIO()
    Image.new("RGBA", (8, 6), (255, 0, 0, 255)).save(file, "PNG")
    icon = options(rish_app, {"icon": "icon.png"}, {"icon.png": file.getvalue()})["icon"]
    assert icon.shape == (6, 8, 4)
    assert np.asarray(icon)[0, 0].tolist() == [255, 0, 0, 255]
