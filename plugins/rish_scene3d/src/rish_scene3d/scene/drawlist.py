"""The draw list: all instances with their matrices, kept from frame to frame, and the instances in a view volume."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import resource
from rish_ecs import Disabled, Inputs, Rows
from rish_ecs.derivations import InputChanges
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
from .items import Items, looks_of, make_items, splice_items, taken, tint_bytes, with_own
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


_COMPONENTS = (Model3D, Material3D, Billboard3D)
EMPTY_CUT = Cut(np.zeros(0, at.INSTANCE), np.zeros((0, 4), np.int32))


@resource(derived=True)
class DrawList:
    """All instances that could be drawn.

    items, catalog, attachment, boards: see their modules. instances: `layout.INSTANCE` (n,). spheres: (n, 4), in the
    world. made: how often the list was built.
    """

    made: int = 0

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
        self._inputs = Inputs((*_COMPONENTS, Disabled, Rows(Transform3D), Models3D, Poses3D, WorldMatrices3D))
        self._looks: tuple[Array, ...] = ()
        self._cuts: dict[str, tuple[Any, Cut]] = {}
        self._current: set[str] = set()  # the names of the cuts that were taken from the present instances
        self._seen: dict[str, Seen] = {}
        self._casting: Array = np.zeros(0, np.int32)
        self._casters: Array | None = None

    def rebuild(self, world: World) -> None:
        """Clear everything after a restore; the next frame builds it again."""
        self._forget()

    def update(self, world: World) -> None:
        """Apply the changes since the last frame: models, materials, poses, and matrices."""
        changes = self._inputs.take(world)
        if changes is None:
            return
        store, poses, moves = world[Models3D], world[Poses3D], changes[WorldMatrices3D]
        rows, posed = None if moves.all else moves.rows, bool(changes[Poses3D])
        if not self._follow(world, store, changes):
            spliced = self._splice(world, store, changes)
            if spliced is None:
                self._make(world, store)
            rows = None if spliced is None or rows is None else np.concatenate([rows, spliced])
            posed = True
        elif posed:
            self.attachment.follow(self.items, self.catalog, poses)
            self._write_links()
        matrix = world[WorldMatrices3D].matrix
        self._place(matrix, rows, posed=posed)
        if not np.array_equal(self._turned, self.items.turned):
            self._make(world, store)
            self._place(matrix, None, posed=False)
        self._current.clear()
        self._casters = None
        self._inputs.changed(world)  # models that were loaded meanwhile are in the list

    def cut(self, name: str, camera: Array, bits: int, part: str) -> Cut:
        """Return the instances of a part in a view volume; the same object while nothing changed.

        name: of the pass. camera: projection @ view. bits: of layers. part: `solid`, or `casting` (what casts shadows,
        whatever its layers).
        """
        items = self.items
        last = items.solid if part == "solid" else len(items)
        if not last:
            return EMPTY_CUT
        name, view = f"{name} {part}", (camera.tobytes(), bits)
        before, cut = self._cuts.get(name, (None, None))
        if cut is not None and name in self._current and before == view:
            return cut
        visible = self._seen.setdefault(name, Seen())
        mask, shown = (self._casting, 1) if part == "casting" else (items.bits, bits)
        rows = self.instances.view(np.int64).reshape(-1, WORDS)
        if visible.take(self.spheres, mask, frustum_planes(camera), shown, rows, last) or cut is None:
            cut = Cut(visible.rows.view(at.INSTANCE).reshape(-1), self._grouped(visible.which))
        self._keep(name, view, cut)
        return cut

    def _keep(self, name: str, view: Any, cut: Cut) -> None:
        self._cuts[name] = view, cut
        self._current.add(name)

    def blended(self, view: View3D) -> Cut:
        """Return the blended instances and billboards of a camera, back to front; the same object while nothing
        changed."""
        items = self.items
        if items.solid == len(items) and not len(self.boards.row):
            return EMPTY_CUT
        camera = view.projection @ view.view
        name, key = f"{view.name} blended", (camera.tobytes(), view.bits)
        before, cut = self._cuts.get(name, (None, EMPTY_CUT))
        if name in self._current and before == key:
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
        self._keep(name, key, cut)
        return cut

    def casters(self) -> Array | None:
        """Return the least and the largest corner of all shadow casters, float32 (2, 3); None if there are none."""
        if self._casters is None:
            spheres = self.spheres if self.items.casts.all() else self.spheres[self.items.casts]
            reach = spheres[:, 3:]
            corners = [(spheres[:, :3] - reach).min(0), (spheres[:, :3] + reach).max(0)] if len(spheres) else []
            self._casters = np.array(corners, np.float32)
        return self._casters if len(self._casters) else None

    def _follow(self, world: World, store: Models3D, changes: InputChanges) -> bool:
        """Update tints and rows of materials if nothing else about models and materials changed; return whether that
        was so."""
        if any(changes[source] for source in (Billboard3D, Disabled, Rows(Transform3D), Models3D)):
            return False
        return (not changes[Model3D] or self._take_tints(world.table(Model3D))) and (
            not changes[Material3D] or self._take_materials(world, store)
        )

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

    def _make(self, world: World, store: Models3D) -> None:
        """List all instances."""
        items = make_items(world, store, self.layers, self.catalog)
        self.instances, self.spheres = np.zeros(len(items), at.INSTANCE), np.zeros((len(items), 4), np.float32)
        self.instances["material"], self.instances["tint"] = items.material, items.tint
        self._turned = np.zeros(len(items), np.uint8)
        self._use(world, store, items, items.materials)
        self.made += 1

    def _splice(self, world: World, store: Models3D, changes: InputChanges) -> Array | None:
        """Replace the instances of models that changed, came or went; return the rows of Transform3D to be placed.

        Return None, and do nothing, if all must be listed again.
        """
        models = changes[Model3D]
        if models.all or any(changes[source] for source in (Material3D, Billboard3D, Models3D)):
            return None
        spliced = splice_items(world, store, self.layers, self.catalog, self.items, models.rows)
        if spliced is None:
            return None
        items, new, source = spliced
        instances = np.zeros(len(new), at.INSTANCE)
        instances["material"], instances["tint"] = new.material, new.tint
        self.instances = taken(self.instances, instances, source)
        self.spheres = taken(self.spheres, np.zeros((len(new), 4), np.float32), source)
        self._turned = taken(self._turned, new.turned, source)
        self._use(world, store, items, items.materials[: len(items.materials) - len(self.boards.materials)])
        return new.row

    def _use(self, world: World, store: Models3D, items: Items, materials: Array) -> None:
        """Use a new list. materials: those of models."""
        self.items, self.boards = items, make_boards(world, store, self.layers, len(materials))
        items.materials = np.concatenate([materials, self.boards.materials])
        self._looks = tuple(column.copy() for column in self._looks_of(world.table(Model3D)))
        self._all, self._casting = np.arange(len(items), dtype=np.int32), items.casts.astype(np.int32)
        self.attachment = attach(items, self.catalog, world[Poses3D])
        self._write_links()
        self._cuts.clear()

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
        if not len(indices):
            return
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


def _runs(groups: Array, first: Array, last: Array) -> Array:
    """Return runs, int32 (r, 4). groups: (r, 2), mesh and flags. first, last: of the instances."""
    runs = np.empty((len(groups), 4), np.int32)
    runs[:, at.RUN_MESH], runs[:, at.RUN_FLAGS] = groups.T
    runs[:, at.RUN_FIRST], runs[:, at.RUN_COUNT] = first, last - first
    return runs


def _alike(a: Cut, b: Cut) -> bool:
    """Return True if two cuts have equal runs and instances."""
    return np.array_equal(a.runs, b.runs) and np.array_equal(a.instances.view(np.int64), b.instances.view(np.int64))
