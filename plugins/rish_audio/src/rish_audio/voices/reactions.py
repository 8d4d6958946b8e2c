"""Sounds, music and mixes at events and at the start of scenes, described in the manifest, without Python code:

    settings:
      audio:
        on:
          scene title: {music: calm}
          physics.Hit: {play: hit.wav, at: point, gain: impulse / 50, if: impulse > 5}
          game.Paused: {mix: muffled, if: on}

A reaction does one thing: `play` a sound, change the `music` or the `mix`, or `stop` a sound. `scene` is the start of
any scene, `scene NAME` of one. `at` is a field with a place, a pair of fields `[x, y]`, or an entity, which the sound
follows. `gain`, `pitch` and `if` are expressions over the fields of the event and the state of the game. A key may have
a list of reactions, and each reaction handles at most `MAX_EVENTS` events in a tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_assets import LogOnce
from rish_core import Failures, RishError, resource
from rish_ecs import kind_of

from ..components.commands import SoundCommand
from ..components.settings import AudioSettings
from ..components.tables import AudioState
from .playing import play, play_music, set_mix, stop, stop_music

if TYPE_CHECKING:
    from rish_core import World
    from rish_expressions import Bound

MAX_EVENTS = 8
"""The greatest number of events that one reaction handles in a tick."""
EXPRESSIONS = ("gain", "pitch", "if")
NUMBERS = ("pan", "priority", "fade", "delay")
KEYS: dict[str, tuple[str, ...]] = {
    "play": ("at", "gain", "pitch", "pan", "if", "bus", "tag", "priority", "fade", "delay"),
    "music": ("gain", "if", "fade"),
    "mix": ("if", "fade"),
    "stop": ("if", "tag", "fade"),
}
"""The actions of a reaction, and for each the keys that may be given with it."""
SCENE = "scene"


@dataclass
class Reaction:
    """A reaction that is bound to the World.

    key: in the settings. cls: the event; None for the start of a scene. scene: its name; "": any. does: one of `KEYS`.
    name: of the sound or mix. places: the fields of `at`.
    """

    key: str
    cls: type | None
    scene: str
    does: str
    name: str
    places: tuple[str, ...]
    follows: bool
    given: dict[str, Any]
    bound: dict[str, Bound]


@resource(derived=True)
class Reactions:
    """The reactions of the settings, bound to the World. They are derived from the manifest, so they are not state.

    events: the classes of events that have reactions.
    """

    reactions: list[Reaction] = dataclass_field(default_factory=list[Reaction])
    events: tuple[type, ...] = ()
    source: Any = None
    log: LogOnce = dataclass_field(default_factory=lambda: LogOnce("rish.plugins.audio"))


def several(reactions: Any) -> list[Any]:
    """Return the reactions to one event as a list; the settings may hold a single one."""
    return reactions if isinstance(reactions, list) else [reactions]


def scene_of(key: str) -> str | None:
    """Return the scene of a key `scene NAME`, "" of `scene`; None for other keys, which are events."""
    word, _, scene = key.partition(" ")
    return scene.strip() if word == SCENE else None


def react(world: World) -> None:
    """Write the commands for the events of this tick, and for the scene that begins with it."""
    memory, on = world[Reactions], world[AudioSettings].on
    if memory.source is not on:
        memory.source, memory.reactions = on, [*_bind_all(world, on)]
        memory.events = tuple(dict.fromkeys(each.cls for each in memory.reactions if each.cls is not None))
    state = world[AudioState]
    batches = {cls: batch for cls in memory.events if len(batch := world.events(cls))}
    if not batches and not state.began:
        return
    for reaction in memory.reactions:
        if reaction.cls is None:
            if state.began and reaction.scene in ("", state.began):
                _react(world, memory, reaction, ({},))
        elif reaction.cls in batches:
            _react(world, memory, reaction, map(vars, batches[reaction.cls]))
    state.began = ""


def _bind_all(world: World, on: Mapping[str, Any]) -> Iterator[Reaction]:
    for key, reactions in on.items():
        scene = scene_of(key)
        cls = world.kind(key) if scene is None else None
        if scene is not None or (cls is not None and cls is not SoundCommand and cls in world.queues):
            for reaction in several(reactions):
                yield bind(world, key, cls, reaction)


def bind(world: World, key: str, cls: type | None, rule: Mapping[str, Any]) -> Reaction:
    """Return a reaction to an event, or to a scene if `cls` is None. Raises ExpressionError for a wrong expression."""
    from rish_expressions import Expression  # not at the start of games without reactions

    fields = kind_of(cls).fields if cls is not None else {}
    at = rule.get("at", ())
    places = (at,) if isinstance(at, str) else tuple(at)
    follows = len(places) == 1 and fields[places[0]].type.special == "entity"
    bound = {
        name: Expression.parse(str(rule[name])).bind(world, [*fields], state=False)
        for name in EXPRESSIONS
        if name in rule
    }
    does = next(name for name in KEYS if name in rule)
    parameters = {name: rule[name] for name in KEYS[does] if name in rule and name not in ("at", *EXPRESSIONS)}
    return Reaction(key, cls, scene_of(key) or "", does, str(rule[does]), places, follows, parameters, bound)


def _react(world: World, state: Reactions, reaction: Reaction, rows: Iterable[Mapping[str, Any]]) -> None:
    count = 0
    for values in rows:
        if count >= MAX_EVENTS:
            return
        try:
            if "if" in reaction.bound and not reaction.bound["if"](values):
                continue
            numbers = {key: float(reaction.bound[key](values)) for key in ("gain", "pitch") if key in reaction.bound}
            _do(world, reaction, values, numbers)
            count += 1
        except RishError as error:
            where = f"settings.audio.on.{reaction.key}: {reaction.does} {reaction.name}"
            if state.log(f"{where}: {error}", key=where):
                world[Failures].note(where, "")
            return


def _do(world: World, reaction: Reaction, values: Mapping[str, Any], numbers: dict[str, float]) -> None:
    parameters: dict[str, Any] = {**reaction.given}
    if "gain" in numbers:
        parameters["gain"] = min(max(numbers["gain"], 0.0), 4.0)
    match reaction.does:
        case "play":
            pitch = min(max(numbers.get("pitch", 1.0), 0.1), 8.0)
            play(
                world,
                reaction.name,
                _place(reaction, values),
                source=_source(reaction, values),
                pitch=pitch,
                **parameters,
            )
        case "music":
            if reaction.name:
                play_music(world, reaction.name, **parameters)
            else:
                stop_music(world, parameters.get("fade", 1.0))
        case "mix":
            set_mix(world, reaction.name, **parameters)
        case _:
            stop(world, sound=reaction.name, **parameters)


def _source(reaction: Reaction, values: Mapping[str, Any]) -> int:
    return int(values[reaction.places[0]]) if reaction.follows else 0


def _place(reaction: Reaction, values: Mapping[str, Any]) -> tuple[float, ...] | None:
    if reaction.follows or not reaction.places:
        return None
    if len(reaction.places) == 1:
        return tuple(np.asarray(values[reaction.places[0]], float).tolist())
    return tuple(float(values[name]) for name in reaction.places)
