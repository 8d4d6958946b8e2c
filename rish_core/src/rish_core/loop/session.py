"""The session: whether the game wants to end, and what came into it from outside its input.

A game asks for its end by `world[Session].quit = True` in a tick; the loop stops at the next border.

A game is a function of its seed and its recorded input, as long as nothing else writes its state. A reload of code, a
loaded save game, an editor's edit and a seek do, at the border between two ticks. Each of them says so in
`Interventions`, so that a recording in progress knows that its inputs alone no longer lead to this state, and takes a
full snapshot.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from rish_ecs import resource

if TYPE_CHECKING:
    from rish_ecs import World

_KEPT = 32
"""How many reasons are remembered."""


@resource
class Session:
    """quit: the game wants to end. exit_code: what the process should answer, 0 for fine."""

    quit: bool = False
    exit_code: int = 0


@resource(derived=True)
class Interventions:
    """How often hashed state was changed by something that is no recorded input; no state, so a restore keeps it.

    count: how often so far; it only rises. Code that changes such state calls `note`, at the tick border, once for each
    change: `world[Interventions].note("reload of door.py")`.
    """

    count: int = 0

    def __post_init__(self) -> None:
        """No reasons yet."""
        self._reasons: deque[tuple[int, str]] = deque(maxlen=_KEPT)
        self._world: World | None = None

    def rebuild(self, world: World) -> None:
        """Remember whose ticks are counted."""
        self._world = world

    @property
    def reasons(self) -> list[tuple[int, str]]:
        """The last reasons, at most 32, each with the tick that comes after it; the latest last."""
        return list(self._reasons)

    def note(self, reason: str) -> None:
        """Note that hashed state was changed from outside. reason: for messages, such as `reload of door.py`."""
        self.count += 1
        self._reasons.append((self._world.tick if self._world is not None else 0, reason))
