"""Meshes from code, as models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import UsageError
from rish_scene3d import Model3D, Models3D, pick_3d
from rish_space3d import Transform3D

EYE = "{Transform3D: {position: [0, 0, 5]}, Camera3D: {}}"
MADE = '{Transform3D: {}, Model3D: {asset: "made:tile"}}'
PLACES = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], np.float32)
FACES = [[0, 1, 2], [0, 2, 3]]


def test_a_mesh_from_code_is_a_model(stage: Callable[..., Any], caplog: Any):
    """A manifest may name a mesh before code puts it; then it is drawn, rays hit it, and its normals are made."""
    app = stage(EYE, MADE, frames=0)
    assert not caplog.records
    store = app.world[Models3D]
    store.put("tile", PLACES, FACES)
    app.run(frames=1)
    (batch,) = app.host.backend.drawn("scene3d.surfaces")
    mesh = store.library.meshes[batch.arrays["runs"][0, 0]]
    assert mesh.normals.tolist() == [[0, 0, 1]] * 4
    assert mesh.bounds.tolist() == [[-1, -1, 0], [1, 1, 0]]
    hit = pick_3d(app.world, None, (160, 90))
    assert hit is not None
    assert hit.distance == pytest.approx(5)


def test_a_mesh_can_be_replaced(stage: Callable[..., Any]):
    """Another mesh of the same name takes the place of the first, with its bounds, and keeps its number."""
    app = stage(EYE, MADE, frames=0)
    store = app.world[Models3D]
    for shift in (0.0, 1.0):
        store.put("tile", PLACES + np.array([0, 0, shift]), FACES, uv=PLACES[:, :2], colors=np.ones((4, 4)))
        app.run(frames=1)
        (batch,) = app.host.backend.drawn("scene3d.surfaces")
        assert store.library.meshes[batch.arrays["runs"][0, 0]].positions[:, 2].tolist() == [shift] * 4
        hit = pick_3d(app.world, None, (160, 90))
        assert hit is not None
        assert hit.distance == pytest.approx(5 - shift)
    assert len(store.library.meshes) == 1
    app.world.despawn(app.world.query(Model3D).entities)
    store.release(app.world)
    assert not store.library.meshes
    store.clear()
    assert store.model(app.world, "made:tile").bounds[:, 2].tolist() == [1, 1]


def test_a_model_that_was_not_made_is_told(stage: Callable[..., Any], caplog: Any):
    """A name that nothing was put under is logged with what to call; a mesh that is put later takes its place."""
    app = stage(EYE, frames=1)
    app.world.spawn(Transform3D(), Model3D(asset="made:hill"))
    app.run(frames=2)
    assert caplog.text.count("no model 'made:hill' was made. Call world[Models3D].put('hill', ...) first") == 1
    app.world[Models3D].put("hill", PLACES, FACES)
    assert app.world[Models3D].model(app.world, "made:hill").pieces[0].material == 0


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"indices": [[0, 1, 4]]}, "indices reach from 0 to 4, but there are 4 positions"),
        ({"positions": PLACES[:, :2]}, r"positions must be \(n, 3\), not \(4, 2\)"),
        ({"positions": PLACES * np.nan}, "positions must be finite"),
        ({"uv": PLACES}, r"uv must be \(4, 2\)"),
        ({"normals": PLACES[:2]}, r"normals must be \(4, 3\)"),
        ({"colors": PLACES}, r"colors must be \(4, 4\)"),
    ],
)
def test_wrong_arrays_are_refused(arrays: dict[str, Any], said: str):
    """Arrays that do not fit are refused with the name of the model and of the array."""
    with pytest.raises(UsageError, match=f"tile: {said}"):
        Models3D().put("tile", **{"positions": PLACES, "indices": FACES, **arrays})
