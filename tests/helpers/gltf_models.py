"""Small models of glTF 2.0 made in code, as JSON with a data URI or as .glb."""

from __future__ import annotations

import base64
import io
import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from rish_gltf import Model, read_gltf

CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
BOX = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
FACES = np.array(
    [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3],
    np.uint16,
).reshape(-1, 3)
"""The eight corners of a cube, and its triangles, seen from outside counter-clockwise."""


def no_files(path: str) -> bytes:
    """Fail as a model without neighboring files does."""
    raise FileNotFoundError(path)


class Builder:
    """Collects the JSON and the bytes of a model."""

    def __init__(self) -> None:
        self.json: dict[str, Any] = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}
        self.blob = bytearray()

    def view(self, data: bytes, **more: Any) -> int:
        """Add bytes; return the number of their view."""
        self.blob += bytes(-len(self.blob) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data), **more})
        self.blob += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values: npt.NDArray[Any], **more: Any) -> int:
        """Add an array (n,) or (n, width); return the number of its accessor."""
        rows = values.reshape(len(values), -1)
        entry = {"componentType": CODES[rows.dtype.str[1:]], "count": len(rows), "type": TYPES[rows.shape[1]]}
        if "bufferView" not in more and not more.pop("empty", False):
            entry["bufferView"] = self.view(rows.tobytes())
        self.json["accessors"].append({**entry, **more})
        return len(self.json["accessors"]) - 1

    def add(self, key: str, **entry: Any) -> int:
        """Append an object to a list at the top; return its number."""
        self.json.setdefault(key, []).append(entry)
        return len(self.json[key]) - 1

    def gltf(self) -> bytes:
        """Return the model as JSON with a data URI."""
        inside = "data:application/octet-stream;base64," + base64.b64encode(self.blob).decode()
        whole = {**self.json, "buffers": [{"byteLength": len(self.blob), "uri": inside}]} if self.blob else self.json
        return json.dumps(whole).encode()

    def glb(self) -> bytes:
        """Return the model as .glb."""
        text = json.dumps({**self.json, "buffers": [{"byteLength": len(self.blob)}]}).encode()
        text += b" " * (-len(text) % 4)
        blob = bytes(self.blob) + bytes(-len(self.blob) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(blob), 0x004E4942) + blob
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks

    def read(self) -> Model:
        """Read the model."""
        return read_gltf(self.gltf(), no_files, "made.gltf")

    def mesh(self, **primitive: Any) -> None:
        """Add a mesh of one primitive, a node that shows it, and a scene."""
        mesh = self.add("meshes", name="mesh", primitives=[primitive])
        node = self.add("nodes", name="node", mesh=mesh)
        self.json.setdefault("scenes", [{"nodes": []}])[0]["nodes"].append(node)


def png(size: tuple[int, int] = (2, 2)) -> bytes:
    """Return a small picture."""
    held = io.BytesIO()
    Image.new("RGBA", size, (128, 128, 255, 255)).save(held, "PNG")
    return held.getvalue()


def box() -> Builder:
    """Return a cube without normals, for which flat ones are made."""
    made = Builder()
    made.mesh(attributes={"POSITION": made.accessor(BOX)}, indices=made.accessor(FACES.ravel()))
    return made


def quad() -> Builder:
    """Return a square with all usual maps, whose tangents are missing."""
    made = Builder()
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    made.add("images", name="bumps", bufferView=made.view(png()), mimeType="image/png")
    made.add("samplers", wrapS=33071, magFilter=9728)
    made.add("textures", source=0, sampler=0)
    made.add(
        "materials",
        name="wall",
        normalTexture={"index": 0, "scale": 0.5},
        occlusionTexture={"index": 0, "strength": 0.25},
        emissiveTexture={"index": 0},
        emissiveFactor=[1, 0.5, 0],
        pbrMetallicRoughness={
            "baseColorFactor": [0.5, 0.5, 0.5, 1],
            "metallicFactor": 0,
            "roughnessFactor": 0.75,
            "baseColorTexture": {
                "index": 0,
                "extensions": {"KHR_texture_transform": {"offset": [0.5, 0], "scale": [2, 2]}},
            },
            "metallicRoughnessTexture": {"index": 0},
        },
        alphaMode="MASK",
        doubleSided=True,
        extensions={"KHR_materials_emissive_strength": {"emissiveStrength": 4}},
    )
    made.json["extensionsUsed"] = ["KHR_texture_transform", "KHR_materials_emissive_strength"]
    made.mesh(
        attributes={
            "POSITION": made.accessor(corners),
            "NORMAL": made.accessor(np.tile(np.array([0, 0, 1], np.float32), (4, 1))),
            "TEXCOORD_0": made.accessor(np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32)),
        },
        indices=made.accessor(np.array([0, 1, 2, 0, 2, 3], np.uint8)),
        material=0,
    )
    return made


