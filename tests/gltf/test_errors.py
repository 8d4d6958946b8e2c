"""Whatever is wrong with a model, one error names the file, the element and what to do."""

from __future__ import annotations

import base64
import dataclasses
import json
import struct
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gltf_models import MODELS, Builder, box, no_files, png, quad
from rish_gltf import GltfError, Limits, read_gltf

Change = Callable[[dict[str, Any]], Any]


def put(*path: str | int, value: Any) -> Change:
    """Return a change that sets a field of the JSON."""

    def change(root: dict[str, Any]) -> None:
        at: Any = root
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value

    return change


def failure(data: bytes, limits: Limits | None = None) -> GltfError:
    """Return the error of a model."""
    with pytest.raises(GltfError) as caught:
        read_gltf(data, no_files, "hut.gltf", limits)
    error = caught.value
    assert str(error).startswith("hut.gltf: ")
    assert error.what in str(error)
    assert str(error).endswith(error.advice)
    assert error.advice
    return error


CASES: list[tuple[str, Change, str, str]] = [
    (
        "box",
        put("accessors", 0, "count", value=99),
        "accessors[0]",
        "99 elements end at byte 1,188, bufferViews[0] has 96",
    ),
    ("box", put("accessors", 0, "byteOffset", value=1), "accessors[0]", "bufferViews[0] has 96"),
    ("box", put("accessors", 0, "componentType", value=5124), "accessors[0]", "one of 5120"),
    ("box", put("accessors", 0, "type", value="VEC5"), "accessors[0]", "one of SCALAR, VEC2"),
    (
        "box",
        put("accessors", 0, "type", value="VEC2"),
        "accessors[0]",
        "is VEC2 of float32, as POSITION it must be VEC3",
    ),
    ("box", put("accessors", 0, "bufferView", value=7), "accessors[0]", "the last one is bufferViews[1]"),
    ("box", put("accessors", 1, "count", value=35), "accessors[1]", "35 indices make no triangles"),
    ("box", put("bufferViews", 0, "byteLength", value=10**6), "bufferViews[0]", "buffers[0] has"),
    (
        "box",
        put("bufferViews", 0, "byteStride", value=4),
        "accessors[0]",
        "have 12 bytes, bufferViews[0] has a byteStride of 4",
    ),
    ("box", put("meshes", 0, "primitives", 0, "indices", value=True), "meshes[0].primitives[0]", "not True"),
    (
        "box",
        put("meshes", 0, "primitives", 0, "attributes", value={}),
        "meshes[0].primitives[0].attributes",
        "misses `POSITION`",
    ),
    ("box", put("meshes", 0, "primitives", 0, "mode", value=9), "meshes[0].primitives[0]", "from 0 to 6"),
    ("box", put("nodes", 0, "children", value=[0]), "nodes[0]", "circle"),
    ("box", put("nodes", 0, "rotation", value=[0, 0, 0, 0]), "nodes[0]", "no length"),
    ("box", put("asset", "version", value="1.0"), "asset", "only glTF 2.0"),
    ("box", put("extensionsRequired", value=["EXT_new"]), "extensionsRequired", "the extension EXT_new is not read"),
    ("box", put("extensionsRequired", value=["KHR_draco_mesh_compression"]), "extensionsRequired", "KHR_draco"),
    ("box", put("buffers", 0, "uri", value="../x.bin"), "buffers[0]", "beside or below"),
    ("box", put("buffers", 0, "uri", value="x.bin"), "buffers[0]", "can't be read"),
    ("box", put("buffers", 0, "uri", value="data:;base64,%"), "buffers[0]", "base64"),
    ("quad", put("textures", 0, "source", value=1), "textures[0]", "the last one is images[0]"),
    ("quad", put("samplers", 0, "wrapS", value=1), "samplers[0]", "one of 33071"),
    ("quad", put("materials", 0, "alphaMode", value="GLASS"), "materials[0]", "one of OPAQUE, MASK, BLEND"),
    ("quad", put("images", 0, "bufferView", value=1), "images[0]", "neither PNG nor JPEG"),
    ("tube", put("skins", 0, "joints", value=[1]), "nodes[0]", "uses joint 1, skins[0] has 1 joints"),
    ("tube", put("accessors", 4, "count", value=1), "accessors[4]", "1 matrices"),
    ("tube", put("animations", 0, "samplers", 0, "input", value=0), "accessors[0]", "times of key frames"),
    ("tube", put("accessors", 6, "count", value=2), "accessors[6]", "has 2 elements, 3 key frames need 3"),
    ("morph cube", put("meshes", 0, "weights", value=[1]), "meshes[0]", "a list of 2 numbers"),
    ("sparse", put("accessors", 0, "sparse", "count", value=4), "accessors[0].sparse", "from 1 to 3"),
    ("sparse", put("bufferViews", 0, "byteOffset", value=4), "accessors[0].sparse.indices", "must increase"),
    ("quantized", put("extensionsUsed", value=[]), "accessors[0]", "KHR_mesh_quantization"),
    ("lit", put("cameras", 0, "perspective", value={"yfov": 1}), "cameras[0].perspective", "misses `znear`"),
    (
        "lit",
        put("extensions", "KHR_lights_punctual", "lights", 0, "spot", value=3),
        "lights[0]",
        "`spot` must be an object",
    ),
]


