"""Reference scenes of tile maps: every orientation, all flips, animated, filtered, rotated and far away."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

from rish_render import Camera, Sampling, Shape, TileMap

GREENS = [(74, 122, 62), (60, 96, 140), (150, 118, 74), (110, 112, 122)]


def png(image):
    """Return an image as the bytes of a PNG file."""
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def squares():
    """Return four tiles of 16x16 in a row, each with an arrow, so that rotations and flips are visible."""
    sheet = Image.new("RGBA", (64, 16))
    draw = ImageDraw.Draw(sheet)
    for k, color in enumerate(GREENS):
        light = tuple(min(255, part + 50) for part in color)
        draw.rectangle((16 * k, 0, 16 * k + 15, 15), fill=color)
        draw.polygon([(16 * k + 3, 12), (16 * k + 3, 5), (16 * k + 8, 2), (16 * k + 6, 12)], fill=light)
        draw.line((16 * k + 10, 13, 16 * k + 14, 13), fill=light)
    return png(sheet)


def lozenges(height=16, tall=0):
    """Return four tiles for isometric maps: a rhombus 32 wide on a foot as high as `tall`."""
    sheet = Image.new("RGBA", (128, height + tall))
    draw = ImageDraw.Draw(sheet)
    for k, color in enumerate(GREENS):
        x = 32 * k
        dark = tuple(part // 2 for part in color)
        middle = height // 2
        if tall:
            draw.polygon(
                [(x, middle), (x + 16, height - 1), (x + 31, middle), (x + 31, middle + tall),
                 (x + 16, height + tall - 1), (x, middle + tall)], fill=dark,
            )  # fmt: skip
        draw.polygon([(x, middle), (x + 16, 0), (x + 31, middle), (x + 16, height - 1)], fill=color)
    return png(sheet)


def hexagons():
    """Return four hexagonal tiles, 28 wide and 32 high."""
    sheet = Image.new("RGBA", (112, 32))
    draw = ImageDraw.Draw(sheet)
    for k, color in enumerate(GREENS):
        x = 28 * k
        corners = [(x, 8), (x + 14, 0), (x + 27, 8), (x + 27, 23), (x + 14, 31), (x, 23)]
        draw.polygon(corners, fill=color, outline=tuple(part // 2 for part in color))
    return png(sheet)


LEGEND = """legend:
  "a": {tile: 0}
  "b": {tile: 1}
  "c": {tile: 2}
  "d": {tile: 3}
  "1": {tile: 0, turn: 90}
  "2": {tile: 1, turn: 180}
  "3": {tile: 2, turn: 270}
  "x": {tile: 0, flip_x: true}
  "y": {tile: 1, flip_y: true}
  "z": {tile: 2, turn: 90, flip_x: true}
  "~": {frames: [1, 3], every: 0.02}
