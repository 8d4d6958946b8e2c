"""The kinds of batches of a 3D scene, and their arrays.

All of them are drawn in a pass whose `view` and `projection` are the camera. `Surfaces` is a batch with a library of
meshes and textures, which drawers upload once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from rish_frame import ArraySpec, Batch, BatchKind

from .. import layout as at

if TYPE_CHECKING:
    from ..models.model_library import Library

F32, I32 = np.dtype(np.float32), np.dtype(np.int32)

_THINGS = {
    "instances": ArraySpec(at.INSTANCE, ("n",), "see rish_scene3d.layout"),
    "runs": ArraySpec(I32, ("r", 4), "mesh, first instance, number of instances, flags; in the order of drawing"),
    "palettes": ArraySpec(F32, ("j", 3, 4), "joints of characters: from the model at rest to the model as it is"),
    "morphs": ArraySpec(F32, ("w",), "weights of morph targets"),
    "materials": ArraySpec(F32, ("m", at.MATERIAL), "see rish_scene3d.layout"),
}
_LIGHT = {
    "suns": ArraySpec(F32, ("s", at.SUN), "see rish_scene3d.layout"),
    "lamps": ArraySpec(F32, ("l", at.LAMP), "see rish_scene3d.layout"),
    "clusters": ArraySpec(I32, ("c", 2), "first and number of a cluster's lamps in cluster_lamps; x changes fastest"),
    "cluster_lamps": ArraySpec(I32, ("k",), "rows of lamps"),
    "ambient": ArraySpec(F32, (9, 3), "light of the sky that a matt surface reflects, as spherical harmonics"),
    "atlas": ArraySpec(F32, (at.ATLAS_LEVELS, at.ATLAS_SIDE, at.ATLAS_SIDE, 3), "sky as it is reflected"),
    "scene": ArraySpec(F32, (at.SCENE,), "camera, fog, clusters; see rish_scene3d.layout"),
}

SURFACES = BatchKind(
    "scene3d.surfaces",
    "Lit surfaces of models, forward; runs with the flag BLENDED are blended in order and write no depth.",
    {**_THINGS, **_LIGHT},
)
DEPTHS = BatchKind(
    "scene3d.depths",
    "What casts shadows, as depth in r32f: 0 near to 1 far. `reach` above 0: the distance from `eye` divided by it.",
    {
        **_THINGS,
        "eye": ArraySpec(F32, (3,), "place of a lamp"),
        "reach": ArraySpec(F32, (1,), "range of a lamp, 0: a sun"),
    },
)
GBUFFER_FORMATS = ("rgba16f", "rgba16f", "rgba16f", "rgba16f", "r32f")
"""The formats of the target of scene3d.gbuffer. The attachments hold:

base color, metallic; normal (octahedral, -1 to 1, in steps of 1/1024), roughness, occlusion; emitted light, MODEL
plus 4 where shadows fall; normal of the mesh (octahedral), rest of the two numbers of the normal; meters along the
view, 0: nothing. Phong has SPECULAR for metallic and SHININESS for roughness.
"""
GBUFFER = BatchKind(
    "scene3d.gbuffer",
    "Opaque surfaces for deferred light, onto a target with depth and the formats GBUFFER_FORMATS.",
    dict(_THINGS),
)
SHADE = BatchKind(
    "scene3d.shade",
    "Light on the first five inputs of the pass, which are those of scene3d.gbuffer; writes depth.",
    dict(_LIGHT),
    counted="",
)
SKY = BatchKind(
    "scene3d.sky",
    "The sky where nothing is drawn, from the first level of the atlas or from a picture.",
    {
        "picture": ArraySpec(
            F32, ("h", "w", 3), "linear light around: x is the turn about y, y the height, top row first"
        ),
        "suns": ArraySpec(F32, ("s", at.SUN), "see rish_scene3d.layout"),
        "scene": ArraySpec(F32, (at.SCENE,), "see rish_scene3d.layout"),
    },
    counted="",
)
LINES = BatchKind(
    "scene3d.lines",
    "Lines in space; nearer surfaces hide them if `hidden` is 1, and dim them if it is 0.",
    {
        "ends": ArraySpec(F32, ("n", 2, 3), "both ends, meters"),
        "width": ArraySpec(F32, ("n",), "pixels"),
        "rgba": ArraySpec(np.dtype(np.uint8), ("n", 4), "encoded sRGB with opacity"),
        "hidden": ArraySpec(np.dtype(np.uint8), ("n",), "whether nearer surfaces hide it"),
    },
)
DEVELOP = BatchKind(
    "scene3d.develop",
    "The picture of the first input in linear light, tone mapped and encoded; for games without rish_lighting.",
    {"exposure": ArraySpec(F32, (1,), "factor"), "tone": ArraySpec(I32, (1,), "0: clipped, 1: ACES")},
    counted="",
)


@dataclass(eq=False)
class Surfaces(Batch):
    """A batch of surfaces with the meshes and pictures that it names.

    library: has the meshes of the numbers in `runs` and the textures of those in `materials`. tables: the version of
    `materials`; the same number means the same rows, 0: none. If the batch has a version, `palettes` and `morphs` must
    not change, because batches of other passes may share their upload.
    """

    library: Library = field(kw_only=True)
    tables: int = field(default=0, kw_only=True)
