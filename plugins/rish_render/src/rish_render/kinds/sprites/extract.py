"""Converts sprites to batches: sixteen bytes per sprite if they fit, otherwise a matrix.

The look of sprites is kept until they are written (`sprite_style`). Their positions are packed again only if something
moved or the camera shows more than was packed (`packing`). An anchor is included in the center, a mirrored image in the
frame; added light is a flag of the frame, so that it needs no batch of its own. Sheared, huge or far sprites become
`sprites_wide`, each at its place in the order; repeated ones become `tiles`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_ecs.declarations import distinct
from rish_frame import Batch, Frame, WorldMatrices
from rish_jit import Array

from ...components.visible import Sprite
from ...drawables.drawables import MakeBatch, Runs, SortedThings, Stretch, Things
from ...drawables.former_batches import FormerBatches
from ...drawables.quads import quads, reach_of
from ...packing.order import BLOCK
from ...packing.packer import FEW_BLOCKS
from ...packing.packing import Packed, PackingArea, Style, window_of
from .parts import Groups, Part
from .repeated import repeated_sprites
from .style import Styles

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction, RenderCache
    from ...scene.pass_setup import FramePlan
    from ...scene.view import View


_CALM = 3.0
"""How much larger than the view the packed area is if only the camera moves, so that the next frames can reuse it."""
_WIDE = 1
_FIRST = 4096
"""So many moved rows are searched first; most often they are in too many blocks if there are more."""
_FEW = 16
"""Up to this number, rows are checked one by one, which is faster than numpy."""


@dataclass
class _Shown:
    """The things made of one part, and what they were made from. culled: how many sprites were left out.

    aim: the view, the shift and the factor `wider` that the window was made for.
    """

    part: Part
    style: Style
    moves: int
    pictures: int
    aim: tuple[View, tuple[float, float], float]
    window: PackingArea
    things: list[Things]
    culled: int


@dataclass
class SpriteCache:
    """The data kept for one view: the styles, and the things of each part. calm: whether all of them were reused."""

    styles: Styles
    shown: list[_Shown] = field(default_factory=list[_Shown])
    calm: bool = False


def extract_sprites(scene: Extraction) -> list[Things]:
    """Return the sprites that a view shows, in drawing order."""
    if not len(scene.world.table(Sprite)):
        return []
    name = _name(scene.view)
    cache = scene.cache.parts.get(name)
    if cache is None:
        cache = scene.cache.parts[name] = SpriteCache(Styles())
    parts = cache.styles.update(scene)
    last = {id(each.part): each for each in cache.shown}
    cache.shown = [_shown(scene, cache.styles, part, last.get(id(part))) for part in parts]
    cache.calm = all(last.get(id(each.part)) is each for each in cache.shown)
    scene.world[Frame].culled += sum(each.culled for each in cache.shown)
    return [things for each in cache.shown for things in each.things]


def _name(view: View) -> str:
    return f"{view.name} sprites"


def sprites_follow(world: World, memory: RenderCache, plan: FramePlan) -> Callable[[Sequence[View]], bool] | None:
    """Return a function for later frames: whether the sprites of this frame serve for other views of the same looks.

    None if they were not even reused in this frame.
    """
    caches: list[SpriteCache] = []
    for look in plan.looks:
        cache = memory.parts.get(_name(look.view))
        if not isinstance(cache, SpriteCache) or not cache.calm:
            return None
        caches.append(cache)

    def follow(views: Sequence[View]) -> bool:
        drawn: WorldMatrices = world[WorldMatrices]
        seen = [(each, view) for cache, view in zip(caches, views, strict=True) for each in cache.shown]
        for each, view in seen:
            aim = _aim(each.part, plan.flat if each.part.space.screen else view)
            if _moved_blocks(world, each.part, each.moves) != set() or not _holds(each.part, each.window, *aim):
                return False
        for each, _ in seen:
            each.moves = drawn.version
        return True

    return follow


def _aim(part: Part, view: View) -> tuple[View, tuple[float, float]]:
    """Return the view of a part, and the shift of all of it for parallax."""
    fx, fy = part.space.follow
    return view, ((1 - fx) * view.center[0], (1 - fy) * view.center[1])


def _shown(scene: Extraction, styles: Styles, part: Part, last: _Shown | None) -> _Shown:
    """Return the things that a part shows; those of the last frame if they are still valid."""
    drawn: WorldMatrices = scene.world[WorldMatrices]
    view, shift = _aim(part, scene.flat if part.space.screen else scene.view)
    moves, pictures = drawn.version, scene.pictures.version
    moved = None if last is None else _moved_blocks(scene.world, part, last.moves)
    calm = last is not None and last.style is part.style and last.pictures == pictures and moved is not None
    calm = calm and not moved
    holds = last is not None and _holds(part, last.window, view, shift)
    if last is not None and calm and holds:
        last.moves = moves
        return last
    aim = (view, shift, _CALM if calm else 1.0)
    touched = None if moved is None or part.touched is None else moved | part.touched
    few = holds and touched is not None and len(touched) <= FEW_BLOCKS  # all sprites are packed for this view alone
    if last is not None and (few or last.aim == aim):
        window = last.window
    else:
        window, touched = window_of(*aim), None
    before = last.things[-1] if last is not None and last.things else None
    things, culled = _extract(scene, styles, part, window, touched, before)
    return _Shown(part, part.style, moves, pictures, aim, window, things, culled)


def _moved_blocks(world: World, part: Part, since: int) -> set[int] | None:
    """Return the blocks of sprites that may have moved since a version of the matrices; None if it may be any, or if
    they are too many to pack them alone.
    """
    rows = world[WorldMatrices].moved_since(since)
    if rows is None:
        return None
    entities, sprites = world.table(Transform).entities, world.table(Sprite)
    if len(rows) <= _FEW:
        positions = [part.position(sprites.row_of(handle)) for handle in entities[rows].tolist()]
        return {position // BLOCK for position in positions if position is not None}
    blocks = set[int]()
    for some in (rows[:_FIRST], rows[_FIRST:]):
        blocks.update(distinct(part.positions(sprites.rows_of(entities[some])) // BLOCK).tolist())
        if len(blocks) > FEW_BLOCKS:
            return None
    return blocks


def _holds(part: Part, window: PackingArea, view: View, shift: tuple[float, float]) -> bool:
    """Return True if the sprites that were packed for a window also serve for a view."""
    if shift != window.shift or not window.shows(view):
        return False
    return not len(part.style.snaps) or window_of(view, shift).origin == window.origin


def _extract(
    scene: Extraction, styles: Styles, part: Part, window: PackingArea, touched: set[int] | None,
    before: Things | None,
) -> tuple[list[Things], int]:  # fmt: skip
    """Return the things of a part within a window, and how many sprites were left out.

    touched: the blocks in which something changed since the sprites were packed for this window; None for any. before:
    the last of the things of the last frame.
    """
    drawn: WorldMatrices = scene.world[WorldMatrices]
    each = scene.stack.y_sorted[part.groups.layer]
    (poses, bases), places, packer, packed = drawn.placed, part.places, part.packer, None
    if touched is not None:
        packed = packer.patch(poses, bases, places, part.style, touched)
    if packed is None:
        packed = packer.pack(poses, bases, places, part.style, window, sources=bool(each.any()))
    part.touched = set()
    odd = _Odd(scene, part, packed, window)
    make = _batches(scene, styles, packed, odd, window)
    things = repeated_sprites(scene, styles, part, window.shift) if part.repeated else []
    if each.any():
        runs = _by_height(drawn, part, packed, odd, _runs(packed, part, odd), each)
        sorted_things = SortedThings(lambda: runs, make)
    else:
        whole = None if len(odd.chosen) else _stretches(packed.counts, part.groups)
        sorted_things = SortedThings(lambda: _runs(packed, part, odd), make, whole, part.groups.layer)
        if packed.moves is not None and isinstance(before, SortedThings):
            sorted_things.former = FormerBatches(before.batches, "instances", packed.moves)
    if len(sorted_things):
        things.append(sorted_things)
    return things, len(part.rows) - len(packed.instances) - len(odd.chosen)


class _Odd:
    """The sprites that do not fit into sixteen bytes. chosen: their indices; before: see `Packed`."""

    def __init__(self, scene: Extraction, part: Part, packed: Packed, window: PackingArea) -> None:
        style, chosen = part.style, packed.odd
        self.chosen, self.before = chosen, packed.before
        self.quad: Array = np.zeros((0, 6), np.float32)
        if not len(chosen):
            return
        size = style.size[chosen]
        anchor = np.full((len(chosen), 2), 0.5, np.float32)
        if len(style.shift):
            anchor -= style.shift.reshape(-1, 2)[chosen]
        quad = quads(scene.world[WorldMatrices].rows(part.places[chosen]), size, anchor)
        quad[:, 4:] += np.array(window.shift, np.float32)
        reach = reach_of(quad)
        inside = np.abs(quad[:, 4:] - np.array(window.origin, np.float32)) - reach <= np.array(window.reach, np.float32)
        seen = inside.all(axis=1)
        self.chosen, self.before, self.quad = chosen[seen], packed.before[seen], quad[seen]
        self.frame = style.frame[self.chosen]
        self.rgba = style.rgba[self.chosen].view(np.uint8).reshape(-1, 4)


def _runs(packed: Packed, part: Part, odd: _Odd) -> Runs:
    """Return the runs of the packed sprites, cut where a sprite that is drawn with a matrix comes between."""
    groups, counts = part.groups, packed.counts
    start = np.cumsum(counts) - counts
    key: Array = np.arange(len(counts))
    wide: Array = np.zeros(len(counts), np.int64)
    if len(odd.chosen):
        key, start, counts, wide = _parted(part.style.key[odd.chosen].astype(np.int64), odd.before, start, counts)
    some = counts > 0
    if not some.all():
        key, start, counts, wide = key[some], start[some], counts[some], wide[some]
    low = np.zeros(len(key), np.float32)
    return Runs(groups.layer[key], groups.z[key], low, groups.state[key] * 2 + wide, start, counts)


def _stretches(counts: Array, groups: Groups) -> list[Stretch]:
    """Return the batches of the packed sprites if nothing comes between: one for each run of groups with one state."""
    stretches: list[Stretch] = []
    start = 0
    for first, end, state, layers, depths in groups.alike:
        number = counts[first:end].tolist()
        count = sum(number)
        if count:
            lowest = next(k for k, some in enumerate(number) if some)
            last = stretches[-1] if stretches else None
            if last is not None and last.state == 2 * state:  # only empty groups are between
                stretches[-1] = last._replace(count=last.count + count)
            else:
                stretches.append(Stretch(start, count, 2 * state, layers[lowest], depths[lowest]))
        start += count
    return stretches


def _parted(odd: Array, before: Array, start: Array, counts: Array) -> tuple[Array, Array, Array, Array]:
    """Return groups cut at the odd sprites: key, start, count, and whether it is wide, of each piece.

    odd: the group of each odd sprite. before: how many packed sprites of that group come before it.
    """
    order = np.lexsort((np.arange(len(odd)), before, odd))
    rows: list[tuple[int, int, int, int]] = []
    at = 0
    for key, (first, count) in enumerate(zip(start.tolist(), counts.tolist(), strict=True)):
        done = 0
        while at < len(order) and odd[order[at]] == key:
            number = int(order[at])
            rows.append((key, first + done, int(before[number]) - done, 0))
            rows.append((key, number, 1, _WIDE))
            done = int(before[number])
            at += 1
        rows.append((key, first + done, count - done, 0))
    columns = np.array(rows, np.int64).reshape(-1, 4)
    return columns[:, 0], columns[:, 1], columns[:, 2], columns[:, 3]


def _by_height(drawn: WorldMatrices, part: Part, packed: Packed, odd: _Odd, runs: Runs, each: Array) -> Runs:
    """Return the runs with those of y-sorted layers divided into single sprites, each with its height."""
    key = np.repeat(np.arange(len(packed.counts)), packed.counts)
    mine = np.flatnonzero(each[key])
    rows = np.concatenate([packed.source[mine], odd.chosen[each[part.style.key[odd.chosen]]]])
    place = np.concatenate([mine, np.flatnonzero(each[part.style.key[odd.chosen]])])
    wide = np.repeat([0, _WIDE], [len(mine), len(rows) - len(mine)])
    group = part.style.key[rows]
    layer, z = part.groups.layer[group], part.groups.z[group]
    low = -drawn.rows(part.places[rows])[:, 5]
    order = np.lexsort((rows, low, z, layer))
    wide, place = wide[order], place[order]
    # The single sprites are stored in their order at the indices that they had before.
    mine = np.sort(place[wide == 0])
    packed.instances[mine] = packed.instances[place[wide == 0]]
    place[wide == 0] = mine
    layer, z, low, state = layer[order], z[order], low[order], part.groups.state[group[order]]
    single = Runs(layer, z, low, state * 2 + wide, place, np.ones(len(rows), np.int64))
    others = runs.some(~np.isin(runs.layer, part.groups.layer[each]))
    joined = Runs(*(np.concatenate(columns) for columns in zip(others, single, strict=True)))
    return joined.some(np.lexsort((joined.low, joined.z, joined.layer)))


def _batches(scene: Extraction, styles: Styles, packed: Packed, odd: _Odd, window: PackingArea) -> MakeBatch:
    """Return the function that makes the batch of consecutive sprites of a part, all wide or none of them."""
    world, states = scene.world, styles.states

    def make(rows: Array | slice, state: int) -> Batch:
        look = states[state >> 1]
        if state & _WIDE:
            columns = {"matrix": odd.quad, "frame": odd.frame, "rgba": odd.rgba}
            arrays = {name: np.ascontiguousarray(column[rows]) for name, column in columns.items()}
            batch = Batch("sprites_wide", arrays, source="render", **look.modes(world))
        else:
            arrays = {"instances": packed.instances[rows]}
            batch = Batch(
                "sprites", arrays, origin=window.origin, unit=window.unit, source="render", **look.modes(world)
            )
        batch.material = look.material_in(world)
        return batch

    return make
