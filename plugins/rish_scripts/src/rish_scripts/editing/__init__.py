"""The parts of rish_scripts for the editor: the inspector of scripts, commands, templates and texts.

Only an editor imports them.
"""

from __future__ import annotations

from .inspector import COMMANDS, INSPECTORS, take_changes
from .templates import TEMPLATES

__all__ = ["COMMANDS", "INSPECTORS", "TEMPLATES", "take_changes"]