"""


def rows(width, height, letters="aabbccdd"):
    """Return a map of letters without a simple repetition."""
    lines = ["".join(letters[(3 * x + 5 * y + x * y) % len(letters)] for x in range(width)) for y in range(height)]
    return "layers:\n  ground: |\n" + "\n".join(f"    {line}" for line in lines) + "\n"


def land(stage, **fields):
    """Spawn the map `land.map.yaml` in the middle of the screen."""
    stage.put(160, 120, TileMap(map="land.map.yaml", anchor=(0.5, 0.5), **fields))


def test_a_straight_map_with_every_turn(studio):
    """Tiles can be rotated by quarters, mirrored, or both, and some cells can be empty."""
    text = "cell: 16\ntilesets: {t: t.png}\n" + LEGEND + rows(20, 15, "ab1c2d3x.yz")
    stage = studio(files={"land.map.yaml": text, "t.png": squares()})
    land(stage)
    stage.compare("tiles_straight")


def test_a_map_between_whole_pixels(studio):
    """A map magnified by a fraction, rotated and filtered shows no seam and no color of a neighbor in the sheet."""
    text = "cell: 16\ntilesets: {t: t.png}\n" + LEGEND + rows(20, 15)
    stage = studio(files={"land.map.yaml": text, "t.png": squares()})
    stage.put(160.3, 120.7, Camera(zoom=1.37), rotation=0.21)
    land(stage, sampling=Sampling.LINEAR)
    stage.compare("tiles_smooth")


def test_a_map_from_far_away(studio):
    """With four tiles per pixel and a tint, all backends show the same."""
    text = "cell: 16\ntilesets: {t: t.png}\n" + LEGEND + rows(90, 70)
    stage = studio(files={"land.map.yaml": text, "t.png": squares()})
    stage.put(160, 120, Camera(zoom=0.23))
    land(stage, color=(1, 0.8, 0.8, 1))
    stage.compare("tiles_far")


def test_tiles_that_take_turns(studio):
    """After a few frames the animated tiles show their second image."""
    text = "cell: 16\ntilesets: {t: t.png}\n" + LEGEND + rows(20, 15, "a~~c")
    stage = studio(files={"land.map.yaml": text, "t.png": squares()})
    land(stage, opacity=0.8)
    stage.app.run(frames=2)
    stage.compare("tiles_animated")


@pytest.mark.parametrize("orientation", ["isometric", "staggered"])
def test_slanted_maps(studio, orientation):
    """In isometric and staggered maps tall tiles cover those behind them."""
    text = f"cell: [32, 16]\norientation: {orientation}\ntilesets: {{t: t.png}}\n" + LEGEND + rows(9, 12, "abcd.c")
    stage = studio(files={"land.map.yaml": text, "t.png": lozenges(tall=10)})
    stage.put(160, 120, Camera(zoom=1.07))
    land(stage)
    stage.compare(f"tiles_{orientation}")


@pytest.mark.parametrize("axis", ["x", "y"])
def test_six_sided_maps(studio, axis):
    """Hexagonal maps shift every second row or column by half a cell."""
    head = f"cell: [28, 32]\norientation: hexagonal\naxis: {axis}\nside: 16\ntilesets: {{t: t.png}}\n"
    stage = studio(files={"land.map.yaml": head + LEGEND + rows(11, 9, "abcdd"), "t.png": hexagons()})
    land(stage)
    stage.compare(f"tiles_hexagonal_{axis}")


def test_layers_of_a_map_and_things_between(studio):
    """A shape is drawn between a layer behind and one in front, by the z in the map file."""
    letters = "\n".join("    " + "".join("d" if (x + y) % 5 == 0 else "." for x in range(20)) for y in range(15))
    text = "cell: 16\ntilesets: {t: t.png}\n" + LEGEND + rows(20, 15)
    text += "  front:\n    z: 2\n    opacity: 0.7\n    rows: |\n" + letters.replace("    ", "      ") + "\n"
    stage = studio(files={"land.map.yaml": text, "t.png": squares()})
    land(stage)
    for k in range(5):
        stage.put(
            40 + 60 * k, 120, Shape(size=(50, 90), color=(0.9, 0.3, 0.2, 1), corner_radius=8, z=1), rotation=0.3 * k
        )
    stage.compare("tiles_layers")


def test_a_map_with_changed_tiles(studio):
    """Tiles set while the game runs are drawn, and the other tiles stay."""
    from rish_render import set_tiles

    text = "cell: 16\ntilesets: {t: t.png}\n" + LEGEND + rows(20, 15, "a")
    stage = studio(files={"land.map.yaml": text, "t.png": squares()}, strict=False)
    entity = stage.put(160, 120, TileMap(map="land.map.yaml", anchor=(0.5, 0.5)))
    stage.app.frame()
    columns, lines = (part.ravel() for part in np.mgrid[4:16, 4:11])
    set_tiles(stage.world, entity, "ground", columns, lines, np.where((columns + lines) % 2, 2, 0))
    stage.compare("tiles_changed")
