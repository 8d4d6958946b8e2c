"""The command line, and a small game."""

from __future__ import annotations

from command_line import game, rish  # noqa: F401  # fixtures
