"""The system that reveals lines and reads the keys of the player."""

from __future__ import annotations

from rish_core import Input, Stage, World, system
from rish_expressions import Variables

from .markup import visible_length
from .state import ChoiceMade, DialogueEnded, DialogueSettings, DialogueStarted, DialogueState, LineShown
from .talk import advance, choose, complete

_NUMBERS = tuple(f"KEY_{k}" for k in range(1, 10))
_EVENTS = (DialogueStarted, LineShown, ChoiceMade, DialogueEnded)


@system(
    Stage.UPDATE, reads=(Input, DialogueSettings), writes=(DialogueState, Variables, *_EVENTS), after="scripts.*",
    name="run",
)  # fmt: skip
def hold(world: World, dt: float) -> None:
    """Reveal the characters of the line, and let the player go on or choose."""
    state = world[DialogueState]
    length = visible_length(state.text)
    if state.phase == "line" and state.shown < length:
        state.shown = min(state.shown + state.speed * dt, float(length))
        if state.shown >= length:
            complete(world)
    if state.tick == world.tick:  # the key that began the line does not complete it
        return
    if state.phase == "choice":
        _select(world, state)
    elif state.phase and _any(world[Input], world[DialogueSettings].next):
        advance(world)


def _select(world: World, state: DialogueState) -> None:
    """Move the selection by the keys, or take a choice."""
    settings, keys = world[DialogueSettings], world[Input]
    moved = _any(keys, settings.down) - _any(keys, settings.up)
    state.selected = (state.selected + moved) % len(state.options)
    taken = [k for k, name in enumerate(_NUMBERS[: len(state.options)]) if keys.pressed(name)]
    if not taken and _any(keys, settings.next):
        taken = [state.selected]
    if taken:
        choose(world, taken[0])


def _any(keys: Input, names: list[str]) -> bool:
    return any(keys.pressed(name) for name in names)
