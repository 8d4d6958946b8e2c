"""User interfaces: screens that stand still, change and scroll, beside other libraries; and the layout alone.

A screen has rows of a container, a label, a button, a switch and a slider. Each library does all that its frame
does, up to the lists of what is drawn; pygame_gui draws onto a surface, because it has no such lists. `still_500`,
`relayout_1k` and `scroll_10k` measure what Rish's interface adds to a frame, `frame_500` a complete frame with its tick
and the renderer; so do the cases `world_200`, with health bars over entities. The layout alone is compared with
`stretchable`, Taffy for Python, which measures its texts with a function in Python, as its interface demands.
"""

from __future__ import annotations

from .harness import Case

_STILL = {"arcade.gui": "_ui_arcade:still", "pygame_gui": "_ui_pygame:still", "imgui": "_ui_imgui:still"}
CASES = [
    Case("still_500", "ms", {"rish": "_ui_screens:still", **_STILL}, limit=0.1),
    Case("frame_500", "ms", {"rish": "_ui_screens:frame", **_STILL}),
    Case(
        "relayout_1k", "ms",
        {"rish": "_ui_screens:relayout", "arcade.gui": "_ui_arcade:relayout", "imgui": "_ui_imgui:relayout"}, limit=3.0,
    ),
    Case(
        "scroll_10k", "ms",
        {"rish": "_ui_screens:scroll", "pygame_gui": "_ui_pygame:scroll", "imgui": "_ui_imgui:scroll"}, limit=1.0,
    ),
    Case("world_200_still", "ms", {"rish": "_ui_screens:world_still"}, limit=1.0),
    Case("world_200_moved", "ms", {"rish": "_ui_screens:world_moved"}, limit=6.0),
    Case("world_200_changed", "ms", {"rish": "_ui_screens:world_changed"}, limit=20.0),
    Case(
        "layout_1k", "ms", {"rish": "_ui_rish:relayout", "stretchable": "_ui_stretchable:relayout"},
        limits={"stretchable": 0.1}, limit=1.0,
    ),
    Case("sirens_p99", "ms", {"rish": "_ui_games:sirens"}, limit=25.0),
    Case("build_1k", "ms", {"rish": "_ui_rish:build", "stretchable": "_ui_stretchable:build"}),
    Case("layout_10k", "ms", {"rish": "_ui_rish:relayout_many"}, full=True),
]  # fmt: skip
