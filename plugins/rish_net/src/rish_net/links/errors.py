"""The error of links that can't be made."""

from __future__ import annotations

from rish_core import RishError


class LinkError(RishError):
    """A host can't listen, or a host or relay can't be reached, or does not let this side in."""
