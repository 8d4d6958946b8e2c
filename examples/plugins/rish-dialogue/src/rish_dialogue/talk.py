"""Holds a dialogue: starts it, shows its lines, takes the player's choice, and ends it.

These functions change hashed state, so they are called in a tick, or between two ticks.
"""

from __future__ import annotations

from rish_core import UsageError, World
from rish_expressions import Variables, add_values

from .reading import STREAM
from .script import END, Assignment, Choices, Dialogue, Effects, Goto, Line, Option, Random, Step
from .state import ChoiceMade, DialogueEnded, Dialogues, DialogueSettings, DialogueStarted, DialogueState, LineShown

MAX_STEPS = 1000
"""The greatest number of consecutive steps without a line or choice."""


def talking(world: World) -> bool:
    """Return whether a dialogue is held."""
    return bool(world[DialogueState].phase)


def start(world: World, dialogue: str, node: str | None = None) -> None:
    """Begin a dialogue at a node, or at its first one; a dialogue that is held ends.

    Raises UnknownName for a dialogue or node that does not exist.
    """
    script = world[Dialogues][dialogue]
    if node is not None and node not in script.nodes:
        raise UsageError(f"the dialogue '{dialogue}' has no node {node!r}", given=node, choices=script.nodes)
    stop(world)
    state = world[DialogueState]
    state.dialogue, state.node, state.step, state.phase = dialogue, node or script.entries[0], 0, "line"
    state.visits.setdefault(dialogue, 0)
    world.emit(DialogueStarted, dialogue=dialogue)
    _go_on(world, script)
    state.visits[dialogue] += 1


def stop(world: World) -> None:
    """End the dialogue that is held, if there is one."""
    state = world[DialogueState]
    if state.phase:
        name = state.dialogue
        state.dialogue = state.node = state.phase = state.speaker = state.portrait = state.text = ""
        state.step, state.options, state.keys = 0, [], []
        state.tick = world.tick
        world.emit(DialogueEnded, dialogue=name)


def advance(world: World) -> None:
    """Show what follows the line; do nothing while the player has to choose."""
    state = world[DialogueState]
    if state.phase == "line":
        _go_on(world, world[Dialogues].by_name.get(state.dialogue))


def _offer_next(world: World) -> None:
    """Offer the choices that follow a line together with it."""
    state = world[DialogueState]
    dialogue = world[Dialogues].by_name.get(state.dialogue)
    node, first = state.node, state.step
    for _ in range(MAX_STEPS):
        steps = dialogue.nodes.get(node, ()) if dialogue else ()
        index = next((k for k in range(first, len(steps)) if _fits(world, steps[k])), None)
        following = steps[index] if index is not None else None
        if isinstance(following, Goto) and not following.once:
            node, first = following.node, 0
            continue
        if isinstance(following, Choices) and index is not None and _offered(world, following):
            state.node, state.step = node, index + 1
            _offer(world, following)
        return


def choose(world: World, choice: int) -> None:
    """Take one of the choices in `DialogueState.options`, by its index. Raises UsageError if there is none."""
    state = world[DialogueState]
    if state.phase != "choice" or not 0 <= choice < len(state.options):
        have = f"there are {len(state.options)} choices" if state.phase == "choice" else "nothing is to be chosen now"
        raise UsageError(f"choose: {choice} is no choice: {have}", hint="Choices count from 0")
    dialogue = world[Dialogues].by_name.get(state.dialogue)
    option = _option_of(dialogue, state.node, state.keys[choice])
    text, number = state.options[choice], int(state.keys[choice].rpartition("/")[2])
    world.emit(ChoiceMade, dialogue=state.dialogue, node=state.node, choice=number, text=text)
    state.options, state.keys = [], []
    if option is not None:
        _remember(state, option)
        _apply(world, option.effects)
        if option.goto is not None:
            state.node, state.step = option.goto, 0
    _go_on(world, dialogue)


def _option_of(dialogue: Dialogue | None, node: str, key: str) -> Option | None:
    steps = dialogue.nodes.get(node, ()) if dialogue else ()
    options = (option for step in steps if isinstance(step, Choices) for option in step.options)
    return next((option for option in options if option.key == key), None)


def _go_on(world: World, dialogue: Dialogue | None) -> None:
    """Do the steps up to the next line or choice, or to the end. An edit may have removed the dialogue or the node."""
    state = world[DialogueState]
    for _ in range(MAX_STEPS):
        steps = dialogue.nodes.get(state.node) if dialogue is not None else None
        if steps is None or state.step >= len(steps):
            return stop(world)
        step = steps[state.step]
        state.step += 1
        if _fits(world, step) and _do(world, step):
            return None
    where, node = f"{state.dialogue}: nodes.{state.node}", state.node
    stop(world)
    raise UsageError(f"{where}: {MAX_STEPS} steps without a line", hint=f"Let a condition leave the circle of {node!r}")


def _do(world: World, step: Step) -> bool:
    """Do a step; return True if the player has to read or choose now."""
    state = world[DialogueState]
    if isinstance(step, Choices):
        if not _offered(world, step):
            return False
        _offer(world, step)
        return True
    _remember(state, step)
    if isinstance(step, Line):
        _show(world, step)
        return True
    if isinstance(step, Random):
        lines = [line for line in step.lines if _fits(world, line)]
        if lines:
            line = lines[world.random(STREAM).integers(0, len(lines))]
            _remember(state, line)
            _show(world, line)
        return bool(lines)
    if isinstance(step, Effects):
        _apply(world, step.changes)
    elif isinstance(step, Goto):
        state.node, state.step = step.node, 0
    return False


def _fits(world: World, step: Step) -> bool:
    """Return whether a step is done now: its condition holds, and it was not done before if it has `once`."""
    if step.once and step.key in world[DialogueState].seen:
        return False
    return step.condition is None or bool(step.condition(_given(world)))


def _given(world: World) -> dict[str, int]:
    state = world[DialogueState]
    return {"visits": state.visits.get(state.dialogue, 0)}


def _remember(state: DialogueState, step: Step) -> None:
    if step.once and step.key not in state.seen:
        state.seen.append(step.key)


def _show(world: World, line: Line) -> None:
    state = world[DialogueState]
    state.phase, state.text = "line", str(line.text(_given(world)))
    state.speaker = line.speaker.key if line.speaker is not None else ""
    state.portrait, state.tick, state.lines = line.portrait, world.tick, state.lines + 1
    state.speed = world[DialogueSettings].speed if line.speed is None else float(line.speed)
    world.emit(LineShown, dialogue=state.dialogue, node=state.node, speaker=state.speaker)
    _offer_next(world)


def _offered(world: World, step: Choices) -> list[Option]:
    return [option for option in step.options if _fits(world, option)]


def _offer(world: World, step: Choices) -> None:
    state, options = world[DialogueState], _offered(world, step)
    _remember(state, step)
    state.phase, state.tick = "choice", world.tick
    state.options = [str(option.text(_given(world))) for option in options]
    state.keys = [option.key for option in options]


def _apply(world: World, changes: tuple[Assignment, ...]) -> None:
    variables = world[Variables]
    for change in changes:
        value = change.value(_given(world))
        old = variables[change.variable]
        variables[change.variable] = add_values(old, value) if change.add else value


__all__ = ["END", "advance", "choose", "start", "stop", "talking"]
