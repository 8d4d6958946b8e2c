"""Plans of batches of surfaces: mesh, instances and shader features of each run, from runs and materials."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rish_ecs.declarations import distinct
from rish_jit import Array

from ... import layout as at

_MODELS = ((at.PBR, "PBR"), (at.PHONG, "PHONG"), (at.UNLIT, "UNLIT"))
_FLAGS = ((at.MASKED, "MASKED"), (at.BLENDED, "BLENDED"), (at.DOUBLE_SIDED, "DOUBLE_SIDED"), (at.NO_SHADOWS, "BRIGHT"))
_MODEL_BITS = 1 << len(at.MAP_NAMES)
_UV1_BIT, _INPUT_BIT = _MODEL_BITS << len(_MODELS), _MODEL_BITS << len(_MODELS) << 1
_CLASSES = 16
"""The bit of the first size of pictures."""


class Run(NamedTuple):
    """A draw call.

    flags: see layout. features: of its materials and flags. classes: sizes of its pictures. material: the row of the
    only material, -1: it has several.
    """

    mesh: int
    first: int
    count: int
    flags: int
    features: frozenset[str]
    classes: tuple[int, ...]
    material: int


def plan(runs: Array, rows: Array, bits: npt.NDArray[np.int64]) -> list[Run]:
    """Return the draw calls of runs; those without instances are left out.

    rows: of the materials of all instances, int32 (n,). bits: of the materials.
    """
    runs = runs[runs[:, at.RUN_COUNT] > 0]
    if not len(runs):
        return []
    edges = runs[:, [at.RUN_FIRST, at.RUN_COUNT]].cumsum(axis=1).reshape(-1)
    edges = edges[edges < len(rows)]  # the end of the last run is that of the rows
    lowest, highest = (function.reduceat(rows, edges)[::2] for function in (np.minimum, np.maximum))
    draws: list[Run] = []
    for (mesh, first, count, flags), low, high in zip(runs.tolist(), lowest.tolist(), highest.tolist(), strict=True):
        used = bits[low : high + 1]
        if (used != used[0]).any():
            used = bits[rows[first : first + count]]
        needs = int(np.bitwise_or.reduce(used))
        material = low if low == high else -1
        of_run = features(needs & (1 << _CLASSES) - 1, flags, material >= 0, needs >> _CLASSES > 0)
        draws.append(Run(mesh, first, count, flags, of_run, classes(needs >> _CLASSES), material))
    return draws


def material_bits(materials: Array) -> npt.NDArray[np.int64]:
    """Return for each row of the table of materials the features of its shader, as bits; see `features`, `classes`."""
    maps = materials[:, at.MAPS :].reshape(len(materials), len(at.MAP_NAMES), at.MAP_SIZE)
    pages = maps[:, :, at.MAP_PAGE]
    has_map = pages != -1
    second = (maps[:, :, at.MAP_UV_WRAP].astype(np.int64) >> 2 & 1).astype(bool)
    bits = (has_map << np.arange(len(at.MAP_NAMES))).sum(axis=1)
    bits |= _MODEL_BITS << materials[:, at.MODEL].astype(np.int64)
    bits |= np.where((has_map & second).any(axis=1), _UV1_BIT, 0)
    bits |= np.where((pages <= at.INPUT_PAGE).any(axis=1), _INPUT_BIT, 0)
    sizes = np.where(pages >= 0, 1 << _CLASSES + np.maximum(pages, 0).astype(np.int64) // at.PAGES, 0)
    return bits | np.bitwise_or.reduce(sizes, axis=1)


@cache
def features(bits: int, flags: int, single: bool, paged: bool) -> frozenset[str]:
    """Return the `#define`s of materials with these bits in a run with these flags.

    single: it has one material. paged: it shows pictures of the library.
    """
    names = {f"MAP_{name.upper()}" for number, name in enumerate(at.MAP_NAMES) if bits >> number & 1}
    if names:
        names.add("MAPS")
    names |= {name for number, name in _MODELS if bits & _MODEL_BITS << number}
    names |= {name for flag, name in _FLAGS if flags & flag}
    if single:
        names.add("ONE_MATERIAL")
    if bits & _UV1_BIT:
        names.add("SECOND_UV")
    if bits & _INPUT_BIT:
        names.add("PICTURES")
    if paged:
        names.add("PAGED")
    return frozenset(names)


@cache
def classes(bits: int) -> tuple[int, ...]:
    """Return the numbers of the bits that are set."""
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def inputs_shown(materials: Array) -> tuple[int, ...]:
    """Return the numbers of the inputs of the pass that materials show."""
    maps = materials[:, at.MAPS :].reshape(-1, at.MAP_SIZE)[:, at.MAP_PAGE]
    return tuple(int(at.INPUT_PAGE - page) for page in distinct(maps[maps <= at.INPUT_PAGE]))
