"""Events, scenes and input: what happens in a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Input, InputRecord, Prefabs, Scenes, UnknownName, WindowEvent
from rish_core.loop import KEY_NAMES

from ..api.errors import ApiError, Problems
from ..api.values import read_fields
from .info import describe_kind

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game

_MAX_KEYS = 64


def recent_events(game: Game, call: Call) -> Any:
    """Return the events since a number. Events are kept from the first request on, until ten seconds without one."""
    registry, events = game.app.registry, game.events
    types = {registry.event(name).key for name in call.args["types"]}
    was_listening = events.listening
    events.listen()
    listed = events.since(call.args["after"], types, call.args["limit"])
    return {"listening": was_listening, "next": events.count, "dropped": events.dropped, "events": listed}


def event_types(game: Game, call: Call) -> Any:
    """Return the types of events with their fields."""
    return {"types": {key: describe_kind(kind) for key, kind in game.app.registry.events.items()}}


def emit(game: Game, call: Call) -> Any:
    """Emit an event; systems read it in the coming tick."""
    kind, problems = game.app.registry.event(call.args["type"]), Problems()
    values = read_fields(game.world, kind, call.args["values"] or {}, "values", problems)
    problems.refuse()
    game.world.emit(kind.cls, **values)
    return {"type": kind.key, "tick": game.world.tick}


def scenes(game: Game, call: Call) -> Any:
    """Return the current scene, all scenes and all prefabs."""
    scenes = game.world[Scenes]
    state = {"current": scenes.current, "requested": scenes.requested or None, "scenes": list(scenes.names)}
    return {**state, "prefabs": game.world[Prefabs].names}


def go_to_scene(game: Game, call: Call) -> Any:
    """Request a scene; it begins before the next tick."""
    game.world[Scenes].go(call.args["scene"])
    game.note(f"scene {call.args['scene']}")
    return scenes(game, call)


def input_state(game: Game, call: Call) -> Any:
    """Return the actions with their keys, the keys that are down, and the pointer."""
    keys: Input = game.world[Input]
    down = [name for name in KEY_NAMES if keys.down(name)]
    return {"actions": keys.actions, "down": down, "pointer": list(keys.pointer), "waiting": game.inputs.waiting}


def send_input(game: Game, call: Call) -> Any:
    """Add events to the input of the coming ticks, as if a person had made them."""
    args = call.args
    try:
        raw = list(InputRecord.from_plain(args["events"] or []).events)
        keys = [_key(game, name) for name in args["hold"]]
    except UnknownName as error:
        raise ApiError(400, f"hold: {error}") from None
    if len(keys) > _MAX_KEYS:
        raise ApiError(400, f"hold: at most {_MAX_KEYS} keys at once")
    x, y = args["pointer"] or game.world[Input].pointer
    begin = [WindowEvent("mouse_move", x=float(x), y=float(y))] if args["pointer"] else []
    begin += [_pressed(key, True, x, y) for key in keys]
    if args["scroll"]:
        begin.append(WindowEvent("scroll", x=float(args["scroll"][0]), y=float(args["scroll"][1])))
    if args["text"]:
        begin.append(WindowEvent("text", text=args["text"]))
    game.inputs.add([*begin, *raw])
    game.inputs.add([_pressed(key, False, x, y) for key in keys], args["ticks"])
    return {"tick": game.world.tick, "waiting": game.inputs.waiting}


def _key(game: Game, name: str) -> str:
    """Return a key for the name of a key or of an action. Raises UnknownName, as the game's input does."""
    held: Input = game.world[Input]
    held.down(name)
    keys = held.actions.get(name, [name])
    if not keys:
        raise UnknownName(f"the action {name!r} has no key")
    return keys[0]


def _pressed(key: str, down: bool, x: float, y: float) -> WindowEvent:
    """Return the event of a key or button that goes down or up. Buttons of the mouse have a place."""
    device = key.partition(".")[0]
    if device == "mouse":
        return WindowEvent("mouse_button", key, down, x=float(x), y=float(y))
    return WindowEvent("gamepad_button" if device == "gamepad" else "key", key, down)
