"""Churn: what one small change costs beside everything that stays.

The values of sprites are the processor time of a frame in which one of N sprites comes, goes or changes its color,
without drawing, less that of a still frame; both are measured in turns, medians. In `sprites_100_of_each_10000` a
hundred come, a hundred go and a hundred change, by calls for many. `sprite_frame_N` is the whole frame in which one
comes: pygame's groups have no still frame that costs less. arcade is a SpriteList, drawn without the driver's work.

The cases of models are as those of sprites, in space; models also move, and what changes is a material. `body_comes_N`
and `body_goes_N` are ticks beside N boxes that sleep, less a still tick; pymunk adds to its space, and pyb2d3 creates.
`body_tick_N` is the whole tick in which one comes.
`spawn_in_breakout` is one sprite more in breakout, beside 50,000 that stand still.

`despawn_N`, `spawn_3`, `view_read` and `view_write` are single changes of entities, beside esper, whose components are
plain objects; `chain_10000` is the first frame of a chain of as many parents. Of so many labels, which are widgets, or
texts in the world, one gets other words, or all; a widget comes or goes beside so many. `sound_started_1000` is a tick
in which so many sounds start, by the sound. `restored_frame` is the time of a frame of breakout after a restore of the
state 60 ticks before, divided by that of another frame. The cases of tables have 100,000 rows.
"""

from __future__ import annotations

from .harness import Case

_ARCADE, _ESPER, _SINGLE = "_churn_arcade", "_churn_esper", "_churn_single"
_COUNTS = (100, 1000, 10_000, 100_000)
_SPRITES = {10_000: 0.2, 100_000: 0.4}
"""The limits in ms by the number of sprites; so are those of models."""
_MODELS = {10_000: 0.3, 100_000: 0.3}
_BODY = 0.15
_UI = {
    "label_changes_1000": 0.06, "labels_change_1000": 60.0, "text_changes_1000": 3.0, "texts_change_1000": 200.0,
    "widget_comes_500": 6.0, "widget_goes_500": 6.0,
}  # fmt: skip


def _sprite(what: str, count: int) -> Case:
    engines = {"rish": f"_churn_rish:{what}_{count}", "arcade": f"{_ARCADE}:{what}_{count}"}
    limits = {"arcade": 5.0} if (what, count) == ("comes", 10_000) else {}
    return Case(f"sprite_{what}_{count}", "ms", engines, limits, _SPRITES.get(count))


def _whole(count: int) -> Case:
    parts = {"rish": "rish", "arcade": "arcade", "pygame": "pygame"}
    engines = {name: f"_churn_{part}:whole_{count}" for name, part in parts.items()}
    limits = {"arcade": 4.0, "pygame": 1.0} if count == 10_000 else {}
    return Case(f"sprite_frame_{count}", "ms", engines, limits)


def _model(what: str, count: int) -> Case:
    engines, is_full = {"rish": f"_churn_scene3d:{what}_{count}"}, count > 10_000 and what != "comes"
    return Case(f"model_{what}_{count}", "ms", engines, limit=_MODELS.get(count), full=is_full)


def _body(what: str, count: int) -> Case:
    parts = {"rish": "physics", "pymunk": "pymunk", "pyb2d3": "pyb2d3"}
    engines = {name: f"_churn_{part}:{what}_{count}" for name, part in parts.items()}
    if what == "tick":
        return Case(f"body_tick_{count}", "ms", engines, {"pymunk": 10.0, "pyb2d3": 20.0}, full=count != 10_000)
    is_full = count > 10_000 or (count < 10_000 and what == "goes")
    return Case(f"body_{what}_{count}", "ms", engines, limit=_BODY, full=is_full)


def _single(name: str, limit: float, times: float | None) -> Case:
    """Return a case with single entities. limit: in µs. times: the limit beside esper."""
    engines = {"rish": f"{_SINGLE}:{name}", "esper": f"{_ESPER}:{name}"}
    return Case(name, "µs", engines, {} if times is None else {"esper": times}, limit)


CASES = [
    *(_sprite(what, count) for count in (*_COUNTS, 1_000_000) for what in ("comes", "goes", "changes")),
    Case(
        "sprites_100_of_each_10000",
        "ms",
        {"rish": "_churn_rish:many_10000", "arcade": f"{_ARCADE}:many_10000"},
        {"arcade": 1.0},
        limit=1.0,
    ),
    *(_whole(count) for count in (100, 10_000, 100_000)),
    *(_model(what, count) for count in _COUNTS for what in ("comes", "goes", "moves", "changes")),
    _model("comes", 1_000_000),
    *(_body(what, count) for count in _COUNTS for what in ("comes", "goes", "tick")),
    Case("spawn_in_breakout", "ms", {"rish": "_churn_games:spawn_breakout"}, limit=0.4),
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
    Case("labels_change_3000", "ms", {"rish": "_churn_ui:labels_change_3000"}, limit=180, full=True),
    *(_single(f"despawn_{count}", 30, 80) for count in _COUNTS),
    _single("despawn_1000000", 30, None),
    _single("spawn_3", 20, 40),
    _single("view_read", 1.5, 150),
    _single("view_write", 1.5, 200),
    Case("chain_10000", "ms", {"rish": f"{_SINGLE}:chain_10000"}, limit=15),
    Case("sound_started_1000", "µs", {"rish": "_audio_rish:sound_started_1000"}, limit=20),
    Case("restored_frame", "times", {"rish": "_churn_rish:restored_frame"}, limit=1.3),
]
