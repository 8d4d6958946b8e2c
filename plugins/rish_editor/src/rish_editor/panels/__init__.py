"""The panels of the editor."""

from __future__ import annotations

from .assets import AssetsPanel
from .hierarchy import HierarchyPanel
from .history.changes import ChangesPanel
from .history.panel import HistoryPanel
from .inspector import InspectorPanel
from .log.console import ConsolePanel
from .log.panel import LogPanel
from .log.problems import ProblemsPanel
from .settings.keys import KeysPanel
from .settings.panel import SettingsPanel
from .text import TextPanel
from .views.game import GamePanel
from .views.scene import ScenePanel

PANELS: tuple[type, ...] = (
    HierarchyPanel,
    AssetsPanel,
    ScenePanel,
    GamePanel,
    TextPanel,
    InspectorPanel,
    HistoryPanel,
    LogPanel,
    ConsolePanel,
    ProblemsPanel,
    ChangesPanel,
    SettingsPanel,
    KeysPanel,
)
