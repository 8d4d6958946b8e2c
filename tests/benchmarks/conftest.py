"""Makes the benchmarks importable from the root of the repository, since they are not an installed package."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
