"""Turns the model of a glTF file into one that is ready to be drawn; its meshes and pictures go into the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_gltf import Mesh, Model, MorphTarget, Node, Primitive, parents_first, rest_matrices, shown_nodes

from .materials import file_flags
from .model import ModelData, Piece, SkinData
from .model_library import Floats, Library, MeshData

_LAST_ROW = np.array([[[0, 0, 0, 1]]], np.float32)
NO_WEIGHTS = np.zeros(0, np.float32)


def model_of_mesh(library: Library, mesh: MeshData, material: int) -> ModelData:
    """Return a model of one mesh without nodes, as a generated shape is."""
    library.meshes.append(mesh)
    library.touch()
    return ModelData(
        mesh.name, (Piece(len(library.meshes) - 1, -1, material),), (), np.zeros(0, np.int32),
        np.zeros((0, 3), np.float32), np.zeros((0, 4), np.float32), np.zeros((0, 3), np.float32),
        np.zeros((0, 3, 4), np.float32), mesh.bounds, NO_WEIGHTS, np.zeros(0, np.int32),
    )  # fmt: skip


def convert(library: Library, model: Model, name: str, material: Callable[[int], int]) -> ModelData:
    """Return the model of a file.

    material: returns the row of the material with an index, -1 the default one. Only nodes of the file's scene are
    drawn; all of them can be animated.
    """
    order = parents_first(model.nodes)
    new_index = {old: new for new, old in enumerate(order)}
    nodes = [model.nodes[old] for old in order]
    parents = np.array([new_index.get(node.parent, -1) for node in nodes], np.int32)
    rest = rest_matrices(model, order)
    weights, first_weight = _weights(model, nodes)
    skins = _skins(model, new_index)
    shown = shown_nodes(model)
    visible = [k for k, old in enumerate(order) if old in shown]
    numbers = _add_meshes(library, model, {nodes[k].mesh for k in visible if nodes[k].mesh >= 0})
    pieces: list[Piece] = []
    for k in visible:
        node = nodes[k]
        for primitive, mesh in zip(_primitives(model, node.mesh), numbers.get(node.mesh, ()), strict=True):
            index = primitive.material
            flags = file_flags(model.materials[index]) if index >= 0 else 0
            skin = node.skin if primitive.joints is not None else -1
            morph = int(first_weight[k]) if primitive.targets else -1
            pieces.append(Piece(mesh, k, material(index), flags, skin, morph))
    clips = tuple(
        replace(clip, channels=tuple(replace(channel, node=new_index[channel.node]) for channel in clip.channels))
        for clip in model.animations
    )
    return ModelData(
        name, tuple(pieces), tuple(node.name for node in nodes), parents,
        _stacked([node.translation for node in nodes], 3), _stacked([node.rotation for node in nodes], 4),
        _stacked([node.scale for node in nodes], 3), rest, bounds_of(library, pieces, rest), weights,
        first_weight, skins, clips,
    )  # fmt: skip


def below(model: ModelData, part: str, library: Library) -> ModelData | None:
    """Return the model with only the pieces of the node with a name and of those below it; None without one."""
    if part not in model.names:
        return None
    top = model.names.index(part)
    inside = np.zeros(len(model.names), np.bool_)
    for k, parent in enumerate(model.parents.tolist()):
        inside[k] = k == top or (parent >= 0 and inside[parent])
    pieces = tuple(piece for piece in model.pieces if inside[piece.node])
    return replace(model, pieces=pieces, bounds=bounds_of(library, pieces, model.rest))


def bounds_of(library: Library, pieces: Sequence[Piece], rest: Floats) -> Floats:
    """Return the least and the largest corner (2, 3) of pieces at rest, each in the box of its mesh; zeros for none."""
    corners: list[npt.NDArray[Any]] = []
    for piece in pieces:
        low, high = library.meshes[piece.mesh].bounds
        box = np.stack(np.meshgrid(*zip(low, high, strict=True), indexing="ij"), axis=-1).reshape(-1, 3)
        matrix = rest[piece.node] if piece.node >= 0 and piece.skin < 0 else np.eye(3, 4)
        corners.append(box @ matrix[:, :3].T + matrix[:, 3])
    if not corners:
        return np.zeros((2, 3), np.float32)
    joined = np.concatenate(corners)
    return np.stack([joined.min(0), joined.max(0)]).astype(np.float32)


def _primitives(model: Model, mesh: int) -> list[Primitive]:
    return [each for each in model.meshes[mesh].primitives if each.kind == "triangles" and len(each.indices)]


def _add_meshes(library: Library, model: Model, wanted: set[int]) -> dict[int, list[int]]:
    """Add the triangles of meshes to the library; return their numbers by mesh."""
    numbers: dict[int, list[int]] = {}
    for index in sorted(wanted):
        first = len(library.meshes)
        meshes = [_mesh(model.meshes[index], primitive) for primitive in _primitives(model, index)]
        library.meshes += meshes
        numbers[index] = [*range(first, first + len(meshes))]
    library.touch()
    return numbers


def _mesh(mesh: Mesh, primitive: Primitive) -> MeshData:
    normals = primitive.normals
    assert normals is not None  # the reader makes them for triangles
    joints = None if primitive.joints is None else primitive.joints.astype(np.uint16)
    parts = [_target(each, len(primitive.positions)) for each in primitive.targets]
    targets = np.stack(parts) if parts else None
    bounds = primitive.bounds
    if targets is not None:
        offsets = targets[:, 0]
        bounds = np.stack(
            [bounds[0] + np.minimum(offsets, 0).sum(0).min(0), bounds[1] + np.maximum(offsets, 0).sum(0).max(0)]
        )
    return MeshData(
        mesh.name, primitive.indices, primitive.positions, normals, bounds.astype(np.float32), primitive.tangents,
        primitive.uv0, primitive.uv1, primitive.colors, joints, primitive.weights, targets,
    )  # fmt: skip


def _target(target: MorphTarget, count: int) -> Floats:
    nothing = np.zeros((count, 3), np.float32)
    parts = (target.positions, target.normals, target.tangents)
    return np.stack([nothing if part is None else part for part in parts]).astype(np.float32)


def _weights(model: Model, nodes: Sequence[Node]) -> tuple[Floats, npt.NDArray[Any]]:
    """Return the weights of all morph targets at rest, and where those of each node begin, -1 for none."""
    weights: list[float] = []
    first: list[int] = []
    for node in nodes:
        mesh = model.meshes[node.mesh] if node.mesh >= 0 else None
        count = max((len(each.targets) for each in mesh.primitives), default=0) if mesh is not None else 0
        first.append(len(weights) if count else -1)
        values = [*(node.weights or (mesh.weights if mesh is not None else ()))]
        weights += (values + [0.0] * count)[:count]
    return np.array(weights, np.float32), np.array(first, np.int32)


def _skins(model: Model, new_index: dict[int, int]) -> tuple[SkinData, ...]:
    skins: list[SkinData] = []
    first = 0
    for skin in model.skins:
        joints = np.array([new_index[joint] for joint in skin.joints], np.int32)
        skins.append(SkinData(joints, np.ascontiguousarray(skin.inverse_binds[:, :3], np.float32), first))
        first += len(joints)
    return tuple(skins)


def _stacked(rows: Sequence[Sequence[float]], width: int) -> Floats:
    return np.array(rows, np.float32).reshape(-1, width)


def rest_palette(model: ModelData) -> Floats:
    """Return (j, 3, 4): the palette of all skins of a model at rest."""
    parts: list[Floats] = []
    for skin in model.skins:
        bind = np.concatenate([skin.inverse_binds, np.tile(_LAST_ROW, (len(skin.joints), 1, 1))], 1)
        parts.append(model.rest[skin.joints] @ bind)
    return np.ascontiguousarray(np.concatenate(parts)) if parts else np.zeros((0, 3, 4), np.float32)
