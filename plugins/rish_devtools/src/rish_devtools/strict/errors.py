"""The error that strict mode raises."""

from __future__ import annotations

from rish_ecs import RishError


class StrictError(RishError):
    """Raised when a rule of the engine is broken: an undeclared write, an outdated column, hidden state."""
