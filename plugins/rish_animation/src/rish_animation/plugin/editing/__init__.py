"""The parts of rish_animation for the editor: paths with handles, and inspectors of animators, paths and tweens."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...animators.components import Animator
from ...paths.components import FollowPath, MotionPath
from ...tweens.components import Tween
from .gizmos import draw_followers, draw_paths
from .inspectors import draw_animator, draw_path, draw_tween

__all__ = ["GIZMOS", "INSPECTORS"]

INSPECTORS: Mapping[type, Callable[..., None]] = {Animator: draw_animator, MotionPath: draw_path, Tween: draw_tween}
GIZMOS: Mapping[type, Callable[..., None]] = {MotionPath: draw_paths, FollowPath: draw_followers}