@pytest.mark.parametrize(("name", "change", "place", "words"), CASES)
def test_mistakes_are_named(name: str, change: Change, place: str, words: str) -> None:
    """Each mistake is reported with its element and with what is wrong there."""
    made = MODELS[name]()
    root = json.loads(made.gltf())
    change(root)
    if name == "quantized":
        root.pop("extensionsRequired")
    error = failure(json.dumps(root).encode())
    assert error.place.endswith(place)
    assert words in str(error)


def test_numbers_that_are_not_finite_name_the_accessor_and_the_element() -> None:
    """An infinite position is refused with its place in the accessor."""
    made = Builder()
    corners = np.eye(3, dtype=np.float32)
    corners[2, 1] = np.inf
    made.mesh(attributes={"POSITION": made.accessor(corners)})
    assert "accessors[0]: element 2 is infinite" in str(failure(made.gltf()))


def test_an_index_beyond_the_vertices_names_both() -> None:
    """The error has the accessor of the indices, the index and the primitive."""
    made = Builder()
    order = made.accessor(np.array([0, 1, 3], np.uint8))
    made.mesh(attributes={"POSITION": made.accessor(np.eye(3, dtype=np.float32))}, indices=order)
    assert "accessors[0]: index 2 is 3, meshes[0].primitives[0] has 3 vertices" in str(failure(made.gltf()))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"asset": NaN}',
        b"[" * 100_000,
        b'{"a":' * 900 + b"1" + b"}" * 900,
        b'{"a": ' + b"9" * 9999 + b"}",
        b"glTF",
        b"glTF" + bytes(16),
        b"glTF" + struct.pack("<IIII", 2, 20, 99, 0x4E4F534A),
        b'{"asset": {"version": "2.0"}, "nodes": [' + b"{}," * 300_000 + b"{}]}",
        b'{"asset":{"version":"2.0"},"nodes":[1]}',
    ],
)
def test_what_is_no_model_gives_an_error(data: bytes) -> None:
    """Other files, and JSON that is damaged, too deep or too large, give the one error."""
    failure(data)


@pytest.mark.parametrize(
    "uri", ["../a", "/a", "a/../../b", "%2e%2e/a", "C:/a", "http://a/b", "a\\b", "", "..", "a//b", "a%00", "a?b"]
)
def test_addresses_never_leave_the_folder(uri: str) -> None:
    """`load` is not called with paths above or outside the model's folder."""
    root = {"asset": {"version": "2.0"}, "buffers": [{"uri": uri, "byteLength": 1}]}
    asked: list[str] = []
    with pytest.raises(GltfError, match="beside or below"):
        read_gltf(json.dumps(root).encode(), lambda path: asked.append(path) or b"", "hut.gltf")
    assert asked == []


