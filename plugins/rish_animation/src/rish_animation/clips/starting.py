"""Decides which entities begin a clip. Sprite animations and Animators share this rule of `play`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from rish_ecs import World


def rows_to_start(
    world: World, cls: type, entities: Any, clip: int, *, restart: bool = False, after: bool = False
) -> npt.NDArray[Any]:
    """Return int64 (m,): the rows of a component that begin a clip now.

    With `after`, the clip is queued for the others.

    cls: a component with the fields `clip`, `queued` and `playing`. entities: one handle or many. An entity that
    plays the clip already continues, unless `restart` is true. Raises StaleEntity, and UnknownName if an entity has no
    such component; in this case none is changed.
    """
    handles = np.atleast_1d(np.asarray(entities, np.int64))
    table = world.table(cls)
    rows = table.rows_of(handles)
    for entity in handles[rows < 0].tolist():
        world.locate(entity, cls)  # raises
    playing, current = table.playing[rows], table.clip[rows] == clip
    if after:
        queues = playing & ~current
        table.queued[rows[queues]] = clip
        rows, playing, current = rows[~queues], playing[~queues], current[~queues]
    return rows if restart else rows[~(current & playing)]
