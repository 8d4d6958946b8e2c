"""OpenGL and the software backend draw the same images, with small differences in level and a few pixels at edges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from arcade_scenes import KINDS, SIZE, scene

from long_runs import long
from rish_frame import Backend, BackendError, Frame
from rish_frame.backend import sync_pages
from rish_frame.frame.batches import BLENDS
from rish_frame.testing.pictures import compare_pictures
from rish_render.backends import make_arcade, make_software

pytestmark = pytest.mark.gl

PICTURED = ("sprites", "wide", "tiles")


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Backend, Backend]]:
    """Open both backends."""
    opened = (make_arcade(), make_software())
    try:
        for backend in opened:
            backend.open("agreement", SIZE, False)
    except BackendError as error:
        pytest.skip(str(error))
    yield opened
    for backend in opened:
        backend.close()


def shoot(backend: Backend, frame: Frame) -> np.ndarray:
    """Draw a frame with its own pages and return the image of the canvas."""
    for page in (3, 7, 9):
        backend.free(page)
    sync_pages(backend, frame, {})
    stats = backend.draw(frame)
    assert not stats.skipped
    return backend.pixels("canvas")


@pytest.mark.parametrize("blend", BLENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_in_every_blend_mode(both: tuple[Backend, Backend], kind: str, blend: str, tmp_path: Path):
    """In every kind and blend mode fewer than one pixel in a thousand differs by more than eight levels."""
    for seed in long((2, 3), (2,)):
        frame = scene(kind, seed, blend=blend)
        ours, theirs = (shoot(backend, frame) for backend in both)
        compare_pictures(ours, theirs, mean=0.8, p99=3, ssim=0.99, busy=0.3, failures=tmp_path)
        assert (np.abs(ours.astype(int) - theirs).max(axis=2) > 8).mean() < 0.001


@pytest.mark.parametrize("kind", PICTURED)
def test_filtered_pictures(both: tuple[Backend, Backend], kind: str, tmp_path: Path):
    """Filtered images agree when magnified and reduced, and sampling is clamped inside each frame."""
    for seed in range(4, 8):
        frame = scene(kind, seed, filter="linear")
        ours, theirs = (shoot(backend, frame) for backend in both)
        compare_pictures(ours, theirs, mean=1.0, p99=4, ssim=0.99, busy=0.3, failures=tmp_path)


def test_far_from_the_origin_nothing_is_lost(both: tuple[Backend, Backend], tmp_path: Path):
    """Both agree a million units from the origin, where float32 positions have a resolution of 1/16 unit."""
    from rish_frame import orthographic, pack_sprites, view_2d

    frame = scene("sprites", 10)
    main = frame.passes["main"]
    here = (1_000_000.0, -1_000_000.0)
    main.view, main.projection = view_2d(*here), orthographic(-160, 160, -120, 120)
    batch = main.batches[0]
    batch.origin = here
    x = np.linspace(-150, 150, 30)
    batch.arrays["instances"] = pack_sprites(x, x / 2, 12.25, 9.5, x, np.arange(30))
    batch.count = 30
    ours, theirs = (shoot(backend, frame) for backend in both)
    assert np.abs(ours.astype(int) - theirs).mean() < 0.5
    assert len(np.unique(ours[..., 0])) > 10
