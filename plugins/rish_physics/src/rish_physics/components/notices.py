"""Logs each problem once, with the name of the entity and the scene entry that created it."""

from __future__ import annotations

from collections.abc import Sequence

from rish_assets import LogOnce, name_of
from rish_core import World, resource

_LOG = "rish.physics"
_MAX_NAMED = 5
"""The greatest number of bodies that one message names."""


@resource(derived=True)
class Notices(LogOnce):
    """Logs each message once, so that none is logged again in every tick, also after a restore.

    While `muted` is True, as in the warm-up, nothing is logged.
    """

    def __init__(self) -> None:
        super().__init__(_LOG)


def notify(world: World, key: str, sentence: str, entity: int = 0) -> None:
    """Log a warning, once for each key; it names the entity if one is given."""
    log = world.resources.get(Notices) or LogOnce(_LOG)
    if not log.muted and key not in log:
        log(f"{name_of(world, entity)}: {sentence}" if entity else sentence, key=key)


def warn_of_set_aside(world: World, handles: Sequence[int], reach: float) -> None:
    """Log which bodies were quarantined because they are too far from the origin. reach: the supported distance,
    units. The message names at most `_MAX_NAMED` bodies.
    """
    for handle in handles[:_MAX_NAMED]:
        notify(
            world,
            f"far {handle}",
            "its body was removed from the simulation: its position is not finite, or more than"
            f" {reach:g} units from the origin. It is simulated again after its position is set",
            handle,
        )
    if len(handles) > _MAX_NAMED:
        notify(
            world,
            f"far {handles[_MAX_NAMED]}",
            f"{len(handles) - _MAX_NAMED} more bodies were removed for the same reason",
        )


def warn_of_overflow(world: World, handles: Sequence[int]) -> None:
    """Report bodies whose numbers overflowed in the solver."""
    for handle in handles[:_MAX_NAMED]:
        notify(
            world,
            f"overflow {handle}",
            "its body was stopped for one tick: the forces on it are too large for its mass. Check its joints: use"
            " weaker motors, a heavier body, or anchors nearer to it",
            handle,
        )


def warn_of_slowed(world: World, maximum: float) -> None:
    """Log once that a body was slowed down. maximum: units/s."""
    notify(
        world,
        "slowed",
        f"a body was slowed down: the limits are {maximum:g} units/s and an eighth of a turn per sub-step."
        " Set `max_speed` under settings: physics: to change the first limit, in m/s",
    )
