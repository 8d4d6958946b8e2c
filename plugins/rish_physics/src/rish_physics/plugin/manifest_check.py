"""Checks the physics of a manifest before anything is created; each mistake has its file, line and column.

The kernel checks fields, types and ranges. This module checks the rest: unknown collision layers, colliders and bodies
without a Transform, invalid shapes and outlines, and joints that connect nothing.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core.manifest import Mark, YamlList, YamlMap, degrees_of, place_at
from rish_dynamics import contradictions, layer_bits
from rish_ecs import Problem, RishError, kind_of

from ..components.joint_ranges import farthest, ranges_of
from ..components.joints import READERS, GearJoint
from ..components.layers import PLACE
from ..components.settings import PhysicsSettings
from .sensor_check import blind_sensors

if TYPE_CHECKING:
    from rish_core import Manifest

_log = logging.getLogger("rish.physics")
_NEEDS_TRANSFORM = ("Body", "Collider")
_JOINTS = tuple(cls.__name__ for cls in READERS)
_NEEDS_POINTS = ("polygon", "segment", "chain", "outline")
_MAX_DEPTH = 64
Found = Iterator[tuple[Mark, str, str]]


def check_mistakes(manifest: Manifest) -> None:
    """Add the physics mistakes to the manifest's problems, and log a warning for layers and sensors that are probably
    wrong.
    """
    layers, far = _layers_of(manifest), _far(manifest)
    wrong = [*_check_layers(manifest)]
    if not wrong and not manifest.problems:
        _warn_of_contradictions(manifest)
    for name, prefab in manifest.prefabs.items():
        for entry, path in _entries(prefab, f"prefabs.{name}"):
            wrong += _check_entry(entry, path, layers, far, complete=False)
    for name, scene in manifest.scenes.items():
        for index, each in enumerate(scene if isinstance(scene, YamlList) else ()):
            within = list(_entries(each, f"scenes.{name}[{index}]"))
            for entry, path in within:
                wrong += _check_entry(entry, path, layers, far)
            for entry, path in within:
                wrong += _check_place(manifest, entry, path)
            for entry, path in within:
                wrong += _check_target(manifest, scene, entry, path)
    for mark, path, what in wrong:
        manifest.problems.append(Problem(place_at(mark), path, what))
    for mark, path, what in blind_sensors(manifest, layers) if not manifest.problems else ():
        _log.warning("%s", Problem(place_at(mark), path, what))


def entries_of(manifest: Manifest) -> Iterator[tuple[YamlMap, str]]:
    """Yield the entries of all prefabs and scenes and their children, with their paths."""
    for name, prefab in manifest.prefabs.items():
        yield from _entries(prefab, f"prefabs.{name}")
    for name, scene in manifest.scenes.items():
        for index, each in enumerate(scene if isinstance(scene, YamlList) else ()):
            yield from _entries(each, f"scenes.{name}[{index}]")


def _entries(entry: Any, path: str, depth: int = _MAX_DEPTH) -> Iterator[tuple[YamlMap, str]]:
    """Yield an entry and its children, with their paths; parents come first."""
    if isinstance(entry, YamlMap) and depth:
        yield entry, path
        children = entry.get("children")
        for index, child in enumerate(children if isinstance(children, YamlList) else ()):
            yield from _entries(child, f"{path}.children[{index}]", depth - 1)


def _layers_of(manifest: Manifest) -> Any:
    """Return the section `layers` of the manifest, an empty mapping if there is none."""
    section = manifest.settings.get("physics")
    layers = section.get("layers") if isinstance(section, YamlMap) else None
    return layers if isinstance(layers, YamlMap) else {}


def _check_layers(manifest: Manifest) -> Found:
    """Yield an error for each unknown name in the section of the layers."""
    layers = _layers_of(manifest)
    for name, partners in layers.items():
        only: Any = {**dict.fromkeys(layers, "none"), name: list(partners) if isinstance(partners, list) else partners}
        if _is_names(partners):
            try:
                layer_bits(only, PLACE)
            except RishError as error:
                yield _at(layers, "settings.physics.layers", name, error.what)


def _warn_of_contradictions(manifest: Manifest) -> None:
    """Warn of layers that list a layer which does not list them."""
    layers = _layers_of(manifest)
    if all(_is_names(partners) for partners in layers.values()):
        for name, what in contradictions(layers):
            mark, path, _ = _at(layers, "settings.physics.layers", name, what)
            _log.warning("%s", Problem(place_at(mark), path, what))


def _is_names(value: Any) -> bool:
    """Return True if an entry is a name or a list of names, as the kernel's check requires too."""
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(item, str) for item in value))


