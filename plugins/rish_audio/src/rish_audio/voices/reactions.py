"""Sounds at events, described in the manifest, without Python code:

    settings:
      audio:
        on:
          physics.Hit: {play: hit.wav, at: point, gain: impulse / 50, if: impulse > 5}

Each event of that name plays the sound. `at` is a field with a place, a pair of fields `[x, y]`, or an entity, which
the sound follows. `gain`, `pitch` and `if` are expressions over the fields of the event. An event may have a list of
reactions, and at most `MOST` events of a kind are heard in a tick.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import RishError, resource
from rish_ecs import kind_of
from rish_expressions import Bound, Expression

from ..components.commands import SoundCommand
from ..components.settings import AudioSettings
from .playing import play

if TYPE_CHECKING:
    from rish_core import World

_log = logging.getLogger("rish.plugins.audio")
MOST = 8
"""The most events of a kind that one reaction plays in a tick."""
EXPRESSIONS = ("gain", "pitch", "if")
NUMBERS = ("pan", "priority", "fade", "delay")
KEYS = ("play", "at", "gain", "pitch", "pan", "if", "bus", "tag", "priority", "fade", "delay")


@dataclass
class Reaction:
    """A reaction that is bound to the World. sound: of the event `cls`. places: the fields of `at`."""

    cls: type
    sound: str
    places: tuple[str, ...]
    follows: bool
    given: dict[str, Any]
    bound: dict[str, Bound]


@resource(derived=True)
class Reactions:
    """The reactions of the settings, bound to the World; they are made from the manifest, so they are no state."""

    reactions: list[Reaction] = dataclass_field(default_factory=list[Reaction])
    source: Any = None
    warned: set[str] = dataclass_field(default_factory=set[str])


def several(reactions: Any) -> list[Any]:
    """Return the reactions to one event."""
    return reactions if isinstance(reactions, list) else [reactions]


def react(world: World) -> None:
    """Write the commands for the events of this tick."""
    held, on = world[Reactions], world[AudioSettings].on
    if held.source is not on:
        held.source, held.reactions = on, [*_bind_all(world, on)]
    batches: dict[type, Any] = {}
    for reaction in held.reactions:
        batch = batches.get(reaction.cls)
        if batch is None:
            batch = batches[reaction.cls] = world.events(reaction.cls)
        if len(batch):
            _react(world, held, reaction, batch)


def _bind_all(world: World, on: Mapping[str, Any]) -> Iterator[Reaction]:
    for name, given in on.items():
        cls = world.kind(name)
        if cls is not None and cls is not SoundCommand and cls in world.queues:
            for reaction in several(given):
                yield bind(world, cls, reaction)


def bind(world: World, cls: type, given: Mapping[str, Any]) -> Reaction:
    """Return a reaction to an event. Raises ExpressionError for a wrong expression."""
    fields = kind_of(cls).fields
    at = given.get("at", ())
    places = (at,) if isinstance(at, str) else tuple(at)
    follows = len(places) == 1 and fields[places[0]].type.special == "entity"
    bound = {
        key: Expression.parse(str(given[key])).bind(world, [*fields], state=False)
        for key in EXPRESSIONS
        if key in given
    }
    rest = {key: given[key] for key in KEYS if key in given and key not in ("play", "at", *EXPRESSIONS)}
    return Reaction(cls, str(given["play"]), places, follows, rest, bound)


def _react(world: World, held: Reactions, reaction: Reaction, batch: Any) -> None:
    played = 0
    for row in batch:
        if played >= MOST:
            return
        values = vars(row)
        try:
            if "if" in reaction.bound and not reaction.bound["if"](values):
                continue
            numbers = {key: float(reaction.bound[key](values)) for key in ("gain", "pitch") if key in reaction.bound}
            _play(world, reaction, values, numbers)
            played += 1
        except RishError as error:
            key = f"{kind_of(reaction.cls).key} {reaction.sound}"
            if key not in held.warned:
                held.warned.add(key)
                _log.warning("settings.audio.on.%s: play %s: %s", kind_of(reaction.cls).key, reaction.sound, error)
            return


def _play(world: World, reaction: Reaction, values: Mapping[str, Any], numbers: dict[str, float]) -> None:
    numbers = {"gain": min(max(numbers.get("gain", 1.0), 0.0), 4.0), "pitch": min(max(numbers.get("pitch", 1), 0.1), 8)}
    given = {**reaction.given, **numbers}
    if not reaction.places:
        play(world, reaction.sound, **given)
    elif reaction.follows:
        play(world, reaction.sound, source=int(values[reaction.places[0]]), **given)
    elif len(reaction.places) == 1:
        play(world, reaction.sound, tuple(np.asarray(values[reaction.places[0]], float).tolist()), **given)
    else:
        play(world, reaction.sound, tuple(float(values[name]) for name in reaction.places), **given)
