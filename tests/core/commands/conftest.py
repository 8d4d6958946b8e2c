"""Provides the command line as a fixture."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from command_line import game, rish  # noqa: F401  # fixtures
