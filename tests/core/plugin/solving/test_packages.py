"""Plugins are switched off by name, or because they are not of this project."""

from __future__ import annotations

from rish_core.plugin.solving.packages import switched_off


def test_safe_mode_leaves_out_the_plugins_of_others() -> None:
    """In safe mode plugins of other packages are left out; those of Rish stay, however the package is spelt."""
    installed = [("render", "Rish_Render"), ("strict", "rish-devtools"), ("wind", "rish-wind")]
    assert switched_off(installed, safe=True) == {
        "wind": "'wind' is left out by --safe-mode, because it comes from rish-wind"
    }
    assert switched_off(installed) == {}


def test_the_environment_switches_off_by_name() -> None:
    """A named plugin is switched off, whatever its package."""
    assert switched_off([("render", "rish-render")], ["render"]) == {
        "render": "'render' is switched off by RISH_DISABLE_PLUGINS"
    }
