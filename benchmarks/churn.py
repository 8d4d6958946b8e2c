"""Churn: what one small change costs beside everything that stays.

The values of sprites are the processor time of a frame in which one of N sprites comes, goes or changes its color,
without drawing, less that of a still frame; both are measured in turns, medians. `restored_frame` is the time of a
frame of breakout after a restore of the state 60 ticks before, divided by that of another frame. Those of models are
the same with models in space, which also move, and whose changes are of their materials. The cases of tables have
100,000 rows. Of so many labels, which are widgets, or texts in the world, one gets other words, or all; a widget
comes or goes beside so many. `despawn_N`, `spawn_3`, `view_read` and `view_write` are single changes of entities,
beside esper, whose components are plain objects; `chain_10000` is the first frame of a chain of as many parents.
"""

from __future__ import annotations

from .harness import Case


def _single(name: str, limit: float, times: float) -> Case:
    """Return a case with single entities. limit: in µs. times: the limit beside esper."""
    engines = {"rish": f"_churn_single:{name}", "esper": f"_churn_esper:{name}"}
    return Case(name, "µs", engines, {"esper": times}, limit)


_LIMITS = {100_000: 1.0}
_MODEL_LIMITS = {"comes": 1.2, "goes": 1.2, "moves": 0.6, "changes": 0.7}
_UI = {
    "label_changes_1000": 2.0, "labels_change_1000": 120.0, "labels_change_3000": 360.0, "text_changes_1000": 3.0,
    "texts_change_1000": 200.0, "widget_comes_500": 6.0, "widget_goes_500": 6.0,
}  # fmt: skip
CASES = [
    *(
        Case(f"sprite_{what}_{count}", "ms", {"rish": f"_churn_rish:{what}_{count}"}, limit=_LIMITS.get(count))
        for count in (100, 1000, 10_000, 100_000)
        for what in ("comes", "goes", "changes")
    ),
    *(
        Case(
            f"model_{what}_{count}",
            "ms",
            {"rish": f"_churn_scene3d:{what}_{count}"},
            limit=limit if count == 10_000 else None,
        )
        for count in (1000, 10_000, 100_000)
        for what, limit in _MODEL_LIMITS.items()
    ),
    Case("still_100000", "ms", {"rish": "_churn_rish:still"}),
    Case("changed_row", "µs", {"rish": "_churn_rish:changed_row"}, limit=20),
    Case("no_changed_row", "µs", {"rish": "_churn_rish:no_changed_row"}, limit=0.3),
    Case("derived_still", "µs", {"rish": "_churn_rish:derived_still"}),
    Case("box_changes_10000", "ms", {"rish": "_churn_shapes:box_changes"}),
    *(
        Case(f"{what}_{game}", "ms", {"rish": f"_churn_games:{what}_{game}"})
        for game in ("orchard", "breakout")
        for what in ("tick", "frame")
    ),
    *(Case(name, "ms", {"rish": f"_churn_ui:{name}"}, limit=limit) for name, limit in _UI.items()),
    *(_single(f"despawn_{count}", 30, 80) for count in (100, 10_000, 100_000, 1_000_000)),
    _single("spawn_3", 20, 40),
    _single("view_read", 1.5, 150),
    _single("view_write", 1.5, 200),
    Case("chain_10000", "ms", {"rish": "_churn_single:chain_10000"}, limit=15),
    Case("restored_frame", "times", {"rish": "_churn_rish:restored_frame"}, limit=1.3),
]
