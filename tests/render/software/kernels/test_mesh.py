"""Meshes compared with a plain loop over pixels, and the lists of triangles by bands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rish_jit
from long_runs import long
from rish_frame import Batch, Frame, Pass, Target, perspective
from rish_render.backends.software.backend import SoftwareBackend
from rish_render.backends.software.kernels import mesh

pytestmark = pytest.mark.skipif(not rish_jit.available(), reason="takes minutes where kernels run as plain Python")
SIZE = (2100, 40)  # so wide that a band has 8 rows
LENS = perspective(1.2, 3.0, 0.5, 50.0)


def some_triangles(seed, count):
    """Return random triangles before, behind and across the near plane."""
    rng = np.random.default_rng(seed)
    positions = rng.normal(0, 3, (3 * count, 3)) * [3, 1, 1] + [0, 0, -3]
    colors = rng.integers(0, 256, (3 * count, 4))
    colors[:, 3] = 255
    order = rng.permutation(3 * count).reshape(-1, 3)
    arrays = {"positions": positions.astype(np.float32), "colors": colors.astype(np.uint8)}
    return arrays | {"indices": order.astype(np.int32)}


def drawn(arrays, threads, *, depth=True):
    """Return the image of the triangles, uint8 (h, w, 4)."""
    backend, frame = SoftwareBackend(threads=threads), Frame(SIZE)
    backend.open("", SIZE)
    frame.add_target(Target("scene", depth=depth))
    frame.add_pass(Pass("scene", targets=("scene",), projection=LENS, depth_test=depth))
    frame.add(Batch("mesh", arrays), to="scene")
    backend.draw(frame)
    picture = backend.pixels("scene")
    backend.close()
    return picture


def covered(arrays):
    """Return the pixels whose centers are inside of any triangle, and those that are clearly neither in nor out."""
    height, width = SIZE[1], SIZE[0]
    inside, sure = np.zeros((height, width), bool), np.ones((height, width), bool)
    y, x = np.mgrid[0:height, 0:width] + 0.5
    x, y = 2 * x / width - 1, 1 - 2 * y / height
    for row in arrays["indices"]:
        corners = np.column_stack([arrays["positions"][row], np.ones(3)]) @ LENS.T.astype(float)
        # Edge functions in homogeneous coordinates, which need no clipping (Olano and Greer 1997).
        matrix = corners[:, [0, 1, 3]]
        if abs(np.linalg.det(matrix)) < 1e-9:
            continue
        weights = np.tensordot(np.stack([x, y, np.ones_like(x)], axis=-1), np.linalg.inv(matrix), axes=1)
        w = 1 / np.where(weights.sum(axis=-1) > 0, weights.sum(axis=-1), np.nan)
        near = np.where(np.isnan(w), -1, (weights @ corners[:, 2]) * w)
        far, border = near / w, np.abs(weights * w[..., None]).min(axis=-1)
        hit = (weights > 0).all(axis=-1) & (far > -1) & (far < 1)
        inside |= hit
        unclear = (border < 0.02) | (np.abs(np.abs(far) - 1) < 0.02) | ~np.isfinite(far)
        sure &= ~unclear | (weights < -0.02 * np.abs(weights).max(axis=-1, keepdims=True)).any(axis=-1)
    return inside, sure


@settings(max_examples=long(50, 5), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_a_mesh_covers_the_pixels_whose_centers_are_inside_of_a_triangle(seed, count):
    """A pixel is drawn if its center is inside of a triangle, also where triangles cross the near plane."""
    arrays = some_triangles(seed, count)
    inside, sure = covered(arrays)
    assert ((drawn(arrays, 1)[..., 3] > 0) == inside)[sure].all()


@settings(max_examples=long(50, 5), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(200, 400), st.booleans())
def test_bands_of_a_mesh_make_the_same_picture_as_all_rows_at_once(seed, count, depth):
    """The number of threads does not change a pixel of a mesh, with and without a depth test."""
    arrays = some_triangles(seed, count)
    assert (drawn(arrays, 1, depth=depth) == drawn(arrays, 3, depth=depth)).all()


@given(st.lists(st.tuples(st.integers(0, 39), st.integers(1, 20)), max_size=30), st.integers(0, 5))
def test_triangles_are_listed_in_each_band_that_they_touch(spans, shift):
    """Each band lists the triangles whose rows it contains, in order; a list that is too short is not written."""
    rows = np.array([(first, min(first + count, 40)) for first, count in spans], np.int32).reshape(-1, 2)
    bands = (39 >> shift) + 1
    starts = np.empty(bands + 1, np.int64)
    needed = mesh.list_triangles(rows, len(rows), shift, starts, np.empty(0, np.int32))
    listed = np.empty(needed, np.int32)
    assert mesh.list_triangles(rows, len(rows), shift, starts, listed) == needed
    for band in range(bands):
        first, last = band << shift, (band + 1) << shift
        expected = [t for t, (low, high) in enumerate(rows.tolist()) if low < last and high > first]
        assert listed[starts[band] : starts[band + 1]].tolist() == expected
