"""The session: whether the game wants to end.

A game asks for its end by `world[Session].quit = True` in a tick; the loop stops at the next border.
"""

from __future__ import annotations

from ..ecs.resource import resource


@resource
class Session:
    """quit: the game wants to end. exit_code: what the process should answer, 0 for fine."""

    quit: bool = False
    exit_code: int = 0
