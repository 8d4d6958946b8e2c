"""From models of glTF to models that are drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gltf_models import MODELS, no_files
from rish_gltf import GltfError, read_gltf
from rish_scene3d.models.convert import below, convert, parents_first, rest_palette
from rish_scene3d.models.model import ModelData
from rish_scene3d.models.model_library import Library

ASSIMP = Path("/usr/share/assimp/models")
FILES = sorted(
    path.relative_to(ASSIMP).as_posix() for kind in ("gltf", "glb") for path in ASSIMP.rglob(f"*.{kind}")
) or [pytest.param("", marks=pytest.mark.skip(reason="assimp-testmodels is not installed"))]


def made(name: str) -> tuple[Library, ModelData]:
    """Return a model that was made in code, and its library."""
    library = Library()
    return library, convert(library, MODELS[name]().read(), name, lambda index: index + 1)


def check(library: Library, model: ModelData) -> None:
    """Check what holds for every model."""
    assert all(parent < k for k, parent in enumerate(model.parents))
    for piece in model.pieces:
        mesh = library.meshes[piece.mesh]
        count = len(mesh.positions)
        assert mesh.indices.max(initial=0) < count
        for name, width in (("normals", 3), ("tangents", 4), ("uv0", 2), ("uv1", 2), ("colors", 4)):
            array = getattr(mesh, name)
            assert array is None or (array.shape == (count, width) and array.dtype == np.float32)
        assert -1 <= piece.skin < len(model.skins)
        if piece.skin >= 0:
            assert mesh.joints is not None
            assert mesh.joints.max() < len(model.skins[piece.skin].joints)
        if piece.morph >= 0:
            assert mesh.targets is not None
            assert piece.morph + len(mesh.targets) <= len(model.weights)
    assert (model.bounds[0] <= model.bounds[1]).all()
    assert rest_palette(model).shape == (model.joints, 3, 4)


@pytest.mark.parametrize("name", MODELS)
def test_models_made_in_code_are_whole(name: str):
    """Parents come before children, indices are in range, arrays have one length, bounds are ordered."""
    check(*made(name))


@pytest.mark.parametrize("name", FILES)
def test_foreign_files_are_converted(name: str):
    """Every foreign file that can be read becomes a model that is whole."""
    path = ASSIMP / name
    try:
        model = read_gltf(path.read_bytes(), lambda beside: (path.parent / beside).read_bytes(), path.name)
    except GltfError:
        return
    library = Library()
    check(library, convert(library, model, name, lambda index: 0))


def test_the_robot_keeps_its_joints_and_clips():
    """The skin's joints, the clips and the nodes are those of the file, with the numbers of the new order."""
    given = MODELS["robot"]().read()
    _, model = made("robot")
    old, new = given.skins[0], model.skins[0]
    assert [model.names[joint] for joint in new.joints] == [given.nodes[joint].name for joint in old.joints]
    assert [clip.name for clip in model.clips] == [clip.name for clip in given.animations]
    for before, after in zip(given.animations[0].channels, model.clips[0].channels, strict=True):
        assert given.nodes[before.node].name == model.names[after.node]


def test_rest_matrices_multiply_along_the_tree():
    """The matrix of each node at rest is that of its parent times its own."""
    given = MODELS["robot"]().read()
    _, model = made("robot")
    for k, old in enumerate(parents_first(given.nodes)):
        above = np.eye(4)
        if model.parents[k] >= 0:
            above[:3] = model.rest[model.parents[k]]
        np.testing.assert_allclose(model.rest[k], (above @ given.nodes[old].local())[:3], atol=1e-5)


def test_a_part_shows_only_its_node_and_those_below():
    """A part keeps the nodes and drops the pieces of other nodes; an unknown one is None."""
    from gltf_models import Builder, box

    builder: Builder = box()
    mesh = 0
    builder.json["nodes"] = [
        {"name": "all", "children": [1, 2]}, {"name": "lid", "mesh": mesh, "translation": [0, 5, 0], "children": [3]},
        {"name": "chest", "mesh": mesh}, {"name": "knob", "mesh": mesh},
    ]  # fmt: skip
    builder.json["scenes"] = [{"nodes": [0]}]
    library = Library()
    model = convert(library, read_gltf(builder.gltf(), no_files, "chest"), "chest", lambda index: 0)
    assert len(model.pieces) == 3
    lid = below(model, "lid", library)
    assert lid is not None
    assert [model.names[piece.node] for piece in lid.pieces] == ["lid", "knob"]
    np.testing.assert_allclose(lid.bounds, [[-1, 4, -1], [1, 6, 1]])
    assert below(model, "hat", library) is None
    assert len({piece.mesh for piece in model.pieces}) == 1
