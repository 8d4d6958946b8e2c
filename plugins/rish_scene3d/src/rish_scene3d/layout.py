"""The layout of the arrays that batches carry to the drawers: instances, runs, materials, lights, the scene.

Each table is a float32 array with a row for each thing and a column for each number, so that a drawer can upload it as
a texture of four numbers a texel, or read it in a kernel. Lengths are meters, directions are unit vectors, colors are
linear. Matrices (3, 4) map a point p to `m[:, :3] @ p + m[:, 3]`.
"""

from __future__ import annotations

import numpy as np

INSTANCE = np.dtype(
    [
        ("matrix", np.float32, (3, 4)),
        ("material", np.int32),
        ("tint", np.uint8, (4,)),
        ("palette", np.int32),
        ("morph", np.int32),
    ]
)
"""One drawn thing, 64 bytes: from the model to the world, the row of its material, a factor of the base color (encoded
sRGB, with opacity), the first of its rows in `palettes`, the first of its numbers in `morphs`; -1: none.
"""

RUN_MESH, RUN_FIRST, RUN_COUNT, RUN_FLAGS = range(4)
"""The columns of `runs`, int32 (r, 4): a mesh of the library, and the instances that show it."""
DOUBLE_SIDED, MASKED, BLENDED, MIRRORED, NO_SHADOWS = 1, 2, 4, 8, 16
"""The flags of a run: back faces are shown; alpha cuts; alpha blends; the matrices mirror, so front faces are
clockwise; no shadows fall on it."""

# The table of materials
BASE, EMISSIVE = 0, 4
"""The first column of the base color (red, green, blue, opacity), and of the emitted light (red, green, blue)."""
CUTOFF, METALLIC, ROUGHNESS, NORMAL_SCALE, OCCLUSION, MODEL, SPECULAR, SHININESS, ALPHA_MODE = (
    7,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
)
"""Columns of single numbers. SPECULAR and SHININESS belong to Phong: strength and exponent of the highlight."""
MAPS = 16
"""The first column of the textures: 5 times 8 numbers in the order of MAP_NAMES. See MAP_..."""
MAP_NAMES = ("base", "metallic_roughness", "normal", "occlusion", "emissive")
MAP_SIZE = 8
MAP_PAGE, MAP_UV_WRAP, MAP_MATRIX = 0, 1, 2
"""Columns within a texture: its number, see `page_number`, -1: none; 4 times the uv set (0, 1), plus WRAP of u, plus
16 times WRAP of v; then six numbers of the matrix (2, 3) from (u, v, 1) to the place in the picture."""
WRAP_REPEAT, WRAP_MIRROR, WRAP_CLAMP = 0, 1, 2
MATERIAL = MAPS + len(MAP_NAMES) * MAP_SIZE
"""The number of columns of a material, 56: 14 texels."""
PBR, PHONG, UNLIT = 0, 1, 2
"""The values of MODEL."""
OPAQUE, MASK, BLEND = 0, 1, 2
"""The values of ALPHA_MODE."""

PAGES = 4096
"""The largest number of pictures of one size."""


def page_number(size_class: int, layer: int) -> int:
    """Return the number of a texture: its array in `Library.pages`, and its layer in it."""
    return size_class * PAGES + layer


INPUT_PAGE = -2
"""A texture number n <= INPUT_PAGE is the input number INPUT_PAGE - n of the pass: the picture of a camera."""

# The table of lamps: point lights and spots
LAMP_PLACE, LAMP_RANGE, LAMP_COLOR, LAMP_ANGLE, LAMP_AXIS, LAMP_INNER = 0, 3, 4, 7, 8, 11
LAMP_MAP, LAMP_BIAS, LAMP_SIZE, LAMP_TEXEL = 12, 13, 14, 15
"""Place (3), range, color times intensity (3), cosine of the outer half angle (-1: a point light), axis (3), cosine of
the inner half angle, number of the shadow map among the inputs of the pass (-1: none), bias along the normal in texels,
side of a face of the map in texels, width of a texel in meters at a distance of 1 m along the axis of the face."""
LAMP_MATRIX = 16
"""The first of 16 columns of a spot's shadow matrix (4, 4), row by row: from the world to clip space of its map."""
LAMP = 32

# The table of suns
SUN_AXIS, SUN_MAP, SUN_COLOR, SUN_CASCADES, SUN_SIZE, SUN_BIAS, SUN_FADE = 0, 3, 4, 7, 8, 9, 10
"""Direction in which the light travels (3), number of the shadow map among the inputs (-1: none), color times
intensity (3), number of cascades, side of a cascade in texels, bias along the normal in texels, share of the last
cascade in which shadows fade out."""
SUN_FAR, SUN_TEXELS, SUN_MATRICES = 12, 16, 20
"""The first of 4 distances (along the view) where the cascades end, of 4 texel sizes in meters, and of 4 matrices (3,
4), row by row: from the world to x, y, depth of a cascade, each 0 to 1."""
SUN = SUN_MATRICES + 4 * 12
MAX_SUNS, MAX_CASCADES, MAX_MAPS = 4, 4, 8
"""The largest numbers of suns, of cascades of a sun, and of shadow maps of a view."""

# The scene
EYE, EXPOSURE, FOG_COLOR, FOG_DENSITY, FOG_BASE, FOG_FALL, SKY_TURN, NEAR, FAR = 0, 3, 4, 7, 8, 9, 10, 11, 12
"""Place of the camera (3), factor of all light, color of fog (3), its density in 1/m, height where it has this
density, its decrease in 1/m upwards, turn of the sky around y in radians, nearest and farthest distance of the
clusters."""
AMBIENT_STRENGTH, ORTHOGRAPHIC, DISC, STARS, SKY_LIGHT = 13, 14, 15, 16, 17
"""Factor of `ambient` and `atlas` on surfaces; 1 where the camera is orthographic; half the width of the discs of suns
in radians, 0: none; brightness of the stars; factor of the picture of the sky."""
SCENE = 20

CLUSTERS = (16, 9, 24)
"""The number of clusters across, up and away from the camera; the depth is divided by a geometric series from NEAR to
FAR."""
ATLAS_LEVELS, ATLAS_SIDE = 6, 64
"""The reflected sky: float32 (ATLAS_LEVELS, ATLAS_SIDE, ATLAS_SIDE, 3), octahedral pictures for roughness 0 to 1."""
SHADOW_TAPS = 9
"""The number of texels of a shadow map that are compared for one point: 3 times 3, weighted."""
