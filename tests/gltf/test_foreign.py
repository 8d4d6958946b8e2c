"""Files that others have made: the test models of assimp where they are installed, and another reader as a witness."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gltf_models import MODELS
from rish_gltf import GltfError, Model, read_gltf

ASSIMP = Path("/usr/share/assimp/models")
REFUSED = {
    "glTF2/BoxTextured-glTF-techniqueWebGL/BoxTextured.gltf": "extensionsRequired: the extension KHR_technique_webgl",
    "glTF2/BoxWithInfinites-glTF-Binary/BoxWithInfinites.glb": r"accessors\[2\]: element 0 is infinite",
    "glTF2/IncorrectVertexArrays/Cube.gltf": r"bufferViews\[2\]: ends at byte 936, buffers\[0\] has 514",
    "glTF2/IndexOutOfRange/AllIndicesOutOfRange.gltf": r"accessors\[0\]: index 0 is 65,535",
    "glTF2/IndexOutOfRange/IndexOutOfRange.gltf": r"accessors\[0\]: index 0 is 255",
    "glTF2/MissingBin/BoxTextured.gltf": r"buffers\[0\]: the file 'BoxTextured0.bin' can't be read",
    "glTF2/RecursiveNodes/RecursiveNodes.gltf": r"nodes\[0\]: is below itself",
    "glTF2/SchemaFailures/sceneWrongType.gltf": r"buffers\[0\]: the file 'BoxTextured0.bin' can't be read",
    "glTF2/TestNoRootNode/NoScene.gltf": "`scene` names one of scenes, and there are none",
    "glTF2/draco/2CylinderEngine.gltf": "KHR_draco_mesh_compression",
    "glTF2/wrongTypes/badArray.gltf": r"meshes\[0\]: `primitives` must be a list",
    "glTF2/wrongTypes/badExtension.gltf": r"baseColorTexture.extensions: `KHR_texture_transform` must be an object",
    "glTF2/wrongTypes/badNumber.gltf": r"materials\[0\].normalTexture: misses `index`",
    "glTF2/wrongTypes/badObject.gltf": r"materials\[0\]: `pbrMetallicRoughness` must be an object",
    "glTF2/wrongTypes/badString.gltf": r"scenes\[0\]: `name` must be a text",
    "glTF2/wrongTypes/badUint.gltf": r"baseColorTexture: `index` must be a whole number",
}
"""The files of glTF 2.0 that are refused, and why. Those of glTF 1.0 are all refused."""
FILES = sorted(
    path.relative_to(ASSIMP).as_posix() for kind in ("gltf", "glb") for path in ASSIMP.rglob(f"*.{kind}")
) or [pytest.param("", marks=pytest.mark.skip(reason="assimp-testmodels is not installed"))]


def read(path: Path) -> Model:
    """Read a file and the files beside it, and decode its pictures."""
    model = read_gltf(path.read_bytes(), lambda beside: (path.parent / beside).read_bytes(), path.name)
    for image in model.images:
        image.decode()
    return model


@pytest.mark.parametrize("name", FILES)
def test_files_of_assimp_are_read_or_refused_by_name(name: str) -> None:
    """Every file is read, or refused with an error that names the element at fault."""
    path = ASSIMP / name
    wanted = "only (2|glTF 2.0) is read" if name.startswith("glTF/") else REFUSED.get(name)
    if wanted is None:
        assert all(mesh.primitives for mesh in read(path).meshes)
        return
    with pytest.raises(GltfError, match=wanted):
        read(path)


def witness(path: Path) -> list[dict[str, np.ndarray]]:
    """Return the attributes and indices of all primitives as pygltflib and numpy read them."""
    library = pytest.importorskip("pygltflib")
    gltf = library.GLTF2().load(str(path))
    types = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
    widths = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}

    def array(index: int) -> np.ndarray:
        accessor = gltf.accessors[index]
        view = gltf.bufferViews[accessor.bufferView]
        uri = gltf.buffers[view.buffer].uri
        if uri is None:
            data = gltf.binary_blob()
        elif uri.startswith("data:"):
            data = base64.b64decode(uri.partition(",")[2])
        else:
            data = (path.parent / uri).read_bytes()
        dtype, width = np.dtype(types[accessor.componentType]), widths[accessor.type]
        stride = view.byteStride or dtype.itemsize * width
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        return np.array([np.frombuffer(data, dtype, width, start + stride * row) for row in range(accessor.count)])

    found: list[dict[str, Any]] = []
    for primitive in (each for mesh in gltf.meshes for each in mesh.primitives):
        names = {key: value for key, value in vars(primitive.attributes).items() if value is not None}
        found.append({key: array(value) for key, value in names.items() if not key.startswith("_")})
        if primitive.indices is not None:
            found[-1]["indices"] = array(primitive.indices)
    return found


def same(path: Path) -> int:
    """Compare the corners of all triangles with those of the witness; return how many were compared."""
    compared = 0
    primitives = [each for mesh in read(path).meshes for each in mesh.primitives]
    for mine, other in zip(primitives, witness(path), strict=True):
        order = other["indices"].ravel() if "indices" in other else np.arange(len(other["POSITION"]))
        if mine.kind != "triangles" or mine.indices.size != len(order):
            continue
        corners = mine.indices.ravel()
        compared += len(order)
        for key, values in (("POSITION", mine.positions), ("NORMAL", mine.normals), ("TEXCOORD_0", mine.uv0)):
            if key in other and other[key].dtype == np.float32:
                long = np.linalg.norm(other[key], axis=1, keepdims=True) if key == "NORMAL" else np.ones((1, 1))
                scaled = values[corners] * np.broadcast_to(long, (len(other[key]), 1))[order]
                assert np.allclose(scaled, other[key][order], atol=2e-5)
    return compared


@pytest.mark.parametrize("name", [name for name in MODELS if name not in ("lit", "sparse")])
def test_another_reader_has_the_same_corners(name: str, tmp_path: Path) -> None:
    """Models made in code have the same corners when pygltflib reads them."""
    path = tmp_path / "made.glb"
    path.write_bytes(MODELS[name]().glb())
    assert same(path) > 0 or name == "interleaved"


@pytest.mark.parametrize(
    "name", [name for name in FILES if isinstance(name, str) and name.startswith("glTF2/") and name not in REFUSED]
)
def test_files_of_assimp_have_the_same_corners(name: str) -> None:
    """Files that are read have the same corners when pygltflib reads them."""
    if "SceneWithoutNodes" in name:
        assert read(ASSIMP / name).meshes == ()
    else:
        assert same(ASSIMP / name) > 0 or "PrimitiveMode" in name or "Skin" in name
