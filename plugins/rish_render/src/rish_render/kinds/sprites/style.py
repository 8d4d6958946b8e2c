"""The look of sprites, independent of their positions; it is computed again only when `Sprite` is written.

Sprites in the same space (drawn through the camera with one parallax, or flat on the screen) form a `Part`. Within a
part, every sprite belongs to a group: the sprites of one layer, z and state, which are drawn one after another. At
equal z, the groups are in the order of their first sprites.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Transform
from rish_frame import Material
from rish_frame.poses import KERNEL_ROWS
from rish_jit import Array

from ...components.visible import Blend, Sprite
from ...drawables.drawables import BLENDS, FILTERS, rgba_bytes
from ...materials.table import material_of
from ...packing.packing import READY, Packer, Style
from .pictures import SpritePictures

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction


_KINDS = list(Blend)
_ALPHA, _ADD = _KINDS.index(Blend.ALPHA), _KINDS.index(Blend.ADD)
_PLACING = ("layer", "z", "blend", "sampling", "material")
_NO_FLOATS, _NO_BYTES = np.zeros(0, np.float32), np.zeros(0, np.uint8)


class State(NamedTuple):
    """The state that all sprites of a batch share. material: the number of its name. texture: a target, or None."""

    blend: int
    sampling: int
    material: int
    texture: str | None

    def material_in(self, world: World) -> Material | None:
        """Return the material with this name, or None if the game does not have it."""
        return material_of(world, self.material)

    @property
    def modes(self) -> dict[str, Any]:
        """The arguments blend, filter and texture of a batch with this state."""
        return {"blend": BLENDS[self.blend], "filter": FILTERS[self.sampling], "texture": self.texture}


class Space(NamedTuple):
    """The placement of layers. screen: in screen space. follow: factors of the camera's motion along x and y."""

    screen: bool
    follow: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups in drawing order. layer: int64 k. z: float32 k. state: int64 k, an index into `Styles.states`."""

    layer: Array
    z: Array
    state: Array

    @cached_property
    def alike(self) -> list[tuple[int, int, int, list[int], list[float]]]:
        """Runs of consecutive groups with one state.

        For each run: the first group and the one after the last, their state, and the layers and the z values of the
        groups.
        """
        cut = np.flatnonzero(np.diff(self.state)) + 1
        bounds = [0, *cut.tolist(), len(self.state)]
        return [
            (first, end, int(self.state[first]), self.layer[first:end].tolist(), self.z[first:end].tolist())
            for first, end in itertools.pairwise(bounds)
        ]


@dataclass
class Part:
    """The sprites of one space.

    rows, places: int32 n, their rows in the tables of Sprite and of Transform. repeat: float32 (n, 2), or None if no
    sprite is repeated.
    """

    space: Space
    rows: Array
    places: Array
    style: Style
    groups: Groups
    repeat: Array | None
    packer: Packer = field(default_factory=Packer)

    @cached_property
    def standing(self) -> Array:
        """bool: for each row of Transform, up to the last one used by these sprites, whether one of them uses it."""
        standing = np.zeros(int(self.places.max(initial=-1)) + 1, np.bool_)
        standing[self.places] = True
        return standing


class _Placing(NamedTuple):
    """The drawing order of the sprites of a space: their indices and groups."""

    space: Space
    chosen: Array
    key: Array
    groups: Groups


@dataclass
class Styles:
    """The parts of one view, kept from frame to frame. states: indexed by the groups."""

    parts: list[Part] = field(default_factory=list[Part])
    states: list[State] = field(default_factory=list[State])
    version: int = 0
    _stamp: Any = None
    _held: Any = None
    _columns: tuple[Array, ...] = ()
    _placing: list[_Placing] = field(default_factory=list[_Placing])
    _order: Any = None
    _pictures: SpritePictures = field(default_factory=SpritePictures)

    def update(self, scene: Extraction) -> list[Part]:
        """Return the current parts; `version` rises when anything about them changed."""
        world = scene.world
        query = world.query(Sprite, Transform)
        table, places = world.table(Sprite), world.table(Transform)
        self._held = (query.entities, scene.stack.groups)  # while these objects are held, their ids stay unique
        members = (table.membership, places.membership, id(query.entities))
        order = (members, scene.stack.stamp, scene.layers.tobytes(), id(scene.stack.groups))
        stamp = (table.version, order, scene.pictures.version, self._pictures.versions(world))
        if stamp == self._stamp:
            return self.parts
        rows, whither = query.rows(Sprite), query.rows(Transform)
        if not len(rows):
            self.parts = []
            return self.parts
        additive = table.column("blend")[rows] == _ADD
        changed = self._pictures.update(world, scene.pictures, rows, additive, members)
        columns = tuple(table.column(name)[rows] for name in _PLACING)
        if changed or order != self._order or not _same(columns, self._columns):
            self._order, self._columns = order, columns
            self._placing = self._place(scene, query.entities, columns)
        packers = {part.space: part.packer for part in self.parts}
        self.parts = [self._part(world, placing, rows, whither) for placing in self._placing]
        for part in self.parts:
            part.packer = packers.get(part.space, part.packer)
        self.version += 1
        self._stamp = (table.version, order, scene.pictures.version, self._pictures.versions(world))
        return self.parts

    def _place(self, scene: Extraction, entities: Array, columns: tuple[Array, ...]) -> list[_Placing]:
        """Divide the sprites into spaces, and sort the groups of each."""
        layer, z, blend, sampling, material = columns
        numbers = scene.stack.numbers(scene.world, layer, entities)
        state = self._states(np.where(blend == _ADD, _ALPHA, blend), sampling, material, self._pictures.textures)
        spaces, space_of = _spaces(scene)
        shown = scene.layers[numbers]
        placings: list[_Placing] = []
        for index, space in enumerate(spaces):
            chosen = np.flatnonzero(shown & (space_of[numbers] == index))
            if len(chosen):
                key, groups = _groups(numbers[chosen], z[chosen], state[chosen])
                placings.append(_Placing(space, chosen, key, groups))
        return placings

    def _states(self, blend: Array, sampling: Array, material: Array, texture: Array) -> Array:
        """Return the state of each sprite, int64 n."""
        code = (texture.astype(np.int64) << 40) | (material.astype(np.int64) << 8) | (blend << 1) | sampling
        if not len(code):
            return code
        if (code == code[0]).all():
            return np.full(len(code), self._state(int(code[0])), np.int64)
        kinds, inverse = np.unique(code, return_inverse=True)
        return np.array([self._state(int(kind)) for kind in kinds], np.int64)[inverse.reshape(-1)]

    def _state(self, code: int) -> int:
        state = State(code >> 1 & 127, code & 1, code >> 8 & 0xFFFFFFFF, self._pictures.names[code >> 40])
        if state not in self.states:
            self.states.append(state)
        return self.states.index(state)

    def _part(self, world: World, placing: _Placing, rows: Array, places: Array) -> Part:
        """Return the sprites of one space, with everything that packing needs."""
        chosen, table = placing.chosen, world.table(Sprite)
        mine = rows[chosen]
        size = table.column("size")[mine]
        size = np.where(size > 0, size, self._pictures.texels[chosen])
        size = np.where(table.column("visible")[mine, None], size, np.float32(0))
        flips = table.column("flip_x")[mine] + np.uint8(2) * table.column("flip_y")[mine]
        frame = (self._pictures.frames[chosen] + flips).astype(np.uint16)
        shift = np.float32(0.5) - table.column("anchor")[mine]
        snaps = table.column("snap")[mine].astype(np.uint8)
        repeat = _repeats(table.column("repeat")[mine])
        if repeat is not None:
            size = np.where(repeat[:, :1] > 0, np.float32(0), size)
        style = Style(
            np.ascontiguousarray(size, np.float32).reshape(-1),
            frame,
            _colors(table, mine),
            placing.key,
            np.ascontiguousarray(shift).reshape(-1) if shift.any() else _NO_FLOATS,
            snaps if snaps.any() else _NO_BYTES,
            np.bincount(placing.key, minlength=len(placing.groups.layer)).astype(np.int64),
        )
        contiguous = np.ascontiguousarray(places[chosen], np.int32)
        return Part(placing.space, mine, contiguous, style, placing.groups, repeat)

    def texels(self, part: Part) -> Array:
        """Return the size of each sprite's image, float32 (n, 2)."""
        placing = next(each for each in self._placing if each.space == part.space)
        return self._pictures.texels[placing.chosen]


