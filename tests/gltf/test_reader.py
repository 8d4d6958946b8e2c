"""Models made in code come back as they were made."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from gltf_models import BOX, FACES, MODELS, Builder, box, interleaved, lit, morph_cube, no_files, quad, sparse, tube
from gltf_models import quantized as quantized_box
from rish_gltf import Model, read_gltf


def arrays_of(model: Model) -> list[np.ndarray]:
    """Return all arrays of a model."""
    found: list[np.ndarray] = []

    def walk(value: object) -> None:
        if isinstance(value, np.ndarray):
            found.append(value)
        elif isinstance(value, tuple):
            for each in value:
                walk(each)
        elif dataclasses.is_dataclass(value):
            for field in dataclasses.fields(value):
                walk(getattr(value, field.name))

    walk(model)
    return found


@pytest.mark.parametrize("name", MODELS)
def test_both_containers_hold_the_same(name: str) -> None:
    """A .gltf with a data URI and a .glb give equal arrays, read-only, float32 or uint32."""
    made = MODELS[name]()
    text, binary = made.read(), read_gltf(made.glb() if made.blob else made.gltf(), no_files, "made.glb")
    pairs = list(zip(arrays_of(text), arrays_of(binary), strict=True))
    assert all(np.array_equal(one, other) for one, other in pairs)
    assert all(not one.flags.writeable and one.dtype in (np.float32, np.uint32) for one, _ in pairs)
    assert text.warnings == ()


def test_missing_normals_are_flat() -> None:
    """A cube without normals gets three corners of its own for each triangle, and normals that point outwards."""
    (primitive,) = box().read().meshes[0].primitives
    assert primitive.kind == "triangles"
    assert primitive.positions.shape == primitive.normals.shape == (36, 3)
    assert np.array_equal(primitive.positions[primitive.indices], BOX[FACES])
    assert ((primitive.normals * primitive.positions).sum(1) == 1).all()
    assert primitive.bounds.tolist() == [[-1, -1, -1], [1, 1, 1]]


def test_materials_and_textures() -> None:
    """A material has all its maps, factors and modes, and its picture decodes."""
    model = quad().read()
    (material,) = model.materials
    assert (material.name, material.alpha_mode, material.double_sided) == ("wall", "mask", True)
    assert (material.metallic, material.roughness, material.emissive_strength) == (0, 0.75, 4)
    assert (material.normal_scale, material.occlusion_strength) == (0.5, 0.25)
    assert material.base_color == (0.5, 0.5, 0.5, 1)
    use = material.base_texture
    assert use is not None
    assert (use.sampler.wrap_u, use.sampler.wrap_v, use.sampler.mag) == ("clamp", "repeat", "nearest")
    assert (use.matrix @ [0.5, 0.5, 1]).tolist() == [1.5, 1, 1]
    assert material.normal_texture
    assert material.normal_texture.image == 0
    assert (model.images[0].name, model.images[0].mime) == ("bumps", "image/png")
    assert model.images[0].decode().tolist() == [[[128, 128, 255, 255]] * 2] * 2


def test_the_texture_transform_scales_turns_and_moves() -> None:
    """A quarter turn moves (1, 0) to (0, -1), as the extension's specification says."""
    made = quad()
    info = made.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
    info["extensions"]["KHR_texture_transform"] = {"rotation": math.pi / 2, "offset": [0, 1], "texCoord": 1}
    model = made.read()
    use = model.materials[0].base_texture
    assert use is not None
    assert use.matrix @ [1, 0, 1] == pytest.approx([0, 0, 1], abs=1e-6)
    assert model.warnings == ("meshes[0].primitives[0]: has no TEXCOORD_1, which a texture of its material needs",)


