"""The sub-commands of `rish plugins` about one game: `why`, `check` and `graph`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from itertools import chain

from rish_core import App, Plugins
from rish_core.plugin import CORE
from rish_ecs import say

from .game_app import build_app
from .lock import drift


def why(arguments: argparse.Namespace) -> int:
    """Print why a game loads a plugin, or why it does not."""
    name = arguments.name
    with _open(arguments) as app:
        plugins = app.plugins
        if name in plugins:
            for line in _reasons(app, name):
                say(line)
            return 0
        reason = plugins.absent.get(name) or plugins.aside.get(name)
        if reason is None:
            others = any(other.name == name for other in plugins.others)
            reason = f"nothing in {app.manifest.file} needs it" if others else "it is not installed"
        say(f"'{name}' does not run: {reason}")
        return 0


def _reasons(app: App, name: str) -> Iterable[str]:
    """Yield the reasons why a plugin is loaded: its line of the manifest, and the plugins that require it."""
    plugins = app.plugins
    if name == CORE:
        yield "core is the kernel, always loaded"
    place = plugins[name].place
    if name in {wish.provider or wish.name for wish in app.manifest.plugins}:
        yield f"{name}: {app.manifest.file} names it ({place})"
    for contract, provider in plugins.providers.items():
        if provider == name:
            yield f"{name}: it provides '{contract}'"
    for other, groups in plugins.required.items():
        if any(name in group for group in groups):
            yield f"{name}: '{other}' requires it" + _via(plugins, other)


def _via(plugins: Plugins, name: str) -> str:
    """Return the end of a reason: which plugin requires the requiring plugin, or ""."""
    dependent = next((other for other, groups in plugins.required.items() if any(name in g for g in groups)), None)
    return f", which '{dependent}' requires" if dependent is not None else ""


def check(arguments: argparse.Namespace) -> int:
    """Print the order of a game's plugins, their contracts, unmet optional requirements and changed versions."""
    with _open(arguments, backend=arguments.backend) as app:
        plugins = app.plugins
        missing = [str(degraded) for degraded in plugins.degraded(app.host.capabilities) if degraded.effect]
        changed = drift(app)
    if arguments.json:
        summary = {"order": plugins.names, "contracts": plugins.providers, "without": plugins.absent}
        say(json.dumps({**summary, "degraded": missing, "drift": changed}, indent=2))
        return 0
    say(f"{app.manifest.file}: the plugins fit together")
    lines = [("order", ", ".join(plugins.names))]
    lines += [("contract", f"{contract}: {provider}") for contract, provider in plugins.providers.items()]
    lines += [("without", f"{name}: {reason}") for name, reason in plugins.absent.items()]
    lines += [("degraded", line) for line in missing]
    lines += [("changed", line) for line in changed]
    for word, line in lines:
        say(f"  {word:11} {line}")
    return 0


def graph(arguments: argparse.Namespace) -> int:
    """Print which plugins of a game require which, as a tree or for other programs."""
    with _open(arguments) as app:
        plugins = app.plugins
        edges = {name: [*dict.fromkeys(chain(*plugins.required[name]))] for name in plugins.names}
    if arguments.json:
        say(json.dumps(edges, indent=2))
    elif arguments.dot:
        say("digraph plugins {")
        for name, needed in edges.items():
            say(f'    "{name}";')
            for required in needed:
                say(f'    "{name}" -> "{required}";')
        say("}")
    else:
        tops = [name for name in edges if not any(name in needed for needed in edges.values())]
        for name in tops:
            _branch(edges, name, "", "")
    return 0


def _branch(edges: Mapping[str, list[str]], name: str, prefix: str, indent: str) -> None:
    say(f"{prefix}{name}")
    for index, required in enumerate(edges[name]):
        last = index == len(edges[name]) - 1
        _branch(edges, required, f"{indent}{'└─ ' if last else '├─ '}", f"{indent}{'   ' if last else '│  '}")


def _open(arguments: argparse.Namespace, backend: str | None = None) -> App:
    """Build the App of a game without a window."""
    return build_app(arguments, backend=backend, headless=True, policy="raise", warm_up=False)
