"""Files that others have made play without errors: the test models of assimp where they are installed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rish_gltf import GltfError, read_gltf
from rish_scene3d.clips.clip_library import skeleton_of
from rish_scene3d.clips.kernel import make_poses
from rish_scene3d.clips.sampling import sampled
from rish_scene3d.clips.tables import PoseTables, make_work, room_for

ASSIMP = Path("/usr/share/assimp/models")
FILES = sorted(
    path.relative_to(ASSIMP).as_posix() for kind in ("gltf", "glb") for path in (ASSIMP / "glTF2").rglob(f"*.{kind}")
) or [pytest.param("", marks=pytest.mark.skip(reason="assimp-testmodels is not installed"))]


@pytest.mark.parametrize("name", FILES)
def test_all_clips_of_a_file_can_be_posed(name: str) -> None:
    """Every animation of every file gives finite poses at all times; at rest, nodes are where the file says."""
    path = ASSIMP / name
    try:
        read = read_gltf(path.read_bytes(), lambda beside: (path.parent / beside).read_bytes(), path.name)
    except GltfError:
        pytest.skip("the file is refused")
    model = skeleton_of(read, name)
    if model is None or not model.names:
        return
    tables = PoseTables()
    skeleton = tables.add_skeleton(model)
    out = room_for(len(model.names), model.joints, len(model.weights))
    make_poses(tables, make_work(np.array([[skeleton, 0, 0, 0, 0, 0]]), np.zeros((0, 4)), np.zeros((0, 4))), out)
    assert np.allclose(out.nodes, model.rest, atol=1e-4 * (1 + np.abs(model.rest).max()))
    for clip in model.clips:
        rows = sampled(model, clip)
        offset = tables.add_clip(model, rows)
        for time in np.linspace(0, rows.seconds, 5):
            row = min(int(time / rows.interval), len(rows.rows) - 2)
            work = make_work(
                np.array([[skeleton, 0, 1, 0, 0, 0]]),
                np.array([[offset, row, 0, -1]]),
                np.array([[time / rows.interval - row, 1, 1, time]]),
            )
            make_poses(tables, work, out)
            assert np.isfinite(out.nodes).all()
            assert np.isfinite(out.palettes).all()
