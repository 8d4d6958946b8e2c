"""Writes models as binary files of glTF 2.0."""

from __future__ import annotations

import io
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from .meshes import Shape

_TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}
_CODES = {"f": 5126, "H": 5123, "I": 5125}


@dataclass(eq=False)
class Material:
    """A material. color: linear. maps: pictures uint8 (h, w, 3) by the names color, surface, normal, glow.

    ghost: it is blended, and not lit.
    """

    name: str
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    metallic: float = 0.0
    roughness: float = 0.6
    glow: tuple[float, float, float] = (0.0, 0.0, 0.0)
    strength: float = 1.0
    maps: dict[str, npt.NDArray[np.uint8]] = field(default_factory=dict[str, Any])
    both_sides: bool = False
    ghost: bool = False


@dataclass
class Bone:
    """A joint of a skeleton. place: relative to its parent, meters."""

    name: str
    parent: int
    place: tuple[float, float, float]


@dataclass
class Motion:
    """A clip: for each bone, seconds and quaternions (k, 4); moves: the same with places (k, 3)."""

    name: str
    turns: dict[str, tuple[Any, Any]]
    moves: dict[str, tuple[Any, Any]] = field(default_factory=dict[str, Any])


class Writer:
    """Collects the parts of one file."""

    def __init__(self) -> None:
        self._binary = io.BytesIO()
        self._root: dict[str, Any] = {"asset": {"version": "2.0", "generator": "games/beacon", "copyright": "CC0"}}
        self._materials: dict[int, int] = {}

    def _append(self, name: str, item: Any) -> int:
        rows: list[Any] = self._root.setdefault(name, [])
        rows.append(item)
        return len(rows) - 1

    def _view(self, data: bytes) -> int:
        self._binary.write(b"\0" * (-self._binary.tell() % 4))
        start = self._binary.tell()
        self._binary.write(data)
        return self._append("bufferViews", {"buffer": 0, "byteOffset": start, "byteLength": len(data)})

    def _accessor(self, array: Any, code: str, *, bounds: bool = False) -> int:
        values = np.ascontiguousarray(array, np.dtype(code).newbyteorder("<"))
        wide = 1 if values.ndim == 1 else int(np.prod(values.shape[1:]))
        flat = values.reshape(len(values), wide)
        item = {
            "bufferView": self._view(flat.tobytes()),
            "componentType": _CODES[code],
            "count": len(flat),
            "type": _TYPES[wide],
        }
        if bounds:
            item |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        return self._append("accessors", item)

    def _texture(self, pixels: npt.NDArray[np.uint8], quality: int) -> dict[str, int]:
        packed = io.BytesIO()
        Image.fromarray(pixels).save(packed, "JPEG", quality=quality, subsampling=0)
        image = self._append("images", {"bufferView": self._view(packed.getvalue()), "mimeType": "image/jpeg"})
        return {"index": self._append("textures", {"source": image})}

    def material(self, material: Material) -> int:
        """Add a material once and return its number."""
        if id(material) in self._materials:
            return self._materials[id(material)]
        surface: dict[str, Any] = {
            "baseColorFactor": [*material.color, 1],
            "metallicFactor": material.metallic,
            "roughnessFactor": material.roughness,
        }
        item: dict[str, Any] = {"name": material.name, "pbrMetallicRoughness": surface}
        if "color" in material.maps:
            surface["baseColorTexture"] = self._texture(material.maps["color"], 86)
        if "surface" in material.maps:
            surface["metallicRoughnessTexture"] = self._texture(material.maps["surface"], 86)
        if "normal" in material.maps:
            item["normalTexture"] = self._texture(material.maps["normal"], 92)
        if "glow" in material.maps:
            item["emissiveTexture"] = self._texture(material.maps["glow"], 86)
        if any(material.glow):
            item["emissiveFactor"] = list(material.glow)
        if material.strength != 1:
            item["extensions"] = {"KHR_materials_emissive_strength": {"emissiveStrength": material.strength}}
            self._root["extensionsUsed"] = ["KHR_materials_emissive_strength"]
        if material.ghost:
            item["alphaMode"] = "BLEND"
            item["extensions"] = {"KHR_materials_unlit": {}}
            self._root["extensionsUsed"] = ["KHR_materials_unlit"]
        if material.both_sides:
            item["doubleSided"] = True
        self._materials[id(material)] = self._append("materials", item)
        return self._materials[id(material)]

    def mesh(self, name: str, parts: list[tuple[Shape, Material]]) -> int:
        """Add a mesh with a primitive for each part and return its number."""
        primitives: list[Any] = []
        for shape, material in parts:
            attributes = {
                "POSITION": self._accessor(shape.places, "f", bounds=True),
                "NORMAL": self._accessor(shape.normals, "f"),
                "TEXCOORD_0": self._accessor(shape.uvs, "f"),
            }
            if shape.joints is not None and shape.weights is not None:
                attributes["JOINTS_0"] = self._accessor(shape.joints, "H")
                attributes["WEIGHTS_0"] = self._accessor(shape.weights, "f")
            if shape.colors is not None:
                attributes["COLOR_0"] = self._accessor(shape.colors, "f")
            code = "H" if len(shape.places) < 65_535 else "I"
            indices = self._accessor(shape.triangles.ravel(), code)
            primitives.append({"attributes": attributes, "indices": indices, "material": self.material(material)})
        return self._append("meshes", {"name": name, "primitives": primitives})

    def node(self, name: str, mesh: int, place: tuple[float, float, float] = (0, 0, 0)) -> int:
        """Add a node with a mesh to the scene and return its number."""
        number = self._append("nodes", {"name": name, "mesh": mesh, "translation": list(place)})
        self._root.setdefault("scenes", [{"nodes": []}])[0]["nodes"].append(number)
        return number

    def character(self, name: str, mesh: int, bones: list[Bone], motions: list[Motion]) -> None:
        """Add a skinned mesh with its skeleton, at rest as it is modeled, and its clips."""
        first = len(self._root.setdefault("nodes", []))
        places = np.zeros((len(bones), 3))
        for number, bone in enumerate(bones):
            places[number] = (places[bone.parent] if bone.parent >= 0 else 0) + np.array(bone.place)
            children = [first + k for k, other in enumerate(bones) if other.parent == number]
            item: dict[str, Any] = {"name": bone.name, "translation": list(bone.place)}
            self._append("nodes", {**item, "children": children} if children else item)
        binds = np.tile(np.eye(4), (len(bones), 1, 1))
        binds[:, :3, 3] = -places
        joints = [first + k for k in range(len(bones))]
        matrices = self._accessor(binds.transpose(0, 2, 1), "f")
        skin = self._append("skins", {"joints": joints, "inverseBindMatrices": matrices, "skeleton": first})
        body = self._append("nodes", {"name": name, "mesh": mesh, "skin": skin})
        self._root.setdefault("scenes", [{"nodes": []}])[0]["nodes"] += [first, body]
        names = {bone.name: first + k for k, bone in enumerate(bones)}
        for motion in motions:
            self._motion(motion, names)

    def _motion(self, motion: Motion, names: dict[str, int]) -> None:
        item: dict[str, Any] = {"name": motion.name, "samplers": [], "channels": []}
        for path, tracks in (("rotation", motion.turns), ("translation", motion.moves)):
            for bone, (times, values) in tracks.items():
                times = self._accessor(np.asarray(times, float), "f", bounds=True)
                item["samplers"].append({"input": times, "output": self._accessor(values, "f")})
                target = {"node": names[bone], "path": path}
                item["channels"].append({"sampler": len(item["samplers"]) - 1, "target": target})
        self._append("animations", item)

    def save(self, path: Path) -> None:
        """Write the file."""
        binary = self._binary.getvalue()
        binary += b"\0" * (-len(binary) % 4)
        self._root["buffers"] = [{"byteLength": len(binary)}]
        self._root["scene"] = 0
        text = json.dumps(self._root, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        head = struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(binary))
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
        path.write_bytes(head + chunks)
