"""Time: the clock, single steps, the seed, snapshots in named slots."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rish_ecs.random import RandomStreams

from ..api.errors import ApiError
from ..api.route import Later

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game

_SLOT = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_MAX_SLOTS = 16


def clock(game: Game, call: Call) -> Any:
    """Return the clock."""
    time = game.clock
    passed = {"tick": game.world.tick, "time": game.world.time, "dt": game.world.dt, "frame": time.frame}
    return {**passed, "paused": time.paused, "speed": time.time_scale, "dropped": time.dropped}


def set_clock(game: Game, call: Call) -> Any:
    """Pause or resume, and set the speed as a factor of real time."""
    if call.args["paused"] is not None:
        game.clock.pause(call.args["paused"])
        game.goal = None
    if call.args["speed"] is not None:
        game.clock.time_scale = float(call.args["speed"])
    return clock(game, call)


def step(game: Game, call: Call) -> Any:
    """Pause, run ticks, and answer when they have run."""
    if not game.clock.paused:
        game.clock.pause()
        game.goal = None
    count = call.args["ticks"]
    goal = game.goal = max(game.goal or 0, game.world.tick) + count
    game.clock.request_steps(count)
    return Later(lambda: game.goal is None or game.world.tick >= goal, lambda: clock(game, call))


def seed(game: Game, call: Call) -> Any:
    """Begin all random streams anew with a seed."""
    game.world.put(RandomStreams(seed=call.args["seed"]))
    return {"seed": game.world.seed, "tick": game.world.tick}


def slots(game: Game, call: Call) -> Any:
    """Return the slots with their ticks."""
    return {"slots": {name: _about(snapshot) for name, snapshot in game.slots.items()}}


def _about(snapshot: Any) -> dict[str, Any]:
    return {"tick": snapshot.tick}


def save_slot(game: Game, call: Call) -> Any:
    """Keep a snapshot of all state in a slot, in memory, until the game ends."""
    name = call.path["slot"]
    if not _SLOT.fullmatch(name):
        raise ApiError(400, f"a slot has 1 to 64 letters, digits, - and _, not {name[:80]!r}")
    if name not in game.slots and len(game.slots) >= _MAX_SLOTS:
        raise ApiError(409, f"there are {_MAX_SLOTS} snapshots already: delete one, or use its slot again")
    game.slots[name] = game.world.snapshot()
    return slots(game, call)


def restore_slot(game: Game, call: Call) -> Any:
    """Restore the snapshot of a slot."""
    game.world.restore(_slot(game, call))
    game.goal = None
    game.note(f"restored the snapshot {call.path['slot']}")
    return clock(game, call)


def delete_slot(game: Game, call: Call) -> Any:
    """Forget the snapshot of a slot."""
    _slot(game, call)
    del game.slots[call.path["slot"]]
    return slots(game, call)


def _slot(game: Game, call: Call) -> Any:
    snapshot = game.slots.get(call.path["slot"])
    if snapshot is None:
        names = ", ".join(game.slots) or "none"
        raise ApiError(404, f"no snapshot is in the slot {call.path['slot']!r}. Slots: {names}")
    return snapshot
