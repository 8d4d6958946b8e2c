"""The parts of rish_rules for the editor: the panel Rules, templates and texts. Only an editor imports them."""

from __future__ import annotations

from .panel import RulesPanel
from .templates import TEMPLATES

__all__ = ["PANELS", "TEMPLATES"]

PANELS: list[type] = [RulesPanel]