def tube(influences: int = 4) -> Builder:
    """Return a tube of two bones that bends, with 4 or 8 influences."""
    made = Builder()
    rings, sides = 5, 6
    turn = np.arange(sides) * (2 * np.pi / sides)
    points = [[np.cos(a), y / 2, np.sin(a)] for y in range(rings) for a in turn]
    faces = []
    for ring in range(rings - 1):
        for side in range(sides):
            a, b = ring * sides + side, ring * sides + (side + 1) % sides
            faces += [[a, a + sides, b], [b, a + sides, b + sides]]
    height = np.repeat(np.arange(rings) / (rings - 1), sides)
    attributes = {"POSITION": made.accessor(np.array(points, np.float32))}
    for group in range(influences // 4):
        joints = np.zeros((rings * sides, 4), np.uint8)
        joints[:, 1] = 1
        weights = np.zeros((rings * sides, 4), np.float32)
        weights[:, 0], weights[:, 1] = 2 * (1 - height), 2 * height  # the reader makes their sum 1
        attributes[f"JOINTS_{group}"] = made.accessor(joints)
        attributes[f"WEIGHTS_{group}"] = made.accessor(weights)
    made.mesh(attributes=attributes, indices=made.accessor(np.array(faces, np.uint16).ravel()))
    tip = made.add("nodes", name="tip", translation=[0, 1, 0])
    root = made.add("nodes", name="root", children=[tip])
    made.json["nodes"][0]["skin"] = 0
    made.json["scenes"][0]["nodes"].append(root)
    binds = np.stack([np.eye(4, dtype=np.float32)] * 2)
    binds[1, 1, 3] = -1
    columns = made.accessor(binds.transpose(0, 2, 1).reshape(2, 16).copy())
    made.add("skins", name="bones", joints=[root, tip], inverseBindMatrices=columns, skeleton=root)
    times = made.accessor(np.array([0, 0.5, 1], np.float32))
    quarter = np.array([[0, 0, 0, 1], [0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)], [0, 0, 0, 1]], np.float32)
    cubic = np.zeros((9, 3), np.float32)
    cubic[1::3, 1] = [1, 2, 1]
    samplers = [
        {"input": times, "output": made.accessor(quarter), "interpolation": "LINEAR"},
        {"input": times, "output": made.accessor(cubic), "interpolation": "CUBICSPLINE"},
    ]
    channels = [
        {"sampler": 0, "target": {"node": tip, "path": "rotation"}},
        {"sampler": 1, "target": {"node": tip, "path": "translation"}},
    ]
    made.add("animations", name="bend", samplers=samplers, channels=channels)
    return made


def morph_cube() -> Builder:
    """Return a cube with two morph targets whose weights are animated in steps."""
    made = Builder()
    wider = np.where(BOX > 0, np.float32(0.5), np.float32(0)) * np.array([1, 0, 0], np.float32)
    targets = [{"POSITION": made.accessor(wider.astype(np.float32))}, {"POSITION": made.accessor(BOX)}]
    made.mesh(attributes={"POSITION": made.accessor(BOX)}, indices=made.accessor(FACES.ravel()), targets=targets)
    made.json["meshes"][0] |= {"weights": [0.25, 0], "extras": {"targetNames": ["wide", "large"]}}
    sampler = {
        "input": made.accessor(np.array([0, 1], np.float32)),
        "output": made.accessor(np.array([0, 255, 255, 0], np.uint8), normalized=True),
        "interpolation": "STEP",
    }
    made.add("animations", samplers=[sampler], channels=[{"sampler": 0, "target": {"node": 0, "path": "weights"}}])
    return made


