"""Random edits of the structure, and what stays equal about a tree."""

from __future__ import annotations

import contextlib
import random

import numpy as np

from rish_authoring import (
    add_component,
    delete,
    duplicate,
    group,
    mark_authored,
    move_after,
    move_before,
    move_into,
    remove_component,
    rename,
    reparent,
    tree_order,
    ungroup,
)  # fmt: skip
from rish_core import Name, Transform, UsageError, kind_of, spawn_prefab
from rish_physics import Body


def edit(rng: random.Random, app) -> None:
    """Do one random edit; those that are refused change nothing."""
    alive = tree_order(app).handles.tolist()
    some = rng.sample(alive, min(len(alive), rng.randint(1, 4)))
    one = rng.choice(alive) if alive else 0
    edits = [
        lambda: delete(app, some[:1]),
        lambda: duplicate(app, some),
        lambda: group(app, some, rng.choice(["pack", "one"])),
        lambda: ungroup(app, some[:1]),
        lambda: reparent(app, some, rng.choice([0, one])),
        lambda: move_before(app, some, one),
        lambda: move_after(app, some, one),
        lambda: move_into(app, some, rng.choice([0, one]), rng.randint(0, 5)),
        lambda: rename(app, one, f"name {rng.randrange(99)}"),
        lambda: add_component(app, some, Body),
        lambda: remove_component(app, some, Body),
        lambda: app.world.set(one, Transform(position=(rng.randint(0, 9), rng.uniform(0, 9)))),
        lambda: mark_authored(app.world, spawn_prefab(app.world, "big", at=(1, 2))),
    ]
    with contextlib.suppress(UsageError):
        rng.choice(edits)()


def shuffle(rng: random.Random, app) -> None:
    """Give all siblings a random order."""
    for parent in [0, *tree_order(app).handles.tolist()]:
        children = tree_order(app).children(parent).tolist()
        for child in rng.sample(children, len(children)) if len(children) > 1 else ():
            with contextlib.suppress(UsageError):
                move_into(app, [child], parent, rng.randrange(len(children)))


def shown(app, *, names=True) -> list[tuple[int, str]]:
    """Return the tree as a tool shows it: depth and values of each entity in order. names: include the names."""
    order, world = tree_order(app), app.world
    made = []
    for handle, depth in zip(order.handles.tolist(), order.depths.tolist(), strict=True):
        values = []
        for cls in world.components_of(handle):
            if cls is Name and not names:
                continue
            for name, spec in kind_of(cls).fields.items():
                table, row = world.locate(handle, cls)
                value = np.asarray(table.read_row(name, row)).tolist()
                if spec.hidden or spec.type.special == "entity" or spec.transient:
                    continue
                if value != np.asarray(spec.default).tolist():
                    values.append(f"{kind_of(cls).key}.{name}={value}")
        made.append((depth, ";".join(sorted(values))))
    return made
