"""Plugins are switched off by name, or because they are not of this project."""

from __future__ import annotations

from rish_cli.game_app import switched_off
from rish_core.plugin import Candidate


def offered(name: str, package: str) -> Candidate:
    """Return a plugin of a package."""
    return Candidate(name, package, "1", name)


def test_safe_mode_leaves_out_the_plugins_of_others() -> None:
    """In safe mode plugins of other packages are left out; those of Rish stay, however the package is spelt."""
    installed = [offered("render", "Rish_Render"), offered("strict", "rish-devtools"), offered("wind", "rish-wind")]
    assert switched_off(installed, safe=True) == {
        "wind": "'wind' is left out by --safe-mode, because it comes from rish-wind"
    }
    assert switched_off(installed) == {}


def test_the_environment_switches_off_by_name() -> None:
    """A named plugin is switched off, whatever its package."""
    assert switched_off([offered("render", "rish-render")], ["render"]) == {
        "render": "'render' is switched off by RISH_DISABLE_PLUGINS"
    }
