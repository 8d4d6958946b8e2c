"""Clusters: each lamp is in every cluster that its light reaches."""

from __future__ import annotations

import numpy as np
import pytest

from rish_scene3d import layout as at
from rish_scene3d.light.formulas import cluster_of, unit
from rish_scene3d.scene.clusters import (
    cluster_depths,
    count_lamps,
    list_lamps,
    list_plainly,
    make_clusters,
    spheres_of,
)
from rish_scene3d.scene.views import View3D
from rish_scene3d.shadows.faces import camera_at, projection_of


def a_view(*, orthographic: bool = False) -> View3D:
    """A camera at the origin that looks along -z."""
    projection = projection_of(0.7, 50)
    if orthographic:
        projection = np.diag([0.1, 0.2, -0.04, 1]).astype(np.float32)
    place = np.zeros(3, np.float32)
    view = camera_at(place, (0, 0, -1), (0, 1, 0))
    return View3D("v", "screen", (160, 90), (0, 0, 1, 1), view, projection, place, 0.05, 50, orthographic=orthographic)


def some_lamps(count: int, seed: int, half_angle: float = 0.0) -> np.ndarray:
    """Lamps around the view."""
    rng, rows = np.random.default_rng(seed), np.zeros((count, at.LAMP), np.float32)
    rows[:, :3] = rng.uniform([-12, -8, -40], [12, 8, 3], (count, 3))
    rows[:, at.LAMP_RANGE] = rng.uniform(0.5, 9, count)
    rows[:, at.LAMP_AXIS : at.LAMP_AXIS + 3] = unit(rng.normal(size=(count, 3)))
    rows[:, at.LAMP_ANGLE] = np.cos(half_angle) if half_angle else -1
    return rows


@pytest.mark.parametrize("orthographic", [False, True])
@pytest.mark.parametrize("half_angle", [0.0, 0.5, 1.2])
def test_every_lamp_is_found_where_it_shines(orthographic: bool, half_angle: float) -> None:
    """At random points of the view, the lamps that reach them are among those of the point's cluster."""
    view, lamps = a_view(orthographic=orthographic), some_lamps(30, 3, half_angle)
    clusters, rows = make_clusters(view, lamps)
    rng = np.random.default_rng(5)
    points = rng.uniform([-14, -10, -49], [14, 10, -0.06], (30000, 3))
    clip = np.concatenate([points, np.ones((len(points), 1))], axis=1) @ (view.projection @ view.view).T
    shown = (np.abs(clip[:, :2]) < clip[:, 3:]).all(axis=1)
    points, place = points[shown], clip[shown, :2] / clip[shown, 3:] * 0.5 + 0.5
    scene = np.zeros(at.SCENE, np.float32)
    scene[at.NEAR], scene[at.FAR] = cluster_depths(view)
    number = cluster_of(place[:, 0], place[:, 1], -points[:, 2], scene)
    way = points[:, None] - lamps[:, :3]
    distance = np.linalg.norm(way, axis=-1)
    cosine = (way * lamps[:, at.LAMP_AXIS : at.LAMP_AXIS + 3]).sum(axis=-1) / distance
    reaches = (distance < lamps[:, at.LAMP_RANGE]) & (cosine > lamps[:, at.LAMP_ANGLE])
    listed = np.zeros((len(clusters), len(lamps)), np.bool_)
    for cluster, (first, count) in enumerate(clusters):
        listed[cluster, rows[first : first + count]] = True
    assert reaches.sum() > 100
    assert not (reaches & ~listed[number]).any()
    # and not in many others: most lamps are left out at most places
    assert listed.mean() < 0.1


def test_no_lamps_give_empty_clusters() -> None:
    """Without lamps all clusters are there, and empty."""
    clusters, rows = make_clusters(a_view(), np.zeros((0, at.LAMP), np.float32))
    assert clusters.shape == (16 * 9 * 24, 2)
    assert not clusters.any()
    assert len(rows) == 0


@pytest.mark.parametrize("half_angle", [0.2, 0.7, 0.9, 1.3])
def test_the_sphere_of_a_spot_encloses_its_cone(half_angle: float) -> None:
    """All points of a cone lie in the sphere that stands for it, which is not larger than the lamp's range."""
    row = some_lamps(1, 2, half_angle)
    rng = np.random.default_rng(0)
    ways = unit(rng.normal(size=(20000, 3)))
    ways = ways[ways @ row[0, at.LAMP_AXIS : at.LAMP_AXIS + 3] >= np.cos(half_angle)]
    points = row[0, :3] + ways * rng.uniform(0, row[0, at.LAMP_RANGE], len(ways))[:, None]
    [sphere] = spheres_of(row)
    assert np.linalg.norm(points - sphere[:3], axis=1).max() <= sphere[3] * (1 + 1e-5)
    assert sphere[3] <= row[0, at.LAMP_RANGE]


@pytest.mark.slow
def test_the_kernel_lists_what_the_plain_form_does() -> None:
    """Compiled and plain, the same lamps are in the same clusters."""
    low = np.random.default_rng(1).integers(-1, 8, (2, 40, at.CLUSTERS[2])).astype(np.int32)
    up = (low + np.random.default_rng(2).integers(-1, 9, low.shape)).astype(np.int32)
    plain, rows = list_plainly(low, up)
    clusters = np.zeros_like(plain)
    count_lamps(low, up, clusters)
    clusters[1:, 0] = np.cumsum(clusters[:-1, 1])
    listed = np.empty_like(rows)
    list_lamps(low, up, clusters, listed)
    assert np.array_equal(clusters, plain)
    assert np.array_equal(listed, rows)
