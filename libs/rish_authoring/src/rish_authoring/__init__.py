"""Editing worlds and their text: manifests as editable text, saving a world to its manifest, undo and redo."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .saving.authored import authored, mark_authored
    from .saving.plan import SavePlan, save_plan
    from .text.game_text import GameText
    from .text.manifest_text import ManifestText, set_value
    from .undo.history import Entry, History

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "saving.authored": "authored mark_authored",
        "saving.plan": "SavePlan save_plan",
        "text.game_text": "GameText",
        "text.manifest_text": "ManifestText set_value",
        "undo.history": "Entry History",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
