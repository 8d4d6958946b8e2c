"""The session: whether the game ends, what failed, and which changes of state did not come from recorded input.

A game ends itself with `world[Session].quit = True` in a tick; the loop stops after that tick.

A game is a function of its seed and its recorded input, as long as nothing else changes its state. A reload of code, a
loaded save game, an edit in the editor and a seek change it between two ticks. Each of them is recorded in
`Interventions`. A recording in progress then takes a full snapshot, because its inputs alone no longer lead to this
state.
"""

from __future__ import annotations

from collections import deque
from dataclasses import field
from typing import TYPE_CHECKING

from rish_ecs import resource

if TYPE_CHECKING:
    from rish_ecs import World

_MAX_REASONS = 32
"""The number of reasons that are stored."""


@resource
class Session:
    """The end of the game. quit: True ends the game. exit_code: the exit code of the process, 0 for success."""

    quit: bool = False
    exit_code: int = 0


@resource(derived=True)
class Failures:
    """What failed in this run, while the game goes on; it is not state, so a restore keeps it.

    `rish run` prints it at the end and exits with code 2. Code that catches an error of a game or plugin and continues
    calls `note`: `world[Failures].note("script 'Door'", "was set aside")`.

    outcomes: what happened to each thing that failed, `was disabled` for example, or "" if it is called again.
    """

    outcomes: dict[str, str] = field(default_factory=dict[str, str])

    def note(self, what: str, outcome: str = "was disabled") -> None:
        """Record a failure. what: the name for messages. outcome: replaces the former one unless it is ""."""
        self.outcomes[what] = outcome or self.outcomes.get(what, "")


@resource(derived=True)
class Interventions:
    """Counts the changes of hashed state from outside the recorded input; it is not state, so a restore keeps it.

    count: the number of changes so far; it never decreases. Code that changes hashed state between two ticks calls
    `note` once for each change: `world[Interventions].note("reload of door.py")`.
    """

    count: int = 0

    def __post_init__(self) -> None:
        """Create the empty list of reasons, and no world yet."""
        self._reasons: deque[tuple[int, str]] = deque(maxlen=_MAX_REASONS)
        self._world: World | None = None

    def rebuild(self, world: World) -> None:
        """Store the world, whose tick is recorded with each reason."""
        self._world = world

    @property
    def reasons(self) -> list[tuple[int, str]]:
        """The last 32 reasons, oldest first, each with the number of the tick that follows the change."""
        return list(self._reasons)

    def note(self, reason: str) -> None:
        """Record that hashed state was changed from outside. reason: for messages, such as `reload of door.py`."""
        self.count += 1
        self._reasons.append((self._world.tick if self._world is not None else 0, reason))
