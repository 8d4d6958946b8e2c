"""Starting: the time until the first result, from the command line, in processes of their own.

A first start that compiles kernels is not measured: every command runs before its first round. Python's own start is
the lower bound of all figures here.
"""

from __future__ import annotations

from .harness import Case

BREAKOUT_FRAMES = 3000
SUSTAINED_FRAMES = 600
TICK = 1 / 60

_FLOOR = "_start_commands:python"

CASES = [
    Case("hello_headless", "s", {"rish": "_start_commands:hello"}, limit=1.0),
    Case(
        "breakout_sustained",
        "×",
        {"rish": "_start_commands:breakout_sustained"},
        limit=50,
        work=SUSTAINED_FRAMES * TICK,
    ),
    Case("breakout_speed", "×", {"rish": "_start_commands:breakout"}, work=BREAKOUT_FRAMES * TICK),
    Case(
        "hello_window",
        "s",
        {"rish": "_start_commands:hello_window", "arcade": "_start_commands:arcade_window"},
        limits={"arcade": 1.0},
    ),
    Case("help", "s", {"rish": "_start_commands:show_help", "python": _FLOOR}, limit=0.3),
    Case("check_12000", "s", {"rish": "_start_commands:check"}, limit=1.5),
    Case("plugins", "s", {"rish": "_start_commands:plugins", "python": _FLOOR}),
    Case(
        "import_rish_core",
        "s",
        {
            "rish": "_start_commands:import_rish_core",
            "python": _FLOOR,
            "esper": "_start_commands:import_esper",
        },
    ),
    Case(
        "import_app",
        "s",
        {
            "rish": "_start_commands:import_app",
            "pygame": "_start_commands:import_pygame",
            "arcade": "_start_commands:import_arcade",
        },
    ),
]
