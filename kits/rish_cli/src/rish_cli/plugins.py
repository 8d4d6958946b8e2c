"""`rish plugins`: list what is installed, and explain how the plugins of a game fit together.

`list` reads only the metadata of packages; `info` and `doctor` import the plugins that they describe.
"""

from __future__ import annotations

import argparse
import json
from typing import cast

from rish_core.plugin import Candidate, installed_commands, installed_plugins
from rish_ecs import RishError, UnknownName, how_to_get, place_of, say

from .log import set_up_log
from .options import add_game, add_plugin_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the sub-commands and their arguments."""
    parser.add_argument("--json", action="store_true", help="print as JSON")
    parts = parser.add_subparsers(dest="part", metavar="COMMAND", help="without one: list")
    for name, text in PARTS.items():
        part = parts.add_parser(name, help=text, description=text)
        part.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print as JSON")
        if name in ("info", "why"):
            part.add_argument("name", metavar="PLUGIN")
        if name in ("why", "check", "graph"):
            add_game(part)
            add_plugin_options(part)
        if name == "check":
            part.add_argument("--backend", help="say what is missing on this backend")
        if name == "graph":
            part.add_argument("--dot", action="store_true", help="print the graph for Graphviz")


def run(arguments: argparse.Namespace) -> int:
    """Call the sub-command, `list` by default; return its exit code."""
    part = arguments.part or "list"
    if part == "list":
        return _list(arguments)
    set_up_log()
    if part in ("info", "doctor"):
        return _info(arguments) if part == "info" else _doctor(arguments)
    from . import game_plugins

    return {"why": game_plugins.why, "check": game_plugins.check, "graph": game_plugins.graph}[part](arguments)


def _list(arguments: argparse.Namespace) -> int:
    plugins, commands = installed_plugins(), installed_commands()
    if arguments.json:
        say(json.dumps({"plugins": _plain(plugins), "commands": _plain(commands)}, indent=2))
        return 0
    say("plugins" if plugins else f"no plugins are installed. For graphics: {how_to_get('rish-render')}")
    _print(plugins)
    if commands:
        say("commands")
        _print(commands)
    contracts: dict[str, list[str]] = {}
    for candidate in plugins:
        for contract in candidate.contracts:
            contracts.setdefault(contract, []).append(candidate.name)
    if contracts:
        say("contracts")
        for contract, names in sorted(contracts.items()):
            say(f"  {contract:14} {', '.join(names)}")
    return 0


def _print(candidates: list[Candidate]) -> None:
    for candidate in candidates:
        say(f"  {candidate.name:14} {candidate.distribution} {candidate.version}  {candidate.value}")


def _plain(candidates: list[Candidate]) -> list[dict[str, object]]:
    return [
        {
            "name": c.name, "package": c.distribution, "version": c.version, "value": c.value,
            "contracts": [*c.contracts],
        }
        for c in candidates
    ]  # fmt: skip


def _info(arguments: argparse.Namespace) -> int:
    candidate = _installed(arguments.name)
    from rish_core import API
    from rish_core.plugin import load_plugins
    from rish_core.plugin.hooks import PREFIX

    plugins = load_plugins([candidate.name], policy="raise", manifest="--plugin")
    plugin, about = plugins[candidate.name], plugins[candidate.name].about
    lists = {
        "requires": map(str, about.requires),
        "optional": (f"{wanted} ({effect})" if effect else str(wanted) for wanted, effect in about.optional.items()),
        "conflicts": map(str, about.conflicts),
        "provides": map(str, about.provides),
        "before": about.before,
        "after": about.after,
        "hooks": sorted(name for name in dir(plugin.module) if name.startswith(PREFIX)),
        "commands": (each.name for each in installed_commands() if each.distribution == candidate.distribution),
    }
    description: dict[str, object] = {
        "name": candidate.name, "package": candidate.distribution, "version": candidate.version,
        "description": about.description, "module": candidate.value, "file": str(place_of(plugin.module)),
        "api": str(about.api) or f"any (this is {API})", "namespace": plugin.namespace,
    }  # fmt: skip
    description |= {name: [*items] for name, items in lists.items()}
    if arguments.json:
        say(json.dumps(description, indent=2))
        return 0
    for name, value in description.items():
        text = ", ".join(cast("list[str]", value)) if isinstance(value, list) else value
        if text:
            say(f"{name:12} {text}")
    return 0


def _installed(name: str) -> Candidate:
    candidate = next((each for each in installed_plugins() if each.name == name), None)
    if candidate is None:
        names = [each.name for each in installed_plugins()]
        raise UnknownName(f"no plugin '{name}' is installed", given=name, choices=names)
    return candidate


def _doctor(arguments: argparse.Namespace) -> int:
    """Load each installed plugin by itself and report those that can't be; return 2 if there are any."""
    installed = installed_plugins()
    diagnoses = {f"{c.name} ({c.distribution} {c.version})": _diagnosis(c, installed) for c in installed}
    broken = {name: problems for name, problems in diagnoses.items() if problems}
    if arguments.json:
        say(json.dumps(diagnoses, indent=2))
        return 2 if broken else 0
    for name, problems in diagnoses.items():
        say(f"{'!!' if problems else 'ok'}  {name}")
        for problem in problems:
            say(f"    {problem}")
    if broken:
        say(f"rish: {len(broken)} of {len(installed)} plugins can't be used: see above", error=True)
    return 2 if broken else 0


def _diagnosis(candidate: Candidate, installed: list[Candidate]) -> list[str]:
    """Return the problems of an installed plugin that show when only it is loaded; empty if there are none."""
    from rish_core.plugin import load_plugins

    try:
        plugins = load_plugins([candidate.name], installed=installed, policy="raise", manifest="game.yaml")
    except RishError as error:
        return str(error).splitlines()
    plugin = plugins[candidate.name]
    problems: list[str] = []
    provided = sorted(contract.name for contract in plugin.about.provides)
    if provided != sorted(candidate.contracts):
        listed = ", ".join(candidate.contracts) or "none"
        problems.append(
            f"its About provides {', '.join(provided) or 'nothing'}, but its package lists the contracts {listed}. "
            "List each in the entry-point group rish.contracts.NAME"
        )
    return problems


PARTS = {
    "list": "list installed plugins, commands and contracts",
    "info": "describe an installed plugin",
    "why": "say why a game loads a plugin, or why it does not",
    "check": "check how the plugins of a game fit together, and what they do without",
    "graph": "show which plugins of a game require which",
    "doctor": "load each installed plugin and report the broken ones",
}
"""The sub-commands, each with a line of help."""