@pytest.mark.parametrize("influences", [4, 8])
def test_skins_and_key_frames(influences: int) -> None:
    """A tube has joints, weights with the sum 1, inverse bind matrices, and key frames of two kinds."""
    model = tube(influences).read()
    (primitive,) = model.meshes[0].primitives
    assert primitive.joints is not None
    assert primitive.joints.shape == primitive.weights.shape == (len(primitive.positions), influences)
    assert primitive.weights.sum(1) == pytest.approx(1, abs=1e-6)
    (skin,) = model.skins
    assert [model.nodes[joint].name for joint in skin.joints] == ["root", "tip"]
    assert skin.inverse_binds[1].tolist() == [[1, 0, 0, 0], [0, 1, 0, -1], [0, 0, 1, 0], [0, 0, 0, 1]]
    (bend,) = model.animations
    turn, move = bend.channels
    assert (bend.name, bend.duration) == ("bend", 1)
    assert (turn.path, turn.interpolation, turn.values.shape) == ("rotation", "linear", (3, 4))
    assert (move.path, move.interpolation, move.values.shape) == ("translation", "cubic", (3, 3, 3))
    assert move.values[:, 1, 1].tolist() == [1, 2, 1]
    assert model.nodes[1].parent == 2


def test_morph_targets() -> None:
    """Targets have names, positions and flat normals of their own; weights are there at the start and as key frames."""
    model = morph_cube().read()
    mesh = model.meshes[0]
    assert (mesh.target_names, mesh.weights) == (("wide", "large"), (0.25, 0))
    wide, large = mesh.primitives[0].targets
    assert np.array_equal(large.positions, mesh.primitives[0].positions)
    assert wide.positions.max(0).tolist() == [0.5, 0, 0]
    assert not large.normals.any()
    (channel,) = model.animations[0].channels
    assert (channel.path, channel.interpolation) == ("weights", "step")
    assert channel.values.tolist() == [[0, 1], [1, 0]]


def test_sparse_values_replace_zeros() -> None:
    """An accessor without a view is zeros, with its sparse values in their places."""
    (primitive,) = sparse().read().meshes[0].primitives
    assert primitive.positions.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert primitive.normals.tolist() == [[0, 0, 1]] * 3


def test_quantized_meshes() -> None:
    """Normalized whole numbers become fractions, and normals get the length 1."""
    (primitive,) = quantized_box().read().meshes[0].primitives
    assert np.array_equal(primitive.positions, BOX)
    assert primitive.normals == pytest.approx(BOX / np.sqrt(3), abs=1e-6)


def test_interleaved_strips() -> None:
    """Attributes may share a view, and a strip becomes triangles of one winding."""
    (primitive,) = interleaved().read().meshes[0].primitives
    assert primitive.indices.tolist() == [[0, 1, 2], [1, 3, 2]]
    assert primitive.colors == pytest.approx(np.tile([1, 0, 0.2, 1], (4, 1)))


def test_cameras_lights_and_matrices() -> None:
    """Cameras and lights have their numbers, and a matrix is also taken apart."""
    model = lit().read()
    eye, flat = model.cameras
    assert (eye.kind, eye.yfov, eye.zfar, eye.aspect) == ("perspective", 0.7, math.inf, 0)
    assert (flat.kind, flat.xmag, flat.zfar) == ("orthographic", 2, 9)
    lamp, sun = model.lights
    assert (lamp.kind, lamp.range, lamp.inner, lamp.outer) == ("spot", 5, 0.1, 0.5)
    assert (sun.kind, sun.intensity, sun.range, sun.color) == ("directional", 3, math.inf, (1, 0.5, 0))
    first = model.nodes[0]
    assert first.translation == (1, 2, 3)
    assert first.scale == pytest.approx((2, 2, 2))
    assert first.rotation == pytest.approx((0, 0, math.sqrt(0.5), math.sqrt(0.5)))
    again = dataclasses.replace(first, matrix=None)
    assert again.local() == pytest.approx(first.local(), abs=1e-6)
    assert (model.scene, model.scenes[0].name, model.scenes[0].nodes) == (0, "all", (0, 1))
    assert model.nodes[1].light == 0


def test_vertices_without_weight_follow_their_first_joint() -> None:
    """Weights that are all zero become 1 for the first joint, with a warning that says how many there are."""
    made = Builder()
    corner = np.eye(3, dtype=np.float32)
    zeros = made.accessor(np.zeros((3, 4), np.uint8), normalized=True)
    joints = made.accessor(np.ones((3, 4), np.uint8))
    made.mesh(attributes={"POSITION": made.accessor(corner), "JOINTS_0": joints, "WEIGHTS_0": zeros})
    model = made.read()
    assert model.meshes[0].primitives[0].joints.tolist() == [[1, 0, 0, 0]] * 3
    assert model.warnings[0].startswith("meshes[0].primitives[0].attributes: 3 vertices have no weight")
