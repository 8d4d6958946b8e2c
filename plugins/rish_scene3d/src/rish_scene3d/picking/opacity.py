"""The opacity of points of surfaces, so that a ray passes through parts that a map cuts out.

Pictures are read at their finest level, by the filter that drawers use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array

from .. import layout as at

if TYPE_CHECKING:
    from ..models.model_library import Library, MeshData

FAINT = 0.02
"""The opacity below which a point of a blended surface can't be hit."""


def opacities(library: Library, mesh: MeshData, materials: Array, triangles: Array, weights: Array) -> Array:
    """Return the opacities of points of a mesh, float64 (n,): of color, map and vertices, without tints.

    materials: their rows, (n, MATERIAL). triangles: of each point. weights: (n, 2), of its second and third corner.
    """
    alphas = materials[:, at.BASE + 3].astype(np.float64)
    if mesh.colors is not None:
        alphas = alphas * mixed(mesh.colors[:, 3:], mesh, triangles, weights)[:, 0]
    if mesh.uv0 is None:
        return alphas
    uv = mixed(mesh.uv0, mesh, triangles, weights)
    if mesh.uv1 is not None:
        second = materials[:, at.MAPS + at.MAP_UV_WRAP].astype(np.int64) & 4
        uv = np.where(second[:, None], mixed(mesh.uv1, mesh, triangles, weights), uv)
    return alphas * map_opacities(library, materials, uv)


def mixed(values: Array, mesh: MeshData, triangles: Array, weights: Array) -> Array:
    """Return values (v, k) of vertices at points of triangles, float64 (n, k)."""
    a, b, c = (values[mesh.indices[triangles, k]].astype(np.float64) for k in range(3))
    return a + weights[:, :1] * (b - a) + weights[:, 1:] * (c - a)


def map_opacities(library: Library, materials: Array, uv: Array) -> Array:
    """Return the opacities of base maps at texture coordinates (n, 2), float64 (n,); 1 without a map of a file."""
    alphas = np.ones(len(uv))
    pages = materials[:, at.MAPS + at.MAP_PAGE].astype(np.int64)
    matrix = materials[:, at.MAPS + at.MAP_MATRIX : at.MAPS + at.MAP_MATRIX + 6].astype(np.float64).reshape(-1, 2, 3)
    positions = np.einsum("nrc,nc->nr", matrix[:, :, :2], uv) + matrix[:, :, 2]
    wraps = materials[:, at.MAPS + at.MAP_UV_WRAP].astype(np.int64)
    for page in np.unique(pages[pages >= 0]).tolist():
        has_page = pages == page
        picture = library.pages[page // at.PAGES].levels[0][page % at.PAGES, :, :, 3]
        alphas[has_page] = _sampled(picture, positions[has_page], wraps[has_page] & 3, wraps[has_page] >> 4) / 255
    return alphas


def _sampled(picture: Array, positions: Array, wrap_u: Array, wrap_v: Array) -> Array:
    """Sample a picture (s, s) at positions (n, 2), 0 to 1, mixed from the four nearest pixels."""
    side = len(picture)
    texel = positions * side - 0.5
    first = np.floor(texel)
    share = texel - first
    x, y = (
        [_wrapped(first[:, k].astype(np.int64) + step, side, wrap) for step in (0, 1)]
        for k, wrap in ((0, wrap_u), (1, wrap_v))
    )
    rows = [picture[y[k], x[0]] * (1 - share[:, 0]) + picture[y[k], x[1]] * share[:, 0] for k in (0, 1)]
    return rows[0] * (1 - share[:, 1]) + rows[1] * share[:, 1]


def _wrapped(pixel: Array, side: int, wrap: Array) -> Array:
    """Return numbers of pixels, in a picture of this side, for numbers that may lie outside of it."""
    turned = pixel % (2 * side)
    mirrored = np.where(turned < side, turned, 2 * side - 1 - turned)
    clamped = np.clip(pixel, 0, side - 1)
    return np.where(wrap == at.WRAP_CLAMP, clamped, np.where(wrap == at.WRAP_MIRROR, mirrored, pixel % side))