def _spaces(scene: Extraction) -> tuple[list[Space], Array]:
    """Return the spaces of the layers, and the index of the space of each layer."""
    stack = scene.stack
    numbers: dict[Space, int] = {}
    follow = np.where(stack.screen[:, None], 1.0, stack.parallax).tolist()
    spaces = [Space(screen, (x, y)) for screen, (x, y) in zip(stack.screen.tolist(), follow, strict=True)]
    of_layer = np.array([numbers.setdefault(space, len(numbers)) for space in spaces], np.int64)
    return list(numbers), of_layer


def _groups(layer: Array, z: Array, state: Array) -> tuple[Array, Groups]:
    """Return the group of each sprite, uint32 n, and the groups, sorted by layer, z and first sprite."""
    z = np.nan_to_num(z) + np.float32(0)
    if (layer == layer[0]).all() and (z == z[0]).all() and (state == state[0]).all():
        return np.zeros(len(layer), np.uint32), Groups(layer[:1], z[:1], state[:1])
    # Map the bits of a float32 to a uint32 of the same order: flip all bits if negative, else only the sign.
    bits = z.view(np.uint32)
    rank = np.where(bits >> np.uint32(31), ~bits, bits | np.uint32(1 << 31)).astype(np.uint64)
    code = layer.astype(np.uint64) << np.uint64(48) | rank << np.uint64(16) | state.astype(np.uint64)
    codes, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    order = np.lexsort((first, codes >> np.uint64(16)))
    place = np.empty(len(order), np.uint32)
    place[order] = np.arange(len(order), dtype=np.uint32)
    chosen = first[order]
    return place[inverse.reshape(-1)], Groups(layer[chosen].astype(np.int64), z[chosen], state[chosen])


def _colors(table: Any, rows: Array) -> Array:
    """Return tint and opacity as four bytes in a uint32, uint32 n."""
    if not READY.serve(len(rows), KERNEL_ROWS):
        return rgba_bytes(table.column("color")[rows], table.column("opacity")[rows]).reshape(-1).view(np.uint32)
    from ...packing.kernels import color_bytes

    out = np.empty(len(rows), np.uint32)
    color_bytes(table.flat("color"), table.flat("opacity"), np.ascontiguousarray(rows, np.int32), out)
    return out


def _repeats(repeat: Array) -> Array | None:
    """Return how often each sprite is repeated, float32 (n, 2), 0 if it is not; None if no sprite is repeated."""
    if not repeat.any():
        return None
    whole = np.clip(np.floor(np.nan_to_num(repeat) + np.float32(0.5)), 0, 4096)
    several = (whole[:, 0] > 1) | (whole[:, 1] > 1)
    return np.where(several[:, None], np.maximum(whole, 1), np.float32(0)) if several.any() else None


def _same(now: tuple[Array, ...], before: tuple[Array, ...]) -> bool:
    return len(now) == len(before) and all(np.array_equal(a, b) for a, b in zip(now, before, strict=True))
