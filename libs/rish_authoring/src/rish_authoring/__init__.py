"""Editing worlds and their text: manifests as editable text, saving a world to its manifest, undo and redo."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .editing.clipboard import copy_entities, paste_entities
    from .saving.plan import SavePlan, save_plan
    from .text.game_text import GameText
    from .text.manifest_text import ManifestText, set_value
    from .tree.copies import duplicate
    from .tree.edits import add_component, delete, group, remove_component, rename, reparent, ungroup
    from .tree.marks import Authored, authored, mark_authored
    from .tree.moves import move_after, move_before, move_into
    from .tree.order import Arranged, SiblingOrder, tree_order
    from .undo.history import Entry, History

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "editing.clipboard": "copy_entities paste_entities",
        "saving.plan": "SavePlan save_plan",
        "text.game_text": "GameText",
        "text.manifest_text": "ManifestText set_value",
        "tree.copies": "duplicate",
        "tree.edits": "add_component delete group remove_component rename reparent ungroup",
        "tree.marks": "Authored authored mark_authored",
        "tree.moves": "move_after move_before move_into",
        "tree.order": "Arranged SiblingOrder tree_order",
        "undo.history": "Entry History",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
