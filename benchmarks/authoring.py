"""Tools for authors: edits of a long manifest's text, and undo steps of a World with 10,000 entities."""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("edit_12000_lines", "ms", {"rish": "_authoring_rish:edit"}, limit=50),
    Case("insert_12000_lines", "ms", {"rish": "_authoring_rish:insert"}, limit=50),
    Case("read_12000_lines", "ms", {"rish": "_authoring_rish:read"}),
    Case("group_field_10k", "ms", {"rish": "_authoring_rish:group"}),
    Case("undo_field_10k", "ms", {"rish": "_authoring_rish:undo"}, limit=2),
    Case("undo_despawn_10k", "ms", {"rish": "_authoring_rish:undo_despawn"}),
]
