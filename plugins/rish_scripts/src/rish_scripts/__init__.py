"""Scripts for Rish: game logic attached to entities, edited while the game runs.

from rish_scripts import Script, until, wait
"""

from __future__ import annotations

from .access import Part
from .faults import Faults, ScriptFailed, pardon
from .finding import scripts_in
from .lifecycle import Simulation, inspect, stop
from .reload import Reload
from .roster import Scripts
from .script import Script
from .settings import Settings
from .timers import Timers, repeat, until, wait
from .vector import Vector

__all__ = [
    "Faults",
    "Part",
    "Reload",
    "Script",
    "ScriptFailed",
    "Scripts",
    "Settings",
    "Simulation",
    "Timers",
    "Vector",
    "inspect",
    "pardon",
    "repeat",
    "scripts_in",
    "stop",
    "until",
    "wait",
]
