"""`rish conformance PLUGIN`: check the promises of every plugin, and report each broken promise with its place."""

from __future__ import annotations

import argparse

from rish_cli import set_up_log
from rish_core import say

from ..conformance import CLAUSES, Run, plugins_named
from ..conformance.running import LIMIT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the plugins, the clauses and the limit."""
    parser.add_argument("plugins", nargs="*", metavar="PLUGIN", help="names of installed plugins, or `all`")
    parser.add_argument("--clause", action="append", metavar="NUMBER", help="check only this clause, such as C24")
    parser.add_argument("--limit", type=float, default=LIMIT, metavar="SECONDS", help="how long a clause may take")
    parser.add_argument("--list", action="store_true", help="list the clauses and check nothing")


def run(arguments: argparse.Namespace) -> int:
    """Print the broken promises of each plugin; return 2 if there are any, or if a clause could not be checked."""
    set_up_log()
    if arguments.list:
        say("\n".join(map(str, CLAUSES)))
        return 0
    plugins = plugins_named(arguments.plugins)
    if not plugins:
        say("rish conformance: name a plugin, or `all`; `rish plugins` lists those that are installed", error=True)
        return 2
    results = [_check(plugin, arguments.clause, arguments.limit) for plugin in plugins]
    return 0 if all(results) else 2


def _check(plugin: str, clauses: list[str] | None, limit: float) -> bool:
    """Check a plugin and print the outcome; return whether all clauses hold."""
    with Run(plugin, clauses, limit=limit) as run:
        outcomes = list(run.outcomes())
    violations = [violation for outcome in outcomes for violation in outcome.violations]
    unchecked = [outcome for outcome in outcomes if outcome.unchecked]
    for violation in violations:
        say(violation)
    for outcome in unchecked:
        say(f"{plugin}: {outcome.clause.id} was not checked: {outcome.unchecked}")
    if not violations and not unchecked:
        say(f"{plugin}: fine ({len(outcomes)} clause{'s' if len(outcomes) != 1 else ''})")
    return not violations and not unchecked