def test_neighbors_are_asked_for_once_by_plain_paths() -> None:
    """Escapes are undone, `./` is dropped, and each file is loaded once."""
    made = box()
    root = {**json.loads(made.gltf()), "buffers": [{"uri": "./parts/my%20hut.bin", "byteLength": len(made.blob)}] * 2}
    asked: list[str] = []
    model = read_gltf(json.dumps(root).encode(), lambda path: asked.append(path) or bytes(made.blob), "hut.gltf")
    assert asked == ["parts/my hut.bin"]
    assert len(model.meshes[0].primitives[0].positions) == 36


def test_a_small_file_makes_no_large_arrays() -> None:
    """Accessors of zeros, however many, end at the limit of memory before 100 MB are taken."""
    accessors = [{"componentType": 5126, "type": "VEC3", "count": 2_600_000}] * 50 + [
        {"componentType": 5126, "type": "VEC3", "count": 1 << 39}
    ]
    primitives = [{"attributes": {"POSITION": index}} for index in range(51)]
    for chosen in (primitives, primitives[-1:]):
        root = {"asset": {"version": "2.0"}, "accessors": accessors, "meshes": [{"primitives": chosen}]}
        tracemalloc.start()
        error = failure(json.dumps(root).encode())
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert "`made_bytes`" in error.advice
        assert peak < 100e6


def test_limits_are_settings() -> None:
    """Each limit refuses what is larger, and its name is in the error."""
    data = quad().gltf()
    for name, value in (
        ("file_bytes", 100),
        ("json_bytes", 100),
        ("json_values", 9),
        ("elements", 1),
        ("made_factor", 0),
    ):
        limits = Limits(made_bytes=9, **{name: value}) if name == "made_factor" else Limits(**{name: value})
        assert ("made_bytes" if name == "made_factor" else name) in failure(data, limits).advice
    assert "deeper than 3" in failure(data, Limits(json_depth=3)).what


def test_pictures_are_decoded_within_limits() -> None:
    """A picture that is damaged or has too many pixels gives the error when it is decoded."""
    image = quad().read().images[0]
    with pytest.raises(GltfError, match=r"images\[0\]: has 2 × 2 pixels, more than 3"):
        dataclasses.replace(image, limits=Limits(image_pixels=3)).decode()
    with pytest.raises(GltfError, match=r"images\[0\]: is damaged"):
        dataclasses.replace(image, data=png((64, 64))[:60]).decode()


def test_what_is_left_out_is_a_warning() -> None:
    """Specular-glossiness and unknown extensions are named in the warnings, and the model is read."""
    made = quad()
    made.json["extensionsUsed"] += ["KHR_materials_pbrSpecularGlossiness", "EXT_new"]
    made.json["materials"][0]["extensions"] = {"KHR_materials_pbrSpecularGlossiness": {}}
    warnings = "\n".join(made.read().warnings)
    assert "EXT_new is not read" in warnings
    assert "materials[0]: KHR_materials_pbrSpecularGlossiness is not read" in warnings


def test_draco_without_plain_vertices_is_refused() -> None:
    """A primitive that is only there in compressed form gives an error that says so."""
    made = Builder()
    at = made.accessor(np.eye(3, dtype=np.float32), empty=True)
    made.mesh(attributes={"POSITION": at}, extensions={"KHR_draco_mesh_compression": {}})
    assert "compressed with Draco" in str(failure(made.gltf()))


def test_data_uris_may_be_escaped_text() -> None:
    """A data URI without base64 is read by its escapes."""
    made = Builder()
    made.mesh(attributes={"POSITION": made.accessor(np.eye(3, dtype=np.float32))})
    root = json.loads(made.gltf())
    raw = base64.b64decode(root["buffers"][0]["uri"].partition(",")[2])
    root["buffers"][0]["uri"] = "data:," + "".join(f"%{byte:02x}" for byte in raw)
    model = read_gltf(json.dumps(root).encode(), no_files, "hut.gltf")
    assert model.meshes[0].primitives[0].positions.tolist() == np.eye(3).tolist()
