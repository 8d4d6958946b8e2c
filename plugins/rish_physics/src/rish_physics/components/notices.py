"""Saying what is wrong: once, to the log, with the name of the entity and the line of the scene that made it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from rish_core import Name, Origin, World, resource
from rish_ecs.storage import describe

_log = logging.getLogger("rish.physics")
_NAMED = 5
"""Bodies that are named when many are set aside at once."""


@resource(derived=True)
class Notices:
    """What was logged already, so that it is not logged sixty times a second."""

    def __post_init__(self) -> None:
        """Nothing was logged so far. While it is muted, as in the warm-up, nothing is."""
        self.keys: set[str] = set()
        self.muted = False

    def rebuild(self, world: World) -> None:
        """What was logged stays logged."""


def notify(world: World, key: str, sentence: str, entity: int = 0) -> None:
    """Warn of something, once for each key; names the entity where there is one."""
    said: Notices | None = world.resources.get(Notices)
    if said is not None:
        if said.muted or key in said.keys:
            return
        said.keys.add(key)
    _log.warning("%s%s", f"{name_of(world, entity)}: " if entity else "", sentence)


def tell_set_aside(world: World, handles: Sequence[int], reach: float) -> None:
    """Say whose bodies were set aside, of many the first ones. reach: units from the origin that are supported."""
    for handle in handles[:_NAMED]:
        notify(
            world,
            f"far {handle}",
            f"its body is set aside: its position is no number or more than {reach:g} units from the origin."
            " It takes part again once it is put elsewhere",
            handle,
        )
    if len(handles) > _NAMED:
        notify(world, f"far {handles[_NAMED]}", f"and so are the bodies of {len(handles) - _NAMED} others")


def warn_of_overflow(world: World, handles: Sequence[int]) -> None:
    """Report bodies whose numbers overflowed in the solver."""
    for handle in handles[:_NAMED]:
        notify(
            world,
            f"overflow {handle}",
            "its body was stopped for a tick: the forces on it are too great for its mass. Look at its joints: weaker"
            " motors, a heavier body, or anchors nearer to it",
            handle,
        )


def tell_slowed(world: World, maximum: float) -> None:
    """Say, once, that something was slowed down. maximum: units/s."""
    notify(
        world,
        "slowed",
        f"what would move faster than {maximum:g} units/s, or turn by more than an eighth of a turn in a sub-step, is"
        " slowed down. `max_speed` under settings: physics: is the first of these, in m/s",
    )


def name_of(world: World, entity: int) -> str:
    """An entity as a person finds it: its name, its scene and entry, and its handle."""
    parts: list[str] = [f"entity {describe(entity)}"]
    name = _value(world, Name, "value", entity)
    if name:
        parts.insert(0, repr(name))
    scene = _value(world, Origin, "scene", entity)
    if scene:
        parts.append(f"of {scene}[{_value(world, Origin, 'entry', entity)}]")
    return " ".join(parts)


def _value(world: World, cls: type, field: str, entity: int) -> Any:
    """A field of a component that the entity may have, else an empty text."""
    table = world.tables.get(cls)
    row = table.row_of(entity) if table is not None else -1
    return table.read_row(field, row) if table is not None and row >= 0 else ""
