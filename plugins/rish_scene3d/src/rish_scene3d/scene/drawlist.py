"""The draw list: all instances with their matrices, kept from frame to frame, and the instances in a view volume."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import resource
from rish_ecs import Disabled
from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D, frustum_planes

from .. import layout as at
from ..clips.skeleton_poses import Poses3D
from ..components.billboards import Billboard3D
from ..components.models import Material3D, Model3D
from ..models.store import Models3D
from .attachment import Attachment, attach
from .boards import Boards, make_boards
from .catalog import Catalog
from .items import Items, looks_of, make_items, tint_bytes, with_own
from .layers import LayerBits
from .packing import WORDS, Seen, inside, place
from .views import View3D

if TYPE_CHECKING:
    from rish_core import World


@dataclass(frozen=True, eq=False)
class Cut:
    """The instances of a pass: `instances` and `runs` as in `layout`. The next frame may overwrite the instances."""

    instances: Array
    runs: Array


EMPTY_CUT = Cut(np.zeros(0, at.INSTANCE), np.zeros((0, 4), np.int32))


@resource(derived=True)
class DrawList:
    """All instances that could be drawn.

    items, catalog, attachment, boards: see their modules. instances: `layout.INSTANCE` (n,). spheres: (n, 4), in the
    world. made, version: rise when the list is built again, and when anything about the instances changed.
    """

    made: int = 0
    version: int = 0

    def __post_init__(self) -> None:
        """Start empty."""
        self._forget()

    def _forget(self) -> None:
        self.items, self.attachment, self.boards = Items(), Attachment(), Boards()
        self.layers = LayerBits()
        self.instances, self.spheres = np.zeros(0, at.INSTANCE), np.zeros((0, 4), np.float32)
        self.catalog = Catalog()
        self._turned: Array = np.zeros(0, np.uint8)
        self._all: Array = np.zeros(0, np.int32)
        self._setting: Any = None
        self._looks: tuple[Array, ...] = ()
        self._moved, self._posed = -1, -1
        self._cuts: dict[str, tuple[Any, Cut]] = {}
        self._seen: dict[str, Seen] = {}
        self._casting: Array = np.zeros(0, np.int32)
        self._box: tuple[int, Array | None] = (-1, None)

    def rebuild(self, world: World) -> None:
        """Clear everything after a restore; the next frame builds it again."""
        self._forget()
        self.version += 1

    def update(self, world: World) -> None:
        """Apply the changes since the last frame: models, materials, poses, and matrices."""
        store, poses, matrices = world[Models3D], world[Poses3D], world[WorldMatrices3D]
        setting = self._setting_of(world, store)
        is_new = setting != self._setting and not self._only_looks(world, store, setting)
        posed = poses.version != self._posed
        if not is_new and not posed and matrices.version == self._moved:
            return
        moved_rows = None if is_new else matrices.moved_since(self._moved)
        if is_new:
            self._make(world, store, poses)
        elif posed:
            self.attachment.follow(self.items, self.catalog, poses)
            self._write_links()
        self._setting = self._setting_of(world, store)
        self._moved, self._posed = matrices.version, poses.version
        self._place(matrices.matrix, moved_rows, posed=not is_new and posed)
        if not np.array_equal(self._turned, self.items.turned):
            self._make(world, store, poses)
            self._place(matrices.matrix, None, posed=False)
        self.version += 1

    def cut(self, name: str, camera: Array, bits: int, part: str) -> Cut:
        """Return the instances of a part in a view volume; the same object while nothing changed.

        name: of the pass. camera: projection @ view. bits: of layers. part: `solid`, or `casting` (what casts shadows,
        whatever its layers).
        """
        items = self.items
        last = items.solid if part == "solid" else len(items)
        if not last:
            return EMPTY_CUT
        name = f"{name} {part}"
        stamp, cut = self._cuts.get(name, (None, EMPTY_CUT))
        current = (self.version, camera.tobytes(), bits, self.made)
        if stamp == current:
            return cut
        visible = self._seen.setdefault(name, Seen())
        before = visible.version
        mask, shown = (self._casting, 1) if part == "casting" else (items.bits, bits)
        rows = self.instances.view(np.int64).reshape(-1, WORDS)
        visible.take(self.spheres, mask, frustum_planes(camera), shown, rows, last)
        if stamp is None or stamp[3] != self.made or visible.version != before:
            cut = Cut(visible.rows.view(at.INSTANCE).reshape(-1), self._grouped(visible.which))
        self._cuts[name] = (current, cut)
        return cut

    def blended(self, view: View3D) -> Cut:
        """Return the blended instances and billboards of a camera, back to front; the same object while nothing
        changed."""
        items = self.items
        if items.solid == len(items) and not len(self.boards.row):
            return EMPTY_CUT
        camera = view.projection @ view.view
        name = f"{view.name} blended"
        stamp, cut = self._cuts.get(name, (None, EMPTY_CUT))
        current = (self.version, camera.tobytes(), view.bits, self.made)
        if stamp == current:
            return cut
        indices = inside(self.spheres, items.bits, frustum_planes(camera), view.bits, items.solid, len(items))
        boards = self.boards.seen(view)
        backwards = -view.view[2, :3]
        depth = np.concatenate([self.spheres[indices, :3], boards["matrix"][:, :, 3]]) @ backwards
        order = np.argsort(-depth, kind="stable")
        group = np.concatenate([items.group_of(indices), np.full(len(boards), len(items.groups))])[order]
        square = np.array([[self.boards.mesh, at.BLENDED | at.DOUBLE_SIDED]], np.int32)
        first = np.flatnonzero(np.diff(group, prepend=-1))
        runs = _runs(np.concatenate([items.groups, square])[group[first]], first, np.append(first[1:], len(group)))
        new = Cut(np.concatenate([self.instances[indices], boards])[order], runs)
        cut = cut if _alike(cut, new) else new
        self._cuts[name] = (current, cut)
        return cut

    def casters(self) -> Array | None:
        """Return the least and the largest corner of all shadow casters, float32 (2, 3); None if there are none."""
        if self._box[0] != self.version:
            spheres = self.spheres if self.items.casts.all() else self.spheres[self.items.casts]
            reach = spheres[:, 3:]
            box = np.stack([(spheres[:, :3] - reach).min(0), (spheres[:, :3] + reach).max(0)]) if len(spheres) else None
            self._box = self.version, box
        return self._box[1]

    def _setting_of(self, world: World, store: Models3D) -> tuple[Any, ...]:
        tables = (world.table(Model3D), world.table(Material3D), world.table(Billboard3D))
        return (*(table.version for table in tables), store.version, membership_of(world))

    def _only_looks(self, world: World, store: Models3D, setting: Any) -> bool:
        """Update tints and rows of materials if nothing else changed; return whether that was so."""
        before = self._setting
        if before is None or setting[2:] != before[2:]:
            return False
        if setting[0] != before[0] and not self._take_tints(world.table(Model3D)):
            return False
        if setting[1] != before[1] and not self._take_materials(world, store):
            return False
        self._setting = setting
        self.version += 1
        return True

    def _take_materials(self, world: World, store: Models3D) -> bool:
        """Update the materials unless a Material3D was added or removed, or has other flags or a new normal map."""
        items, table = self.items, world.table(Material3D)
        rows, flags, number = store.rows_of(world, table)
        bits = looks_of(rows, flags, number)
        if not np.array_equal(table.entities, items.owners) or not np.array_equal(bits, items.owner_bits):
            return False
        files = items.materials[: len(store.materials)]
        added = len(files) + len(rows) + len(self.boards.materials) - len(items.materials)
        self.boards.instances["material"] += added
        items.materials = np.concatenate([files, rows, self.boards.materials])
        items.material = self.instances["material"][:] = with_own(items.material, items.own, number, len(files))
        return True

    def _take_tints(self, models: Any) -> bool:
        """Update the tints if nothing else about the models changed; return whether that was so."""
        looks = self._looks_of(models)
        if not all(np.array_equal(a, b) for a, b in zip(looks, self._looks, strict=True)):
            return False
        rows = models.rows_of(self.items.entity)
        tint = tint_bytes(models.column("tint")[rows])
        if ((tint[:, 3] < 255) != (self.items.tint[:, 3] < 255)).any():
            return False
        self.items.tint = self.instances["tint"][:] = tint
        return True

    @staticmethod
    def _looks_of(models: Any) -> tuple[Array, ...]:
        names = ("asset", "part", "visible", "casts", "receives", "layers")
        return (models.entities, *(models.column(name) for name in names))

    def _make(self, world: World, store: Models3D, poses: Poses3D) -> None:
        self.items = items = make_items(world, store, self.layers, self.catalog)
        self.boards = make_boards(world, store, self.layers, len(items.materials))
        items.materials = np.concatenate([items.materials, self.boards.materials])
        self._looks = tuple(column.copy() for column in self._looks_of(world.table(Model3D)))
        self.instances, self.spheres = np.zeros(len(items), at.INSTANCE), np.zeros((len(items), 4), np.float32)
        self._turned, self._all = np.zeros(len(items), np.uint8), np.arange(len(items), dtype=np.int32)
        self._casting = items.casts.astype(np.int32)
        self.instances["material"], self.instances["tint"] = items.material, items.tint
        self.attachment = attach(items, self.catalog, poses)
        self._write_links()
        self.made += 1

    def _write_links(self) -> None:
        self.instances["palette"], self.instances["morph"] = self.attachment.palette, self.attachment.morph

    def _place(self, world: Array, moved_rows: Array | None, *, posed: bool) -> None:
        """Write the matrices of all instances, or only of those on some rows of Transform3D, and those that are posed.

        moved_rows: of Transform3D; None: all. posed: whether instances that a pose may move are written too.
        """
        items, attached = self.items, self.attachment
        self.boards.matrices = world[self.boards.row]
        if not len(items):
            return
        indices = self._all
        if moved_rows is not None and len(moved_rows) < len(world):
            flags = np.zeros(len(world), np.bool_)
            flags[moved_rows] = True
            is_placed = flags[items.row]
            if posed:
                is_placed[attached.bent] = True
            indices = np.flatnonzero(is_placed).astype(np.int32)
        out = self.instances.view(np.float32).reshape(-1, 16)
        place(
            indices, items.row, attached.offset, attached.ball, world, attached.offsets, out, self.spheres, self._turned
        )

    def _grouped(self, indices: Array) -> Array:
        """Return the runs of some instances, which are ascending."""
        groups = self.items.groups
        if len(groups) == 1:
            return _runs(groups, np.zeros(1, np.int64), np.array([len(indices)])) if len(indices) else EMPTY_CUT.runs
        edges = np.searchsorted(indices, self.items.starts)
        group = np.flatnonzero(np.diff(edges))
        return _runs(groups[group], edges[:-1][group], edges[1:][group])


def membership_of(world: World) -> tuple[int, int]:
    """Return a key that changes when entities with a place come, go, or are disabled."""
    return world.table(Transform3D).membership, world.table(Disabled).version


def _runs(groups: Array, first: Array, last: Array) -> Array:
    """Return runs, int32 (r, 4). groups: (r, 2), mesh and flags. first, last: of the instances."""
    runs = np.empty((len(groups), 4), np.int32)
    runs[:, at.RUN_MESH], runs[:, at.RUN_FLAGS] = groups.T
    runs[:, at.RUN_FIRST], runs[:, at.RUN_COUNT] = first, last - first
    return runs


def _alike(a: Cut, b: Cut) -> bool:
    """Return True if two cuts have equal runs and instances."""
    return np.array_equal(a.runs, b.runs) and np.array_equal(a.instances.view(np.int64), b.instances.view(np.int64))
