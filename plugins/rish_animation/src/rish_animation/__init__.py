"""Animation for Rish: key-frame clips, tweens and paths for any field of any component, as state of the World.

from rish_animation import Animator, FollowPath, MotionPath, play, tween
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .animators.clock import Passed, Players, Span, advance, begin_clips
    from .animators.components import Animator, AnimatorFinished, AnimatorMarker, FadingClips
    from .animators.playing import is_playing, play, start_clips
    from .clips.clip_library import ClipLibrary
    from .clips.curves import TIME_TOLERANCE
    from .clips.files import clip_files
    from .clips.frames import FPS, cells_in
    from .clips.model import (
        MAX_STEPS,
        MIN_SECONDS,
        Clip,
        Clips,
        Interpolation,
        Key,
        ModelClip,
        PlayMode,
        Track,
        TrackClip,
        there_and_back,
    )
    from .clips.reading import CLIP_NAMES, LOADERS, read_clips
    from .clips.starting import rows_to_start
    from .clips.timing import Timing, Timings
    from .paths.components import FollowPath, MotionPath, PathFinished, PathShape
    from .paths.shapes import path_points
    from .tweens.components import Tween, TweenFinished, Tweens
    from .tweens.tweens import is_tweening, stop_tweens, tween

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "animators.clock": "Passed Players Span advance begin_clips",
        "animators.components": "Animator AnimatorFinished AnimatorMarker FadingClips",
        "animators.playing": "is_playing play start_clips",
        "clips.curves": "TIME_TOLERANCE",
        "clips.files": "clip_files",
        "clips.frames": "FPS cells_in",
        "clips.clip_library": "ClipLibrary",
        "clips.model": "MAX_STEPS MIN_SECONDS Clip Clips Interpolation Key ModelClip PlayMode Track TrackClip "
        "there_and_back",
        "clips.reading": "CLIP_NAMES LOADERS read_clips",
        "clips.starting": "rows_to_start",
        "clips.timing": "Timing Timings",
        "paths.components": "FollowPath MotionPath PathFinished PathShape",
        "paths.shapes": "path_points",
        "tweens.components": "Tween TweenFinished Tweens",
        "tweens.tweens": "is_tweening stop_tweens tween",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
