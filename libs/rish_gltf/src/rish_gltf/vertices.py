"""The vertices of a primitive: attributes and morph targets, read, checked and reordered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .element import Element
from .files.accessors import Accessors, Numbers
from .geometry.faces import unit

QUANTIZATION = "KHR_mesh_quantization"
_UNSIGNED = ("f4", "u1n", "u2n")
_SIGNED = ("i1n", "i2n")
_ALL = ("i1", "i1n", "u1", "u1n", "i2", "i2n", "u2", "u2n")
_USES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "POSITION": (("VEC3",), ("f4",), _ALL),
    "NORMAL": (("VEC3",), ("f4",), _SIGNED),
    "TANGENT": (("VEC4",), ("f4",), _SIGNED),
    "TEXCOORD_0": (("VEC2",), _UNSIGNED, _ALL),
    "TEXCOORD_1": (("VEC2",), _UNSIGNED, _ALL),
    "COLOR_0": (("VEC3", "VEC4"), _UNSIGNED, ()),
    "JOINTS_0": (("VEC4",), ("u1", "u2"), ()),
    "JOINTS_1": (("VEC4",), ("u1", "u2"), ()),
    "WEIGHTS_0": (("VEC4",), _UNSIGNED, ()),
    "WEIGHTS_1": (("VEC4",), _UNSIGNED, ()),
}
"""The types of each attribute, its kinds of numbers, and those that are allowed with KHR_mesh_quantization."""
_MOVED: dict[str, tuple[str, ...]] = {"POSITION": ("i1", "i1n", "i2", "i2n"), "NORMAL": _SIGNED, "TANGENT": _SIGNED}


@dataclass
class Vertices:
    """Arrays by attribute, of one length, and for each morph target the arrays that it adds."""

    arrays: dict[str, Numbers]
    targets: list[dict[str, Numbers]] = field(default_factory=list[dict[str, Any]])

    def __len__(self) -> int:
        return len(self.arrays["POSITION"])

    def gather(self, element: Element, source: Numbers) -> None:
        """Replace the vertices by those with the indices `source` (m,), which may repeat."""
        groups = [self.arrays, *self.targets]
        row = sum(each.shape[1] * 4 for group in groups for each in group.values())
        element.reading.take(row * len(source), element.path)
        for group in groups:
            for key in group:
                group[key] = group[key][source]

    def drop(self, key: str) -> None:
        """Remove an attribute, also from the morph targets."""
        for group in (self.arrays, *self.targets):
            group.pop(key, None)


def read_vertices(primitive: Element, accessors: Accessors, quantized: bool) -> Vertices:
    """Return the vertices of a primitive."""
    attributes = primitive.need("attributes")
    if "POSITION" not in attributes:
        attributes.wrong("POSITION", "an index into accessors")
    arrays: dict[str, Numbers] = {}
    for key in ("POSITION", *sorted(set(attributes.data) - {"POSITION"})):
        if key not in _USES:
            if not key.startswith("_"):
                attributes.warn(f"{key[:40]} is not read and left out")
            continue
        types, kinds, more = _USES[key]
        index = attributes.index(key, len(accessors), "accessors")
        arrays[key] = accessors.read(index, key, types, _kinds(accessors, index, kinds, more, quantized))
        _check_count(accessors, index, key, len(arrays["POSITION"]))
    _join_influences(attributes, arrays)
    if "COLOR_0" in arrays and arrays["COLOR_0"].shape[1] == 3:
        colors = arrays["COLOR_0"]
        arrays["COLOR_0"] = np.concatenate([colors, np.ones((len(colors), 1), np.float32)], axis=1)
    if "NORMAL" in arrays:
        arrays["NORMAL"] = unit(arrays["NORMAL"], (0.0, 1.0, 0.0))
    return Vertices(arrays, [_target(each, accessors, quantized, arrays) for each in primitive.children("targets")])


def _kinds(
    accessors: Accessors, index: int, kinds: tuple[str, ...], more: tuple[str, ...], quantized: bool
) -> tuple[str, ...]:
    """Return the kinds of numbers that are allowed; quantized ones need their extension."""
    layout = accessors.layout(index)
    if not quantized and layout.kind in more and layout.kind not in kinds:
        layout.element.fail(
            f"is quantized, but the model does not name {QUANTIZATION}", "Add the extension to `extensionsRequired`"
        )
    return kinds + tuple(kind for kind in more if quantized and kind not in kinds)


def _check_count(accessors: Accessors, index: int, key: str, count: int) -> None:
    """Fail if an attribute has another length than the positions."""
    layout = accessors.layout(index)
    if layout.count != count:
        layout.element.fail(f"has {layout.count:,} elements as {key}, the primitive has {count:,} positions")


def _join_influences(attributes: Element, arrays: dict[str, Numbers]) -> None:
    """Replace the sets of joints and weights by one of each, 4 or 8 wide; weights get the sum 1."""
    joints = [arrays.pop(key) for key in ("JOINTS_0", "JOINTS_1") if key in arrays]
    weights = [arrays.pop(key) for key in ("WEIGHTS_0", "WEIGHTS_1") if key in arrays]
    if len(joints) != len(weights) or (len(joints) == 1 and "JOINTS_0" not in attributes):
        attributes.fail("must have JOINTS_0 and WEIGHTS_0, or both of these and JOINTS_1 and WEIGHTS_1")
    if not joints:
        return
    weight = np.maximum(np.concatenate(weights, axis=1), np.float32(0)).astype(np.float64)
    total = weight.sum(1, keepdims=True)
    has_no_weight = ~(total[:, 0] > 1e-12)
    if has_no_weight.any():
        attributes.warn(f"{int(has_no_weight.sum()):,} vertices have no weight; they follow their first joint")
        weight[has_no_weight, 0], total[has_no_weight] = 1.0, 1.0
    arrays["WEIGHTS"] = (weight / total).astype(np.float32)
    arrays["JOINTS"] = np.where(weight > 0, np.concatenate(joints, axis=1), np.uint32(0))


def _target(
    target: Element, accessors: Accessors, quantized: bool, attributes: dict[str, Numbers]
) -> dict[str, Numbers]:
    """Return the arrays (n, 3) that a morph target adds."""
    arrays: dict[str, Numbers] = {}
    for key in sorted(target.data):
        if key not in _MOVED:
            target.warn(f"{key[:40]} of a morph target is not read and left out")
            continue
        index = target.index(key, len(accessors), "accessors")
        kinds = _kinds(accessors, index, ("f4",), _MOVED[key], quantized)
        values = accessors.read(index, f"{key} of a morph target", ("VEC3",), kinds)
        _check_count(accessors, index, key, len(attributes["POSITION"]))
        if key in attributes:
            arrays[key] = values
    return arrays
