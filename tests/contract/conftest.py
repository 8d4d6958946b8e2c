"""Makes the shared module of this folder importable."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from command_line import rish  # noqa: F401  # a fixture
