"""Functions that start clips, and that tell whether a clip plays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..clips.starting import rows_to_start
from .components import Animator, FadingClips

if TYPE_CHECKING:
    from rish_ecs import World


def play(
    world: World, entities: Any, clip: str, *, fade: float = 0.0, restart: bool = False, after: bool = False
) -> None:
    """Play a clip on one entity or many. Each takes it from the file that its Animator names.

    An entity that already plays the clip continues, unless it has ended or `restart` is true. fade: seconds in which
    the new clip replaces the present one, which plays on meanwhile; without a present clip, it replaces the present
    values of the fields.
    after: start when the current clip ends, without a fade. Raises StaleEntity, and UnknownName if an entity has no
    Animator; in this case none is changed.
    """
    start_clips(world, Animator, FadingClips, entities, clip, fade=fade, restart=restart, after=after)


def start_clips(
    world: World, cls: type, fading: type, entities: Any, clip: str, *, fade: float, restart: bool, after: bool,
    still: bool = False,
) -> None:  # fmt: skip
    """Play a clip like `play`, for any component that plays clips.

    cls, fading: the component and its table of clips that fade out, see `Players`. still: whether a present clip that
    does not play fades out too, because its values are visible.
    """
    number = world.intern(clip)
    table = world.table(cls)
    rows = rows_to_start(world, cls, entities, number, restart=restart, after=after)
    if fade > 0:
        _fade_out(world, cls, fading, rows[table.began[rows] & (table.playing[rows] | still)])
    else:
        fading_clips = world[fading]
        if len(fading_clips):
            fading_clips.keep_rows(~np.isin(fading_clips.animator, table.entities[rows]))
    table.clip[rows] = number
    table.queued[rows] = 0
    table.time[rows] = 0
    table.began[rows] = False
    table.faded[rows] = 0
    table.fade[rows] = fade
    table.playing[rows] = True
    table.mark()


def is_playing(world: World, entity: int, clip: str = "", *, cls: type = Animator) -> bool:
    """Return whether an entity's Animator plays a clip, or waits to play it; "": any. False without an Animator.

    cls: another component that plays clips; see `Players`.
    """
    table = world.table(cls)
    row = table.row_of(entity)
    if row < 0 or not table.playing[row]:
        return False
    return not clip or world.texts.find(clip) in (table.clip[row], table.queued[row])


def _fade_out(world: World, cls: type, fading: type, rows: Any) -> None:
    """Add the present clips of rows of the component to the clips that fade out."""
    table = world.table(cls)
    if len(rows):
        columns = {name: table.column(name)[rows] for name in ("clips", "clip", "time", "fade", "faded")}
        speed = np.where(table.playing[rows], table.speed[rows], np.float32(0))
        world[fading].append(len(rows), animator=table.entities[rows], speed=speed, **columns)
