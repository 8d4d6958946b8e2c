"""Meshes: primitives as lists of triangles, lines or points, with normals and tangents where they are missing."""

from __future__ import annotations

import numpy as np

from .element import Element
from .files.accessors import Accessors
from .geometry.faces import MIN_INDICES, MODES, Floats, Indices, Reals, face_normals, parts_of
from .geometry.tangents import make_tangents
from .model import Material, Mesh, MorphTarget, Primitive, TextureUse
from .vertices import QUANTIZATION, Vertices, read_vertices

_KINDS = {1: "points", 2: "lines", 3: "triangles"}
_DRACO = "KHR_draco_mesh_compression"
_COST = 32768
_TANGENT_COST = 160  # bytes of temporary arrays for a corner


def read_meshes(root: Element, accessors: Accessors, materials: tuple[Material, ...]) -> tuple[Mesh, ...]:
    """Return all meshes, with their primitives as lists and all required normals and tangents."""
    quantized = QUANTIZATION in root.entries("extensionsUsed") or QUANTIZATION in root.entries("extensionsRequired")
    return tuple(_mesh(each, accessors, materials, quantized) for each in root.children("meshes"))


def _mesh(mesh: Element, accessors: Accessors, materials: tuple[Material, ...], quantized: bool) -> Mesh:
    """Return a mesh: its primitives, the names of its morph targets, and their weights."""
    elements = mesh.children("primitives")
    if not elements:
        mesh.wrong("primitives", "a list that is not empty")
    count = len(elements[0].entries("targets"))
    for each in elements:
        if len(each.entries("targets")) != count:
            each.fail(f"has {len(each.entries('targets'))} morph targets, the first primitive has {count}")
    names = _target_names(mesh, count)
    weights = mesh.each_number("weights")
    if weights and len(weights) != count:
        mesh.wrong("weights", f"a list of {count} numbers, one for each morph target")
    primitives = tuple(_primitive(each, accessors, materials, quantized, names) for each in elements)
    return Mesh(mesh.name, primitives, names, weights or (0.0,) * count)


