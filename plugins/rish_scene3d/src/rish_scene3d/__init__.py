"""3D scenes: models of glTF and shapes, materials, lights with shadows, sky, animation and picking.

The conventions are those of glTF: y points up, right-handed, meters, colors of light linear.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import clips, layout, light, passes, shadows
    from .clips.playing import is_playing_3d, play_3d
    from .clips.skeleton_poses import Poses3D
    from .components.animation import Animator3D, FadingClips3D, Socket3D
    from .components.billboards import Billboard3D, Turning
    from .components.fly import FlyCamera3D
    from .components.lights import Lamp3D, Sun3D
    from .components.models import AlphaMode, Material3D, Model3D, Shading
    from .components.settings import Scene3DSettings
    from .components.views import Camera3D, Lens, Sky3D
    from .models.model import ModelData, Piece, SkinData
    from .models.model_library import Library, MeshData, PageArray
    from .models.store import Models3D
    from .passes.lines import Lines3D
    from .picking.cameras import to_screen_3d
    from .picking.casting import Hit3D, RayHits
    from .picking.pick import cast_rays_3d, pick_3d
    from .tools.debug import Debug3D

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "clips.playing": "is_playing_3d play_3d",
        "clips.skeleton_poses": "Poses3D",
        "components.animation": "Animator3D FadingClips3D Socket3D",
        "components.billboards": "Billboard3D Turning",
        "components.fly": "FlyCamera3D",
        "components.lights": "Lamp3D Sun3D",
        "components.models": "AlphaMode Material3D Model3D Shading",
        "components.settings": "Scene3DSettings",
        "components.views": "Camera3D Lens Sky3D",
        "models.model_library": "Library MeshData PageArray",
        "models.model": "ModelData Piece SkinData",
        "models.store": "Models3D",
        "passes.lines": "Lines3D",
        "picking.cameras": "to_screen_3d",
        "picking.casting": "Hit3D RayHits",
        "picking.pick": "cast_rays_3d pick_3d",
        "tools.debug": "Debug3D",
    },
    modules=("clips", "layout", "light", "passes", "shadows"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
