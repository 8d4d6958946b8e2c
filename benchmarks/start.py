"""Starting: the time until the first result, from the command line, in processes of their own.

`cold_<game>` is a first start: an empty cache of kernels, from the command to the first frame of the software backend,
measured once; `cold_<game>_cpu` is the processor time of all its processes. `cold_lantern` uses the cache that physics
left. Every other command runs before its first round. Python's own start is the lower bound of all figures here.

`mapped_<game>` is the time until the window of a game is there, `picture_<game>` until it has shown the first picture,
beside arcade with an empty window; `hello` beside a program of arcade that shows the same. `cpu_<game>` is the
processor time until then, `memory_<game>` the greatest memory.
"""

from __future__ import annotations

from .harness import Case

BREAKOUT_FRAMES = 3000
SUSTAINED_FRAMES = 600
TICK = 1 / 60

_FLOOR = "_start_commands:python"

COLD_LIMITS = {"breakout": 5.0, "physics": 15.0, "lantern": 15.0}
WARM_LIMIT = 1.0

PICTURE_LIMITS = {"breakout": 1.5, "physics": 2.0, "lantern": 2.5, "beacon": 4.0}
_WINDOW = "_start_window:"

CASES = [
    *(
        Case(f"cold_{game}", "s", {"rish": f"_start_cold:cold_{game}"}, limit=most)
        for game, most in COLD_LIMITS.items()
    ),
    *(Case(f"cold_{game}_cpu", "s", {"rish": f"_start_cold:cpu_{game}"}) for game in COLD_LIMITS),
    *(Case(f"warm_{game}", "s", {"rish": f"_start_cold:warm_{game}"}, limit=WARM_LIMIT) for game in COLD_LIMITS),
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
    *(
        Case(
            f"mapped_{game}",
            "s",
            {"rish": f"{_WINDOW}mapped_{game}", "arcade": f"{_WINDOW}mapped_arcade"},
            limits={"arcade": 0.8},
        )
        for game in ("hello", *PICTURE_LIMITS)
    ),
    Case(
        "picture_hello",
        "s",
        {
            "rish": f"{_WINDOW}picture_hello",
            "arcade": f"{_WINDOW}picture_arcade_hello",
            "pygame": f"{_WINDOW}picture_pygame",
        },
        limits={"arcade": 1.3},
    ),
    *(
        Case(
            f"picture_{game}",
            "s",
            {"rish": f"{_WINDOW}picture_{game}", "arcade": f"{_WINDOW}picture_arcade"},
            limits={"arcade": most},
        )
        for game, most in PICTURE_LIMITS.items()
    ),
    *(
        Case(f"cpu_{game}", "s", {"rish": f"{_WINDOW}cpu_{game}", "arcade": f"{_WINDOW}cpu_arcade"})
        for game in ("hello", *PICTURE_LIMITS)
    ),
    Case(
        "memory_hello",
        "kB",
        {"rish": f"{_WINDOW}memory_hello", "arcade": f"{_WINDOW}memory_arcade_hello"},
        limit=200_000,
    ),
    Case("memory_physics", "kB", {"rish": f"{_WINDOW}memory_unseen_physics"}, limit=140_000),
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
