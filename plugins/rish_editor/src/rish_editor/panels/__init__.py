"""The panels of the editor."""

from __future__ import annotations

from .assets import AssetsPanel
from .changes import ChangesPanel
from .console import ConsolePanel
from .game import GamePanel
from .hierarchy import HierarchyPanel
from .history import HistoryPanel
from .inspector import InspectorPanel
from .keys import KeysPanel
from .log import LogPanel
from .problems import ProblemsPanel
from .scene import ScenePanel
from .settings import SettingsPanel
from .text import TextPanel

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