def _check_entry(entry: YamlMap, path: str, layers: Mapping[str, Any], far: float, *, complete: bool = True) -> Found:
    """Yield the mistakes in the collider and the joints of an entry. far: see `_far`.

    complete: False for a prefab, whose joints may be connected where it is spawned.
    """
    collider = part_of(entry, "Collider")
    if isinstance(collider, YamlMap):
        yield from _check_collider(collider, f"{path}.Collider", layers)
    for cls, name in zip(READERS, _JOINTS, strict=True):
        joint = part_of(entry, name)
        if isinstance(joint, YamlMap):
            yield from _check_joint(joint, f"{path}.{name}", cls, far)
            if complete and "prefab" not in entry and name != "MouseJoint" and not (joint.get("a") or joint.get("b")):
                what = f"a {name} without a and b connects nothing. Set b to the name of an entity, and a to another"
                yield joint.mark, f"{path}.{name}", what


def _at(part: YamlMap, path: str, key: str, what: str) -> tuple[Mark, str, str]:
    """Return a mistake in the value of a component's field."""
    return part.values_at[key], f"{path}.{key}", what


def _check_collider(collider: YamlMap, path: str, layers: Mapping[str, Any]) -> Found:
    layer = collider.get("collision_layer")
    if isinstance(layer, str) and layer and layer not in (*layers, "default"):
        names = ", ".join(layers) or "none; write them under settings: physics: layers"
        what = f"there is no collision layer {layer!r}. The layers are: {names}"
        yield _at(collider, path, "collision_layer", what)
    shape, points = collider.get("shape"), collider.get("points")
    if isinstance(shape, str) and shape.lower() in _NEEDS_POINTS:
        if points is None:
            yield _at(collider, path, "shape", f"a {shape} needs `points`")
        elif isinstance(points, YamlList):
            sentence = _wrong_points(shape.lower(), points, bool(collider.get("closed", False)))
            if sentence:
                yield _at(collider, path, "points", sentence)
    elif not points:
        yield from _check_size(collider, path, shape.lower() if isinstance(shape, str) else "box")


def _check_size(collider: YamlMap, path: str, shape: str) -> Found:
    """Yield an error for a box, circle or capsule that has no area."""
    size, radius = collider.get("size"), collider.get("radius", 0)
    sides = [side for side in size if isinstance(side, (int, float))] if isinstance(size, YamlList) else []
    if len(sides) != 2 or radius != 0:
        return
    if 0 in (sides if shape != "circle" else sides[:1]):
        minimum = "a width above 0, or a radius" if shape == "circle" else "a width and a height above 0"
        yield _at(collider, path, "size", f"a {shape} of this size has no area. Set {minimum}")


def _check_joint(joint: YamlMap, path: str, cls: type, far: float) -> Found:
    """Yield an error for each value of a joint that is invalid for all bodies. far: see `joint_ranges.farthest`."""
    a, b = joint.get("a"), joint.get("b")
    if a == b and isinstance(a, str) and a:
        what = f"a and b are both {a!r}. A joint connects two different bodies, or one body and the world"
        yield _at(joint, path, "b", what)
    fields = kind_of(cls).fields
    numbers = {name: _numbers_in(value) for name, value in joint.items() if name in fields}
    lower, upper = (numbers.get(name, [0.0]) for name in ("lower", "upper"))
    if joint.get("limited") is True and lower and upper and lower > upper:
        key = "lower" if "lower" in joint else "upper"
        what = f"the lower limit, {lower[0]:g}, is above the upper one, {upper[0]:g}. Swap them"
        yield _at(joint, path, key, what)
    if cls is GearJoint and numbers.get("ratio") == [0]:
        yield _at(joint, path, "ratio", "a ratio of 0 has no effect. Use -1 for two equal wheels that mesh")
    axis = numbers.get("axis", [])
    if len(axis) == 2 and not np.array(axis, np.float32).any():
        yield _at(joint, path, "axis", "the axis has length 0. Write [1, 0] for the x axis or [0, 1] for the y axis")
    for name, span in ranges_of(READERS[cls], fields, far).items():
        if span.why and (not span.part or joint.get(span.part) is True):
            # In manifests angles are degrees.
            scale, unit = (math.degrees(1), "degrees") if fields[name].angle else (1.0, fields[name].unit)
            for value in numbers.get(name, []):
                if not span.low * scale <= value <= span.high * scale:
                    yield _at(joint, path, name, span.problem(name, value, unit, scale))
                    break


