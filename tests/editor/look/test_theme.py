"""The colors of the editor: legible, and different for people who see colors differently."""

from __future__ import annotations

import numpy as np
import pytest

from rish_editor.look import DARK, THEMES, Theme, contrast
from rish_editor.look.legibility import over
from rish_editor.look.theme import LEVELS

from .legible_pairs import line_pairs, text_pairs

ALL = [pytest.param(made, id=made.name) for theme in THEMES.values() for made in (theme, theme.playing())]
# Simulation of missing receptors on linear sRGB: Machado, Oliveira and Fernandes 2009, severity 1.
BLINDNESS = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def seen(color: tuple[float, ...], kind: str) -> np.ndarray:
    """Return a color in CIE Lab as people with a kind of blindness see it."""
    rgb = np.array(color[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(BLINDNESS[kind] @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    x, y, z = np.cbrt(xyz / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_the_contrast_is_that_of_the_standard() -> None:
    """Black on white has 21, equal colors have 1, and the gray #767676 on white has 4.54."""
    black, white, gray = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0), (0x76 / 255,) * 3 + (1.0,)
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(gray, gray) == 1
    assert contrast(gray, white) == contrast(white, gray) == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("theme", ALL)
def test_every_text_is_legible(theme: Theme) -> None:
    """Each text has a contrast of 4.5 or more to each surface that it is drawn on."""
    pairs = list(text_pairs(theme))
    assert len(pairs) > 80
    low = [(text, surface, round(contrast(a, b), 2)) for text, surface, a, b in pairs if contrast(a, b) < 4.5]
    assert not low


@pytest.mark.parametrize("theme", ALL)
def test_every_line_is_visible(theme: Theme) -> None:
    """Outlines, axes and the frame of the keyboard's focus have a contrast of 3 or more."""
    low = [(line, surface, round(contrast(a, b), 2)) for line, surface, a, b in line_pairs(theme) if contrast(a, b) < 3]
    assert not low


@pytest.mark.parametrize("theme", ALL)
def test_states_differ(theme: Theme) -> None:
    """The surfaces of a row and of a button in their states are all different colors."""
    panel = theme.rgba("panel")
    rows = [panel, *(over(theme.rgba(name), panel) for name in ("hover", "active", "selection", "selection_idle"))]
    buttons = [theme.rgba(name) for name in ("button", "button_hover", "button_active", "selection")]
    for states in (rows, buttons):
        labs = [seen(color, "none") for color in states]
        assert min(np.linalg.norm(a - b) for k, a in enumerate(labs) for b in labs[:k]) > 3


@pytest.mark.parametrize("kind", BLINDNESS)
@pytest.mark.parametrize("theme", ALL)
def test_axes_differ_for_everybody(theme: Theme, kind: str) -> None:
    """The three axes are told apart without red, green or blue receptors."""
    axes = [seen(theme.rgba(f"axis_{name}"), kind) for name in "xyz"]
    assert min(np.linalg.norm(axes[k] - axes[k - 1]) for k in range(3)) > 25


@pytest.mark.parametrize("theme", ALL)
def test_x_is_red_y_green_and_z_blue(theme: Theme) -> None:
    """In each theme the strongest part of an axis' color is that of its name, as in other editors."""
    assert [int(np.argmax(theme.rgba(f"axis_{name}")[:3])) for name in "xyz"] == [0, 1, 2]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_playing_changes_the_accent_and_keeps_the_surfaces(theme: Theme) -> None:
    """While the game plays, accent and bars change, and panels, text and levels stay."""
    playing = theme.playing()
    assert playing.accent == theme.play != theme.accent
    assert playing.bar != theme.bar
    kept = ("panel", "text", "selection", "prefab", *LEVELS)
    assert [playing.rgba(name) for name in kept] == [theme.rgba(name) for name in kept]


def test_colors_are_numbers_for_imgui() -> None:
    """A color is four numbers, or one integer with opacity first; an unknown level has the color of info."""
    assert DARK.rgba("accent") == pytest.approx((0x9A / 255, 0x8C / 255, 1.0, 1.0))
    assert DARK.packed("accent", 0.5) == 0x80FF8C9A
    assert DARK.log("warning") == DARK.rgba("warning")
    assert DARK.log("notice") == DARK.rgba("info")
    with pytest.raises(KeyError):
        DARK.rgba("acent")
