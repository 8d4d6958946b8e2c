"""The settings `settings: watchdog:` of a manifest."""

from __future__ import annotations

from dataclasses import field as dataclass_field

from rish_core import Str, field, resource

_POLICIES = ("log", "disable", "raise")


@resource(view=True)
class WatchdogSettings:
    """The limits of the watchdog, and what happens to a plugin that exceeds them.

    budgets: milliseconds per frame by plugin, `{physics: 4.0, render: 6.0}`; 0: no limit. The name `backend` stands for
    drawing by the host, with waiting for the screen; it has no limit unless it is named here.

    The policies: `log` only reports, `disable` also sets the plugin aside, `raise` also ends the game.
    """

    budget: float = field(
        16.0, unit="ms", low=0, high=1e6, doc="per frame, of plugins not named in `budgets`", meanings={0: "none"}
    )
    budgets: dict[str, float] = dataclass_field(default_factory=dict[str, float])
    budget_policy: Str = field("log", choices=_POLICIES, doc="for a plugin whose median time is above its budget")
    window: int = field(60, low=5, high=240, doc="frames over which times are compared with the budgets")
    hang: float = field(
        2.0, unit="s", low=0, high=3600, doc="after so long a call that runs on is named", meanings={0: "never"}
    )
    hang_policy: Str = field(
        "log", choices=_POLICIES, doc="other than `log`: a call of Python code that runs on is interrupted"
    )
    log_lines: float = field(
        50.0, unit="lines/s", low=0, high=1e6, doc="of one plugin; the rest is dropped", meanings={0: "no limit"}
    )
    log_policy: Str = field("log", choices=_POLICIES, doc="for a plugin that logs more lines")
    leak: Str = field(
        "off", choices=("off", "on", "trace"), doc="whether to look for what grows; trace: lines that allocate, slow"
    )
    leak_interval: float = field(5.0, unit="s", low=0.01, high=3600, doc="between two looks at what grows")
    leak_growth: int = field(
        1000, low=1, high=1_000_000_000, doc="objects, items, rows or KiB that must be added before it is reported"
    )
    leak_policy: Str = field("log", choices=_POLICIES, doc="for a plugin whose data grows on and on")
