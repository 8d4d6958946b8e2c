"""Screens in the world, with and without light, in pictures of the software backend."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import open_game
from rish_render import plugin as render

GAME = """
rish: 1
game: {title: Cave, size: [160, 90]}
plugins: [render, lighting, ui]
layers: [ground, {talk: {lit: false}}]
scenes:
  main:
    - {at: [80, 45], Transform: {}, Camera: {}}
    - {Ambient: {color: "#202020"}}
    - name: shown
      at: [80, 45]
      Transform: {}
      Screen: {space: world, pivot: [0.5, 0.5], layer: LAYER}
      Panel: {}
      Widget: {style: STYLE}
      Layout: {size: [60, 40]}
"""


def shot(folder, layer, style, at="pivot: [0.5, 0.5]"):
    """Return the picture of the game, int (90, 160, 3): a panel of the light theme on a layer."""
    text = GAME.replace("LAYER", layer).replace("STYLE", style).replace("pivot: [0.5, 0.5]", at)
    (folder / "game.yaml").write_text(text.replace("plugins:", "settings: {ui: {theme: light}}\nplugins:"))
    backend = render.rish_backends()["software"]()
    with open_game(folder, headless=True, backend=backend) as app:
        for _ in range(12):
            app.frame()
        return np.array(backend.pixels())[..., :3].astype(int)


@pytest.mark.parametrize(("layer", "lit"), [("ground", True), ("talk", False)])
def test_light_of_layers(tmp_path, layer, lit):
    """A screen in the world is shaded by the light like everything on its layer; not on a layer with `lit: false`."""
    middle = shot(tmp_path, layer, "card")[45, 80]
    assert middle.max() < 100 if lit else middle.min() > 200


@pytest.mark.parametrize(("at", "rows"), [("pivot: [0.5, 1], lift: [0, -5]", (50, 60)), ("pivot: [0.5, 0]", (44, 35))])
def test_a_bubble_has_a_tail(tmp_path, at, rows):
    """The tail of a bubble begins at its edge, becomes narrower, and points to the place where the bubble is."""
    picture = shot(tmp_path, "talk", "bubble", at)
    first, last = rows
    tail = picture[first:last] if first < last else picture[last + 1 : first + 1][::-1]
    widths = (tail[..., 0] > 150).sum(axis=1)
    assert widths[0] >= 10
    assert (np.diff(widths) <= 0).all()
    assert tail[3, 80].min() > 200
    assert tail[3, 66].max() < 60
