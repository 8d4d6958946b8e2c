"""The sprites of a view, divided into parts that are packed together; only what changed is computed again.

Sprites in the same space (drawn through the camera with one parallax, or flat on the screen) form a `Part`. Within a
part, every sprite belongs to a group: the sprites of one layer, z and state, which are drawn one after another. At
equal z, the groups are in the order of their first sprites. The looks come from `SpriteLooks`. Sprites that come, go or
change are patched into their part, as long as they belong to a group that exists.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Transform
from rish_ecs import Inputs, RowChanges
from rish_ecs.declarations import distinct
from rish_frame import Material
from rish_jit import Array

from ...components.visible import Blend, Sprite
from ...drawables.drawables import BLENDS, FILTERS
from ...materials.table import material_of
from .looks import SpriteLooks, texture_of
from .parts import Part, Placing, Space, full_part, numbers_below
from .patching import Owners, patch_parts

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction
    from ...scene.stack import Stack


_KINDS = list(Blend)
_ALPHA, _ADD = _KINDS.index(Blend.ALPHA), _KINDS.index(Blend.ADD)
_PLACING = ("layer", "z", "blend", "sampling", "material")


class State(NamedTuple):
    """The state that all sprites of a batch share.

    material: the number of its name. texture: of the camera whose target is the texture, see `SpriteLooks`.
    """

    blend: int
    sampling: int
    material: int
    texture: int

    def material_in(self, world: World) -> Material | None:
        """Return the material with this name, or None if the game does not have it."""
        return material_of(world, self.material)

    def modes(self, world: World) -> dict[str, Any]:
        """Return the arguments blend, filter and texture of a batch with this state."""
        texture = texture_of(world, self.texture)
        return {"blend": BLENDS[self.blend], "filter": FILTERS[self.sampling], "texture": texture}


_MAX_PATCHED = 2000
"""More changed sprites than this are not patched."""
_NOTHING = RowChanges(0, np.zeros(0, np.int64))
_NO_ROWS = np.zeros(0, np.int32)


@dataclass
class Styles:
    """The parts of one view, kept from frame to frame. states: indexed by the groups."""

    parts: list[Part] = field(default_factory=list[Part])
    states: list[State] = field(default_factory=list[State])
    _inputs: Inputs = field(default_factory=lambda: Inputs([SpriteLooks]))
    _stack: Stack | None = None
    _layers: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    _spaces: list[Space] = field(default_factory=list[Space])
    _space_of: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    _rows: Array | None = None  # None if all rows of the table are drawn
    _places: Array | None = None
    _owners: Owners = field(default_factory=Owners)
    _looks: SpriteLooks = field(default_factory=SpriteLooks)  # the same object while rows are patched

    def update(self, scene: Extraction) -> list[Part]:
        """Return the current parts; a part whose sprites changed has another `style`."""
        query = scene.world.query(Sprite, Transform)
        rows, places = None if query.complete(Sprite) else query.rows(Sprite), query.rows(Transform)
        changes = self._inputs.take(scene.world)
        same_layers = scene.stack is self._stack and np.array_equal(scene.layers, self._layers)
        if changes is None and same_layers and rows is self._rows and places is self._places:
            return self.parts
        by_row = _NOTHING if changes is None else changes.of_table(Sprite)
        can_patch = same_layers and self._places is not None and by_row is not None and not by_row.all
        if not same_layers:
            self._stack, self._layers = scene.stack, scene.layers
            self._spaces, self._space_of = _spaces(scene)
        before, self._rows, self._places = self._rows, rows, places
        if not can_patch or by_row is None or not self._patch(scene, by_row.rows, before):
            self._looks = scene.world[SpriteLooks]
            self._compute(scene, self._looks, query.rows(Sprite), places)
        return self.parts

    def _compute(self, scene: Extraction, looks: SpriteLooks, rows: Array, places: Array) -> None:
        """Compute all parts again. rows, places: of the tables of Sprite and Transform, in drawing order."""
        count = len(scene.world.table(Sprite))
        packers = {part.space: part.packer for part in self.parts}
        owners = self._owners = Owners(np.full(count, -1, np.int64), np.zeros(count, np.uint32))
        self.parts = []
        if not len(rows):
            return
        placing = self._place(scene, looks, rows)
        owners.part[rows] = placing.part
        for number, space in enumerate(self._spaces):
            chosen = np.flatnonzero(placing.part == number)
            if len(chosen):
                ascends = self._rows is None or _ascends(rows)
                whole = len(chosen) == count and ascends
                mine = numbers_below(count, _NO_ROWS) if whole else rows[chosen]
                part = full_part(space, mine, places[chosen], placing.some(chosen), looks, whole=whole)
                part.packer, part.ascends = packers.get(space, part.packer), ascends
                owners.group[part.rows] = part.style.key
                self.parts.append(part)

    def _patch(self, scene: Extraction, changed: Array, before: Array | None) -> bool:
        """Change only what belongs to changed sprites; return False if everything must be computed again.

        changed: rows of Sprite. before: the rows of the last frame.
        """
        rows, places, count = self._rows, self._places, len(scene.world.table(Sprite))
        assert places is not None
        if not all(part.ascends for part in self.parts):
            return False
        if rows is not None or before is not None:
            now = np.arange(count) if rows is None else rows
            if not _ascends(now):
                return False
            last = np.arange(len(self._owners.part)) if before is None else before
            changed = distinct(np.concatenate([changed, _came_or_went(last, now, count)]))
        if len(changed) > _MAX_PATCHED:
            return False
        looks = self._looks
        placing = self._place(scene, looks, changed)
        if rows is not None:
            placing.part[~np.isin(changed, rows)] = -1
        parts = {self._spaces.index(part.space): part for part in self.parts}
        if not patch_parts(parts, self._owners, looks, changed, placing):
            return False
        if rows is not None:
            by_row: Array = np.full(count, -1, np.int32)
            by_row[rows] = places
            places = by_row
        for part in self.parts:
            part.place(places if part.whole else places[part.rows])
        return True

    def _place(self, scene: Extraction, looks: SpriteLooks, rows: Array) -> Placing:
        """Return where some sprites are drawn."""
        table = scene.world.table(Sprite)
        layer, z, blend, sampling, material = [table.flat(name)[rows] for name in _PLACING]
        numbers = scene.stack.numbers(scene.world, layer, table.entities[rows])
        blend[blend == _ADD] = _ALPHA
        state = self._states(blend, sampling, material, looks.texture[rows])
        part = np.where(scene.layers[numbers], self._space_of[numbers], -1)
        if not np.isfinite(z).all():
            z = np.nan_to_num(z)
        return Placing(part, numbers, z + np.float32(0), state)

    def _states(self, blend: Array, sampling: Array, material: Array, texture: Array) -> Array:
        """Return the state of each sprite, int64 n."""
        textures, which = np.unique(texture, return_inverse=True) if texture.any() else (texture[:1], 0)
        code = np.asarray(which) << 40 | material.astype(np.int64) << 8 | blend << 1 | sampling
        if len(code) < 2 or (code == code[0]).all():
            return np.full(len(code), self._state(int(code[0]), textures) if len(code) else 0, np.int64)
        kinds, inverse = np.unique(code, return_inverse=True)
        return np.array([self._state(int(kind), textures) for kind in kinds], np.int64)[inverse.reshape(-1)]

    def _state(self, code: int, textures: Array) -> int:
        state = State(code >> 1 & 127, code & 1, code >> 8 & 0xFFFFFFFF, int(textures[code >> 40]))
        if state not in self.states:
            self.states.append(state)
        return self.states.index(state)


def _spaces(scene: Extraction) -> tuple[list[Space], Array]:
    """Return the spaces of the layers, and the index of the space of each layer."""
    stack = scene.stack
    numbers: dict[Space, int] = {}
    follow = np.where(stack.screen[:, None], 1.0, stack.parallax).tolist()
    spaces = [Space(screen, (x, y)) for screen, (x, y) in zip(stack.screen.tolist(), follow, strict=True)]
    of_layer = np.array([numbers.setdefault(space, len(numbers)) for space in spaces], np.int64)
    return list(numbers), of_layer


def _ascends(rows: Array) -> bool:
    """Return whether rows ascend."""
    return bool((rows[1:] > rows[:-1]).all())


def _came_or_went(before: Array, rows: Array, count: int) -> Array:
    """Return the rows that are drawn now and were not before, or the reverse, int64, ascending."""
    drawn = np.zeros((2, count), np.bool_)
    drawn[0, before[before < count]] = True
    drawn[1, rows] = True
    return np.flatnonzero(drawn[0] != drawn[1])
