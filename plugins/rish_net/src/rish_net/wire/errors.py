"""The error of bytes that no peer with the same version sends."""

from __future__ import annotations

from rish_core import RishError


class ProtocolError(RishError):
    """Bytes of a peer can't be read. The session ignores the packet and counts it; nothing of it is applied."""
