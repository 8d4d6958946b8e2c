"""What strict mode raises."""

from __future__ import annotations

from rish_ecs import RishError


class StrictError(RishError):
    """A rule of the engine that strict mode saw broken: an undeclared write, an outgrown column, hidden state."""
