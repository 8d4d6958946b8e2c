"""The panels of the editor."""

from __future__ import annotations

from .game import GamePanel
from .hierarchy import HierarchyPanel
from .keys import KeysPanel
from .problems import ProblemsPanel
from .scene import ScenePanel
from .settings import SettingsPanel

PANELS: tuple[type, ...] = (HierarchyPanel, ScenePanel, GamePanel, ProblemsPanel, SettingsPanel, KeysPanel)
