"""Checks the Animator3Ds and Socket3Ds in a manifest at load time; mistakes have a file, line and column.

The model is that of the same entry, of the entry above, or of the entry of the scene that `target` names. Where none is
found, as for names inside of prefabs, nothing is checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rish_animation import LOADERS, Clips, Timing
from rish_core import AssetError, Assets
from rish_core.manifest import YamlList, YamlMap, place_at
from rish_ecs import Problem
from rish_gltf import Model
from rish_space3d import MODEL_SHAPES, MODEL_SUFFIXES, load_model

from ..clips.clip_library import clip_names, skeleton_of, unknown_clip
from ..clips.masks import joint_choices, mask_of
from ..clips.sampling import sampled
from ..models.model import ModelData

if TYPE_CHECKING:
    from rish_core import Manifest

_DEPTH = 64


def check_animation_3d(manifest: Manifest) -> None:
    """Add the mistakes in the animations of a manifest's models to the manifest's problems."""
    check = _Check(manifest)
    for name, prefab in manifest.prefabs.items():
        check.entry(prefab, f"prefabs.{name}", None, _DEPTH, is_final=False)
    for name, scene in manifest.scenes.items():
        entries = scene if isinstance(scene, YamlList) else ()
        check.named = dict(check.names(entries, _DEPTH))
        for index, entry in enumerate(entries):
            check.entry(entry, f"scenes.{name}[{index}]", None, _DEPTH, is_final=True)


class _Check:
    """One check of one manifest; a file is read once."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.assets = Assets(manifest.root, {**LOADERS, **dict.fromkeys(MODEL_SUFFIXES, load_model)})
        self.models: dict[str, ModelData | None] = {}
        self.named: dict[str, YamlMap] = {}

    def entry(self, entry: Any, path: str, above: YamlMap | None, depth: int, *, is_final: bool) -> None:
        """Check an entry and those below it. above: the parent entry. is_final: nothing is added to the entry later."""
        if not isinstance(entry, YamlMap) or depth == 0:
            return
        is_complete, parent = is_final and "prefab" not in entry, entry.get("parent")
        above = self.named.get(parent) if parent else above
        for name, check, holder in (("Animator3D", self._animator, entry), ("Socket3D", self._socket, above)):
            for key in (name, f"scene3d.{name}"):
                node = entry.get(key)
                if isinstance(node, YamlMap):
                    target = node.get("target")
                    of = self.named.get(target) if target else holder
                    model = self._model_of(of)
                    if model is not None:
                        check(node, f"{path}.{key}", model)
                    target_name = target or (parent if name == "Socket3D" else None)
                    is_known = not target_name or of is not None
                    if is_complete and is_known and (problem := _useless(name, node, of, model)):
                        message = f"this {name} does nothing: {problem}"
                        self.manifest.problems.append(Problem(place_at(entry.keys_at[key]), f"{path}.{key}", message))
        children = entry.get("children")
        for index, child in enumerate(children if isinstance(children, YamlList) else ()):
            self.entry(child, f"{path}.children[{index}]", entry, depth - 1, is_final=is_final)

    def names(self, entries: Any, depth: int) -> Iterator[tuple[str, YamlMap]]:
        """Yield the entries with a name, and those below them, in reverse order, because the first of a name counts."""
        for entry in reversed(entries if isinstance(entries, YamlList) and depth else ()):
            if isinstance(entry, YamlMap):
                yield from self.names(entry.get("children"), depth - 1)
                name = entry.get("name") or self._prefab(entry).get("name")
                if isinstance(name, str):
                    yield name, entry

    def _prefab(self, entry: YamlMap) -> Any:
        """Return the prefab of an entry; an empty mapping without one."""
        prefab = self.manifest.prefabs.get(entry.get("prefab"))  # pyright: ignore[reportArgumentType]
        return prefab if isinstance(prefab, YamlMap) else {}

    def _model_of(self, entry: YamlMap | None) -> ModelData | None:
        """Return the model of an entry or of its prefab."""
        return None if entry is None else self._model(entry) or self._model(self._prefab(entry))

    def _animator(self, node: YamlMap, path: str, model: ModelData) -> None:
        clips = self._clips(node.get("clips"))
        for clip in clips.models.values() if clips is not None else ():
            self._clip_of_file(clip, model)
        names = [*(clips.models if clips is not None else ()), *clip_names(model)]
        for key in ("clip", "queued"):
            text = node.get(key)
            if isinstance(text, str) and text and text not in names:
                message = unknown_clip(model, text, clips.models if clips is not None else {})
                self._note(node, key, path, message)
        if isinstance(node.get("root"), str):
            self._joint(node, "root", path, model)
        mask = node.get("mask")
        for name in mask_of(model, mask)[1] if isinstance(mask, str) else ():
            self._note(node, "mask", path, f"{model.name} has no joint {name!r}{joint_choices(model, name)}")

    def _clip_of_file(self, clip: Any, model: ModelData) -> None:
        """Check that the animation of a clip exists, and that its markers are within it."""
        names = clip_names(model)
        if clip.animation not in names:
            self.manifest.problems.append(Problem(clip.place, "animation", unknown_clip(model, clip.animation, {})))
            return
        if clip.markers:
            timing = Timing(sampled(model, model.clips[names.index(clip.animation)]).seconds, clip.mode, 0)
            late = [f"{name} at {time:g} s" for time, name in clip.markers if time > timing.seconds + 1e-4]
            if late:
                message = f"{clip.animation} ends at {timing.seconds:g} s, before the markers {', '.join(late)}"
                self.manifest.problems.append(Problem(clip.place, "markers", message))

    def _socket(self, node: YamlMap, path: str, model: ModelData) -> None:
        self._joint(node, "joint", path, model)

    def _joint(self, node: YamlMap, key: str, path: str, model: ModelData) -> None:
        name = node.get(key)
        if isinstance(name, str) and name and name not in model.names:
            self._note(node, key, path, f"{model.name} has no joint {name!r}{joint_choices(model, name)}")

    def _clips(self, file: Any) -> Clips | None:
        if not isinstance(file, str) or not file.endswith(tuple(LOADERS)):
            return None
        try:
            clips = self.assets.load(file, strict=True)
        except AssetError:  # the kernel reports it
            return None
        return clips if isinstance(clips, Clips) else None

    def _model(self, entry: Any) -> ModelData | None:
        """Return the model of an entry; None without one, for a shape, and for a file that can't be read."""
        node = entry.get("Model3D", entry.get("scene3d.Model3D")) if isinstance(entry, YamlMap) else None
        asset = node.get("asset") if isinstance(node, YamlMap) else None
        if not isinstance(asset, str) or not asset.lower().endswith(MODEL_SUFFIXES):
            return None
        if asset not in self.models:
            try:
                loaded = self.assets.load(asset, strict=True)
            except AssetError:
                loaded = None
            self.models[asset] = skeleton_of(loaded, asset) if isinstance(loaded, Model) else None
        return self.models[asset]

    def _note(self, node: YamlMap, key: str, path: str, message: str) -> None:
        self.manifest.problems.append(Problem(place_at(node.values_at[key]), f"{path}.{key}", message))


def _useless(name: str, node: YamlMap, of: YamlMap | None, model: ModelData | None) -> str:
    """Return the reason why an Animator3D or Socket3D has no effect; "" if it may have one. of: the entry of its
    model."""
    if model is not None:
        if name == "Animator3D":
            return "" if model.clips else f"{model.name} has no animations. Export them with the model"
        return "" if node.get("joint") else f"it names no `joint`{joint_choices(model, '')}"
    advice = "Name the entity with the model as its `target`"
    if of is None:
        return f"it has no parent. {advice}"
    if "prefab" in of:
        return ""
    model_text = of.get("Model3D", of.get("scene3d.Model3D"))
    if model_text is None:
        return f"the entity has no Model3D. {advice}"
    asset = model_text.get("asset", MODEL_SHAPES[0]) if isinstance(model_text, YamlMap) else ""
    return f"the shape {asset!r} has no clips and joints. Name a .glb or .gltf file" if asset in MODEL_SHAPES else ""
