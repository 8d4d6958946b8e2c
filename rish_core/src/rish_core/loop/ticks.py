"""TickHooks: how a tool stands between the window and the ticks, without being part of the game.

A recorder notes the input of each tick, a player of recordings gives its own instead, a rewind lets time stand still
while its key is held. All of them come through here, at the border: `before` a tick they are given its input and return
the input that counts, `after` it they are given that input. What they do between two ticks is no part of the tick; if
they change hashed state there, they `note` it in `Interventions`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from rish_ecs import resource

from .events import InputRecord

if TYPE_CHECKING:
    from rish_ecs import World

Before = Callable[[Any, InputRecord], "InputRecord | None"]
"""`(world, record) -> record`, or None: this tick does not take place, and what was heard is lost."""
After = Callable[[Any, InputRecord], None]
"""`(world, record)`, with the record that counted."""


@resource(derived=True)
class TickHooks:
    """Functions that are called before and after each tick, in order; `world[TickHooks].before.append(...)`.

    The functions run between two ticks, in the order in which they were added. They see the input as it was before the
    layers of the game took theirs. An error in one of them ends the game.
    """

    before: list[Before] = field(default_factory=list[Before])
    after: list[After] = field(default_factory=list[After])

    def ask(self, world: World, record: InputRecord) -> InputRecord | None:
        """The input that counts for the coming tick; None where it does not take place."""
        for tap in tuple(self.before):
            given = tap(world, record)
            if given is None:
                return None
            record = given
        return record
