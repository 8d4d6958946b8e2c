"""Tools for authors: edits of a long manifest's text, undo steps and edits of the tree of 10,000 entities."""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("edit_12000_lines", "ms", {"rish": "_authoring_rish:edit"}, limit=50),
    Case("insert_12000_lines", "ms", {"rish": "_authoring_rish:insert"}, limit=50),
    Case("read_12000_lines", "ms", {"rish": "_authoring_rish:read"}),
    Case("group_field_10k", "ms", {"rish": "_authoring_rish:group"}),
    Case("undo_field_10k", "ms", {"rish": "_authoring_rish:undo"}, limit=2),
    Case("undo_despawn_10k", "ms", {"rish": "_authoring_rish:undo_despawn"}),
    Case("tree_order_100k", "ms", {"rish": "_authoring_rish:order"}, limit=30),
    Case("duplicate_10k", "ms", {"rish": "_authoring_rish:copy_entities"}),
    Case("reparent_10k", "ms", {"rish": "_authoring_rish:hang"}),
    Case("clipboard_copy_10k", "ms", {"rish": "_authoring_rish:clipboard_copy"}),
    Case("clipboard_paste_10k", "ms", {"rish": "_authoring_rish:clipboard_paste"}),
]
