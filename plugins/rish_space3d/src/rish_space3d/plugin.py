"""The hooks of rish_space3d: its components, the matrices for drawing, and the systems that keep them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rish_core import About, AssetNames
from rish_ecs import add_engine
from rish_jit import worth_preparing

from .bounds import Bounds3D
from .components import Flat, Transform3D
from .flat_poses import flatten
from .interpolation import WorldMatrices3D, interpolate_poses_3d, remember_poses_3d
from .matrices import READY
from .models.loading import load_model
from .models.names import MODEL_SHAPES, MODEL_SUFFIXES
from .tool_view import ToolView3D

add_engine("rish_space3d")


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="transforms in three dimensions, rays, and a tree of boxes")


def rish_components() -> list[type]:
    """Return the components of the plugin."""
    return [Transform3D, Flat]


def rish_resources() -> list[type]:
    """Return the matrices for drawing, and the resources of tools: their view, and the bounds of entities."""
    return [WorldMatrices3D, ToolView3D, Bounds3D]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems that remember and interpolate poses, and the one that writes 2D poses."""
    return [remember_poses_3d, interpolate_poses_3d, flatten]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loaders of models, glTF files."""
    return dict.fromkeys(MODEL_SUFFIXES, load_model)


def rish_names() -> dict[str, Callable[[Any], Iterable[str]]]:
    """Return the list of models: the generated shapes, then the files of the game."""
    return {"models": AssetNames(*MODEL_SUFFIXES, words=MODEL_SHAPES)}


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernel of the matrices for scenes that are large or may grow."""
    return {"poses3d": READY.now} if worth_preparing(len(world.table(Transform3D))) else {}
