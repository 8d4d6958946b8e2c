"""The panels of the editor."""

from __future__ import annotations

from .changes import ChangesPanel
from .console import ConsolePanel
from .game import GamePanel
from .hierarchy import HierarchyPanel
from .history import HistoryPanel
from .inspector import InspectorPanel
from .log import LogPanel
from .scene import ScenePanel

PANELS: tuple[type, ...] = (
    HierarchyPanel, ScenePanel, GamePanel, InspectorPanel, HistoryPanel, LogPanel, ConsolePanel, ChangesPanel,
)  # fmt: skip
