"""Scripts for Rish: game logic attached to entities, edited while the game runs.

from rish_scripts import Script, until, wait
"""

from __future__ import annotations

from rish_ecs import Vector

from .access import Part
from .calls.lifecycle import Simulation, inspect, stop
from .calls.registry import Scripts
from .discovery import scripts_in
from .faults import Faults, ScriptFailed, pardon
from .reload import Reload
from .script import Script
from .settings import ScriptSettings
from .timers import Timers, repeat, until, wait

__all__ = [
    "Faults",
    "Part",
    "Reload",
    "Script",
    "ScriptFailed",
    "ScriptSettings",
    "Scripts",
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
