"""Mistakes of physics in a manifest, each with its file, line and column, before anything is made.

Fields, types and ranges are checked by the kernel. Looked at here is what only physics can know: collision layers that
are none, colliders and bodies that are nowhere, and outlines that can be no shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rish_core.errors import Problem, RishError
from rish_core.manifest.nodes import Mark, YamlList, YamlMap, place_at

from .layers import layer_bits

if TYPE_CHECKING:
    from rish_core.manifest.manifest import Manifest

_PLACED = ("Body", "Collider")
_POINTED = ("polygon", "segment", "chain", "outline")
_DEPTH = 64
Found = Iterator[tuple[Mark, str, str]]


def check_physics(manifest: Manifest) -> None:
    """Note among the manifest's problems what is wrong with its physics."""
    known = _layers_of(manifest)
    wrong = [*_check_layers(manifest)]
    for name, prefab in manifest.prefabs.items():
        wrong += _check_entry(prefab, f"prefabs.{name}", known, _DEPTH)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            path = f"scenes.{name}[{index}]"
            wrong += _check_entry(entry, path, known, _DEPTH)
            wrong += _check_place(manifest, entry, path, _DEPTH)
    for mark, path, what in wrong:
        manifest.problems.append(Problem(place_at(mark), path, what))


def _section(manifest: Manifest) -> YamlMap | None:
    section = manifest.settings.get("physics")
    layers = section.get("layers") if isinstance(section, YamlMap) else None
    return layers if isinstance(layers, YamlMap) else None


def _layers_of(manifest: Manifest) -> Mapping[str, Any]:
    layers = _section(manifest)
    return {} if layers is None else layers


def _check_layers(manifest: Manifest) -> Found:
    """Names of layers that are none."""
    layers = _section(manifest)
    if layers is None:
        return
    for name, wanted in layers.items():
        only: Any = {**dict.fromkeys(layers, "none"), name: list(wanted) if isinstance(wanted, list) else wanted}
        if isinstance(wanted, str) or (isinstance(wanted, list) and all(isinstance(item, str) for item in wanted)):
            try:
                layer_bits(only)
            except RishError as error:
                yield layers.values_at[name], f"settings.physics.layers.{name}", error.what


def _check_entry(entry: Any, path: str, layers: Mapping[str, Any], depth: int) -> Found:
    """What is wrong with the colliders of an entry and of its children."""
    if not isinstance(entry, YamlMap) or depth == 0:
        return
    collider = _part(entry, "Collider")
    if isinstance(collider, YamlMap):
        yield from _check_collider(collider, f"{path}.Collider", layers)
    for index, child in enumerate(_children(entry)):
        yield from _check_entry(child, f"{path}.children[{index}]", layers, depth - 1)


def _check_collider(collider: YamlMap, path: str, layers: Mapping[str, Any]) -> Found:
    layer = collider.get("collision_layer")
    if isinstance(layer, str) and layer and layer not in (*layers, "default"):
        names = ", ".join(layers) or "none; write them under settings: physics: layers"
        what = f"no collision layer is called {layer!r}. There are {names}"
        yield collider.values_at["collision_layer"], f"{path}.collision_layer", what
    shape, points = collider.get("shape"), collider.get("points")
    if isinstance(shape, str) and shape.lower() in _POINTED:
        if points is None:
            yield collider.values_at["shape"], f"{path}.shape", f"a {shape} needs `points`"
        elif isinstance(points, YamlList):
            sentence = _wrong_points(shape.lower(), points, bool(collider.get("closed", False)))
            if sentence:
                yield collider.values_at["points"], f"{path}.points", sentence


def _wrong_points(shape: str, points: YamlList, closed: bool) -> str | None:
    """Why these points can be no shape of that kind; None where they can, or where they are no points at all."""
    from .components import ColliderShape
    from .geometry.hull import points_of
    from .pieces import hulls_of

    try:
        given = points_of([[float(part) for part in point] for point in points])
    except (TypeError, ValueError, RishError):
        return None if points else "it has no points"
    try:
        hulls_of(ColliderShape(shape), given, closed)
    except RishError as error:
        return str(error)
    return None


def _check_place(manifest: Manifest, entry: Any, path: str, depth: int) -> Found:
    """Bodies and colliders that have no Transform, neither of their own nor from their prefabs."""
    if not isinstance(entry, YamlMap) or depth == 0:
        return
    parts = _inherited(manifest, entry, _DEPTH)
    if parts is not None and "Transform" not in parts and "at" not in parts:
        for name in _PLACED:
            if name in parts:
                yield entry.mark, path, f"it has a {name} and no Transform, so it is nowhere. Add `Transform: {{}}`"
                break
    for index, child in enumerate(_children(entry)):
        yield from _check_place(manifest, child, f"{path}.children[{index}]", depth - 1)


def _inherited(manifest: Manifest, entry: YamlMap, depth: int) -> set[str] | None:
    """The keys of an entry and of its prefabs, as short names; None where one of them is not in the manifest."""
    parts = {key.rpartition(".")[2] for key, value in entry.items() if value is not None}
    prefab = entry.get("prefab")
    if prefab is None:
        return parts
    base = manifest.prefabs.get(prefab) if isinstance(prefab, str) else None
    more = _inherited(manifest, base, depth - 1) if isinstance(base, YamlMap) and depth else None
    taken = {key.rpartition(".")[2] for key, value in entry.items() if value is None}
    return None if more is None else parts | (more - taken)


def _part(entry: YamlMap, name: str) -> Any:
    return entry.get(name, entry.get(f"physics.{name}"))


def _children(entry: YamlMap) -> list[Any]:
    children = entry.get("children")
    return list(children) if isinstance(children, YamlList) else []
