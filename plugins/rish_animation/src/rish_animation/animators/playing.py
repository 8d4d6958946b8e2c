"""Functions that start clips, and say whether they play."""

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
    """Play a clip on entities (one entity or many); each takes it from the file that its Animator names.

    An entity that already plays the clip continues, unless it has ended or `restart` is true. fade: seconds in which
    the new clip replaces the present one, which plays on meanwhile; without one, the present values of the fields.
    after: start when the current clip ends, without a fade. Raises StaleEntity, and UnknownName if an entity has no
    Animator; in this case none is changed.
    """
    start_clips(world, Animator, FadingClips, entities, clip, fade=fade, restart=restart, after=after)


def start_clips(
    world: World, cls: type, fading: type, entities: Any, clip: str, *, fade: float, restart: bool, after: bool,
    still: bool = False,
) -> None:  # fmt: skip
    """Play a clip as `play` does, by another component with its table of clips that fade out; see `Players`.

    still: whether a present clip that stands still fades out too, because its values are shown all the same.
    """
    number = world.intern(clip)
    table = world.table(cls)
    fresh = rows_to_start(world, cls, entities, number, restart=restart, after=after)
    if fade > 0:
        _keep_below(world, cls, fading, fresh[table.began[fresh] & (table.playing[fresh] | still)])
    else:
        below = world[fading]
        if len(below):
            below.keep_rows(~np.isin(below.animator, table.entities[fresh]))
    table.clip[fresh] = number
    table.queued[fresh] = 0
    table.time[fresh] = 0
    table.began[fresh] = False
    table.faded[fresh] = 0
    table.fade[fresh] = fade
    table.playing[fresh] = True
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


def _keep_below(world: World, cls: type, fading: type, rows: Any) -> None:
    """Add the present clips of these rows of the component to the clips that fade out."""
    table = world.table(cls)
    if len(rows):
        below = {name: table.column(name)[rows] for name in ("clips", "clip", "time", "fade", "faded")}
        speed = np.where(table.playing[rows], table.speed[rows], np.float32(0))
        world[fading].append(len(rows), animator=table.entities[rows], speed=speed, **below)
