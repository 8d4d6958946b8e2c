"""The errors of drawing."""

from __future__ import annotations

from rish_ecs import RishError


class BackendError(RishError):
    """Raised when a backend can't open, or does not support the requested operation."""