ROBOT: dict[str, tuple[str, tuple[float, float, float]]] = {
    "hips": ("armature", (0, 1, 0)), "spine": ("hips", (0, 0.15, 0)), "chest": ("spine", (0, 0.2, 0)),
    "neck": ("chest", (0, 0.25, 0)), "head": ("neck", (0, 0.12, 0)), "antenna": ("head", (0, 0.25, 0)),
    **{f"{part}_{side}": (above.format(side), at) for side, x in (("l", 1), ("r", -1)) for part, above, at in (
        ("shoulder", "chest", (0.1 * x, 0.2, 0)), ("upper_arm", "shoulder_{}", (0.12 * x, 0, 0)),
        ("forearm", "upper_arm_{}", (0, -0.28, 0)), ("hand", "forearm_{}", (0, -0.26, 0)),
        *((f"finger{k}", "hand_{}", (0, -0.08, 0.02 * k - 0.04)) for k in range(5)),
        *((f"tip{k}", f"finger{k}_{{}}", (0, -0.04, 0)) for k in range(5)),
        ("thigh", "hips", (0.1 * x, -0.05, 0)), ("shin", "thigh_{}", (0, -0.42, 0)), ("foot", "shin_{}", (0, -0.45, 0)),
    )},
}  # fmt: skip
"""The 40 joints of the robot: the joint above each, and where it is from there when the robot stands, y up."""


def _around(axis: int, angles: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return quaternions (n, 4) of turns around x, y or z."""
    found = np.zeros((np.size(angles), 4))
    found[:, axis], found[:, 3] = np.sin(np.ravel(angles) / 2), np.cos(np.ravel(angles) / 2)
    return found.astype(np.float32)


def robot(size: float = 0.05) -> Builder:
    """Return a robot of 40 joints that faces z, below an armature turned as some programs write it, with z up.

    idle: 2 s, cubic. walk: 1 s, its hips go 1.2 m. turn: 1 s, the hips turn a quarter left. wave: the right arm, 1 s.
    nod: the head, 0.5 s. blink: the antenna in steps.
    """
    made = Builder()
    names = list(ROBOT)
    place = {"armature": np.zeros(3)}
    for name, (above, at) in ROBOT.items():
        place[name] = place[above] + at
    middles = np.array([place[name] for name in names], np.float32)
    corners = (middles[:, None] + BOX * np.float32(size)).reshape(-1, 3).astype(np.float32)
    joints, weights = np.zeros((len(corners), 4), np.uint8), np.zeros((len(corners), 4), np.float32)
    joints[:, 0], weights[:, 0] = np.repeat(np.arange(len(names)), 8), 1
    faces = np.concatenate([FACES + 8 * k for k in range(len(names))]).astype(np.uint16)
    made.add("materials", name="steel", pbrMetallicRoughness={"baseColorFactor": [0.7, 0.72, 0.75, 1]})
    attributes = {"POSITION": made.accessor(corners), "JOINTS_0": made.accessor(joints)}
    attributes["WEIGHTS_0"] = made.accessor(weights)
    made.mesh(attributes=attributes, indices=made.accessor(faces.ravel()), material=0)
    made.json["nodes"][0] |= {"name": "robot", "skin": 0}
    first = len(made.json["nodes"]) + 1
    below = {name: [first + k for k, one in enumerate(names) if ROBOT[one][0] == name] for name in place}
    quarter = [float(v) for v in _around(0, -np.pi / 2)[0]]
    made.json["scenes"][0]["nodes"].append(
        made.add("nodes", name="armature", rotation=quarter, children=below["armature"])
    )
    for name, (_, (x, y, z)) in ROBOT.items():
        more = {"children": below[name]} if below[name] else {}
        made.add("nodes", name=name, translation=[x, -z, y], **more)
    binds = np.zeros((len(names), 4, 4), np.float32)
    binds[:] = [[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    binds[:, :3, 3] = np.stack([-middles[:, 0], middles[:, 2], -middles[:, 1]], axis=1)
    columns = made.accessor(binds.transpose(0, 2, 1).reshape(-1, 16).copy())
    made.add("skins", name="bones", joints=[first + k for k in range(len(names))], inverseBindMatrices=columns)
    _robot_clips(made, lambda name: first + names.index(name))
    return made


def _robot_clips(made: Builder, node: Any) -> None:
    """Add the animations of the robot. node: returns the number of a joint's node."""

    def clip(name: str, *tracks: tuple[str, str, str, Any, Any]) -> None:
        samplers, channels = [], []
        for joint, path, way, times, values in tracks:
            keys = made.accessor(np.array(times, np.float32))
            output = made.accessor(np.ascontiguousarray(np.reshape(values, (-1, np.shape(values)[-1])), np.float32))
            samplers.append({"input": keys, "output": output, "interpolation": way})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node(joint), "path": path}})
        made.add("animations", name=name, samplers=samplers, channels=channels)

    breath = np.zeros((3, 3, 4), np.float32)
    breath[:, 1] = _around(0, [0, 0.1, 0])
    clip("idle", ("chest", "rotation", "CUBICSPLINE", [0, 1, 2], breath))
    times = np.arange(31) / 30
    swing = np.sin(2 * np.pi * times)
    way = np.stack([0 * times, -1.2 * times, 1 + 0.03 * np.cos(4 * np.pi * times)], axis=1)
    limbs = {"thigh_l": 0.5, "thigh_r": -0.5, "upper_arm_l": -0.4, "upper_arm_r": 0.4}
    legs = [(name, "rotation", "LINEAR", times, _around(0, turn * swing)) for name, turn in limbs.items()]
    clip("walk", ("hips", "translation", "LINEAR", times, way), *legs)
    clip("turn", ("hips", "rotation", "LINEAR", [0, 1], _around(2, [0, np.pi / 2])))
    wave = _around(1, 2 + 0.4 * np.sin(4 * np.pi * times))
    clip("wave", ("upper_arm_r", "rotation", "LINEAR", times, wave),
         ("forearm_r", "rotation", "LINEAR", [0, 0.5, 1], _around(1, [0, 0.5, 0])))  # fmt: skip
    clip("nod", ("head", "rotation", "LINEAR", [0, 0.25, 0.5], _around(0, [0, 0.5, 0])))
    clip("blink", ("antenna", "scale", "STEP", [0, 0.3, 0.4], [[1, 1, 1], [2, 2, 2], [1, 1, 1]]))


