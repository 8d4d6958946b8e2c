"""Rows of the table of materials, from the materials of glTF files and from the columns of Material3D."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_gltf import Material, TextureUse
from rish_jit import Array

from .. import layout as at

Page = Callable[[int, bool], int]
"""Returns the number of a picture, given its index and whether its colors are sRGB."""
_WRAPS = {"repeat": at.WRAP_REPEAT, "mirror": at.WRAP_MIRROR, "clamp": at.WRAP_CLAMP}
_MODES = {"opaque": at.OPAQUE, "mask": at.MASK, "blend": at.BLEND}
ENCODED = (True, False, False, False, True)
"""For each of MAP_NAMES, whether its picture contains colors in sRGB."""
MAP_FIELDS = ("map", "surface_map", "normal_map", "occlusion_map", "emission_map")
"""The fields of Material3D with a picture, in the order of MAP_NAMES."""


_NUMBERS = {
    at.CUTOFF: "cutoff", at.METALLIC: "metallic", at.ROUGHNESS: "roughness", at.NORMAL_SCALE: "normal_scale",
    at.OCCLUSION: "occlusion", at.MODEL: "shading", at.SPECULAR: "specular", at.SHININESS: "shininess",
    at.ALPHA_MODE: "alpha",
}  # fmt: skip
"""The fields of Material3D whose numbers are taken as they are, by column of the table."""
_COLUMNS = (
    *_NUMBERS.values(), *MAP_FIELDS, "color", "emission", "emission_strength", "repeat", "offset", "double_sided"
)  # fmt: skip
_FEW = 16
"""Up to this number of materials, their pictures are looked up one by one."""
_PRIME = np.uint64(0x9E3779B97F4A7C15)
"""An odd number with evenly spread bits, 2**64 divided by the golden ratio (Knuth, "Sorting and Searching")."""


def plain_row() -> Array:
    """Return the default material: white, matt, not metallic; float32 (MATERIAL,)."""
    row = np.zeros(at.MATERIAL, np.float32)
    row[at.BASE : at.BASE + 4] = 1
    row[at.CUTOFF], row[at.ROUGHNESS], row[at.NORMAL_SCALE], row[at.OCCLUSION] = 0.5, 0.6, 1, 1
    row[at.SPECULAR], row[at.SHININESS] = 0.5, 32
    for k in range(len(at.MAP_NAMES)):
        _put_map(row, k, -1)
    return row


def file_row(material: Material, page: Page) -> Array:
    """Return the row of a material of a glTF file."""
    row = plain_row()
    row[at.BASE : at.BASE + 4] = material.base_color
    row[at.EMISSIVE : at.EMISSIVE + 3] = np.array(material.emissive) * material.emissive_strength
    row[at.CUTOFF], row[at.METALLIC], row[at.ROUGHNESS] = material.alpha_cutoff, material.metallic, material.roughness
    row[at.NORMAL_SCALE], row[at.OCCLUSION] = material.normal_scale, material.occlusion_strength
    row[at.MODEL] = at.UNLIT if material.unlit else at.PBR
    row[at.ALPHA_MODE] = _MODES[material.alpha_mode]
    for k, use in enumerate(_uses(material)):
        if use is not None:
            wraps = _WRAPS[use.sampler.wrap_u] + 16 * _WRAPS[use.sampler.wrap_v]
            _put_map(row, k, page(use.image, ENCODED[k]), 4 * min(use.uv, 1) + wraps, use.matrix[:2])
    return row


def file_flags(material: Material) -> int:
    """Return the flags of runs that show a material of a glTF file."""
    flags = at.DOUBLE_SIDED if material.double_sided else 0
    return flags | {"mask": at.MASKED, "blend": at.BLENDED}.get(material.alpha_mode, 0)


def _uses(material: Material) -> tuple[TextureUse | None, ...]:
    """Return the uses of pictures, in the order of MAP_NAMES."""
    return (
        material.base_texture, material.metallic_roughness_texture, material.normal_texture,
        material.occlusion_texture, material.emissive_texture,
    )  # fmt: skip


def component_rows(
    table: Any, page: Callable[[int, bool], int], only: Array | None = None
) -> tuple[Array, Array, Array]:
    """Return the different materials of Material3D of a table, and which of them each one has.

    They are float32 (m, MATERIAL), by their first entity; the flags of their runs, int32 (m,); and int64 (n,). page:
    returns the number of the picture with a text number; -1 for an empty path. only: rows of the table, which are not
    compared with one another; None: all.
    """
    if not len(table):
        first_rows, material_of = np.zeros((2, 0), np.int64)
    elif only is None:
        first_rows, material_of = _distinct([table.column(name) for name in _COLUMNS])
    else:
        first_rows, material_of = only, np.arange(len(only))
    column = {name: table.column(name)[first_rows] for name in _COLUMNS}
    rows = np.tile(plain_row(), (len(first_rows), 1))
    rows[:, at.BASE : at.BASE + 3], rows[:, at.BASE + 3] = decoded(column["color"][:, :3]), column["color"][:, 3]
    light = decoded(column["emission"][:, :3]) * column["emission_strength"][:, None]
    rows[:, at.EMISSIVE : at.EMISSIVE + 3] = light
    for place, name in _NUMBERS.items():
        rows[:, place] = column[name]
    for k, name in enumerate(MAP_FIELDS):
        first = at.MAPS + k * at.MAP_SIZE
        rows[:, first + at.MAP_PAGE] = _pages_of(column[name], lambda text, k=k: page(text, ENCODED[k]))
        rows[:, first + at.MAP_MATRIX], rows[:, first + at.MAP_MATRIX + 4] = column["repeat"].T
        rows[:, first + at.MAP_MATRIX + 2], rows[:, first + at.MAP_MATRIX + 5] = column["offset"].T
    flags = column["double_sided"].astype(np.int32) * at.DOUBLE_SIDED
    modes = np.array([0, at.MASKED, at.BLENDED], np.int32)
    return rows, flags | modes[column["alpha"]], material_of


def _pages_of(texts: Array, page: Callable[[int], int]) -> Array:
    """Return the numbers of the pictures of texts, float32 (n,)."""
    if len(texts) <= _FEW:
        numbers = {text: page(text) for text in sorted(set(texts.tolist()))}
        return np.array([numbers[text] for text in texts.tolist()], np.float32)
    distinct, inverse = np.unique(texts, return_inverse=True)
    return np.array([page(text) for text in distinct.tolist()], np.float32)[inverse.reshape(-1)]


def _distinct(columns: list[Array]) -> tuple[Array, Array]:
    """Return the first row of each distinct combination of values, rising, and for each row the index of its
    combination.

    Rows are sorted by a hash of 64 bits, which is three times as quick as by their values. Should two different rows
    have one hash, all rows count as different.
    """
    count = len(columns[0])
    words = [part for column in columns for part in _words(column.reshape(count, -1))]
    key = np.zeros(count, np.uint64)
    for word in words:
        key ^= word
        key *= _PRIME
        key ^= key >> np.uint64(29)
    _, first, numbers = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    position = np.empty(len(order), np.int64)
    position[order] = np.arange(len(order))
    first, numbers = first[order], position[numbers.reshape(-1)]
    if any((word != word[first][numbers]).any() for word in words):
        return np.arange(count), np.arange(count)
    return first, numbers


def _words(column: Array) -> Iterator[Array]:
    """Yield the columns of an array (n, k) as whole numbers with the same bits."""
    yield from np.ascontiguousarray(column).view(f"u{column.itemsize}").T


def with_pages(row: Array, numbers: Mapping[int, int]) -> Array:
    """Return a row whose pictures have new numbers."""
    new_row = row.copy()
    for first in range(at.MAPS + at.MAP_PAGE, at.MATERIAL, at.MAP_SIZE):
        if row[first] >= 0:
            new_row[first] = numbers[int(row[first])]
    return new_row


def decoded(color: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return linear light of colors that are encoded as sRGB, 0 to 1."""
    value = np.asarray(color, np.float32)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


def needs_tangents(rows: Array) -> npt.NDArray[np.bool_]:
    """Return for each row of a table of materials whether it has a normal map."""
    return rows[:, at.MAPS + 2 * at.MAP_SIZE + at.MAP_PAGE] != -1


def _put_map(row: Array, index: int, page: int, uv_wrap: int = 0, matrix: Any = ((1, 0, 0), (0, 1, 0))) -> None:
    first = at.MAPS + index * at.MAP_SIZE
    row[first + at.MAP_PAGE], row[first + at.MAP_UV_WRAP] = page, uv_wrap
    row[first + at.MAP_MATRIX : first + at.MAP_MATRIX + 6] = np.asarray(matrix, np.float32).ravel()
