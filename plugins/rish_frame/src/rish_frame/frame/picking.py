"""Picking: finds the entities under a point of the screen, or in a box, from the top down.

A tool asks with a `Region`. Plugins that draw declare pickers (`rish_pickers`); a picker returns what it drew there,
and `pick` sorts the results of all of them in drawing order. Positions are interpolated, as they are drawn, so picking
is for tools, and its result must not become state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError

from ..poses.matrices import interpolate_poses

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import World

Points = npt.NDArray[np.float64]
Picker = Callable[["World", "Region"], "Sequence[Hits]"]
REACH = 4.0
"""The largest distance in logical pixels at which the pointer touches a thin line."""
MARK = 8.0
"""Half the side, in logical pixels, of the square at which a thing without an image of its own is picked."""


@dataclass(frozen=True, eq=False)
class Region:
    """A point or a box, on the screen and in the world. Raises UsageError for other shapes and for infinite numbers.

    screen: float64 (k, 2), logical pixels, y up: a point (k = 1) or the corners of a box in order (k = 4); for layers
    in screen space. world: float64 (k, 2), units, the same seen through a camera; for all other layers. center: the
    point that the camera looks at, units. density: logical pixels per unit. layers: the names of the layers that the
    camera shows; None for all. reach: logical pixels, how far a thin line may be away. flat: whether layers in screen
    space are touched too, because the game's own picture is picked in. space: float64 (4, 4), the matrix from three
    dimensions to pixels of `screen`, if a tool looks at space; then only pickers of space are asked, see `pick`.
    """

    screen: Points
    world: Points
    center: tuple[float, float] = (0.0, 0.0)
    density: float = 1.0
    layers: frozenset[str] | None = None
    reach: float = REACH
    flat: bool = True
    space: Points | None = None

    def __post_init__(self) -> None:
        for name in ("screen", "world"):
            points = np.asarray(getattr(self, name), np.float64)
            if points.shape not in ((1, 2), (4, 2)) or not np.isfinite(points).all():
                message = f"the {name} of a region is a point (1, 2) or the corners of a box (4, 2), all finite"
                raise UsageError(f"{message}, not {points.shape}")
            object.__setattr__(self, name, points)
        if len(self.screen) != len(self.world):
            raise UsageError("a region is a point or a box, on the screen and in the world alike")

    @property
    def is_point(self) -> bool:
        """Whether the region is a single point."""
        return len(self.world) == 1

    def near(self, centers: npt.ArrayLike, radius: npt.ArrayLike = 0.0) -> npt.NDArray[np.bool_]:
        """Return which circles of the world touch the region, bool (n,).

        centers: (n, 2), units. radius: units, of all or of each. A circle is never smaller than a mark (`MARK`), so
        that things without an image can be picked.
        """
        points = np.asarray(centers, np.float64).reshape(-1, 2)
        sizes = np.maximum(np.asarray(radius, np.float64), MARK / self.density)
        return distance_to(self.world, points) <= sizes


class SurfacePoint(NamedTuple):
    """A point of a surface in space that shows the picture of a camera.

    camera: the name of the picture, which materials name `camera:NAME`. place: in the picture, fractions of its width
    and height from the bottom left. surface: which part of which surface it is, for the plugin that has it.
    """

    camera: str
    place: tuple[float, float]
    surface: Any = None


class SurfaceSource(Protocol):
    """The owner of surfaces in space: it tells plugins which picture a surface shows at a point of the screen."""

    def __call__(
        self, world: Any, point: tuple[float, float], held: SurfacePoint | None = None, /
    ) -> SurfacePoint | None:
        """Return the picture that the nearest surface shows at a point of the screen, as it is drawn in this frame.

        point: logical pixels, y up. held: a former result; then its surface alone counts, continued beyond its edges.
        None: the nearest surface shows no picture of a camera, or there is none.
        """
        ...


class RegionSource(Protocol):
    """The owner of the cameras: it tells plugins what a point of the screen shows."""

    def __call__(self, world: Any, point: tuple[float, float], /) -> Region:
        """Return the region of a point of the screen, logical pixels, y up, as it is drawn in this frame."""
        ...


class AreaSource(Protocol):
    """The owner of the cameras: it tells plugins what the camera of a target shows."""

    def __call__(self, world: Any, target: str, /) -> Region | None:
        """Return all that the camera with this target shows, as it is drawn in this frame; None without a camera.

        A box, whose corners begin at the bottom left and go round to the right; `screen` is in pixels of the target.
        """
        ...


@dataclass(frozen=True, eq=False)
class Hits:
    """Things of one kind that a picker found, in their drawing order for equal layer and z.

    kind: the component that draws them. entities: int64 n. layer: int64 n, the number of the layer from the bottom. z:
    float64 n. low: float64 n, minus the height on a layer that is sorted by y, otherwise 0. within: int64 n, the order
    of things that are drawn as one image, otherwise 0.
    """

    kind: type
    entities: npt.NDArray[np.int64]
    layer: npt.NDArray[Any]
    z: npt.NDArray[Any]
    low: npt.NDArray[Any]
    within: npt.NDArray[Any]

    @classmethod
    def marks(cls, kind: type, entities: npt.NDArray[np.int64]) -> Hits:
        """Return hits of things without an image, such as lights: they are above everything that is drawn."""
        n = len(entities)
        return cls(kind, entities, np.full(n, 2**31), np.zeros(n), np.zeros(n), np.zeros(n, np.int64))

    def __len__(self) -> int:
        return len(self.entities)


@dataclass(frozen=True, eq=False)
class Picked:
    """What `pick` found, from the top down; an entity that is drawn by several components is found once for each.

    entities: int64 n. kinds: the components that draw them.
    """

    entities: npt.NDArray[np.int64]
    kinds: tuple[type, ...]

    def __len__(self) -> int:
        return len(self.entities)

    @property
    def first(self) -> int | None:
        """The entity on top; None if there is none."""
        return int(self.entities[0]) if len(self.entities) else None

    @property
    def distinct(self) -> list[int]:
        """The entities from the top down, each once."""
        return list(dict.fromkeys(self.entities.tolist()))


def pick(app: App, region: Region) -> Picked:
    """Return what a region touches, from the top down.

    Invisible things, hidden layers and entities without a drawn component are not found. In a region with `space` only
    pickers are asked that have the attribute `in_space = True`.
    """
    interpolate_poses(app.world, 0.0)  # entities may have been added or moved since the last frame
    pickers: Sequence[Picker] = [*app.registry.of("rish_pickers").values()]
    if region.space is not None:
        pickers = [picker for picker in pickers if getattr(picker, "in_space", False)]
    all_hits = [hits for picker in pickers for hits in picker(app.world, region) if len(hits)]
    if not all_hits:
        return Picked(np.zeros(0, np.int64), ())
    rank = np.repeat(np.arange(len(all_hits)), [len(hits) for hits in all_hits])
    keys = [np.concatenate([getattr(hits, name) for hits in all_hits]) for name in ("within", "low", "z", "layer")]
    order = np.lexsort((np.arange(len(rank)), rank, *keys))[::-1]
    entities = np.concatenate([hits.entities for hits in all_hits])[order]
    return Picked(entities, tuple([all_hits[k].kind for k in rank[order].tolist()]))


def distance_to(region: Points, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the distance from each point (n, 2) to a region: a point (1, 2), or a convex polygon (k, 2)."""
    p = np.asarray(points, np.float64).reshape(-1, 2)
    if len(region) == 1:
        return np.hypot(p[:, 0] - region[0, 0], p[:, 1] - region[0, 1])
    distances = np.full(len(p), np.inf)
    turns = np.zeros((len(region), len(p)))
    for k, (a, b) in enumerate(zip(region, np.roll(region, -1, axis=0), strict=True)):
        side, offsets = b - a, p - a
        length = float(side @ side)
        fractions = np.clip(offsets @ side / length, 0, 1) if length > 0 else np.zeros(len(p))
        distances = np.minimum(distances, np.hypot(*(offsets - fractions[:, None] * side).T))
        turns[k] = side[0] * offsets[:, 1] - side[1] * offsets[:, 0]
    inside = (turns >= 0).all(axis=0) | (turns <= 0).all(axis=0)
    flat = not np.any(np.ptp(region, axis=0))
    return distances if flat else np.where(inside, 0.0, distances)
