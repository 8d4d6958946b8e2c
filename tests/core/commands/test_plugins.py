"""`rish plugins` lists installed plugins from their metadata alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest


def install(folder: Path, name: str, group: str, points: str) -> None:
    """Write the metadata of a distribution with one entry point group."""
    info = folder / f"{name.replace('-', '_')}-1.2.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{points}\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder on Python's path with a plugin and a command, neither of which can be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    install(tmp_path, "rish-windy", "rish.plugins", "windy = rish_windy.plugin")
    install(tmp_path, "rish-tools", "rish.commands", "polish = rish_tools.polish")
    (tmp_path / "rish_windy").mkdir()
    (tmp_path / "rish_windy" / "__init__.py").write_text("raise SystemExit('imported')")
    return tmp_path


def test_plugins_and_commands_are_listed(rish: Any, site: Path) -> None:
    """Plugins and commands are listed with packages and versions, and nothing is imported."""
    said = rish("plugins")
    assert said.code == 0
    assert any(line.split() == ["windy", "rish-windy", "1.2", "rish_windy.plugin"] for line in said.lines)
    assert any(line.split() == ["polish", "rish-tools", "1.2", "rish_tools.polish"] for line in said.lines)
    assert "rish_windy" not in sys.modules


def test_the_list_can_be_read_by_programs(rish: Any, site: Path) -> None:
    """With `--json` the list is printed as JSON."""
    found = json.loads(rish("plugins", "--json").out)
    assert {"name": "windy", "package": "rish-windy", "version": "1.2", "value": "rish_windy.plugin"} in found[
        "plugins"
    ]
    assert [one["name"] for one in found["commands"] if one["package"] == "rish-tools"] == ["polish"]


def test_without_any_it_says_what_to_install(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no plugin is installed, the command names the package to install."""
    monkeypatch.setattr("rish_core.commands.plugins.installed_plugins", list)
    assert "pip install rish-render" in rish("plugins").out
