"""The draw list: all instances with their matrices, kept from frame to frame, and what a volume of view shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import resource
from rish_space3d import WorldMatrices3D, frustum_planes

from .. import layout as at
from ..clips.poses import Poses3D
from ..components.models import Material3D, Model3D
from ..models.store import Models3D
from .attachment import Attachment, attach
from .items import Items, make_items
from .layers import LayerBits
from .packing import inside, place

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Cut:
    """What a pass draws: `instances` and `runs` as in `layout`. which: int32, the instances of the list."""

    which: Array
    instances: Array
    runs: Array


NOTHING = Cut(np.zeros(0, np.int32), np.zeros(0, at.INSTANCE), np.zeros((0, 4), np.int32))


@resource(derived=True)
class DrawList:
    """All instances that could be drawn.

    items, attachment: see their modules. instances: `layout.INSTANCE` (n,). spheres: float32 (n, 4), in the world.
    made, version: rise when the instances are others, and when anything about them changed.
    """

    made: int = 0
    version: int = 0
    layers: LayerBits = field(default_factory=LayerBits)

    def __post_init__(self) -> None:
        """Start empty."""
        self._forget()

    def _forget(self) -> None:
        self.items, self.attachment = Items(), Attachment()
        self.instances, self.spheres = np.zeros(0, at.INSTANCE), np.zeros((0, 4), np.float32)
        self._turned: Array = np.zeros(0, np.uint8)
        self._setting: Any = None
        self._looks: tuple[Array, ...] = ()
        self._moved, self._posed = -1, -1
        self._cuts: dict[str, tuple[Any, Cut]] = {}
        self._box: tuple[int, Array | None] = (-1, None)

    def rebuild(self, world: World) -> None:
        """Forget everything after a restore; the next frame makes it again."""
        self._forget()
        self.version += 1

    def update(self, world: World) -> None:
        """Follow what changed since the last frame: models, materials, poses, and matrices that moved."""
        store, poses, matrices = world[Models3D], world[Poses3D], world[WorldMatrices3D]
        models, setting = world.table(Model3D), self._setting_of(world, store)
        fresh = setting != self._setting and not self._only_tints(models, setting)
        if not fresh and poses.version == self._posed and matrices.version == self._moved:
            return
        moved = None if fresh else matrices.moved_since(self._moved)
        if fresh:
            self._make(world, store, poses)
        elif poses.version != self._posed:
            self.attachment = attach(self.items, store.library, poses)
            self._write_links()
            moved = None
        self._setting = self._setting_of(world, store)
        self._moved, self._posed = matrices.version, poses.version
        self._place(matrices.matrix, moved)
        if not np.array_equal(self._turned, self.items.turned):
            self._make(world, store, poses)
            self._place(matrices.matrix, None)
        self.version += 1

    def cut(self, name: str, camera: Array, bits: int, part: str) -> Cut:
        """Return what a volume of view shows of a part of the instances; the same object while nothing changed.

        name: of the pass. camera: projection @ view. bits: of layers. part: `solid`, `blended` (back to front), or
        `casting` (what casts shadows, whatever its layers).
        """
        items = self.items
        first, last = {"solid": (0, items.solid), "blended": (items.solid, len(items))}.get(part, (0, len(items)))
        if first == last:
            return NOTHING
        name = f"{name} {part}"
        stamp, kept = self._cuts.get(name, (None, NOTHING))
        now = (self.version, camera.tobytes(), bits)
        if stamp == now:
            return kept
        shown = items.casts.view(np.int8).astype(np.int32) if part == "casting" else items.bits
        which = inside(self.spheres, shown, frustum_planes(camera), 1 if part == "casting" else bits, first, last)
        if part == "blended":
            depth = self.spheres[which, :3] @ camera[3 if camera[3, :3].any() else 2, :3]
            which = which[np.argsort(-depth, kind="stable")]
        if stamp is None or stamp[0] != self.version or not np.array_equal(which, kept.which):
            new = Cut(which, self.instances[which], self._runs(which, ordered=part != "blended"))
            kept = kept if _alike(kept, new) else new
        self._cuts[name] = (now, kept)
        return kept

    def casters(self) -> Array | None:
        """Return the least and the largest corner of all that casts shadows, float32 (2, 3); None if nothing does."""
        if self._box[0] != self.version:
            some = self.spheres[self.items.casts]
            reach = some[:, 3:]
            box = np.stack([(some[:, :3] - reach).min(0), (some[:, :3] + reach).max(0)]) if len(some) else None
            self._box = self.version, box
        return self._box[1]

    def _setting_of(self, world: World, store: Models3D) -> tuple[Any, ...]:
        tables = (world.table(Model3D), world.table(Material3D))
        return (*(table.version for table in tables), store.version, len(world.table(Model3D)))

    def _only_tints(self, models: Any, setting: Any) -> bool:
        """Take new tints where nothing else about the models changed; return whether that was all."""
        if self._setting is None or setting[1:] != self._setting[1:] or len(models) != len(self._looks[0]):
            return False
        now = self._looks_of(models)
        if not all(np.array_equal(a, b) for a, b in zip(now, self._looks, strict=True)):
            return False
        rows = models.rows_of(self.items.entity)
        tint = np.rint(np.clip(models.column("tint")[rows], 0, 1) * 255).astype(np.uint8)
        if ((tint[:, 3] < 255) != (self.items.tint[:, 3] < 255)).any():
            return False
        self.items.tint = self.instances["tint"][:] = tint
        self._setting = setting
        self.version += 1
        return True

    @staticmethod
    def _looks_of(models: Any) -> tuple[Array, ...]:
        names = ("asset", "part", "visible", "casts", "receives", "layers")
        return (models.entities, *(models.column(name) for name in names))

    def _make(self, world: World, store: Models3D, poses: Poses3D) -> None:
        self.items = items = make_items(world, store, self.layers)
        self._looks = tuple(column.copy() for column in self._looks_of(world.table(Model3D)))
        self.instances, self.spheres = np.zeros(len(items), at.INSTANCE), np.zeros((len(items), 4), np.float32)
        self._turned = np.zeros(len(items), np.uint8)
        self.instances["material"], self.instances["tint"] = items.material, items.tint
        self.attachment = attach(items, store.library, poses)
        self._write_links()
        self.made += 1

    def _write_links(self) -> None:
        self.instances["palette"], self.instances["morph"] = self.attachment.palette, self.attachment.morph

    def _place(self, world: Array, moved: Array | None) -> None:
        """Write the matrices of all instances, or only of those on some rows of Transform3D."""
        items, attached = self.items, self.attachment
        if not len(items):
            return
        which: Array = np.arange(len(items), dtype=np.int32)
        if moved is not None and len(moved) < len(world):
            flags = np.zeros(len(world), np.bool_)
            flags[moved] = True
            which = np.flatnonzero(flags[items.row]).astype(np.int32)
        out = self.instances.view(np.float32).reshape(-1, 16)
        place(
            which, items.row, attached.offset, attached.ball, world, attached.offsets, out, self.spheres, self._turned
        )

    def _runs(self, which: Array, *, ordered: bool) -> Array:
        """Return the runs of some instances; ordered: they are ascending."""
        items = self.items
        if ordered:
            edges = np.searchsorted(which, items.starts)
            group = np.flatnonzero(np.diff(edges))
            first, last = edges[:-1][group], edges[1:][group]
        else:
            groups = items.group_of(which)
            first = np.flatnonzero(np.diff(groups, prepend=-1))
            group, last = groups[first], np.append(first[1:], len(which))
        runs = np.empty((len(group), 4), np.int32)
        runs[:, at.RUN_MESH], runs[:, at.RUN_FLAGS] = items.groups[group].T
        runs[:, at.RUN_FIRST], runs[:, at.RUN_COUNT] = first, last - first
        return runs


def _alike(one: Cut, other: Cut) -> bool:
    """Return True if two cuts show the same; what moves elsewhere does not matter."""
    return (
        len(one.which) == len(other.which)
        and np.array_equal(one.runs, other.runs)
        and np.array_equal(one.instances.view(np.int64), other.instances.view(np.int64))
    )
