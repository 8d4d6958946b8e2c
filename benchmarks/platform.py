"""Plugins: listing, solving, and calling their hooks.

`list_50` is the command from start to end with fifty installed packages, none of which it imports. `solve_50` checks
and orders fifty plugins with four requirements each; `explain_50` finds the smallest refused part of fifty.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("list_50", "s", {"rish": "_platform_rish:list_50", "python": "_start_commands:python"}, limit=0.5),
    Case("solve_50", "ms", {"rish": "_platform_rish:solve_50"}, limit=20),
    Case("explain_50", "ms", {"rish": "_platform_rish:explain_50"}, limit=500),
    Case(
        "hook_8_plugins", "µs", {"rish": "_ecs_hooks:isolated", "pluggy": "_ecs_hooks:pluggy"}, limits={"pluggy": 1.2}
    ),
]
