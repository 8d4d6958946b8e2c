"""The plugin's declarations for animation: components, tables, systems and lists of names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rish_animation import Clips
from rish_core import Assets
from rish_jit import worth_preparing

from ..clips.advancing import advance_animators_3d
from ..clips.clip_library import ClipLibrary3D, clip_names
from ..clips.draw_poses import PosedWork, pose
from ..clips.kernel import READY
from ..clips.sockets import JointPoses, follow_joints
from ..clips.sources import ClipsOfAnimators3D
from ..components.animation import Animator3D, FadingClips3D, Socket3D
from ..components.models import Model3D

COMPONENTS: list[type] = [Animator3D, Socket3D]
RESOURCES: list[type] = [FadingClips3D, ClipLibrary3D, ClipsOfAnimators3D, JointPoses, PosedWork]
SYSTEMS: list[Callable[..., None]] = [advance_animators_3d, follow_joints, pose]
_MIN_KERNEL_ANIMATORS = 10
"""The smallest number of animators for which the kernel is prepared before the scene begins."""


def kernels(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernel of poses if the scene has many characters, or numba is loaded anyway."""
    count = len(world.table(Animator3D))
    return {"poses": READY.now} if count >= _MIN_KERNEL_ANIMATORS or (count and worth_preparing(count)) else {}


def clip_choices(world: Any) -> list[str]:
    """Return the clips that the models in use have, those of files of clips first."""
    library, table = world[ClipLibrary3D], world.table(Animator3D)
    names: list[str] = []
    for path in sorted({world.text(number) for number in table.clips.tolist() if number}):
        loaded = world[Assets].load(path) if Assets in world and world[Assets].exists(path) else None
        names += loaded.models if isinstance(loaded, Clips) else ()
    for asset in _assets(world):
        skeleton = library.skeleton(world, asset)
        names += clip_names(skeleton.model) if skeleton is not None else ()
    return list(dict.fromkeys(names))


def joint_names(world: Any) -> list[str]:
    """Return the names of the nodes of the models in use."""
    skeletons = (world[ClipLibrary3D].skeleton(world, asset) for asset in _assets(world))
    models = [skeleton.model for skeleton in skeletons if skeleton is not None]
    return list(dict.fromkeys(name for model in models for name in model.names if name))


def _assets(world: Any) -> list[int]:
    return sorted({number for number in world.table(Model3D).asset.tolist() if number})


NAMES: dict[str, Callable[[Any], Iterable[str]]] = {"clips_3d": clip_choices, "joints": joint_names}
