"""The clips that Animator3Ds play, by the numbers of their texts; built again after a restore or an edit of a file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_animation import ModelClip, PlayMode, Timing, Timings, clip_files
from rish_assets import AssetLibrary, AssetReader, LogOnce
from rish_ecs import did_you_mean, resource
from rish_gltf import Model
from rish_jit import Array
from rish_space3d import MODEL_SUFFIXES

from ..models.convert import convert
from ..models.model import ModelData
from ..models.model_library import Library
from ..models.models_in_use import names_in_use
from .masks import joint_choices, mask_of
from .root_motion import RootMotion, without_root
from .sampling import Sampled, sampled
from .tables import PoseTables

if TYPE_CHECKING:
    from rish_ecs import World


class ClipKey(NamedTuple):
    """The key of a clip: numbers of texts, the mode, and whether the root's height is removed."""

    asset: int
    clips: int
    clip: int
    mode: int
    root: int
    lift: int


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A model whose nodes are in the tables of the library. offset: where they begin there."""

    model: ModelData
    offset: int


@dataclass(frozen=True, eq=False)
class ReadyClip:
    """A clip in the tables, at `offset`. root: the node whose motion was removed, -1: none; motion: the removed one."""

    skeleton: Skeleton
    rows: Sampled
    offset: int
    root: int = -1
    motion: RootMotion | None = None


@resource(derived=True)
class ClipLibrary3D:
    """The clips in use. ready, timings: of clips by index. skeletons: of assets, by the number of the text.

    masks: their offsets in the tables, by asset and text. posed: clips with their roots, whatever their modes. models:
    from code, by the name of their asset. facts: of clips, float64 (n, 4): offset in the tables, the last row that has
    a next one, seconds from row to row, the root. version: rises when all clips are forgotten. files: of clips.
    model_files: the nodes of models, None of a file that can't be read. log: logs problems, once until a file changes.
    """

    ready: list[ReadyClip] = dataclass_field(default_factory=list[ReadyClip])
    timings: Timings = dataclass_field(default_factory=Timings)
    tables: PoseTables = dataclass_field(default_factory=PoseTables)
    index: dict[ClipKey, int] = dataclass_field(default_factory=dict[ClipKey, int])
    skeletons: dict[int, Skeleton | None] = dataclass_field(default_factory=dict[int, "Skeleton | None"])
    masks: dict[tuple[int, int], int] = dataclass_field(default_factory=dict[tuple[int, int], int])
    posed: dict[tuple[int, str, int, int], ReadyClip] = dataclass_field(
        default_factory=dict[tuple[int, str, int, int], ReadyClip]
    )
    models: dict[str, ModelData] = dataclass_field(default_factory=dict[str, ModelData])
    facts: Array = dataclass_field(default_factory=lambda: np.zeros((0, 4)))
    version: int = 0

    def __post_init__(self) -> None:
        """Make the libraries of files."""
        self.log = LogOnce("rish.scene3d")
        self.files = clip_files("rish.scene3d", self._changed)
        self.model_files = AssetLibrary[ModelData | None](
            "model", _read_model, placeholder=lambda: None, log="rish.scene3d", on_change=self._changed
        )

    def _changed(self, path: str) -> None:
        self.log.forget()
        self._forget()

    def _forget(self) -> None:
        self.ready, self.timings, self.tables, self.facts = [], Timings(), PoseTables(), np.zeros((0, 4))
        self.index, self.skeletons, self.masks, self.posed = {}, {}, {}, {}
        self.version += 1

    def release(self, world: World) -> None:
        """Forget the clips of models that are not in use; the others are not sampled again."""
        names = {world.texts.find(name) for name in names_in_use(world)}
        if names.issuperset(asset for asset, skeleton in self.skeletons.items() if skeleton is not None):
            return
        skeletons, posed = self.skeletons, self.posed
        self._forget()
        for path in set(self.model_files) - names_in_use(world):
            self.model_files.forget(path)
        for asset, skeleton in skeletons.items():
            if skeleton is not None and asset in names:
                self.skeletons[asset] = Skeleton(skeleton.model, self.tables.add_skeleton(skeleton.model))
        for key, clip in posed.items():
            skeleton = self.skeletons.get(key[0])
            if skeleton is not None:
                offset = self.tables.add_clip(skeleton.model, clip.rows)
                self.posed[key] = replace(clip, skeleton=skeleton, offset=offset)

    def add(self, world: World, asset: str, model: ModelData) -> None:
        """Use a model from code for an asset's name; the name is not looked up as a file."""
        self.models[asset] = model
        self._forget()

    def skeleton(self, world: World, asset: int) -> Skeleton | None:
        """Return the skeleton of an asset; None for a shape, and for a file that can't be read."""
        if asset not in self.skeletons:
            model = self._model(world, world.text(asset))
            usable = model is not None and len(model.names) > 0
            self.skeletons[asset] = Skeleton(model, self.tables.add_skeleton(model)) if model and usable else None
        return self.skeletons[asset]

    def find(self, world: World, key: ClipKey) -> int:
        """Return the index of a clip in `ready`; -1 if there is none, which is logged once."""
        index = self.index.get(key)
        if index is None:
            index = self.index[key] = self._learn(world, key)
        return index

    def mask(self, world: World, asset: int, text: int) -> int:
        """Return the offset of a mask in the tables; -1: all nodes."""
        if not text:
            return -1
        if (asset, text) not in self.masks:
            skeleton = self.skeleton(world, asset)
            assert skeleton is not None
            allowed, unknown = mask_of(skeleton.model, world.text(text))
            for name in unknown:
                self.log(f"{world.text(asset)} has no joint {name!r}{joint_choices(skeleton.model, name)}")
            self.masks[asset, text] = self.tables.add_mask(len(skeleton.model.names), allowed)
        return self.masks[asset, text]

    def node(self, world: World, asset: int, joint: int) -> int:
        """Return the node with a name; -1 if there is none, which is logged once."""
        skeleton = self.skeleton(world, asset)
        name = world.text(joint)
        if skeleton is None or not name:
            return -1
        if name in skeleton.model.names:
            return skeleton.model.names.index(name)
        self.log(f"{world.text(asset)} has no joint {name!r}{joint_choices(skeleton.model, name)}")
        return -1

    def _learn(self, world: World, key: ClipKey) -> int:
        skeleton = self.skeleton(world, key.asset)
        if skeleton is None:
            return -1
        files = self.files.get(world, key.clips).models if key.clips else {}
        name = world.text(key.clip) or next(iter(files), "") or next(iter(clip_names(skeleton.model)), "")
        clip = files.get(name) or ModelClip(name, list(PlayMode)[key.mode])
        if clip.animation not in clip_names(skeleton.model):
            if name or key.clip:
                prefix = f"{clip.place}: " if clip.place else ""
                self.log(prefix + unknown_clip(skeleton.model, clip.animation, files))
            return -1
        ready_clip = self._ready(world, key, skeleton, clip.animation)
        number = world.intern(name)
        markers = tuple((time, world.intern(text)) for time, text in clip.markers)
        follows = world.intern(clip.next) if clip.next else 0
        existing = self.index.get(key._replace(clip=number))
        if existing is not None:
            return existing
        self.ready.append(ready_clip)
        fact = [[ready_clip.offset, len(ready_clip.rows.rows) - 2, ready_clip.rows.interval, ready_clip.root]]
        self.facts = np.concatenate([self.facts, np.array(fact, np.float64)])
        index = self.timings.add(Timing(ready_clip.rows.seconds, clip.mode, number, follows, markers))
        self.index[key._replace(clip=number)] = index
        return index

    def _ready(self, world: World, key: ClipKey, skeleton: Skeleton, animation: str) -> ReadyClip:
        """Return an animation with its root; it is shared by all modes and markers."""
        shared = (key.asset, animation, key.root, key.lift)
        if shared not in self.posed:
            names = clip_names(skeleton.model)
            rows = sampled(skeleton.model, skeleton.model.clips[names.index(animation)])
            root, motion = self.node(world, key.asset, key.root), None
            if root >= 0:
                rows, motion = without_root(skeleton.model, rows, root, lift=bool(key.lift))
            self.posed[shared] = ReadyClip(skeleton, rows, self.tables.add_clip(skeleton.model, rows), root, motion)
        return self.posed[shared]

    def _model(self, world: World, path: str) -> ModelData | None:
        if path in self.models:
            return self.models[path]
        return self.model_files.get(world, path) if path.lower().endswith(MODEL_SUFFIXES) else None


def _read_model(path: str, read: AssetReader) -> ModelData | None:
    content = read()
    return skeleton_of(content, path) if isinstance(content, Model) else None


def skeleton_of(model: Model, name: str) -> ModelData | None:
    """Return the nodes, skins and clips of a file without materials and pictures; None of a file that can't be read."""
    return convert(Library(), model, name, lambda index: 0) if model.name else None


def clip_names(model: ModelData) -> list[str]:
    """Return the names of a model's animations; those without a name are called by their number: `0`, `1`."""
    return [clip.name or str(k) for k, clip in enumerate(model.clips)]


def unknown_clip(model: ModelData, name: str, files: dict[str, ModelClip]) -> str:
    """Return the sentence about a clip that neither the model nor the file of clips has."""
    names = [*files, *(each for each in clip_names(model) if each not in files)]
    listed = f". Choices: {', '.join(names[:12])}" if names else ", and no other"
    return f"{model.name} has no animation {name!r}{did_you_mean(name, names)}{listed}"
