"""Screens that a game uses by one line: `- {prefab: title_screen}`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "shipped"


@cache
def prefabs() -> dict[str, Any]:
    """Return the prefabs of all shipped screens, by name."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in Python takes 10 ms longer
    entries: dict[str, Any] = {}
    for path in sorted(FOLDER.glob("*.yaml")):
        entries |= yaml.load(path.read_text(encoding="utf-8"), loader)
    return entries