def _target_names(mesh: Element, count: int) -> tuple[str, ...]:
    """Return the names of the morph targets, which exporters put into `extras.targetNames`."""
    extras = mesh.data.get("extras")
    extra_names = extras.get("targetNames") if isinstance(extras, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    names = [each for each in extra_names if isinstance(each, str)] if isinstance(extra_names, list) else []  # pyright: ignore[reportUnknownVariableType]
    return tuple(names) if len(names) == count else tuple(f"target {index}" for index in range(count))


def _primitive(
    primitive: Element,
    accessors: Accessors,
    materials: tuple[Material, ...],
    quantized: bool,
    names: tuple[str, ...],
) -> Primitive:
    """Return one primitive."""
    primitive.reading.take(_COST, primitive.path)
    _check_draco(primitive, accessors)
    vertices = read_vertices(primitive, accessors, quantized)
    parts = _parts(primitive, accessors, len(vertices))
    material = primitive.index("material", len(materials), "materials")
    if parts.shape[1] == 3:
        if "NORMAL" not in vertices.arrays:
            parts = _flat(primitive, vertices, parts)
        use = materials[material].normal_texture if material >= 0 else None
        if use is not None and "TANGENT" not in vertices.arrays and f"TEXCOORD_{use.uv}" in vertices.arrays:
            parts = _tangents(primitive, vertices, parts, use)
    if material >= 0:
        _check_uvs(primitive, materials[material], vertices)
    return _frozen(vertices, parts, material, names)


def _check_draco(primitive: Element, accessors: Accessors) -> None:
    """Fail if the vertices are only there in compressed form."""
    if primitive.extension(_DRACO) is None:
        return
    index = primitive.need("attributes").index("POSITION", len(accessors), "accessors")
    if index < 0 or accessors.layout(index).view < 0:
        primitive.fail("is compressed with Draco, which is not read", "Export the model without Draco compression")


def _parts(primitive: Element, accessors: Accessors, count: int) -> Indices:
    """Return triangles (t, 3), lines (t, 2) or points (t, 1) of a primitive with `count` vertices."""
    mode = primitive.whole("mode", 4, 0, 6)
    index = primitive.index("indices", len(accessors), "accessors")
    if index < 0:
        primitive.reading.take(count * 4, primitive.path)
        order, culprit = np.arange(count, dtype=np.uint32), primitive
    else:
        order = accessors.read(index, "indices", ("SCALAR",), ("u1", "u2", "u4"))[:, 0]
        culprit = accessors.layout(index).element
        if int(order.max()) >= count:
            at = int(np.argmax(order >= count))
            culprit.fail(f"index {at} is {int(order[at]):,}, {primitive.path} has {count:,} vertices")
    width = 3 if mode >= 4 else 2 if mode else 1
    if len(order) < MIN_INDICES[mode] or (mode in (1, 4) and len(order) % width):
        culprit.fail(f"{len(order):,} indices make no {MODES[mode]}")
    primitive.reading.take(len(order) * 4 * (1 if mode in (0, 1, 4) else width), primitive.path)
    return parts_of(mode, order)


def _flat(primitive: Element, vertices: Vertices, parts: Indices) -> Indices:
    """Give each triangle vertices and a normal of its own, as the specification asks where normals are missing."""
    vertices.drop("TANGENT")
    vertices.drop("NORMAL")
    source = parts.ravel()
    primitive.reading.take(len(source) * 16 * (1 + len(vertices.targets)), primitive.path)
    vertices.gather(primitive, source)
    triangles = np.arange(len(source), dtype=np.uint32).reshape(-1, 3)
    positions = vertices.arrays["POSITION"]
    normals = np.repeat(face_normals(positions, triangles), 3, axis=0)
    vertices.arrays["NORMAL"] = normals
    for target in vertices.targets:
        if "POSITION" in target:
            moved = positions.astype(np.float64) + target["POSITION"]
            target["NORMAL"] = np.repeat(face_normals(moved, triangles), 3, axis=0) - normals
    return triangles


def _tangents(primitive: Element, vertices: Vertices, parts: Indices, use: TextureUse) -> Indices:
    """Compute tangents for the normal map from its texture coordinates."""
    primitive.reading.take(parts.size * _TANGENT_COST, primitive.path)
    arrays = vertices.arrays
    uvs: Reals = arrays[f"TEXCOORD_{use.uv}"]
    if use.matrix.tolist() != np.eye(3).tolist():
        turn = use.matrix.astype(np.float64)
        uvs = uvs @ turn[:2, :2].T + turn[:2, 2]
    source, triangles, tangents = make_tangents(arrays["POSITION"], arrays["NORMAL"], uvs, parts)
    vertices.drop("TANGENT")
    vertices.gather(primitive, source)
    arrays["TANGENT"] = tangents
    return triangles


def _check_uvs(primitive: Element, material: Material, vertices: Vertices) -> None:
    """Warn if a texture needs texture coordinates that the vertices do not have."""
    for use in (
        material.base_texture,
        material.metallic_roughness_texture,
        material.normal_texture,
        material.occlusion_texture,
        material.emissive_texture,
    ):
        if use is not None and f"TEXCOORD_{use.uv}" not in vertices.arrays:
            primitive.warn(f"has no TEXCOORD_{use.uv}, which a texture of its material needs")


def _frozen(vertices: Vertices, parts: Indices, material: int, names: tuple[str, ...]) -> Primitive:
    """Return the primitive with read-only arrays."""
    arrays = vertices.arrays
    targets = [
        MorphTarget(name, _still(each.get("POSITION")), _still(each.get("NORMAL")), _still(each.get("TANGENT")))
        for name, each in zip(names, vertices.targets, strict=True)
    ]
    positions, indices = np.ascontiguousarray(arrays["POSITION"]), np.ascontiguousarray(parts)
    positions.flags.writeable = indices.flags.writeable = False
    joints = arrays.get("JOINTS")
    if joints is not None:
        joints.flags.writeable = False
    return Primitive(
        kind=_KINDS[parts.shape[1]],
        indices=indices,
        positions=positions,
        normals=_still(arrays.get("NORMAL")),
        tangents=_still(arrays.get("TANGENT")),
        uv0=_still(arrays.get("TEXCOORD_0")),
        uv1=_still(arrays.get("TEXCOORD_1")),
        colors=_still(arrays.get("COLOR_0")),
        joints=joints,
        weights=_still(arrays.get("WEIGHTS")),
        targets=tuple(targets),
        material=material,
    )


def _still(array: Floats | None) -> Floats | None:
    """Return the array, read-only."""
    if array is not None:
        array.flags.writeable = False
    return array
