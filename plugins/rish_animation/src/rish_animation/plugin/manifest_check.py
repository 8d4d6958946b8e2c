"""Checks the Animators and Tweens in a manifest at load time; mistakes have a file, line and column.

Fields and ranges are checked by the kernel, and clip files are read by it. This module checks the clips that are named,
the tracks of the files against the components of the game, and the fields and easings of tweens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rish_core import AssetError, Assets
from rish_core.manifest import Mark, YamlList, YamlMap, place_at
from rish_ecs import Problem, RishError, did_you_mean
from rish_expressions import ExpressionError, Vocabulary
from rish_jit import easing

from ..clips.checks import checked_tracks
from ..clips.model import Clips
from ..clips.reading import LOADERS
from ..fields import field_of

if TYPE_CHECKING:
    from rish_core import Manifest, Registry

_DEPTH = 64
Part = tuple[str, YamlMap, str]
"""The name of a component, its mapping, and the path of keys to it."""


def check_animation(manifest: Manifest, registry: Registry) -> None:
    """Add the mistakes in a manifest's animations to its problems."""
    check = _Check(manifest, registry)
    for name, prefab in manifest.prefabs.items():
        check.parts(_parts(prefab, f"prefabs.{name}", _DEPTH))
    for name, scene in manifest.scenes.items():
        for index, entry in enumerate(scene if isinstance(scene, YamlList) else ()):
            check.parts(_parts(entry, f"scenes.{name}[{index}]", _DEPTH))


def _parts(entry: Any, path: str, depth: int) -> Iterator[Part]:
    """Yield the Animators and Tweens of an entry and its children."""
    if not isinstance(entry, YamlMap) or depth == 0:
        return
    for name in ("Animator", "Tween"):
        for key in (name, f"animation.{name}"):
            if isinstance(entry.get(key), YamlMap):
                yield name, entry[key], f"{path}.{key}"
    children = entry.get("children")
    for index, child in enumerate(children if isinstance(children, YamlList) else ()):
        yield from _parts(child, f"{path}.children[{index}]", depth - 1)


class _Check:
    """Checks one manifest, and reads each file only once."""

    def __init__(self, manifest: Manifest, registry: Registry) -> None:
        self.manifest, self.words = manifest, Vocabulary(registry)
        self.assets = Assets(manifest.root, LOADERS)
        self.files: dict[str, Clips | None] = {}

    def parts(self, parts: Iterator[Part]) -> None:
        """Check some components."""
        for name, node, path in parts:
            if name == "Animator":
                self._animator(node, path)
            else:
                self._text(node, path, "field", lambda text: field_of(self.words, text))
                self._text(node, path, "easing", easing)

    def _text(self, node: YamlMap, path: str, key: str, read: Callable[[str], object]) -> None:
        """Report the error that a function raises for the text of a key."""
        if isinstance(node.get(key), str) and node[key]:
            try:
                read(node[key])
            except RishError as error:
                self._note(
                    node.values_at[key],
                    f"{path}.{key}",
                    error.line if isinstance(error, ExpressionError) else str(error),
                )

    def _animator(self, node: YamlMap, path: str) -> None:
        """Check that the file of an Animator has its clip."""
        file, clip = node.get("clips"), node.get("clip")
        if not isinstance(file, str) or not file:
            return
        clips = self._clips(file)
        if clips is not None and isinstance(clip, str) and clip and clip not in clips.tracks:
            choices = f". Choices: {', '.join(list(clips.tracks)[:12])}" if clips.tracks else ""
            near = did_you_mean(clip, clips.tracks)
            self._note(node.values_at["clip"], f"{path}.clip", f"{file} has no clip of tracks {clip!r}{near}{choices}")

    def _clips(self, file: str) -> Clips | None:
        """Return the clips of a file, None if it can't be read, which the kernel reports."""
        if file not in self.files:
            try:
                clips = self.assets.load(file, strict=True) if file.endswith(tuple(LOADERS)) else None
            except AssetError:
                clips = None
            self.files[file] = clips
            for clip in clips.tracks.values() if clips is not None else ():
                checked_tracks(clip, self.words, self.manifest.problems)
        return self.files[file]

    def _note(self, mark: Mark, path: str, what: str) -> None:
        self.manifest.problems.append(Problem(place_at(mark), path, what))
