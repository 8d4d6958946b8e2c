"""Which entities begin a clip: the rule that `play` has for sprite animations and for animators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from rish_ecs import World


def rows_to_start(
    world: World, cls: type, entities: Any, clip: int, *, restart: bool = False, after: bool = False
) -> npt.NDArray[Any]:
    """Return the rows of a component that begin a clip (number of its text) now; for others it is queued if `after`.

    cls: a component with the fields `clip`, `queued` and `playing`. entities: one handle or many. An entity that
    plays the clip already continues, unless `restart` is true. Raises StaleEntity, and UnknownName if an entity has no
    such component; in this case none is changed.
    """
    handles = np.atleast_1d(np.asarray(entities, np.int64))
    table = world.table(cls)
    rows = table.rows_of(handles)
    for missing in handles[rows < 0].tolist():
        world.locate(missing, cls)  # raises
    playing, current = table.playing[rows], table.clip[rows] == clip
    if after:
        waits = playing & ~current
        table.queued[rows[waits]] = clip
        rows, playing, current = rows[~waits], playing[~waits], current[~waits]
    return rows if restart else rows[~(current & playing)]
