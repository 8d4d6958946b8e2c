"""The hooks of rish_animation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rish_core import About, hookimpl
from rish_jit import EASINGS

from ..animators.components import Animator, AnimatorFinished, AnimatorMarker, FadingClips
from ..animators.system import ClipsOfAnimators, advance_animators
from ..clips.clip_library import ClipLibrary
from ..clips.reading import CLIP_NAMES, LOADERS
from ..paths.components import FollowPath, MotionPath, PathFinished
from ..paths.system import follow_paths
from ..tweens.components import Tween, TweenFinished, Tweens
from ..tweens.plan import TweenPlan
from ..tweens.system import advance_tweens, start_tweens


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="clips of key frames, tweens and paths for any field of any component")


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Animator, Tween, MotionPath, FollowPath]


def rish_resources() -> list[type]:
    """Return the tables of fading clips and of tweens, and the derived resources."""
    return [FadingClips, Tweens, ClipLibrary, ClipsOfAnimators, TweenPlan]


def rish_events() -> list[type]:
    """Return the events of the plugin."""
    return [AnimatorMarker, AnimatorFinished, TweenFinished, PathFinished]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems, which run in stage PRE: animators, then tweens, then paths."""
    return [advance_animators, start_tweens, advance_tweens, follow_paths]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loader of clip files; the plugin `render` returns the same one."""
    return LOADERS


def rish_names() -> dict[str, Callable[[Any], Iterable[str]]]:
    """Return the list of clip files, which the plugin `render` returns too, and the list of easings."""
    return {"clips": CLIP_NAMES, "easings": lambda world: EASINGS}


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check the clips, easings and fields that the manifest names."""
    from .manifest_check import check_animation

    check_animation(manifest, registry)


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the actions of rules: `tween` and `animate`."""
    from .actions import ACTIONS

    return list(ACTIONS)


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return the functions that draw animators, paths and tweens in the editor's inspector."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return the functions that draw paths in scene views."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets: clips of tracks."""
    from .templates import TEMPLATES

    return TEMPLATES


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"


@hookimpl(optional=True)
def rish_editor_references() -> dict[str, dict[str, list[str]]]:
    """Return the places in clip files that name other files."""
    return {".anim.yaml": {"rooted": ["clips/*/tracks/*"]}, ".anim.yml": {"rooted": ["clips/*/tracks/*"]}}
