"""Finds mistakes of lights in a manifest that ranges can't express, each with its file, line and column.

Ranges, colors and missing files are checked by the kernel. This module checks fields that require another field.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rish_core.manifest import Mark, YamlList, YamlMap, place_at
from rish_ecs import Problem

if TYPE_CHECKING:
    from rish_core import Manifest

_MAX_DEPTH = 64
_NEEDS = {
    ("Light", "kind", "textured"): ("image", 1, "a textured light needs `image`, the image that it projects"),
    ("Occluder", "shape", "image"): ("image", 1, "an occluder of shape `image` needs `image`, which gives its outline"),
    ("Occluder", "shape", "polygon"): ("points", 3, "an occluder of shape `polygon` needs `points`, three or more"),
    ("Occluder", "shape", "line"): ("points", 2, "an occluder of shape `line` needs `points`, two or more"),
}
"""By component, field and value: the other field that is required, its minimum length, and the error message."""
_NEEDS_TRANSFORM = ("Light", "Occluder", "Sight")
"""Components that need a position."""
Found = Iterator[tuple[Mark, str, str]]


def check_lights(manifest: Manifest) -> None:
    """Add the mistakes of the lights and occluders to the manifest's problems.

    A scene may give fields that a prefab lacks, so only scenes are checked, and there only entries without a prefab.
    """
    wrong: list[tuple[Mark, str, str]] = []
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            wrong += _check_entry(entry, f"scenes.{name}[{index}]", _MAX_DEPTH)
    for mark, path, what in wrong:
        manifest.problems.append(Problem(place_at(mark), path, what))


def _check_entry(entry: Any, path: str, depth: int) -> Found:
    if not isinstance(entry, YamlMap) or depth == 0:
        return
    if "prefab" not in entry:
        yield from _check_parts(entry, path)
    children = entry.get("children")
    for index, child in enumerate(children if isinstance(children, YamlList) else ()):
        yield from _check_entry(child, f"{path}.children[{index}]", depth - 1)


def _check_parts(entry: YamlMap, path: str) -> Found:
    for (component, field, value), (needed_field, minimum, sentence) in _NEEDS.items():
        for key in (component, f"lighting.{component}"):
            part = entry.get(key)
            if isinstance(part, YamlMap) and part.get(field) == value and len(part.get(needed_field) or ()) < minimum:
                yield part.values_at[field], f"{path}.{key}.{field}", sentence
    if any(key in entry for key in ("Transform", "core.Transform", "at")):
        return
    for component in _NEEDS_TRANSFORM:
        for key in (component, f"lighting.{component}"):
            if key in entry:
                what = f"it has a {component} but no Transform, so it has no position. Add `Transform: {{}}`"
                yield entry.keys_at[key], f"{path}.{key}", what
