"""The library: all meshes and pictures of the models in use, which drawers upload once and keep weakly."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
_versions = itertools.count(1)


@dataclass(frozen=True, eq=False)
class MeshData:
    """The triangles of one material; drawers may use the object as a weak key of what they uploaded.

    indices: uint32 (t, 3), counter-clockwise seen from the front. positions, normals: (n, 3). tangents: (n, 4), the
    sign of the bitangent last. uv0, uv1: (n, 2). colors: (n, 4), linear. joints: uint16 (n, 4 or 8), rows of the
    palette from the instance's first one. weights: (n, 4 or 8), sums of 1. What a mesh does not have is None.
    targets: (k, 3, n, 3): for each morph target what it adds to positions, normals and tangents at weight 1. bounds:
    (2, 3), least and largest corner at rest.
    """

    name: str
    indices: npt.NDArray[np.uint32]
    positions: Floats
    normals: Floats
    bounds: Floats
    tangents: Floats | None = None
    uv0: Floats | None = None
    uv1: Floats | None = None
    colors: Floats | None = None
    joints: npt.NDArray[np.uint16] | None = None
    weights: Floats | None = None
    targets: Floats | None = None


@dataclass(eq=False)
class PageArray:
    """Pictures of one size.

    side: width and height of each. levels: the pictures and their mip levels, uint8 (k, side, side, 4), straight, top
    row first, each half as wide as the one before; the last has side 1. Levels are means of 2 times 2 values. encoded:
    bool (k,): colors are sRGB. version: rises when a picture is added or changed.
    """

    side: int
    levels: list[npt.NDArray[np.uint8]]
    encoded: npt.NDArray[np.bool_]
    version: int = 0


@dataclass(eq=False)
class Library:
    """Meshes by number, and pictures in arrays of one size each.

    Numbers stay the same until `Models3D.clear` and `Models3D.release`.
    """

    meshes: list[MeshData] = field(default_factory=list[MeshData])
    pages: list[PageArray] = field(default_factory=list[PageArray])
    version: int = field(default_factory=lambda: next(_versions))

    def touch(self) -> None:
        """Give the library a new version, which no other library has had."""
        self.version = next(_versions)

    def keep_meshes(self, numbers: set[int]) -> dict[int, int]:
        """Remove all meshes except those with these numbers; return their new numbers by the old ones."""
        kept_numbers = sorted(numbers)
        self.meshes[:] = [self.meshes[number] for number in kept_numbers]
        self.touch()
        return {number: k for k, number in enumerate(kept_numbers)}
