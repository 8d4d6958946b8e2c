"""The panels of the editor."""

from __future__ import annotations

from .game import GamePanel
from .hierarchy import HierarchyPanel
from .inspector import InspectorPanel
from .scene import ScenePanel

PANELS: tuple[type, ...] = (HierarchyPanel, ScenePanel, GamePanel, InspectorPanel)
