"""Functions that start and stop tweens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import UsageError

from ..clips.model import PlayMode
from ..easings import easing as easing_of
from ..fields import Field, world_field
from .components import Tweens

if TYPE_CHECKING:
    from rish_ecs import World

_LONGEST = 3600


def tween(
    world: World,
    entities: Any,
    field: str,
    to: Any = None,
    *,
    by: Any = None,
    seconds: float = 1.0,
    easing: str = "linear",
    delay: float = 0.0,
    mode: PlayMode | str = PlayMode.ONCE,
    loops: int = 0,
    then: str = "",
) -> None:
    """Move a field of entities (one handle or many) from its present value to another one.

    to: the value at the end, in the form of `world.set`, or one for each entity as an array (n, ...); a color may be
    text; an angle turns by the shortest way. by: instead, the difference to the present value. The present value is
    read when the delay (seconds) is over; then earlier tweens of the same field end without an event. loops: rounds of
    the modes loop and ping_pong; 0: without end. then: the name in the event `TweenFinished`. The first step is made in
    the next tick; the end is reached, exactly, after `seconds` rounded to ticks.

    Raises StaleEntity; UnknownName for a field or easing that does not exist, or an entity without the component;
    UsageError or DeclarationError for values that do not fit. In these cases no tween is started.
    """
    world.check_stage("starting a tween")
    found = world_field(world, field)
    handles = np.atleast_1d(np.asarray(entities, np.int64))
    for lacking in handles[world.table(found.cls).rows_of(handles) < 0].tolist():
        world.locate(lacking, found.cls)  # raises
    easing_of(easing)
    end = _end_of(world, found, to, by, len(handles))
    world[Tweens].append(
        len(handles), entity=handles, field=field, end=end, relative=by is not None, easing=easing, mode=mode,
        seconds=_checked("seconds", seconds), delay=_ticks(world, _checked("delay", delay)), loops=loops, then=then,
    )  # fmt: skip


def stop_tweens(world: World, entities: Any, field: str = "") -> int:
    """Remove the tweens of entities (one handle or many), of one field or of all; return how many were removed.

    The fields keep their present values, and no event is emitted.
    """
    world.check_stage("stopping a tween")
    mine = _of(world, np.atleast_1d(np.asarray(entities, np.int64)), field)
    if mine.any():
        world[Tweens].keep_rows(~mine)
    return int(mine.sum())


def is_tweening(world: World, entity: int, field: str = "") -> bool:
    """Return whether a tween of an entity waits or runs, of one field or of any."""
    return bool(_of(world, np.array([entity], np.int64), field).any())


def _of(world: World, handles: Any, field: str) -> Any:
    tweens = world[Tweens]
    mine = np.isin(tweens.entity, handles)
    return mine & (tweens.field == world.texts.find(field)) if field else mine


def _end_of(world: World, field: Field, to: Any, by: Any, count: int) -> Any:
    """Return the asked values as rows of four numbers, float32 (count, 4)."""
    if not field.mixes:
        what = f"{field.text} has no values between two values, so it can't be tweened"
        raise UsageError(what, hint="Use a track of a clip, whose keys are steps")
    if (to is None) == (by is None):
        raise UsageError(f"a tween of {field.text} needs a value", hint="Give either `to` or `by`")
    if to is not None:
        values = field.encode(world, to)
    else:
        try:
            values = np.asarray(by, np.float32)
        except (TypeError, ValueError):
            raise UsageError(f"{field.text}: `by` is {by!r}", hint="Give numbers") from None
        if values.shape not in ((), field.spec.type.shape, (count, *field.spec.type.shape)):
            raise UsageError(f"{field.text}: a difference of shape {values.shape} does not fit")
        if not np.isfinite(values).all() or field.quat:
            raise UsageError(f"{field.text}: `by` needs finite numbers, and no quaternion", hint="Give `to`")
    end = np.zeros((count, 4), np.float32)
    end[:, : field.width] = np.reshape(values, (-1, field.width) if np.size(values) > 1 else (1, -1))
    return end


def _checked(what: str, seconds: float) -> float:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float, np.number)) or not 0 <= seconds <= _LONGEST:
        raise UsageError(f"a tween's {what} is {seconds!r}", hint=f"Give seconds from 0 to {_LONGEST}, an hour")
    return float(seconds)


def _ticks(world: World, seconds: float) -> int:
    return round(seconds / world.dt)
