"""The states of voices and sources as numbers in their columns. When a voice stops or pauses, its state is written to
its source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.declarations import members_of
from rish_jit import Array

from ..components.source import AudioSource, SoundState
from ..components.tables import Voices

if TYPE_CHECKING:
    from rish_core import World

STOPPED, PLAYING, PAUSED = (members_of(SoundState).index(state) for state in SoundState)
"""Numbers in the column `AudioSource.state`."""
STOP_AFTER, PAUSE_AFTER, OVER = 1, 2, 3
"""Values of `Voices.ending`. A voice that is OVER is removed in the next tick, when its last block has been mixed."""


def write_states(world: World, rows: Array, state: int) -> None:
    """Write the state of the sources of voices, in the rows of voices; a stopped source no longer has a voice."""
    voices, table = world[Voices], world.table(AudioSource)
    rows = rows[voices.bound[rows]]
    if not len(rows):
        return
    at = table.rows_of(voices.source[rows])
    source_rows = at[at >= 0]
    source_rows = source_rows[table.voice[source_rows] == voices.serial[rows[at >= 0]]]
    table.state[source_rows] = state
    if state == STOPPED:
        table.voice[source_rows] = 0
    table.mark(source_rows)
