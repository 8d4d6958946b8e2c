"""The hook that rish_rules adds: actions."""

from __future__ import annotations

from typing import Any

from rish_core import Reader, hookspec
from rish_expressions import read_actions


@hookspec(reads=Reader("action", read_actions), provisional=True)
def rish_actions() -> list[Any]:  # pyright: ignore[reportReturnType]
    """Declare actions that the rules of manifests, `on:`, may use.

    When: while the registry is built, before the manifest is checked.
    How often: once.
    Arguments: none.
    Returns: a list of `rish_expressions.Action`. Their values are checked and computed by the rules.
    Failures: anything else in the list, or wrong parameters, disables the plugin.
    Example::

        @resource
        class Blow:
            strength: float = field(1.0, unit="kg·units/s²")

        def blow(world, arguments, scope):
            world[Wind].strength[:] += arguments.strength

        @hookimpl(optional=True)
        def rish_actions():
            return [Action("blow", Blow, blow)]
    """