def _numbers_in(value: Any) -> list[float]:
    """Return the numbers of a field: one, an angle with its unit, or the parts of a vector; none for other values."""
    if isinstance(value, YamlList):
        return [number for part in value for number in _numbers_in(part)]
    number = degrees_of(value) if isinstance(value, str) else value
    return [float(number)] if isinstance(number, (int, float)) and not isinstance(number, bool) else []


def _far(manifest: Manifest) -> float:
    """Return the greatest distance between two bodies that are simulated, units."""
    section, settings = manifest.settings.get("physics"), PhysicsSettings()
    physics_settings = section if isinstance(section, YamlMap) else {}
    reach, unit = (
        value if isinstance(value := physics_settings.get(name, default), (int, float)) else default
        for name, default in (("reach", settings.reach), ("units_per_meter", settings.units_per_meter))
    )
    return farthest(float(reach) * float(unit))


def _check_target(manifest: Manifest, scene: Any, entry: YamlMap, path: str) -> Found:
    """Yield an error for each joint to an entity of the scene that has neither a body nor a collider."""
    for name in _JOINTS:
        joint = part_of(entry, name)
        for end in ("a", "b") if isinstance(joint, YamlMap) else ():
            target = joint.get(end)
            holder = _entry_named(scene, target) if isinstance(target, str) and target else None
            parts = _inherited(manifest, holder, _MAX_DEPTH) if holder is not None else None
            if holder is not None and parts is not None and not parts.intersection(_NEEDS_TRANSFORM):
                what = f"{target!r} has no Body and no Collider, so a joint cannot connect it. Add `Body: {{}}` to it"
                yield _at(joint, f"{path}.{name}", end, what)


def _entry_named(scene: Any, name: str) -> YamlMap | None:
    """Return the entry with a name, among the entries of a scene and their children; None if there is none."""
    return next((each for entry in scene for each, _ in _entries(entry, "") if each.get("name") == name), None)


def _wrong_points(shape: str, points: YamlList, closed: bool) -> str | None:
    """Return the reason why the points cannot be a shape of that kind; None if they can, or if the value is not a list
    of points, which the kernel reports.
    """
    from ..bodies.collider_pieces import hulls_of
    from ..components.bodies import ColliderShape
    from ..geometry.hull import points_of

    try:
        corners = points_of([[float(part) for part in point] for point in points])
    except (TypeError, ValueError, RishError):
        return None if points else "it has no points"
    try:
        hulls_of(ColliderShape(shape), corners, closed)
    except RishError as error:
        return str(error)
    return None


def _check_place(manifest: Manifest, entry: YamlMap, path: str) -> Found:
    """Yield an error for each body or collider that has no Transform, neither in its entry nor in its prefabs."""
    parts = _inherited(manifest, entry, _MAX_DEPTH)
    if parts is not None and "Transform" not in parts and "at" not in parts:
        for name in _NEEDS_TRANSFORM:
            if name in parts:
                what = f"it has a {name} but no Transform, so it has no position. Add `Transform: {{}}`"
                yield entry.mark, path, what
                break


def _inherited(manifest: Manifest, entry: YamlMap, depth: int) -> set[str] | None:
    """Return the keys of an entry and of its prefabs, as short names; None if one of the prefabs is not in the
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


def part_of(entry: YamlMap, name: str) -> Any:
    """Return the value of a component of physics in an entry, by its short or full name; None if there is none."""
    return entry.get(name, entry.get(f"physics.{name}"))
