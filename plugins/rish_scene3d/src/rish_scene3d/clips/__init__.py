"""Animation: clips of models, their blending, and the poses of joints."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .clip_library import ClipLibrary3D
    from .draw_poses import pose
    from .kernel import prepare_poses_3d

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "kernel": "prepare_poses_3d",
        "clip_library": "ClipLibrary3D",
        "draw_poses": "pose",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
