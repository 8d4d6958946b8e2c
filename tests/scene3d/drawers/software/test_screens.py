"""Lines, developed pictures and the corners of meshes, against plain forms in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame import Batch
from rish_scene3d.drawers.software.kernels.screen import draw_lines
from rish_scene3d.models.model_library import MeshData
from scene3d import Scene, mesh, placed, sphere, tube


def test_pictures_are_developed_by_the_formula(show: Any) -> None:
    """Exposure, the curve of ACES and the encoding are those of the formula, within a level."""
    scene = Scene(size=(64, 36), sky=(0.3, 0.05, 2.0), exposure=1.5)
    shown = show(scene.frame(), "screen")[10, 10, :3].astype(float)
    light = np.array([0.3, 0.05, 2.0]) * 1.5 * 0.6
    light = np.clip(light * (2.51 * light + 0.03) / (light * (2.43 * light + 0.59) + 0.14), 0, 1)
    encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    assert shown == pytest.approx(encoded * 255, abs=1)


@pytest.mark.parametrize("tested", [False, True])
def test_lines_cover_what_is_near_them(tested: bool) -> None:
    """Each pixel has the color of a line by its distance from it, and none where something nearer is, if tested."""
    random = np.random.default_rng(4)
    for _ in range(10):
        out, depth = np.zeros((20, 30, 4), np.float32), random.choice([-0.5, 0.9], (20, 30)).astype(np.float32)
        ends, covers = random.uniform(-5, 35, 4), random.uniform(1, 3)
        line = np.array([[ends[0], ends[1], 0, ends[2], ends[3], 0, covers]], np.float32)
        color = np.array([[1, 0.5, 0.25, 0.8]], np.float32)
        draw_lines(np.array([2, 1, 28, 19]), line, color, tested, depth, out)
        y, x = np.mgrid[0:20, 0:30] + 0.5
        way = np.array([ends[2] - ends[0], ends[3] - ends[1]])
        length = np.hypot(*way)
        way /= length
        along = (x - ends[0]) * way[0] + (y - ends[1]) * way[1]
        away = np.abs((y - ends[1]) * way[0] - (x - ends[0]) * way[1])
        alpha = 0.8 * np.clip(covers - away, 0, 1) * ((along >= -0.5) & (along <= length + 0.5))
        alpha *= (x > 2) & (x < 28) & (y > 1) & (y < 19) & ((depth > 0) | (not tested))
        sure = (np.abs(along + 0.5) > 1e-3) & (np.abs(along - length - 0.5) > 1e-3)
        wanted = alpha[..., None] * np.array([1, 0.5, 0.25, 1])
        assert (np.abs(out - wanted)[sure] < 1e-3).all()


def skinned(data: MeshData, joints: Any) -> MeshData:
    """Return a mesh with its joints applied, as a mesh without a skin."""
    assert data.joints is not None
    assert data.weights is not None
    rows = np.einsum("nk,nkij->nij", data.weights.astype(float), np.asarray(joints, float)[data.joints])
    places = np.einsum("nij,nj->ni", rows[:, :, :3], data.positions) + rows[:, :, 3]
    normals = np.einsum("nij,nj->ni", np.linalg.inv(rows[:, :, :3]).transpose(0, 2, 1), data.normals)
    return mesh("skinned", places, normals, data.indices, uv0=data.uv0)


@pytest.mark.parametrize("influences", [4, 8])
def test_skins_are_those_of_numpy(show: Any, influences: int) -> None:
    """A bent tube looks like the one that numpy bends, with 4 and 8 influences."""
    joints, seen = [placed(), placed(0.1, 0, 0, turn=0.4, tilt=0.2), placed(0.2, 0.1, 0, 0.9, tilt=0.5)], []
    for bent in (False, True):
        scene, data = Scene(size=(160, 90), eye=(1.5, 1.6, 3.0), aim=(0, 0.9, 0)), tube(3, influences=influences)
        scene.sun()
        first = scene.pose(*joints)
        shape = scene.mesh(skinned(data, joints) if bent else data)
        scene.show(shape, scene.material(), placed(), palette=-1 if bent else first)
        seen.append(show(scene.frame()))
    assert np.abs(seen[0] - seen[1]).mean() < 1e-3
    assert seen[0].std() > 0.01


def test_nothing_at_all_is_drawn_without_failure(show: Any) -> None:
    """An empty batch, a mesh behind the camera and an empty list of lines leave the sky as it is."""
    scene = Scene(size=(64, 36))
    scene.show(scene.mesh(sphere(4, 8)), scene.material(), placed(20, 20, 30))
    arrays = {
        "ends": np.zeros((0, 2, 3), np.float32), "width": np.zeros(0, np.float32),
        "rgba": np.zeros((0, 4), np.uint8), "hidden": np.zeros(0, np.uint8),
    }  # fmt: skip
    picture = show(scene.frame(batches=[Batch("scene3d.lines", arrays, z=3.0)]))
    assert np.array_equal(picture, show(Scene(size=(64, 36)).frame()))
