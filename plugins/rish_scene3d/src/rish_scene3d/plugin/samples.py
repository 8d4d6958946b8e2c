"""Draws a triangle in each way that 3D scenes are drawn, onto hidden targets, so that nothing compiles during play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch, Frame, Pass, Target, look_at, perspective

from .. import layout as at
from ..components.views import Camera3D
from ..models.model_library import Library, MeshData
from ..passes import kinds
from ..passes.kinds import Surfaces

if TYPE_CHECKING:
    from rish_core import World

_SIZE = (16, 16)
_VIEW, _MAP, _BUFFERS = "scene3d.sample", "scene3d.sample.map", "scene3d.sample.gbuffer"


def add_samples(world: World, frame: Frame) -> list[Batch]:
    """Add passes that draw each kind of batch once, if the scene has a camera; return no batches."""
    if not len(world.table(Camera3D)):
        return []
    library, things, light = _library(), _things(), _light()
    camera: dict[str, Any] = {
        "view": look_at((0, 0, 2), (0, 0, 0)), "projection": perspective(1.0, 1.0, 0.1, 10.0), "depth_test": True,
    }  # fmt: skip
    frame.add_target(Target(_MAP, _SIZE, ("r32f",), depth=True))
    frame.add_target(Target(_BUFFERS, _SIZE, kinds.GBUFFER_FORMATS, depth=True))
    frame.add_target(Target(_VIEW, _SIZE, ("rgba16f",), depth=True))
    eye = {"eye": np.zeros(3, np.float32), "reach": np.ones(1, np.float32)}
    surfaces = Surfaces(kinds.SURFACES, {**things, **light}, z=1.0, library=library)
    batches_by_target = {
        _MAP: [Surfaces(kinds.DEPTHS, {**things, **eye}, library=library)],
        _BUFFERS: [Surfaces(kinds.GBUFFER, dict(things), library=library)],
        _VIEW: [_sky(light), surfaces, _lines()],
    }
    for target, batches in batches_by_target.items():
        frame.add_pass(Pass(target, (target,), batches=batches, **camera))
    deferred = tuple(f"{_BUFFERS}{part}" for part in ("", ":1", ":2", ":3", ":4"))
    shade = Batch(kinds.SHADE, light, count=1)
    frame.add_pass(Pass(f"{_VIEW}.shade", (_VIEW,), deferred, after=_BUFFERS, batches=[shade], **camera))
    values = {"exposure": np.ones(1, np.float32), "tone": np.ones(1, np.int32)}
    develop = Batch(kinds.DEVELOP, values, count=1)
    frame.add_pass(Pass(f"{_VIEW}.develop", ("screen",), (_VIEW,), after=_VIEW, batches=[develop]))
    return []


def _library() -> Library:
    """Return a library with one triangle."""
    positions = np.array([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], np.float32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (3, 1))
    bounds = np.stack([positions.min(axis=0), positions.max(axis=0)])
    mesh = MeshData("sample", np.array([[0, 1, 2]], np.uint32), positions, normals, bounds)
    return Library([mesh])


def _things() -> dict[str, Any]:
    """Return the arrays of one opaque and one blended triangle."""
    instances = np.zeros(2, at.INSTANCE)
    instances["matrix"], instances["tint"] = np.eye(4, dtype=np.float32)[:3], 255
    instances["material"], instances["palette"], instances["morph"] = [0, 1], -1, -1
    materials = np.zeros((2, at.MATERIAL), np.float32)
    materials[:, at.BASE : at.BASE + 4], materials[:, at.ROUGHNESS], materials[1, at.ALPHA_MODE] = 0.5, 0.5, at.BLEND
    materials[:, at.MAPS :: at.MAP_SIZE] = -1
    runs = np.array([[0, 0, 1, 0], [0, 1, 1, at.BLENDED]], np.int32)
    return {
        "instances": instances, "runs": runs, "palettes": np.zeros((0, 3, 4), np.float32),
        "morphs": np.zeros(0, np.float32), "materials": materials,
    }  # fmt: skip


def _light() -> dict[str, Any]:
    """Return the arrays of a sun and a lamp without shadows."""
    suns, lamps = np.zeros((1, at.SUN), np.float32), np.zeros((1, at.LAMP), np.float32)
    suns[0, at.SUN_AXIS : at.SUN_AXIS + 3], suns[0, at.SUN_MAP] = (0, 0, -1), -1
    lamps[0, at.LAMP_PLACE + 2], lamps[0, at.LAMP_RANGE], lamps[0, at.LAMP_MAP], lamps[0, at.LAMP_ANGLE] = 2, 4, -1, -1
    clusters = np.zeros((int(np.prod(at.CLUSTERS)), 2), np.int32)
    clusters[:, 1] = 1
    scene = np.zeros(at.SCENE, np.float32)
    scene[at.EYE + 2], scene[at.EXPOSURE], scene[at.NEAR], scene[at.FAR], scene[at.STARS] = 2, 1, 0.1, 10, 1
    atlas = np.zeros((at.ATLAS_LEVELS, at.ATLAS_SIDE, at.ATLAS_SIDE, 3), np.float32)
    return {
        "suns": suns, "lamps": lamps, "clusters": clusters, "cluster_lamps": np.zeros(1, np.int32),
        "ambient": np.zeros((9, 3), np.float32), "atlas": atlas, "scene": scene,
    }  # fmt: skip


def _sky(light: dict[str, Any]) -> Batch:
    """Return a batch of a black sky."""
    arrays = {"picture": np.zeros((1, 1, 3), np.float32), "suns": light["suns"], "scene": light["scene"]}
    return Batch(kinds.SKY, arrays, count=1)


def _lines() -> Batch:
    """Return a batch of one line."""
    arrays = {
        "ends": np.array([[[0, 0, 0], [1, 1, 0]]], np.float32), "width": np.ones(1, np.float32),
        "rgba": np.full((1, 4), 255, np.uint8), "hidden": np.zeros(1, np.uint8),
    }  # fmt: skip
    return Batch(kinds.LINES, arrays, z=3.0)