def sparse() -> Builder:
    """Return a triangle whose positions are zeros with two of three replaced."""
    made = Builder()
    values = np.array([[1, 0, 0], [0, 1, 0]], np.float32)
    changed = {
        "count": 2,
        "indices": {"bufferView": made.view(np.array([1, 2], np.uint16).tobytes()), "componentType": 5123},
        "values": {"bufferView": made.view(values.tobytes())},
    }
    made.mesh(attributes={"POSITION": made.accessor(np.zeros((3, 3), np.float32), empty=True, sparse=changed)})
    return made


def quantized() -> Builder:
    """Return a cube with positions and normals of 8 bits, four bytes apart."""
    made = Builder()
    rows = np.zeros((8, 4), np.int8)
    rows[:, :3] = BOX * 127
    view = made.view(rows.tobytes(), byteStride=4)
    at = made.accessor(rows[:, :3], bufferView=view, normalized=True)
    made.json |= {"extensionsUsed": ["KHR_mesh_quantization"], "extensionsRequired": ["KHR_mesh_quantization"]}
    made.mesh(attributes={"POSITION": at, "NORMAL": at}, indices=made.accessor(FACES.ravel().astype(np.uint32)))
    return made


def interleaved() -> Builder:
    """Return a triangle strip whose positions, normals and colors share a view."""
    made = Builder()
    row = np.dtype([("at", "<f4", 3), ("normal", "<f4", 3), ("color", "u1", 4)])
    rows = np.zeros(4, row)
    rows["at"] = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    rows["normal"], rows["color"] = (0, 0, 1), (255, 0, 51, 255)
    view = made.view(rows.tobytes(), byteStride=28)
    made.mesh(
        attributes={
            "POSITION": made.accessor(rows["at"].copy(), bufferView=view),
            "NORMAL": made.accessor(rows["normal"].copy(), bufferView=view, byteOffset=12),
            "COLOR_0": made.accessor(rows["color"].copy(), bufferView=view, byteOffset=24, normalized=True),
        },
        mode=5,
    )
    return made


def lit() -> Builder:
    """Return nodes with cameras and lights."""
    made = Builder()
    lights = [
        {"type": "spot", "name": "lamp", "range": 5, "spot": {"innerConeAngle": 0.1, "outerConeAngle": 0.5}},
        {"type": "directional", "intensity": 3, "color": [1, 0.5, 0]},
    ]
    made.json |= {"extensions": {"KHR_lights_punctual": {"lights": lights}}, "extensionsUsed": ["KHR_lights_punctual"]}
    made.add("cameras", name="eye", type="perspective", perspective={"yfov": 0.7, "znear": 0.1})
    made.add("cameras", type="orthographic", orthographic={"xmag": 2, "ymag": 1, "znear": 0, "zfar": 9})
    matrix = [0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1]
    made.add("nodes", name="first", camera=0, matrix=matrix)
    made.add("nodes", camera=1, extensions={"KHR_lights_punctual": {"light": 0}})
    made.json |= {"scene": 0, "scenes": [{"name": "all", "nodes": [0, 1]}]}
    return made


MODELS = {
    "box": box,
    "quad": quad,
    "tube": tube,
    "tube of 8": lambda: tube(8),
    "morph cube": morph_cube,
    "robot": robot,
    "sparse": sparse,
    "quantized": quantized,
    "interleaved": interleaved,
    "lit": lit,
}
