"""Rules without Python: what a game does on events, keys, times and conditions, `on:` in its manifest."""

from __future__ import annotations

from .state import RulesSettings, RulesState, WaitingRules

__all__ = ["RulesSettings", "RulesState", "WaitingRules"]
