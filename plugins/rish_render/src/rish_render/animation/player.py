"""Animation: plays clips on the sheet of a Sprite.

    hero:
      Sprite: {image: hero.png}
      SpriteSheet: {cell: [16, 16]}
      Animation: {clips: hero.anim.yaml, clip: idle}

    coin:
      Sprite: {image: coin.png}
      SpriteSheet: {cell: [16, 16]}
      Animation: {frames: 0-7, fps: 12}

`play(world, entities, "run")` changes the clip. Calling it again while the clip plays does nothing, so rules may call
it in every tick. All state is stored in the columns, so rewinding the world also rewinds the animations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_animation import FPS, PlayMode, rows_to_start
from rish_ecs import Asset, Entity, Stage, Str, component, event, field, system
from rish_jit import Array

from ..components.visible import Sprite
from .table import ClipTable

if TYPE_CHECKING:
    from rish_ecs import World


@component
class Animation:
    """Shows the cells of a SpriteSheet one after another: a clip of a file, or a list of cells given here."""

    clips: Asset = field(
        "", names="sprite_clips", doc="a .anim.yaml, or the .json of Aseprite; empty: the cells in frames"
    )
    clip: Str = field("", doc="which clip of the file; empty: the first")
    frames: Str = field("", doc="without a file: the cells, like 0-7 or 0-3, 2, 1")
    fps: float = field(FPS, low=0, high=1000, unit="1/s", doc="of frames; a file has its own times")
    mode: PlayMode = field(PlayMode.LOOP, doc="of frames: repeated, once, or forward and backward")
    speed: float = field(1.0, low=-100, high=100, doc="factor of the speed; below 0: backward")
    playing: bool = field(True, doc="whether it plays; false after a clip has ended")
    time: float = field(0.0, low=0, unit="s", doc="since the clip began; of frames, in steps")
    queued: Str = field("", doc="the clip that follows when this one ends")
    shown: Str = field("", hidden=True)
    step: int = field(-1, hidden=True)


@event(script="on_animation_frame")
class AnimationFrame:
    """A step with an event name began, for example a foot touches the ground or a sword swings."""

    entity: Entity = field(doc="the entity that is animated")
    clip: Str = field(doc="the clip that plays")
    name: Str = field(doc="the event name of the step")


@event(script="on_animation_finished")
class AnimationFinished:
    """A clip ended, and either stopped or was followed by another one."""

    entity: Entity = field(doc="the entity that is animated")
    clip: Str = field(doc="the clip that ended")


def play(world: World, entities: Any, clip: str, *, restart: bool = False, after: bool = False) -> None:
    """Play a clip on entities (one entity or many); each takes it from the file that its Animation names.

    An entity that already shows the clip continues, unless it has ended or `restart` is true. after: start when the
    current clip ends. Raises StaleEntity, and UnknownName if an entity has no Animation; in this case none is changed.
    """
    number = world.intern(clip)
    table = world.table(Animation)
    fresh = rows_to_start(world, Animation, entities, number, restart=restart, after=after)
    table.clip[fresh] = number
    table.queued[fresh] = 0
    table.time[fresh] = 0
    table.step[fresh] = -1
    table.playing[fresh] = True
    table.mark()


@system(Stage.UPDATE, reads=Sprite, writes=(Animation, ClipTable, AnimationFrame, AnimationFinished))
def advance_animations(world: World, dt: float) -> None:
    """Advance all animations, and find the sprites that must show another cell."""
    clips = world[ClipTable]
    clips.changed = clips.changed[0][:0], clips.changed[1][:0]
    if not world.table(Animation).used:
        return
    query = world.query(Animation, Sprite)
    rows, sprites, entities = query.rows(Animation), query.rows(Sprite), query.entities
    passed = run_clock(world, rows, sprites, dt)
    _tell(world, entities, passed)
    clips.changed = passed.sprites, passed.cells
    if len(passed.unknown):
        rows, sprites, entities = rows[passed.unknown], sprites[passed.unknown], entities[passed.unknown]
        table = world[Animation]
        clips.learn(world, table.clips[rows], table.clip[rows], table.frames[rows])
        late = run_clock(world, rows, sprites, dt)
        _tell(world, entities, late)
        clips.changed = np.concatenate([passed.sprites, late.sprites]), np.concatenate([passed.cells, late.cells])


class Passed(NamedTuple):
    """The results of advancing the animations.

    sprites, cells: int32, rows of Sprite and their new cells. unknown: the indices of the rows with clips that are not
    known yet. happened: int32 (m, 3), row index, clip and event. ended: int32 (k, 2), row index and clip.
    """

    sprites: Array
    cells: Array
    unknown: Array
    happened: Array
    ended: Array


def run_clock(world: World, rows: Array, sprites: Array, dt: float) -> Passed:
    """Advance some rows of Animation by dt seconds. sprites: the rows of the same entities' Sprite."""
    from .kernels import advance

    table, clips, n = world[Animation], world[ClipTable], len(rows)
    flat = clips.flat
    changed, cells, unknown = (np.empty(n, np.int32) for _ in range(3))
    happened = np.empty((2 * n * clips.maximum + 16, 3), np.int32)
    ended, counts = np.empty((n + 16, 2), np.int32), np.zeros(4, np.int64)
    advance(
        rows, sprites, np.float32(dt),
        (table.clips, table.frames, table.fps, table.mode, table.clip, table.queued, table.shown, table.time,
         table.step, table.speed, table.playing),
        (clips.file, clips.name, clips.own, clips.index),
        (flat.first, flat.count, flat.length, flat.once, flat.follows, flat.name, flat.cell, flat.end, flat.event),
        world[Sprite].frame, (changed, cells, unknown, happened, ended, counts),
    )  # fmt: skip
    a, b, c, d = counts.tolist()
    return Passed(changed[:a], cells[:a], unknown[:b].copy(), happened[:c], ended[:d])


def _tell(world: World, entities: Array, passed: Passed) -> None:
    """Emit the events of a pass."""
    happened, ended = passed.happened, passed.ended
    if len(happened):
        names = {"clip": happened[:, 1].copy(), "name": happened[:, 2].copy()}
        world.emit(AnimationFrame, entity=entities[happened[:, 0]], **names)
    if len(ended):
        world.emit(AnimationFinished, entity=entities[ended[:, 0]], clip=ended[:, 1].copy())


def _cells_changed(world: World) -> bool:
    """Return True if any sprite must show another cell; otherwise the Sprite table keeps its version."""
    return len(world[ClipTable].changed[0]) > 0


@system(Stage.UPDATE, reads=ClipTable, writes=Sprite, after="render.advance_animations", run_if=_cells_changed)
def show_cells(world: World, dt: float) -> None:
    """Write the cells that changed into the sprites."""
    from .kernels import write_cells

    write_cells(world[Sprite].frame, *world[ClipTable].changed)
