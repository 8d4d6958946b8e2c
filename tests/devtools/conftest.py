"""A registry for checks of manifests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "core"))

from ground import compiled, kinds, play, problems, registry  # noqa: F401  # fixtures
