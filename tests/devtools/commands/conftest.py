"""The command line as a fixture."""

from __future__ import annotations

from command_line import game, rish  # noqa: F401  # fixtures
