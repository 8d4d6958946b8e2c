"""Finds mistakes of 3D scenes in a manifest that ranges can't express, each with its file, line and column.

The kernel checks the files. Here: names of parts and keys, cameras that show nothing, and components that need another
one. A scene may add components that a prefab lacks, so only entries without a prefab are checked for missing ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rish_core import AssetError, Assets, UnknownName
from rish_core.loop import key_index
from rish_core.manifest import Mark, YamlList, YamlMap, place_at
from rish_ecs import Problem
from rish_gltf import Model
from rish_space3d import MODEL_SHAPES, MODEL_SUFFIXES, load_model, unknown_part

if TYPE_CHECKING:
    from rish_core import Manifest

_DEPTH = 64
_PLACED = ("Model3D", "Camera3D", "Sun3D", "Lamp3D", "Billboard3D", "FlyCamera3D", "Socket3D")
"""Components that need a place."""
Found = Iterator[tuple[Mark, str, str]]


def check_scene_3d(manifest: Manifest) -> None:
    """Add the mistakes of the 3D scenes of a manifest to its problems."""
    check = _Check(Assets(manifest.root, dict.fromkeys(MODEL_SUFFIXES, load_model)), _actions(manifest))
    mistakes: list[tuple[Mark, str, str]] = []
    for name, prefab in manifest.prefabs.items():
        mistakes += check.entry(prefab, f"prefabs.{name}", _DEPTH, is_final=False)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            mistakes += check.entry(entry, f"scenes.{name}[{index}]", _DEPTH)
    for mark, path, message in mistakes:
        manifest.problems.append(Problem(place_at(mark), path, message))


class _Check:
    """One check of one manifest; a file is read once."""

    def __init__(self, assets: Assets, actions: frozenset[str]) -> None:
        self.assets, self.actions = assets, actions

    def entry(self, entry: Any, path: str, depth: int, *, is_final: bool = True) -> Found:
        """Yield the mistakes of an entry and of those below it. is_final: nothing is added to the entry later."""
        if not isinstance(entry, YamlMap) or depth == 0:
            return
        for name, look in (("Model3D", self._model), ("Camera3D", _camera), ("FlyCamera3D", self._keys_of)):
            for key, part in _parts(entry, name):
                yield from look(part, f"{path}.{key}")
        if is_final and "prefab" not in entry:
            yield from _missing(entry, path)
        children = entry.get("children")
        for index, child in enumerate(children if isinstance(children, YamlList) else ()):
            yield from self.entry(child, f"{path}.children[{index}]", depth - 1, is_final=is_final)

    def _model(self, part: YamlMap, path: str) -> Found:
        asset, name = part.get("asset"), part.get("part")
        if not isinstance(name, str) or not name:
            return
        nodes = self._nodes(asset if isinstance(asset, str) else MODEL_SHAPES[0])
        if nodes is not None and name not in nodes:
            yield part.values_at["part"], f"{path}.part", unknown_part(name, nodes)

    def _keys_of(self, part: YamlMap, path: str) -> Found:
        """Yield the unknown keys of a flying camera."""
        keys = part.get("keys")
        keys_named = [(part.values_at["hold"], "hold", part["hold"])] if "hold" in part else []
        if isinstance(keys, YamlList):
            keys_named += [(keys.items_at[k], f"keys[{k}]", key) for k, key in enumerate(keys)]
        for mark, field, key in keys_named:
            if isinstance(key, str) and key and key not in self.actions:
                try:
                    key_index(key)
                except UnknownName as error:
                    yield mark, f"{path}.{field}", f"no action is called {key!r}, and {error}"

    def _nodes(self, asset: str) -> tuple[str, ...] | None:
        """Return the names of the nodes of a model; None for a file that can't be read, which the kernel reports."""
        if asset in MODEL_SHAPES:
            return ()
        try:
            loaded = self.assets.load(asset, strict=True)
        except AssetError:
            return None
        return tuple(node.name for node in loaded.nodes) if isinstance(loaded, Model) else None


def _actions(manifest: Manifest) -> frozenset[str]:
    """Return the names of the actions of a game."""
    return frozenset(manifest.input).union(*manifest.players)


def _camera(part: YamlMap, path: str) -> Found:
    near, far = part.get("near", 0.1), part.get("far", 500.0)
    if isinstance(near, (int, float)) and isinstance(far, (int, float)) and far <= near:
        key = "far" if "far" in part else "near"
        message = f"it shows nothing: far ({far:g} m) must be more than near ({near:g} m)"
        yield part.values_at[key], f"{path}.{key}", message


def _missing(entry: YamlMap, path: str) -> Found:
    """Yield the components of an entry that need another one which it does not have."""
    placed = [(name, "space3d", "Transform3D", "it has no place") for name in _PLACED]
    for name, owner, required, why in (*placed, ("Material3D", "scene3d", "Model3D", "nothing shows it")):
        if required not in entry and f"{owner}.{required}" not in entry:
            for key in _keys(entry, name):
                message = f"it has a {name} but no {required}, so {why}. Add `{required}: {{}}`"
                yield entry.keys_at[key], f"{path}.{key}", message


def _keys(entry: YamlMap, name: str) -> list[str]:
    return [key for key in (name, f"scene3d.{name}") if key in entry]


def _parts(entry: YamlMap, name: str) -> list[tuple[str, YamlMap]]:
    return [(key, part) for key in _keys(entry, name) if isinstance(part := entry[key], YamlMap)]
