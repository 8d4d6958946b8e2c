"""Pictures of the editor's look: all widgets and the whole editor, in each theme.

Run with RISH_SAVE_PICTURES=1 to write the references again, and check the written images by eye.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rish_editor.look import DARK, LIGHT, THEMES, Language
from rish_editor.look.gallery import Gallery
from rish_editor.look.gallery_layout import Layout
from rish_frame.testing import compare_pictures

PICTURES = Path(__file__).parents[2] / "pictures" / "editor"
pytestmark = pytest.mark.gl


def compare(pixels: np.ndarray, name: str, theme) -> None:
    """Compare a picture with the reference of that name."""
    ground = tuple(round(255 * part) for part in theme.rgba("panel")[:3])
    compare_pictures(pixels, PICTURES / f"{name}.png", background=ground, busy=0.2, failures=PICTURES.parent / "failed")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_widgets(theme, studio) -> None:
    """All widgets in all states look as in the reference."""
    made = studio((1280, 720), theme=theme)
    pixels = made.shoot(Gallery(theme, made.fonts, Language()).draw)
    compare(pixels, f"widgets_{theme.name.lower().replace(' ', '_')}", theme)


def test_widgets_in_chinese_at_twice_the_scale(studio) -> None:
    """In Chinese and at a scale of 2 nothing is cut off."""
    made = studio((2560, 1440), 2.0, LIGHT)
    compare(made.shoot(Gallery(LIGHT, made.fonts, Language("zh-TW")).draw), "widgets_chinese_2x", LIGHT)


def test_the_whole_editor_while_the_game_plays(studio) -> None:
    """Panels, tabs, tree, inspector, log and bars look as in the reference, with the colours of play."""
    theme = DARK.playing()
    made = studio((1280, 720), theme=theme)
    compare(made.shoot(Layout(theme, made.fonts, Language(), playing=True).draw, 6), "layout_playing", theme)


def test_a_dialog_in_chinese(studio) -> None:
    """The question about unsaved changes is above a dimmed editor; every text of the gallery has its translation."""
    made, language = studio((1280, 720)), Language("zh-TW")
    compare(made.shoot(Layout(DARK, made.fonts, language, dialog=True).draw, 6), "dialog_chinese", DARK)
    assert not language.missing
