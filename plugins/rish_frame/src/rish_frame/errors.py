"""The errors of what is shown."""

from __future__ import annotations

from rish_ecs import RishError


class BackendError(RishError):
    """A backend that can't open, or was asked for what it can't do."""
