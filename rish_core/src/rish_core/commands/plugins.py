"""The command `rish plugins`: lists installed plugins and commands from package metadata, without importing them."""

from __future__ import annotations

import argparse

from ..plugin.discovery import Candidate, installed_commands, installed_plugins


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the argument `--json`."""
    parser.add_argument("--json", action="store_true", help="print as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the plugins and commands with their packages."""
    plugins, commands = installed_plugins(), installed_commands()
    if arguments.json:
        import json

        print(json.dumps({"plugins": _plain(plugins), "commands": _plain(commands)}, indent=2))
        return 0
    print("plugins" if plugins else "no plugins are installed; try: pip install rish-render")
    _print(plugins)
    if commands:
        print("commands")
        _print(commands)
    return 0


def _print(candidates: list[Candidate]) -> None:
    for found in candidates:
        print(f"  {found.name:14} {found.distribution} {found.version}  {found.value}")


def _plain(candidates: list[Candidate]) -> list[dict[str, str]]:
    return [{"name": c.name, "package": c.distribution, "version": c.version, "value": c.value} for c in candidates]
