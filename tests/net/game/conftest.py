"""Makes `two.py` importable as `net_two`."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def _load() -> None:
    spec = importlib.util.spec_from_file_location("net_two", Path(__file__).parent / "two.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["net_two"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


_load()
