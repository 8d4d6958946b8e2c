"""`rish plugins` lists installed plugins from their metadata alone."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from rish_ecs import how_to_get


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
    windy = {"name": "windy", "package": "rish-windy", "version": "1.2", "value": "rish_windy.plugin"}
    assert {**windy, "contracts": []} in found["plugins"]
    assert [one["name"] for one in found["commands"] if one["package"] == "rish-tools"] == ["polish"]


def test_without_any_it_says_what_to_install(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no plugin is installed, the command says how to get one for graphics."""
    monkeypatch.setattr("rish_cli.plugins.installed_plugins", list)
    assert f"For graphics: {how_to_get('rish-render')}" in rish("plugins").out


def provide(folder: Path, name: str, text: str, points: str = "") -> None:
    """Install a plugin of one module."""
    install(folder, f"rish-{name}", "rish.plugins", f"{name} = rish_{name}{points}")
    (folder / f"rish_{name}.py").write_text(text)


@pytest.fixture
def weather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install plugins that require and provide one another."""
    monkeypatch.syspath_prepend(str(tmp_path))
    about = "from rish_core import About\ndef rish_about(): return About("
    provide(
        tmp_path,
        "sky",
        f"{about}provides=['air[moist]==1.0'], description='blue')",
        "\n[rish.contracts.air]\nsky = rish_sky",
    )
    provide(tmp_path, "rain", f"{about}requires=['air'], optional={{'air[cold]': 'it never snows'}})")
    yield tmp_path  # pyright: ignore[reportReturnType]
    for name in ("sky", "rain", "storm"):
        sys.modules.pop(f"rish_{name}", None)


def test_a_plugin_is_described(rish: Any, weather: Path) -> None:
    """`info` prints the description of a plugin, its package and its hooks."""
    told = json.loads(rish("plugins", "info", "sky", "--json").out)
    assert told["description"] == "blue"
    assert (told["package"], told["provides"], told["hooks"]) == ("rish-sky", ["air[moist]==1.0"], ["rish_about"])
    said = rish("plugins", "info", "skye")
    assert said.code == 2
    assert "did you mean 'sky'?" in said.err


def test_why_a_plugin_runs(rish: Any, weather: Path, game: Path) -> None:
    """`why` names the plugin that requires it and the contract that it provides, or why it does not run."""
    assert rish("plugins", "why", "sky", str(game), "--with", "rain").lines == [
        "sky: it provides 'air'",
        "sky: 'rain' requires it",
    ]
    said = rish("plugins", "why", "sky", str(game))
    assert "'sky' does not run: nothing in" in said.out
    assert "'nix' does not run: it is not installed" in rish("plugins", "why", "nix", str(game)).out


def test_what_degrades_is_told(rish: Any, weather: Path, game: Path) -> None:
    """`check` prints the order, the providers, and what plugins do without."""
    told = json.loads(rish("plugins", "check", str(game), "--with", "rain", "--json").out)
    assert told["order"] == ["core", "sky", "rain", "game"]
    assert told["contracts"] == {"air": "sky"}
    assert told["degraded"] == ["rain: it never snows ('sky' does not offer cold)"]


def test_capabilities_may_be_listed_on_the_command_line(rish: Any, weather: Path, game: Path) -> None:
    """A comma within the brackets of a wish separates capabilities, not plugins."""
    said = rish("plugins", "check", str(game), "--with", "air[moist,warm],rain")
    assert "needs warm of 'air', which 'sky' does not offer" in said.err


def test_the_graph_is_printed(rish: Any, weather: Path, game: Path) -> None:
    """`graph` prints which plugin requires which, as a tree or for Graphviz."""
    assert rish("plugins", "graph", str(game), "--with", "rain").lines == ["core", "rain", "└─ sky", "game"]
    assert '    "rain" -> "sky";' in rish("plugins", "graph", str(game), "--with", "rain", "--dot").lines


def test_the_doctor_names_broken_plugins(rish: Any, weather: Path) -> None:
    """`doctor` loads each plugin by itself, names the broken ones with their reason, and fails."""
    provide(weather, "storm", "raise ValueError('thunder')")
    said = rish("plugins", "doctor")
    assert said.code == 2
    assert "ok  sky (rish-sky 1.2)" in said.lines
    assert "!!  storm (rish-storm 1.2)" in said.lines
    assert any("ValueError: thunder" in line for line in said.lines)


def test_switched_off_plugins(rish: Any, weather: Path, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin that is switched off is refused if it is needed, with the reason, and left out if it is optional."""
    monkeypatch.setenv("RISH_DISABLE_PLUGINS", "sky,fog")
    said = rish("run", str(game), "--headless", "--frames", "1", "--with", "sky")
    assert said.code == 2
    assert "'sky' is switched off by RISH_DISABLE_PLUGINS" in said.err
    assert "RISH_DISABLE_PLUGINS names 'fog', which is not installed" in said.err
    assert rish("run", str(game), "--headless", "--frames", "1", "--with", "sky?").code == 0
    monkeypatch.delenv("RISH_DISABLE_PLUGINS")
    assert "left out by --safe-mode" in rish("run", str(game), "--headless", "--with", "sky", "--safe-mode").err
