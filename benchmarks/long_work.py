"""What can take long in the editor: saving long manifests, and edits and selections of a hundred thousand entities.

`save_*` is the whole of planning and writing, without the frames that show how far it is; with 12,000 and 80,000 lines.
`longest_*` is the longest time between two of its reports of progress, in which the window can't be drawn. The frames
are those of a window whose drawing is left out.
"""

from __future__ import annotations

from .harness import Case

_EDITS = ("one", "third", "all", "new", "deleted")

CASES = [
    Case("save_one_12000", "ms", {"rish": "_long_work_rish:save_one"}, limit=200),
    *(Case(f"save_{edit}_12000", "ms", {"rish": f"_long_work_rish:save_{edit}"}) for edit in _EDITS[1:]),
    *(Case(f"save_{edit}_80000", "s", {"rish": f"_long_work_rish:save_{edit}_longer"}, full=True) for edit in _EDITS),
    *(
        Case(f"longest_{edit}_80000", "ms", {"rish": f"_long_work_rish:longest_{edit}_longer"}, full=True)
        for edit in _EDITS
    ),
    Case("select_all_100k", "ms", {"rish": "_long_work_rish:select_all"}, limit=200),
    Case("select_one_of_100k", "ms", {"rish": "_long_work_rish:toggle"}),
    Case("set_field_of_100k", "ms", {"rish": "_long_work_rish:set_field"}),
    Case("undo_field_of_100k", "ms", {"rish": "_long_work_rish:undo_field"}),
    Case("duplicate_100k", "ms", {"rish": "_long_work_rish:duplicate"}),
    Case("delete_100k", "ms", {"rish": "_long_work_rish:delete"}),
]
