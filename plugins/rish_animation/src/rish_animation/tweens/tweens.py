"""Functions that start and stop tweens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import UnknownName, UsageError
from rish_expressions import child_names, children_at
from rish_jit import easing as easing_of

from ..clips.clip_library import ClipLibrary
from ..clips.model import PlayMode
from ..fields import Field
from .components import Tweens

if TYPE_CHECKING:
    from rish_ecs import World

_MAX_SECONDS = 3600


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

    field: such as `Transform.position.x`, `Sprite.color`, or of a child `lid.Transform.rotation`; the tween is then one
    of the child. to: the value at the end, in the form of `world.set`, or one for each entity as an array (n, ...); a
    color may be text; an angle turns by the shortest way. by: instead, the difference to the present value. The present
    value is read when the delay (seconds) is over; then earlier tweens of the same field end without an event. loops:
    rounds of the modes loop and ping_pong; 0: without end. then: the name in the event `TweenFinished`. The first step
    is made in the next tick; the end is reached, exactly, after `seconds` rounded to ticks.

    Raises StaleEntity; ExpressionError for a field that does not exist; UnknownName for an easing that does not exist,
    or an entity without the component or child; UsageError or DeclarationError for values that do not fit. In these
    cases no tween is started.
    """
    world.check_stage("starting a tween")
    target, handles = _resolve(world, entities, field)
    for entity in handles[world.table(target.cls).rows_of(handles) < 0].tolist():
        world.locate(entity, target.cls)  # raises
    easing_of(easing)
    end = _end_of(world, target, to, by, len(handles))
    world[Tweens].append(
        len(handles), entity=handles, field=target.target.name, end=end, relative=by is not None, easing=easing,
        mode=mode, seconds=_checked("seconds", seconds), delay=_ticks(world, _checked("delay", delay)), loops=loops,
        then=then,
    )  # fmt: skip


def stop_tweens(world: World, entities: Any, field: str = "") -> int:
    """Remove the tweens of entities (one handle or many), of one field or of all; return how many were removed.

    The fields keep their present values, and no event is emitted.
    """
    world.check_stage("stopping a tween")
    rows = _rows_of(world, entities, field)
    if rows.any():
        world[Tweens].keep_rows(~rows)
    return int(rows.sum())


def is_tweening(world: World, entity: int, field: str = "") -> bool:
    """Return whether a tween of an entity waits or runs, of one field or of any."""
    return bool(_rows_of(world, entity, field).any())


def _rows_of(world: World, entities: Any, field: str) -> Any:
    """Return bool (n,): the tweens of entities, of one field or of all ("")."""
    tweens = world[Tweens]
    if not field:
        return np.isin(tweens.entity, entities)
    target, handles = _resolve(world, entities, field)
    return np.isin(tweens.entity, handles) & (tweens.field == world.texts.find(target.target.name))


def _resolve(world: World, entities: Any, field: str) -> tuple[Field, Any]:
    """Return the field that a path names, and int64 (n,): the entities that have it, or their children."""
    target = world[ClipLibrary].field(world, field)
    handles = np.atleast_1d(np.asarray(entities, np.int64))
    children = target.target.children
    if not children:
        return target, handles
    descendants = children_at(world, handles, children)
    if not descendants.all():
        entity = int(handles[descendants == 0][0])
        world.components_of(entity)  # raises if it is gone
        what = f"{field}: the entity has no child {'.'.join(children)!r}"
        raise UnknownName(what, given=children[0], choices=child_names(world, entity))
    return target, descendants


def _end_of(world: World, field: Field, to: Any, by: Any, count: int) -> Any:
    """Return float32 (count, 4): the values at the end, or the differences, padded with zeros."""
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
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, (int, float, np.number))
        or not 0 <= seconds <= _MAX_SECONDS
    ):
        raise UsageError(f"a tween's {what} is {seconds!r}", hint=f"Give seconds from 0 to {_MAX_SECONDS}, an hour")
    return float(seconds)


def _ticks(world: World, seconds: float) -> int:
    return round(seconds / world.dt)
