"""Triggers: the keys of `on:`, which determine when rules run.

ContactBegin, physics.Hit    an event; its fields are names
scene, scene play            a scene, or this scene, began
pressed jump, released jump, down jump      of any player; pressed jump 2: of player 2
every 0.5                    each time so many seconds have passed; an expression
when score >= 10             a condition became true
tick                         each tick
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rish_core import UnknownName, UsageError, World
from rish_ecs.declarations import Kind
from rish_expressions import Bound, Expression, ExpressionError, ask_input, no_player, type_of

from .state import RulesState

if TYPE_CHECKING:
    from .context import Context

_INPUT = ("pressed", "released", "down")
_NOTHING: Mapping[str, Any] = {}
_FORMS = (
    "an event",
    "scene NAME",
    "pressed ACTION",
    "released ACTION",
    "down ACTION",
    "every SECONDS",
    "when CONDITION",
)


@dataclass(frozen=True)
class Trigger:
    """When rules run. key: as written. word: `event`, `scene`, `pressed`, `released`, `down`, `every`, `when`, `tick`.

    kind: of an event. name: of the scene or action. player: who has to do it, from 1; None: any. test: the condition,
    or the seconds. names: the names that rules may use, with their types. entities: the entity fields of an event.
    """

    key: str
    word: str
    kind: Kind | None = None
    name: str = ""
    player: int | None = None
    test: Bound | None = None
    names: dict[str, str] = field(default_factory=dict[str, str])
    entities: tuple[str, ...] = ()


def read_trigger(key: str, mark: Any, context: Context) -> Trigger | None:
    """Return the trigger of a key; for a wrong one, report a problem and return None."""
    word, _, rest = key.partition(" ")
    rest, path = rest.strip(), ("on", key)
    words = context.words
    if key == "tick":
        return Trigger(key, "tick")
    if word == "scene":
        return _with_known_name(Trigger(key, "scene", name=rest), words.scenes, "scene", mark, context)
    if word in _INPUT and rest:
        name, _, number = rest.partition(" ")
        player = int(number) if number.isdecimal() else None
        trigger = Trigger(key, word, name=rest if player is None else name, player=player)
        if player is not None and words.players is not None and not 1 <= player <= words.players:
            return context.report.add(mark, path, no_player(player, words.players))
        return _with_known_name(trigger, words.actions, "action of `input:`", mark, context)
    if word in ("every", "when") and rest:
        try:
            test = context.bound(Expression.parse(rest.removesuffix(" s") if word == "every" else rest), {})
        except ExpressionError as error:
            return context.report.add(mark, path, error.line)
        if word == "every" and test.type not in ("number", "any"):
            return context.report.add(mark, path, "needs a number of seconds, such as `every 0.5`")
        return Trigger(key, word, test=test)
    try:
        kind = words.registry.event(context.full_name(key, words.registry.events))
    except UsageError as error:
        return context.report.add(mark, path, str(error))
    except UnknownName as error:
        what = str(error) if " " not in key else f"{key!r} is no trigger. Triggers: {', '.join(_FORMS)}"
        return context.report.add(
            mark, path, words.registry.not_named("event", key) or what + context.optional.hint(key)
        )
    return _of_event(key, kind)


def _with_known_name(
    trigger: Trigger, names: Iterable[str] | None, what: str, mark: Any, context: Context
) -> Trigger | None:
    if trigger.name and names is not None and trigger.name not in names:
        error = UnknownName(f"no {what} is called {trigger.name!r}", given=trigger.name, choices=names)
        return context.report.add(mark, ("on", trigger.key), str(error))
    return trigger


def _of_event(key: str, kind: Kind) -> Trigger:
    names = {name: word for name, spec in kind.fields.items() if (word := type_of(spec)) != "rows"}
    entities = tuple(name for name, word in names.items() if word == "entity")
    for word in ("self", "other")[: len(entities)]:
        names[word] = "entity"
    return Trigger(key, "event", kind, names=names, entities=entities)


def fires(trigger: Trigger, world: World, state: RulesState, dt: float) -> bool:
    """Return whether a trigger fires in this tick, and advance the timers and conditions in `state`.

    Not for events. Raises ExpressionError.
    """
    match trigger.word:
        case "tick":
            return True
        case "scene":
            return bool(state.began) and trigger.name in ("", state.began)
        case "every":
            return _timer(trigger, state, dt)
        case "when":
            return _becomes_true(trigger, state)
        case word:
            return bool(ask_input(world, word, trigger.name, trigger.player))


def _timer(trigger: Trigger, state: RulesState, dt: float) -> bool:
    assert trigger.test is not None
    period = max(float(trigger.test.run(_NOTHING)), dt)
    elapsed = state.elapsed.get(trigger.key, 0.0) + dt
    due = elapsed + 0.5 * dt >= period  # at the nearest tick
    state.elapsed[trigger.key] = max(elapsed - period, -dt) if due else elapsed
    return due


def _becomes_true(trigger: Trigger, state: RulesState) -> bool:
    assert trigger.test is not None
    is_true, was_true = bool(trigger.test.run(_NOTHING)), trigger.key in state.true
    if is_true and not was_true:
        state.true = sorted([*state.true, trigger.key])
    elif was_true and not is_true:
        state.true.remove(trigger.key)
    return is_true and not was_true


def restart(state: RulesState) -> None:
    """Restart timers and conditions for a new scene."""
    state.elapsed.clear()
    state.true.clear()
