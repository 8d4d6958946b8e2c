"""The rasterizer compared with plain arithmetic: coverage, texels, and the number of compilations."""

from __future__ import annotations

import numpy as np
import pytest

import rish_jit
from rish_frame import Batch, Frame, pack_sprites
from rish_render.backends.software import bitmaps, placing
from rish_render.backends.software.backend import SoftwareBackend
from rish_render.backends.software.kernels import affine_sprites, gather, mesh, polygons, shapes, sprites, tiles
from rish_render.backends.software.pages import Pages

SIZE = (96, 64)


def colors(pixels):
    """Return uint32 pixels as (n, 4)."""
    return np.ascontiguousarray(pixels).view(np.uint8).reshape(-1, 4)


def draw(*batches, size=SIZE, pages=()):
    """Return the image of some batches over transparent black, uint8 (h, w, 4)."""
    frame = Frame(size)
    backend = SoftwareBackend()
    backend.open("", size)
    for number, (pixels, table) in enumerate(pages):
        backend.image(number, pixels)
        frame.set_frames(table)
    for batch in batches:
        frame.add(batch)
    backend.draw(frame)
    return backend.pixels()


def polygon(points):
    """Return one white polygon."""
    points = np.array(points, np.float32)
    return Batch(
        "polygons",
        {
            "points": points,
            "starts": np.array([0, len(points)], np.int32),
            "triangles": np.zeros((0, 3), np.int32),
            "rgba": np.full((1, 4), 255, np.uint8),
        },
    )


def shape(x, y, w, h, kind=0, corner=0.0, turn=0.0):
    """Return one white box or ellipse."""
    c, s = np.cos(turn), np.sin(turn)
    white = np.full((1, 4), 255, np.uint8)
    return Batch(
        "shapes",
        {
            "matrix": np.array([[c * w, s * w, -s * h, c * h, x, y]], np.float32),
            "half": np.array([[w / 2, h / 2]], np.float32),
            "corner": np.array([corner], np.float32),
            "line": np.zeros(1, np.float32),
            "kind": np.array([kind], np.uint8),
            "rgba": white,
            "rgba2": white,
            "edge": np.zeros((1, 4), np.uint8),
        },
    )


def covered(picture):
    """Return the sum of the coverage of all pixels."""
    return picture[..., 0].astype(float).sum() / 255


def test_a_polygon_covers_its_area():
    """A star's coverage adds up to its area; one that leaves the screen, to the area that remains."""
    angles = np.arange(10) * np.pi / 5
    radius = np.where(np.arange(10) % 2, 10.0, 25.0)
    star = np.stack([radius * np.sin(angles), radius * np.cos(angles)], axis=1)
    area = abs((star[:, 0] * np.roll(star[:, 1], -1) - star[:, 1] * np.roll(star[:, 0], -1)).sum()) / 2
    assert covered(draw(polygon(star + np.array([48.3, 31.7])))) == pytest.approx(area, rel=0.01)
    assert covered(draw(polygon([(-20, 10), (48, 10), (48, 42), (-20, 42)]))) == pytest.approx(48 * 32, rel=0.01)
    assert covered(draw(polygon([(48, 10), (200, 10), (200, 42), (48, 42)]))) == pytest.approx(48 * 32, rel=0.01)


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1])
def test_shapes_cover_their_area(turn):
    """Boxes, rounded boxes and circles cover their area, rotated or not, at positions between pixels."""
    assert covered(draw(shape(48.4, 30.7, 40, 17, turn=turn))) == pytest.approx(40 * 17, rel=0.015)
    assert covered(draw(shape(48.4, 30.7, 30, 30, kind=1, turn=turn))) == pytest.approx(np.pi * 225, rel=0.015)
    rounded = 40 * 30 - (4 - np.pi) * 64
    assert covered(draw(shape(48.4, 30.7, 40, 30, corner=8, turn=turn))) == pytest.approx(rounded, rel=0.015)


def test_thin_shapes_fade():
    """A box a quarter of a pixel thin covers a quarter of its pixels."""
    assert covered(draw(shape(48, 30.5, 40, 0.25))) == pytest.approx(10, rel=0.02)


def test_a_picture_is_copied_texel_by_texel():
    """At its own size on whole pixels an image is copied exactly, with either filter; mirrored, it is mirrored."""
    rng = np.random.default_rng(3)
    pixels = rng.integers(0, 256, (20, 30, 4)).astype(np.uint8)
    pixels[..., 3] = 255
    table = [[0, 0, 0, 30, 20, 0], [0, 30, 0, 0, 20, 0]]
    for filter_ in ("nearest", "linear"):
        here = Batch("sprites", {"instances": pack_sprites(48, 32, 30, 20)}, filter=filter_)
        assert np.array_equal(draw(here, pages=[(pixels, table)])[22:42, 33:63], pixels)
        there = Batch("sprites", {"instances": pack_sprites(48, 32, 30, 20, frame=1)}, filter=filter_)
        assert np.array_equal(draw(there, pages=[(pixels, table)])[22:42, 33:63], pixels[:, ::-1])


def test_neighbors_leave_no_gap_and_never_overlap():
    """Half transparent tiles side by side at fractional sizes cover every pixel exactly once."""
    white = np.full((4, 4, 4), 128, np.uint8)
    x = 3.3 + 7.7 * np.arange(10)
    matrix = np.zeros((10, 6), np.float32)
    matrix[:, 0], matrix[:, 3], matrix[:, 4], matrix[:, 5] = 7.7, 20, x + 3.85, 32
    arrays = {"matrix": matrix, "frame": np.zeros(10, np.uint16), "rgba": np.full((10, 4), 255, np.uint8)}
    row = draw(Batch("sprites_wide", arrays), pages=[(white, [[0, 0, 0, 4, 4, 0]])])[32, :, 0]
    assert set(row[3:80].tolist()) == {128}


def test_pages_move_together_and_are_found_again():
    """Each page keeps its texels while other pages are added, replaced and dropped."""
    pages, rng = Pages(), np.random.default_rng(5)
    held = {}
    for step in range(60):
        page = int(rng.integers(8))
        if step % 5 == 4:
            pages.drop(page)
            held.pop(page, None)
            continue
        pixels = rng.integers(0, 256, (int(rng.integers(1, 40)), int(rng.integers(1, 40)), 4)).astype(np.uint8)
        pages.put(page, pixels)
        held[page] = pixels
        for number, expected in held.items():
            place = pages.places[number]
            texels = pages.texels[place.start : place.start + place.stride * place.height]
            lines = colors(texels).reshape(place.height, place.stride, 4)
            assert np.array_equal(lines[:, : place.width], expected)
    assert not pages.texels[:8].any()


def test_rows_of_wide_pages_do_not_share_sets_of_the_cache():
    """For any width, the distance between rows is not an even number of cache lines."""
    pages = Pages()
    for number, width in enumerate((16, 32, 64, 100, 1000, 1024, 2048)):
        pages.put(number, np.zeros((3, width, 4), np.uint8))
        assert width <= pages.places[number].stride <= width + 16
        assert pages.places[number].stride % 32


@pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
def test_each_kernel_is_compiled_once():
    """Each kernel is compiled for one signature only, so nothing compiles in the middle of a game."""
    for module in (bitmaps, affine_sprites, gather, placing, sprites, tiles, shapes, polygons, mesh):
        for name, kernel in vars(module).items():
            if isinstance(kernel, rish_jit.LazyKernel) and kernel.compiled:
                assert len(kernel.loaded_types) == 1, name
