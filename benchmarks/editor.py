"""The editor: the user interface of a frame, playing, undoing, opening a long manifest, and its start.

The game's picture is left out of `ui_*`, because a graphics card draws it, and this benchmark also runs on machines
without one. All panels are open as at the first start; those behind others are not drawn. `ui_10k` and `ui_100k` are
frames in which nothing changes, so panels stay as they were drawn; in `ui_10k_moving` the selected entity moves, and in
`ui_10k_drawn` all visible panels are drawn again, as in the frames after a click.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("ui_10k", "ms", {"rish": "_editor_rish:ui_10k"}, limit=2),
    Case("ui_100k", "ms", {"rish": "_editor_rish:ui_100k"}),
    Case("ui_10k_moving", "ms", {"rish": "_editor_rish:ui_moving"}),
    Case("ui_10k_drawn", "ms", {"rish": "_editor_rish:ui_drawn"}),
    Case("ui_10k_selected", "ms", {"rish": "_editor_rish:ui_selected"}, limit=2),
    Case("play_10k", "ms", {"rish": "_editor_rish:play"}, limit=30),
    Case("stop_10k", "ms", {"rish": "_editor_rish:stop"}),
    Case("edit_10k", "ms", {"rish": "_editor_rish:edit"}),
    Case("undo_10k", "ms", {"rish": "_editor_rish:undo"}, limit=2),
    Case("open_12000_lines", "s", {"rish": "_editor_rish:open_long"}, limit=3),
    Case("start", "s", {"rish": "_editor_rish:start"}, limit=1.5),
]
