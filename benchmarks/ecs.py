"""The ECS: moving, spawning, querying again, snapshots, events, and the cost of a frame without its systems.

Rish runs with only a World of `rish_ecs`; `frame_*` are Apps with the kernel. The bare loops of numba are the lower
bound: the same arithmetic over plain arrays. esper keeps Python objects, as most Python games do.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case(
        "move_100k",
        "µs",
        {"rish": "_ecs_rish:move", "numba": "_ecs_bare:move", "esper": "_ecs_esper:move"},
        limits={"numba": 1.5, "esper": 0.01},
    ),
    Case(
        "gather_100k",
        "µs",
        {"rish": "_ecs_rish:gather", "numba": "_ecs_bare:gather"},
        limits={"numba": 1.5},
    ),
    Case("spawn_many_100k", "ms", {"rish": "_ecs_rish:spawn_many", "esper": "_ecs_esper:spawn_many"}, limit=10),
    Case("requery_100k", "ms", {"rish": "_ecs_rish:requery", "esper": "_ecs_esper:requery"}, limit=0.3),
    Case("requery_rows_100k", "ms", {"rish": "_ecs_rish:requery_rows"}, limit=0.3),
    Case("query_unchanged", "µs", {"rish": "_ecs_rish:query_unchanged"}, limit=2),
    Case("frame_overhead", "µs", {"rish": "_ecs_frame:frame_overhead"}, limit=20),
    Case("frame_empty", "µs", {"rish": "_ecs_frame:frame_empty"}),
    Case("frame_undrawn", "µs", {"rish": "_ecs_frame:frame_undrawn"}),
    Case("snapshot_100k", "ms", {"rish": "_ecs_rish:snapshot", "copy": "_ecs_bare:copy"}, limits={"copy": 2}),
    Case("restore_100k", "ms", {"rish": "_ecs_rish:restore", "copy": "_ecs_bare:copy"}),
    Case("hash_100k", "ms", {"rish": "_ecs_rish:hash_world", "blake2b": "_ecs_bare:hash_bytes"}),
    Case("despawn_10k", "ms", {"rish": "_ecs_rish:despawn_many", "esper": "_ecs_esper:despawn_many"}),
    Case("add_remove_10k", "ms", {"rish": "_ecs_rish:add_remove", "esper": "_ecs_esper:add_remove"}),
    Case("spawn_one", "µs", {"rish": "_ecs_rish:spawn_one", "esper": "_ecs_esper:spawn_one"}),
    Case("despawn_one", "µs", {"rish": "_ecs_rish:despawn_one", "esper": "_ecs_esper:despawn_one"}),
    Case("get_set_one", "µs", {"rish": "_ecs_rish:get_set_one", "esper": "_ecs_esper:get_set_one"}),
    Case(
        "hook_8_plugins", "µs", {"rish": "_ecs_hooks:isolated", "pluggy": "_ecs_hooks:pluggy"}, limits={"pluggy": 1.2}
    ),
    Case("events_1000", "µs", {"rish": "_ecs_rish:events", "esper": "_ecs_esper:events"}),
    Case("events_1000_single", "µs", {"rish": "_ecs_rish:events_single", "esper": "_ecs_esper:events"}),
]
