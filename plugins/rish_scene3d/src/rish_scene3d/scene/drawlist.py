"""The draw list: all instances with their matrices, kept from frame to frame, and the instances in a view volume."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import resource
from rish_ecs import Disabled, Inputs, RowChanges, Rows
from rish_ecs.derivations import InputChanges
from rish_frame import Billboards
from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D, frustum_planes

from .. import layout as at
from ..clips.skeleton_poses import Poses3D
from ..components.billboards import Billboard3D
from ..components.models import Material3D, Model3D
from ..models.store import Models3D
from .boards import Boards, make_boards
from .listing.cuts import EMPTY_CUT, Changed, Cut, SeenInstances, make_runs
from .listing.layers import LayerBits
from .listing.looks import group_of
from .listing.model_list import ModelList
from .listing.own_materials import OwnMaterials
from .listing.packing import WORDS, inside
from .listing.seen_columns import SeenColumns
from .squares import Squares
from .views import View3D

if TYPE_CHECKING:
    from rish_core import World

_PLACES = Rows(Transform3D)
_SOURCES = (
    Model3D, Material3D, Billboard3D, Billboards, Disabled, _PLACES, Transform3D, Models3D, Poses3D, WorldMatrices3D,
)  # fmt: skip
_NONE_CHANGED = RowChanges(0, np.zeros(0, np.int64))
_FEW = 4096
"""The greatest number of rows of components that are looked up before all models are compared."""


@resource(derived=True)
class DrawList:
    """All instances that could be drawn.

    models: the list of their instances. boards: billboards. squares: the billboards of other plugins. made: how often
    the list was built.
    """

    made: int = 0

    def __post_init__(self) -> None:
        """Start empty."""
        self._start(OwnMaterials())

    def _start(self, materials: OwnMaterials) -> None:
        self.models, self.boards, self.squares = ModelList(materials), Boards(), Squares()
        self._inputs = Inputs(_SOURCES)
        self._columns: dict[type, SeenColumns] = {cls: SeenColumns() for cls in (Model3D, Material3D)}
        self._frame = self._first_square = 0
        self._changed: Changed | None = None
        self._seen: dict[str, SeenInstances] = {}
        self._blended: dict[str, tuple[Any, Cut]] = {}
        self._casters: Array | None = None

    def clear(self) -> None:
        """Clear everything; the next frame builds it again. An equal table of materials stays. A restore needs no call,
        because it marks the rows that differ."""
        self._start(self.models.materials)

    def update(self, world: World) -> None:
        """Apply the changes since the last frame: models, materials, poses, and matrices."""
        changes = self._inputs.take(world)
        if changes is None:
            return
        store, models, moves = world[Models3D], self.models, changes[WorldMatrices3D]
        models.begin()
        changed = {cls: seen.narrowed(world.table(cls), changes[cls]) for cls, seen in self._columns.items()}
        changed |= {
            Disabled: changes[Disabled],
            Transform3D: changes[Transform3D] if changes[_PLACES] else _NONE_CHANGED,
        }
        if (
            changes[Models3D]
            or not self._follow_boards(world, store, changes)
            or (changes[Billboards] and not self.squares.update(world, store))
            or not self._patch(world, store, changed)
        ):
            self._make(world, store)
        elif changes[Poses3D]:
            models.pose(world[Poses3D])
        models.place(world, store, None if moves.all else moves.rows)
        self.boards.matrices = world[WorldMatrices3D].matrix[self.boards.row]
        self._changed = models.changed()
        self._casters = _moved_corners(self._casters, models, self._changed)
        self._frame += 1

    def _make(self, world: World, store: Models3D) -> None:
        """List all instances."""
        files = -1
        while files != len(store.materials):  # a model that is loaded meanwhile brings materials
            files = len(store.materials)
            self.boards = make_boards(world, store, self.models.layers, files)
            self.squares.start(world, store)
            self.models.materials.start(world, store, self._board_materials)
            self.models.start(world, store)
        self._first_square = len(store.materials) + len(self.boards.materials)
        self.made += 1
        self._inputs.changed(world)  # models that were loaded meanwhile are in the list

    def _follow_boards(self, world: World, store: Models3D, changes: InputChanges) -> bool:
        """List the billboards again if they changed; return False if their materials have other places."""
        if not len(self.boards.row) and not len(world.table(Billboard3D)):
            return True
        if not any(changes[each] for each in (Billboard3D, Disabled, _PLACES)):
            return True
        self.boards = make_boards(world, store, self.models.layers, len(store.materials))
        return self.models.materials.put_boards(store, self._board_materials)

    def _patch(self, world: World, store: Models3D, changed: dict[type, RowChanges]) -> bool:
        """Replace the instances of what changed; return False if all must be listed again.

        changed: the rows of components that are written, and those of Transform3D that came, went or were moved.
        """
        models = self.models
        only_tints = self._columns[Model3D].names == {"tint"} and sum(map(bool, changed.values())) == 1
        if only_tints and models.tint(world, changed[Model3D].rows):
            return True
        rows = _rows_of(world, changed)
        if changed[Material3D] and not models.materials.patch(world, store, changed[Material3D]):
            models.materials.start(world, store, self._board_materials)
            rows = None
        if rows is not None and not len(rows) and not changed[Model3D]:
            return True
        return models.patch(world, store, rows)

    @property
    def _board_materials(self) -> Array:
        """The materials of all billboards."""
        return np.concatenate([self.boards.materials, self.squares.materials])

    def cut(self, name: str, camera: Array, bits: int, part: str) -> Cut:
        """Return the instances of a part in a view volume; the same object while nothing changed.

        name: of the pass. camera: projection @ view. bits: of layers. part: `solid`, or `casting` (what casts shadows,
        whatever its layers).
        """
        models, is_solid, view = self.models, part == "solid", (camera.tobytes(), bits)
        instances = models.instances
        last = models.solid if is_solid else len(instances)
        if not last:
            return EMPTY_CUT
        name = f"{name} {part}"
        seen = self._seen.get(name) or self._seen.setdefault(name, SeenInstances())
        mask, shown = (instances.bits, bits) if is_solid else (instances.casts, 1)
        if seen.view != view:
            seen.aim(camera)
        if seen.view != view or seen.frame < self._frame - 1 or (self._changed is None and seen.frame < self._frame):
            seen.take(instances, models.looks, shown, mask, last)
        elif seen.frame < self._frame and self._changed is not None:
            seen.follow(instances, models.looks, shown, mask, models.looks.end(solid=is_solid), self._changed)
        seen.view, seen.frame = view, self._frame
        return seen.cut

    def blended(self, view: View3D) -> Cut:
        """Return the blended instances and all billboards of a camera, back to front; the same object while nothing
        changed."""
        instances, looks, boards = self.models.instances, self.models.looks, self.boards
        first = self.models.solid
        if first == len(instances) and not len(boards.row) and not self.squares:
            return EMPTY_CUT
        camera = view.projection @ view.view
        key = (camera.tobytes(), view.bits, self._frame)
        before, cut = self._blended.get(view.name, (None, EMPTY_CUT))
        if before == key:
            return cut
        slots = instances.slots[first:]
        slots = slots[inside(instances.spheres[slots], instances.bits[slots], frustum_planes(camera), view.bits)]
        # instances are copied as words, because numpy copies fields one by one
        parts = boards.seen(view), *self.squares.seen(view, self._first_square)
        squares = np.concatenate([part.view(np.int64).reshape(-1, WORDS) for part in parts])
        places = squares.view(np.float32)[:, 3:12:4]
        depth = np.concatenate([instances.spheres[slots, :3], places]) @ -view.view[2, :3]
        order = np.argsort(-depth, kind="stable")
        group = np.append(group_of(instances.key[slots]), np.full(len(squares), len(looks.groups)))[order]
        square = np.array([[boards.mesh or self.squares.mesh, at.BLENDED | at.DOUBLE_SIDED]], np.int32)
        starts = np.flatnonzero(np.diff(group, prepend=-1))
        groups = np.concatenate([looks.groups, square])[group[starts]]
        runs = make_runs(groups, starts, np.append(starts[1:], len(group)))
        solid = instances.instances.view(np.int64).reshape(-1, WORDS)[slots]
        rows = np.concatenate([solid, squares]).take(order, axis=0)
        new = Cut(rows.reshape(-1).view(at.INSTANCE), runs)
        cut = cut if _alike(cut, new) else new
        self._blended[view.name] = key, cut
        return cut

    def casters(self) -> Array | None:
        """Return the least and the largest corner of all shadow casters, float32 (2, 3); None if there are none."""
        if self._casters is None:
            instances = self.models.instances
            slots = instances.slots
            spheres = instances.spheres[slots[instances.casts[slots] > 0]]
            self._casters = _corners_of(spheres) if len(spheres) else np.zeros((0, 3), np.float32)
        return self._casters if len(self._casters) else None

    @property
    def layers(self) -> LayerBits:
        """The bits of the layers of models."""
        return self.models.layers


def _rows_of(world: World, changed: dict[type, RowChanges]) -> Array | None:
    """Return the rows of Model3D that may be shown differently, rising; None if it may be any, or are many."""
    handles: list[int] = []
    for cls, change in changed.items():
        if change:
            if change.all or len(change.rows) > _FEW:
                return None
            handles += world.table(cls).entities[change.rows].tolist()
            handles += change.removed.tolist()
    rows = set(world.table(Model3D).rows_of(np.array(handles, np.int64)).tolist())
    rows.discard(-1)
    return np.array(sorted(rows), np.int64)


def _corners_of(spheres: Array) -> Array:
    """Return the least and the largest corner of the boxes around spheres, float32 (2, 3)."""
    reach = spheres[:, 3:]
    return np.array([(spheres[:, :3] - reach).min(0), (spheres[:, :3] + reach).max(0)], np.float32)


def _moved_corners(corners: Array | None, models: ModelList, changed: Changed | None) -> Array | None:
    """Return the corners of all shadow casters after some changed; None if all must be looked at."""
    if corners is None or changed is None or not len(corners):
        return None
    left = np.concatenate([*models.left, np.zeros((0, 4), np.float32)])
    if len(left):
        low, high = _corners_of(left)
        if (low <= corners[0]).any() or (high >= corners[1]).any():
            return None
    instances = models.instances
    spheres = instances.spheres[changed.slots[instances.casts[changed.slots] > 0]]
    if not len(spheres):
        return corners
    low, high = _corners_of(spheres)
    return np.array([np.minimum(corners[0], low), np.maximum(corners[1], high)])


def _alike(a: Cut, b: Cut) -> bool:
    """Return True if two cuts have equal runs and instances."""
    return np.array_equal(a.runs, b.runs) and np.array_equal(a.instances.view(np.int64), b.instances.view(np.int64))
