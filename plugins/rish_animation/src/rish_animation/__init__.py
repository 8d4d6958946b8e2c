"""Animation for Rish: key-frame clips, tweens and paths for any field of any component, as state of the World.

from rish_animation import Animator, FollowPath, MotionPath, play, tween
"""

from __future__ import annotations

from .animators.components import Animator, AnimatorFinished, AnimatorMarker, FadingClips
from .animators.playing import is_playing, play
from .clips.frames import FPS, cells_in
from .clips.library import ClipLibrary
from .clips.model import (
    MAX_STEPS,
    MIN_SECONDS,
    Clip,
    Clips,
    Interpolation,
    Key,
    PlayMode,
    Track,
    TrackClip,
    there_and_back,
)
from .clips.reading import LOADERS, load_clips, read_clips
from .easings import EASINGS, bezier, easing, spring, steps
from .paths.components import FollowPath, MotionPath, PathFinished, PathShape
from .paths.shapes import path_points
from .tweens.components import Tween, TweenFinished, Tweens
from .tweens.tweens import is_tweening, stop_tweens, tween

__all__ = [
    "EASINGS",
    "FPS",
    "LOADERS",
    "MAX_STEPS",
    "MIN_SECONDS",
    "Animator",
    "AnimatorFinished",
    "AnimatorMarker",
    "Clip",
    "ClipLibrary",
    "Clips",
    "FadingClips",
    "FollowPath",
    "Interpolation",
    "Key",
    "MotionPath",
    "PathFinished",
    "PathShape",
    "PlayMode",
    "Track",
    "TrackClip",
    "Tween",
    "TweenFinished",
    "Tweens",
    "bezier",
    "cells_in",
    "easing",
    "is_playing",
    "is_tweening",
    "load_clips",
    "path_points",
    "play",
    "read_clips",
    "spring",
    "steps",
    "stop_tweens",
    "there_and_back",
    "tween",
]
