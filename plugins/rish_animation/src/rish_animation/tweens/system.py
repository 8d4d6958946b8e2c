"""The systems of tweens: the first starts the tweens of components, the second advances all tweens in one pass.

The time of a tween is a whole number of ticks, so it does not drift, and its last tick is exact.
"""

from __future__ import annotations

import numpy as np

from rish_core import Stage, World, system
from rish_ecs import RishError
from rish_jit import Array

from ..clips.clip_library import ClipLibrary
from ..values import write
from .components import Tween, TweenFinished, Tweens
from .plan import TweenPlan, begin_tweens
from .tweens import tween


def _any_tween(world: World) -> bool:
    return len(world[Tweens]) > 0 or len(world.table(Tween)) > 0


@system(Stage.PRE, writes=World, events=(), after="scripts.*", run_if=_any_tween)
def start_tweens(world: World, dt: float) -> None:
    """Start the tweens of the components that were added."""
    table = world.table(Tween)
    for entity in world.added(Tween).tolist():
        row = table.row_of(entity)
        options = {name: table.read_row(name, row) for name in ("field", "easing", "mode", "loops", "then")}
        to, durations = table.read_row("to", row), {name: table.read_row(name, row) for name in ("seconds", "delay")}
        try:
            tween(world, entity, options.pop("field"), to[0] if len(to) == 1 else to, **durations, **options)
        except RishError as error:
            world[ClipLibrary].log(f"Tween: {error}")


@system(Stage.PRE, writes=World, events=(), after=("start_tweens", "advance_animators"), run_if=_any_tween)
def advance_tweens(world: World, dt: float) -> None:
    """Move the fields of all tweens, and remove the tweens that have ended."""
    tweens, plan = world[Tweens], world[TweenPlan]
    if not len(tweens):
        return
    changed = plan.inputs.changed(world)
    if changed or plan.waits:
        begin_tweens(world, tweens)
        if plan.inputs.changed(world) or changed:
            plan.fill(world, tweens)
    tweens.ticks[:] += 1
    tweens.mark()
    plan.inputs.changed(world)  # the plan does not depend on the ticks
    share, ended = plan.shares(tweens.ticks)
    without_row: Array | None = None
    for group in plan.groups:
        rows, lacks_rows = plan.rows(world, group)
        missing_rows = group.missing(world, rows) if lacks_rows else None
        values = group.values(share if group.tween_rows is None else share.take(group.tween_rows))
        if missing_rows is not None:
            without_row = np.zeros(len(tweens), np.bool_) if without_row is None else without_row
            without_row[missing_rows if group.tween_rows is None else group.tween_rows[missing_rows]] = True
            rows, values = rows[~missing_rows], values[~missing_rows]
        write(world, group.field, rows, values)
    if without_row is None and not ended.any():
        return
    finished = ended if without_row is None else ended & ~without_row
    if finished.any():
        columns = {name: tweens.column(name)[finished].copy() for name in ("entity", "field", "then")}
        world.emit(TweenFinished, **columns)
    tweens.keep_rows(~(finished if without_row is None else finished | without_row))
