"""Normals and glow: their source in a sprite's maps, and how they are covered."""

from __future__ import annotations

import numpy as np
import pytest

from .conftest import BACKENDS

LAMP = "- {at: [80, 80], Transform: {}, Light: {radius: 120, falloff: none, windowed: false, height: 20}}"
BUMP = "- {at: [80, 48], Transform: {}, Sprite: {image: ball.png, normal: bump.png}}"
GLOW = "- {at: [80, 48], Transform: {}, Sprite: {image: ball.png, emission: glow.png}}"
COVERS = {
    "shape": "Shape: {size: [40, 40], color: '#808080', z: 1}",
    "circle": "Shape: {shape: circle, radius: 24, color: '#808080', z: 1}",
    "sprite": "Sprite: {size: [60, 60], color: '#808080', z: 1}",
    "text": "Text: {text: '\u2588', size: 120, color: '#808080', z: 1}",
    "line": "Line: {points: [[-20, 0], [20, 0]], width: 40, color: '#808080', z: 1}",
    "polygon": "Shape: {shape: polygon, points: [[-20, -20], [20, -20], [20, 20], [-20, 20]], color: '#808080', z: 1}",
}


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("below", [BUMP, GLOW])
@pytest.mark.parametrize("kind", COVERS)
def test_what_has_no_maps_hides_those_below(hall, backend, kind, below):
    """A thing without maps over a bump or a glow looks as it does alone."""
    cover = f"- {{at: [80, 48], Transform: {{}}, {COVERS[kind]}}}"
    elsewhere = below.replace("[80, 48]", "[20, 20]")
    over, alone = (hall(f"{first}\n{cover}\n{LAMP}", backend).pixels().copy() for first in (below, elsewhere))
    middle = np.s_[40:56, 72:88, :3]
    assert np.abs(over[middle].astype(int) - alone[middle]).max() <= 1
    assert over[middle].max() > 60


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_thing_half_transparent_hides_half(hall, backend):
    """A half transparent thing hides half of the glow below it."""
    veil = "- {at: [80, 48], Transform: {}, Shape: {size: [40, 40], color: '#00000080', z: 1}}"
    dark = "- {Ambient: {color: black}}"
    bare, veiled = (hall(f"{GLOW}\n{more}{dark}", backend).pixels()[48, 80, :3] for more in ("", f"{veil}\n"))
    np.testing.assert_allclose(veiled, bare * 0.5, atol=3)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_adds_light_hides_nothing(hall, backend):
    """An additive spark over a glow leaves the glow."""
    spark = "- {at: [80, 48], Transform: {}, Sprite: {size: [20, 20], color: '#101010', blend: add, z: 1}}"
    dark = "- {Ambient: {color: black}}"
    bare, under = (hall(f"{GLOW}\n{more}{dark}", backend).pixels()[48, 80, :3] for more in ("", f"{spark}\n"))
    assert bare.max() > 200
    np.testing.assert_array_equal(bare, under)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_map_counts_where_its_picture_does(hall, backend):
    """A normal map is used only where its image is opaque, as beside a round image."""
    from PIL import Image

    class Full:
        def __call__(self, folder):
            flat = np.full((32, 32, 4), (250, 128, 140, 255), np.uint8)
            Image.fromarray(flat).save(folder / "bump.png")

    floor = "- {at: [80, 48], Transform: {}, Shape: {size: [150, 90], color: '#808080'}}"
    paint = hall.paint
    hall.paint = lambda folder: (paint(folder), Full()(folder))
    with_map = hall(f"{floor}\n{BUMP}\n{LAMP}", backend).pixels().copy()
    plain = hall(f"{floor}\n{BUMP.replace(', normal: bump.png', '')}\n{LAMP}", backend).pixels().copy()
    changed = np.abs(with_map.astype(int) - plain).max(axis=2) > 1
    corner = np.s_[33:35, 65:67]
    assert not changed[corner].any()
    assert changed[48, 80]


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("flip", ["", ", flip_x: true", ", flip_y: true", ", flip_x: true, flip_y: true"])
def test_a_mirrored_picture_faces_the_other_way(hall, backend, flip):
    """A lit ball looks the same however its image is mirrored."""
    aside = "- {at: [110, 70], Transform: {}, Light: {radius: 120, falloff: none, windowed: false, height: 20}}"
    a, b = (
        hall(BUMP.replace("bump.png", f"bump.png{how}") + f"\n{aside}", backend)
        .pixels()[32:64, 64:96, :3].astype(int) for how in ("", flip)
    )  # fmt: skip
    assert np.abs(a - b).mean() < 2
    assert a[8, 24].max() > a[24, 8].max() + 60


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bump_is_bright_on_the_side_of_the_light(hall, backend):
    """A bump is bright on the side of a lamp above, and of a sun that shines downwards."""
    for light in (LAMP, "- {Transform: {}, Light: {kind: directional, direction: -90, height: 1}}"):
        shown = hall(f"{BUMP}\n{light}", backend).pixels()[..., 0].astype(int)
        assert shown[48 - 10, 80] > shown[48 + 10, 80] + 60


@pytest.mark.parametrize("backend", BACKENDS)
def test_normals_turn_with_the_camera(hall, backend):
    """A rotated camera shows the same ball rotated with its bright side."""
    camera = "- {{at: [80, 48], Transform: {{rotation: {turn}}}, Camera: {{}}}}"
    upright, lying = (
        hall(f"{BUMP}\n{LAMP}\n{camera.format(turn=turn)}", backend).pixels()[32:64, 64:96, 0].astype(int)
        for turn in (0, 90)
    )
    assert np.abs(np.rot90(upright, -1) - lying).mean() < 3


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("settings", ["{}", "{lighting: {post: [{fade: {amount: 0}}]}}"])
def test_on_a_layer_that_is_not_lit_maps_mean_nothing(hall, backend, settings):
    """On an unlit layer an image is shown unchanged; over a glow, it covers the glow."""
    layers, dark = "[world, {top: {lit: false}}]", "- {Ambient: {color: black}}"
    mapped = (
        "- {at: [80, 48], Transform: {}, Sprite: {image: ball.png, normal: bump.png, emission: glow.png, layer: top}}"
    )
    plain = "- {at: [80, 48], Transform: {}, Sprite: {image: ball.png, layer: top}}"
    with_maps, alone, over = (
        hall(f"{scene}\n{LAMP}\n{dark}", backend, layers=layers, settings=settings).pixels()[32:64, 64:96].astype(int)
        for scene in (mapped, plain, f"{GLOW}\n{plain}")
    )
    assert np.abs(with_maps - alone).max() <= 1
    assert np.abs(over - alone).max() <= 1
    assert np.abs(alone[16, 16, :3] - (200, 180, 160)).max() <= 1
