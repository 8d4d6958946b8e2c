"""Checks bodies, colliders and joints of a manifest before anything is created; each mistake has its line and column.

The kernel checks fields, types and ranges. This module checks the rest: colliders and bodies without a Transform3D,
shapes without a volume, points and triangles that are none, meshes on dynamic bodies, and joints that connect nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core.manifest import Mark, YamlList, YamlMap, place_at
from rish_ecs import Problem, RishError

from ..components.bodies import ColliderShape3D
from ..components.joints import READERS

if TYPE_CHECKING:
    from rish_core import Manifest

_DEPTH = 64
_PLACED = ("Body3D", "Collider3D")
_JOINTS = tuple(cls.__name__ for cls in READERS)
_LENGTHS = {"box": ("size",), "sphere": ("radius",), "capsule": ("radius",)}
"""The fields that give a shape its volume."""
_ONE = np.ones(3).tobytes()
Found = Iterator[tuple[Mark, str, str]]


def check_bodies(manifest: Manifest) -> None:
    """Add the mistakes in bodies, colliders and joints to the problems of a manifest."""
    wrong: list[tuple[Mark, str, str]] = []
    for name, prefab in manifest.prefabs.items():
        for entry, path in _entries(prefab, f"prefabs.{name}"):
            wrong += _check_entry(entry, path)
    for name, scene in manifest.scenes.items():
        for index, each in enumerate(scene if isinstance(scene, YamlList) else ()):
            for entry, path in _entries(each, f"scenes.{name}[{index}]"):
                wrong += _check_entry(entry, path)
                wrong += _check_place(manifest, entry, path)
    for mark, path, what in wrong:
        manifest.problems.append(Problem(place_at(mark), path, what))


def _entries(entry: Any, path: str, depth: int = _DEPTH) -> Iterator[tuple[YamlMap, str]]:
    """Yield an entry and its children, with their paths; parents come first."""
    if isinstance(entry, YamlMap) and depth:
        yield entry, path
        children = entry.get("children")
        for index, child in enumerate(children if isinstance(children, YamlList) else ()):
            yield from _entries(child, f"{path}.children[{index}]", depth - 1)


def _part(entry: YamlMap, name: str) -> Any:
    """Return the value of a component in an entry, by its short or full name; None if there is none."""
    return entry.get(name, entry.get(f"physics3d.{name}"))


def _at(part: YamlMap, path: str, key: str, what: str) -> tuple[Mark, str, str]:
    """Return a mistake in the value of a component's field."""
    return part.values_at[key], f"{path}.{key}", what


def _check_entry(entry: YamlMap, path: str) -> Found:
    collider, body = _part(entry, "Collider3D"), _part(entry, "Body3D")
    if isinstance(collider, YamlMap):
        yield from _check_collider(collider, f"{path}.Collider3D")
        kind = body.get("type", "dynamic") if isinstance(body, YamlMap) else "static"
        shape = _shape(collider)
        if kind == "dynamic" and shape in ("mesh", "heightfield"):
            what = f"a {shape} can't be a part of a dynamic body. Use the shape hull or box, or the type static"
            yield _at(collider, f"{path}.Collider3D", "shape", what)
    for name in _JOINTS:
        joint = _part(entry, name)
        if isinstance(joint, YamlMap):
            yield from _check_joint(joint, f"{path}.{name}")


def _shape(collider: YamlMap) -> str:
    shape = collider.get("shape", "box")
    return shape.lower() if isinstance(shape, str) else ""


