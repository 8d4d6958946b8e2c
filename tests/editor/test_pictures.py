"""Reference pictures of panels in dark and light, with English and Chinese texts.

Run with RISH_SAVE_PICTURES=1 to write the references again, and check the written images by eye.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import find
from rish_editor.session.settings import Settings
from rish_editor.testing import UIDriver
from rish_frame.testing import compare_pictures

REFERENCES = Path(__file__).parents[1] / "pictures" / "editor"
LOOKS = {"dark": ("Dark", "en"), "light": ("Light", "en"), "chinese": ("Dark", "zh-TW")}


@pytest.mark.slow
@pytest.mark.parametrize("panel", ["hierarchy", "inspector", "scene"])
@pytest.mark.parametrize("look", LOOKS)
def test_a_panel_looks_like_its_picture(
    settings: Settings, driver: UIDriver, open_text: Callable[..., Any], look: str, panel: str
) -> None:  # fmt: skip
    """A panel with a selected entity is drawn like the reference, within what renderers differ by."""
    settings.theme, settings.language = LOOKS[look]
    game = open_text()
    driver.shell.editor.show("editor.scene")
    red = find(game.world, "red")
    assert red is not None
    game.selection.set([red])
    driver.move((4, 700))
    driver.step(40)
    place = driver.place(f"editor.{panel}")
    picture = driver.picture()[round(place.top) : round(place.bottom), round(place.left) : round(place.right), :3]
    compare_pictures(picture, REFERENCES / f"{panel}-{look}.png", ssim=0.97, worst=0.4)
