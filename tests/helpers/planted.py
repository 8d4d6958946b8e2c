"""Plugins with planted faults that look installed: a folder with the module and the metadata of its package."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from typing import Any

FAULTS = Path(__file__).parents[1] / "devtools" / "conformance" / "faults"
NAMES = sorted(path.stem for path in FAULTS.glob("*.py"))
"""The plugins, each named after its fault; `healthy` has none."""


def plant(name: str, folder: Path) -> Path:
    """Copy a plugin into a folder, with metadata as an installer writes them; return the folder.

    A module may have a mapping METADATA with a `version`, `requires` (distributions) or `entry_points` (a text).
    """
    source = FAULTS / f"{name}.py"
    shutil.copy(source, folder)
    given: dict[str, Any] = {}
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "METADATA":
            given = ast.literal_eval(node.value)
    version, requires = given.get("version", "0.1.0"), given.get("requires", ["rish-core", "rish-ecs", "numpy"])
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {r}" for r in requires),
    ]
    (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")
    points = given.get("entry_points", f"[rish.plugins]\n{name} = {name}\n")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    (info / "RECORD").write_text(f"{name}.py,,\n", encoding="utf-8")
    return folder