def _check_collider(collider: YamlMap, path: str) -> Found:
    shape, asset = _shape(collider), collider.get("asset")
    if isinstance(asset, str) and asset:
        if shape in ("plane", "heightfield"):
            choices = ", ".join(each.value for each in ColliderShape3D if each.value not in ("plane", "heightfield"))
            yield _at(collider, path, "shape", f"a {shape} can't be made of a model. Choose one of {choices}")
        for key in ("size", "radius", "points", "triangles"):
            if key in collider:
                yield _at(collider, path, key, f"the shape is that of {asset}. Remove `{key}` or `asset`")
        return
    for key in _LENGTHS.get(shape, ()):
        if 0 in _numbers(collider.get(key)):
            yield _at(collider, path, key, f"a {shape} of this {key} has no volume. Set more than 0")
    need = {"hull": "points", "mesh": "points", "heightfield": "heights"}.get(shape)
    if need is None:
        return
    if need not in collider and "triangles" not in collider:
        other = "" if need == "heights" else " or an `asset`"
        yield _at(collider, path, "shape", f"a {shape} needs `{need}`{other}")
        return
    sentence = _wrong_points(shape, collider)
    if sentence:
        key = "triangles" if "triangle" in sentence and "triangles" in collider else need
        yield _at(collider, path, key if key in collider else "shape", sentence)


def _wrong_points(shape: str, collider: YamlMap) -> str | None:
    """Return why the values of a hull, mesh or heightfield are no shape; None if they are, or if they are no numbers,
    which the kernel reports.
    """
    from ..bodies.solids import field_solid, mesh_solid, solid_of

    number = [each.value for each in ColliderShape3D].index(shape)
    try:
        points = np.array(collider.get("points", []), np.float64).tobytes()
        triangles = np.array(collider.get("triangles", []), np.int32).tobytes()
        heights = np.array(collider.get("heights", []), np.float32).tobytes()
        columns, cell = int(collider.get("columns", 0)), float(collider.get("cell", 1.0))
        if len(points) % 24:
            return None
    except (TypeError, ValueError, OverflowError):
        return None
    make: dict[str, Callable[[], object]] = {
        "hull": lambda: solid_of(number, _ONE, 0.0, points, 1.0, _ONE),
        "mesh": lambda: mesh_solid(points, triangles, _ONE),
        "heightfield": lambda: field_solid(heights, columns, cell, _ONE),
    }
    try:
        make[shape]()
    except RishError as error:
        return str(error)
    return None


def _check_joint(joint: YamlMap, path: str) -> Found:
    a, b = joint.get("a"), joint.get("b")
    if isinstance(a, str) and a and a == b:
        what = f"a and b are both {a!r}. A joint connects two different bodies, or one body and the world"
        yield _at(joint, path, "b", what)
    lower, upper = _numbers(joint.get("lower")), _numbers(joint.get("upper"))
    if joint.get("limited") is True and lower and upper and lower[0] > upper[0]:
        what = f"the lower limit, {lower[0]:g}, is above the upper one, {upper[0]:g}. Swap them"
        yield _at(joint, path, "lower", what)
    for key in ("axis", "axle"):
        if _numbers(joint.get(key)) == [0, 0, 0]:
            yield _at(joint, path, key, f"the {key} has length 0. Write [0, 1, 0] for the y axis")


def _numbers(value: Any) -> list[float]:
    """Return the finite numbers of a field: one, or those of a list; none for other values."""
    if isinstance(value, YamlList):
        return [number for part in value for number in _numbers(part)]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return [float(value)] if is_number and math.isfinite(value) else []


def _check_place(manifest: Manifest, entry: YamlMap, path: str) -> Found:
    """Yield an error for a body or collider that has no Transform3D, neither in its entry nor in its prefabs."""
    parts = _inherited(manifest, entry, _DEPTH)
    if parts is not None and "Transform3D" not in parts:
        for name in _PLACED:
            if name in parts:
                what = f"it has a {name} but no Transform3D, so it has no position. Add `Transform3D: {{}}`"
                yield entry.mark, path, what
                break


def _inherited(manifest: Manifest, entry: YamlMap, depth: int) -> set[str] | None:
    """Return the short names of the components of an entry and of its prefabs; None if a prefab is not in the
    manifest.
    """
    parts = {key.rpartition(".")[2] for key, value in entry.items() if value is not None}
    prefab = entry.get("prefab")
    if prefab is None:
        return parts
    base = manifest.prefabs.get(prefab) if isinstance(prefab, str) else None
    inherited = _inherited(manifest, base, depth - 1) if isinstance(base, YamlMap) and depth else None
    removed = {key.rpartition(".")[2] for key, value in entry.items() if value is None}
    return None if inherited is None else parts | (inherited - removed)
