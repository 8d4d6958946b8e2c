"""Rules without Python: what a game does on events, keys, times and conditions, `on:` in its manifest.

from rish_rules import Action
"""

from __future__ import annotations

from .action import Action, Scope
from .state import RulesSettings, RulesState, WaitingRules

__all__ = ["Action", "RulesSettings", "RulesState", "Scope", "WaitingRules"]
