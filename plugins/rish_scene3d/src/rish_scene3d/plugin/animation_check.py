"""Checks the Animator3Ds and Socket3Ds in a manifest at load time; mistakes have a file, line and column.

The model is that of the same entry, or of the entry above; where `target` names another entity, nothing is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_animation import LOADERS, Clips, Timing
from rish_core import AssetError, Assets
from rish_core.manifest import YamlList, YamlMap, place_at
from rish_ecs import Problem
from rish_gltf import Model

from ..clips.library import clip_names, skeleton_of, unknown_clip
from ..clips.masks import joint_choices, mask_of
from ..clips.sampling import sampled
from ..models.loading import SUFFIXES, load_model
from ..models.model import ModelData

if TYPE_CHECKING:
    from rish_core import Manifest

_DEPTH = 64


def check_animation_3d(manifest: Manifest) -> None:
    """Add the mistakes in the animations of a manifest's models to its problems."""
    check = _Check(manifest)
    for name, prefab in manifest.prefabs.items():
        check.entry(prefab, f"prefabs.{name}", None, _DEPTH)
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            check.entry(entry, f"scenes.{name}[{index}]", None, _DEPTH)


class _Check:
    """One check of one manifest; a file is read once."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.assets = Assets(manifest.root, {**LOADERS, **dict.fromkeys(SUFFIXES, load_model)})
        self.models: dict[str, ModelData | None] = {}

    def entry(self, entry: Any, path: str, above: ModelData | None, depth: int) -> None:
        """Check an entry and those below it. above: the model of the entry above."""
        if not isinstance(entry, YamlMap) or depth == 0:
            return
        prefab = entry.get("prefab")
        model = self._model(entry) or (self._model(self.manifest.prefabs.get(prefab)) if prefab else None)
        for name, check, of in (("Animator3D", self._animator, model), ("Socket3D", self._socket, above)):
            for key in (name, f"scene3d.{name}"):
                node = entry.get(key)
                if isinstance(node, YamlMap) and of is not None and not node.get("target"):
                    check(node, f"{path}.{key}", of)
        children = entry.get("children")
        for index, child in enumerate(children if isinstance(children, YamlList) else ()):
            self.entry(child, f"{path}.children[{index}]", model, depth - 1)

    def _animator(self, node: YamlMap, path: str, model: ModelData) -> None:
        clips = self._clips(node.get("clips"))
        for clip in clips.models.values() if clips is not None else ():
            self._clip_of_file(clip, model)
        names = [*(clips.models if clips is not None else ()), *clip_names(model)]
        for key in ("clip", "queued"):
            text = node.get(key)
            if isinstance(text, str) and text and text not in names:
                said = unknown_clip(model, text, clips.models if clips is not None else {})
                self._note(node, key, path, said)
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
                said = f"{clip.animation} ends at {timing.seconds:g} s, before the markers {', '.join(late)}"
                self.manifest.problems.append(Problem(clip.place, "markers", said))

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
            found = self.assets.load(file, strict=True)
        except AssetError:  # the kernel reports it
            return None
        return found if isinstance(found, Clips) else None

    def _model(self, entry: Any) -> ModelData | None:
        """Return the model of an entry; None without one, for a shape, and for a file that can't be read."""
        node = entry.get("Model3D", entry.get("scene3d.Model3D")) if isinstance(entry, YamlMap) else None
        asset = node.get("asset") if isinstance(node, YamlMap) else None
        if not isinstance(asset, str) or not asset.lower().endswith(SUFFIXES):
            return None
        if asset not in self.models:
            try:
                loaded = self.assets.load(asset, strict=True)
            except AssetError:
                loaded = None
            self.models[asset] = skeleton_of(loaded, asset) if isinstance(loaded, Model) else None
        return self.models[asset]

    def _note(self, node: YamlMap, key: str, path: str, what: str) -> None:
        self.manifest.problems.append(Problem(place_at(node.values_at[key]), f"{path}.{key}", what))
