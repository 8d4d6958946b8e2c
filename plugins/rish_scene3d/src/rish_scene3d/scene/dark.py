"""The light of a scene without any: what a view needs besides its models, before lamps and skies are gathered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import layout as at
from .views import ShadowView, View3D

Array = npt.NDArray[Any]
_COUNT = at.CLUSTERS[0] * at.CLUSTERS[1] * at.CLUSTERS[2]
_CLUSTERS = np.zeros((_COUNT, 2), np.int32)
_ATLAS = np.zeros((at.ATLAS_LEVELS, at.ATLAS_SIDE, at.ATLAS_SIDE, 3), np.float32)


@dataclass(frozen=True, eq=False)
class SceneLights:
    """All light of a view, see `layout`. shadows: what is drawn onto shadow maps. maps: their targets, by map number.

    picture: the sky (h, w, 3), None where none is drawn.
    """

    scene: Array
    suns: Array = field(default_factory=lambda: np.zeros((0, at.SUN), np.float32))
    lamps: Array = field(default_factory=lambda: np.zeros((0, at.LAMP), np.float32))
    clusters: Array = field(default_factory=lambda: _CLUSTERS)
    cluster_lamps: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    ambient: Array = field(default_factory=lambda: np.zeros((9, 3), np.float32))
    atlas: Array = field(default_factory=lambda: _ATLAS)
    picture: Array | None = None
    shadows: tuple[ShadowView, ...] = ()
    maps: tuple[str, ...] = ()


def gather_lights(world: Any, view: View3D) -> SceneLights:
    """Return the light of a view in a scene without any."""
    scene = np.zeros(at.SCENE, np.float32)
    scene[at.EYE : at.EYE + 3], scene[at.EXPOSURE] = view.eye, view.exposure
    scene[at.NEAR], scene[at.FAR], scene[at.AMBIENT_STRENGTH] = view.near, view.far, 1
    scene[at.ORTHOGRAPHIC] = view.orthographic
    return SceneLights(scene)
