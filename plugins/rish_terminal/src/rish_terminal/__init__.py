"""A backend that plays any game in a terminal: frames of half blocks, keys and mouse from the tty."""

from __future__ import annotations

from .backend import TerminalBackend

__all__ = ["TerminalBackend"]
