"""The type checker reads the sources of every package."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["basedpyright"]


def test_every_package_is_checked() -> None:
    """The patterns contain the folder `src` of each package; a single star would match nothing without an error."""
    patterns: list[str] = [*SETTINGS["include"], *SETTINGS["strict"]]
    assert not [pattern for pattern in patterns if "*" in pattern.replace("**", "")]
    checked = {path for pattern in SETTINGS["include"] for path in ROOT.glob(pattern)}
    projects = [*ROOT.glob("*/*/pyproject.toml"), *ROOT.glob("examples/plugins/*/pyproject.toml")]
    folders = {path.parent / "src" for path in projects} | {ROOT / "rish_core" / "src"}
    assert len(folders) > 25
    assert folders <= checked
