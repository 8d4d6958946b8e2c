"""Editing of games: manifests as text, saving a World to its manifest, undo and redo."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .editing.clipboard import copy_entities, paste_entities
    from .editing.overrides import overrides, revert, revert_all, unpack
    from .projects.apply_changes import apply_text
    from .projects.moving import AssetFiles
    from .projects.new_game import TEMPLATES, copy_game, new_game
    from .projects.opening import left_out, open_leniently
    from .projects.plugin_code import declare_code
    from .projects.prefabs import make_prefab
    from .projects.project import Project
    from .projects.running import RunText
    from .projects.sections import (
        add_layer,
        add_plugin,
        add_scene,
        delete_prefab,
        delete_scene,
        move_layer,
        plugin_names,
        remove_layer,
        remove_plugin,
        rename_prefab,
        rename_scene,
        set_first_scene,
        set_setting,
        set_size,
        set_title,
    )
    from .references.changing import FileChange
    from .references.checking import check_move
    from .references.find_uses import Tree, Use
    from .references.formats import READINGS, Formats
    from .references.plan import MovePlan, find_uses, plan_move
    from .references.steps import FileSteps
    from .references.trash import plan_delete
    from .saving.omissions import Loss, Losses
    from .saving.plan import SavePlan, save_plan
    from .text.game_text import GameText
    from .text.manifest_text import ManifestText
    from .text.partial_manifest import PartialManifest
    from .tree.copies import duplicate, free_names
    from .tree.edits import add_component, delete, group, remove_component, rename, reparent, ungroup
    from .tree.marks import Authored, Previews, authored, mark_authored, previews
    from .tree.moves import move_after, move_before, move_into
    from .tree.order import Arranged, SiblingOrder, tree_order
    from .undo.history import Entry, History

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "editing.clipboard": "copy_entities paste_entities",
        "editing.overrides": "overrides revert revert_all unpack",
        "projects.apply_changes": "apply_text",
        "projects.moving": "AssetFiles",
        "projects.new_game": "TEMPLATES copy_game new_game",
        "projects.opening": "left_out open_leniently",
        "projects.plugin_code": "declare_code",
        "projects.prefabs": "make_prefab",
        "projects.project": "Project",
        "projects.running": "RunText",
        "projects.sections": "add_layer add_plugin add_scene delete_prefab delete_scene move_layer plugin_names "
        "remove_layer remove_plugin rename_prefab rename_scene set_first_scene set_setting set_size set_title",
        "references.changing": "FileChange",
        "references.checking": "check_move",
        "references.find_uses": "Tree Use",
        "references.formats": "Formats READINGS",
        "references.plan": "MovePlan find_uses plan_move",
        "references.steps": "FileSteps",
        "references.trash": "plan_delete",
        "saving.omissions": "Loss Losses",
        "saving.plan": "SavePlan save_plan",
        "text.game_text": "GameText",
        "text.manifest_text": "ManifestText",
        "text.partial_manifest": "PartialManifest",
        "tree.copies": "duplicate free_names",
        "tree.edits": "add_component delete group remove_component rename reparent ungroup",
        "tree.marks": "Authored Previews authored mark_authored previews",
        "tree.moves": "move_after move_before move_into",
        "tree.order": "Arranged SiblingOrder tree_order",
        "undo.history": "Entry History",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
