"""Views: the cameras of the screen, of pictures, and of shadow maps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rish_frame.frame import Matrix, Rect

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class View3D:
    """A camera as it is drawn in this frame.

    name: of its pass. target: that the finished picture is drawn onto. size: pixels of its target. viewport: its part
    of the target, fractions. view, projection: matrices (4, 4) for column vectors, clip space of OpenGL. eye: place
    (3,). near, far: meters. orthographic: whether it has no perspective. bits: the layers that it sees. exposure: a
    factor.
    """

    name: str
    target: str
    size: tuple[int, int]
    viewport: Rect
    view: Matrix
    projection: Matrix
    eye: Floats
    near: float
    far: float
    orthographic: bool = False
    bits: int = -1
    exposure: float = 1.0


@dataclass(frozen=True, eq=False)
class ShadowView:
    """One picture of a shadow map: a cascade of a sun, a face of a lamp's cube, or a spot.

    target: name of the map, an r32f target with depth of `size` pixels, which all pictures of one light share.
    viewport: the part of it that this picture fills, fractions. view, projection: from the world to clip space. eye,
    reach: place and range of a lamp, whose map holds distance / reach; reach 0: a sun, whose map holds depth from 0
    to 1.
    """

    target: str
    size: tuple[int, int]
    viewport: Rect
    view: Matrix
    projection: Matrix
    eye: Floats
    reach: float
