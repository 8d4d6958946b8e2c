"""The chain: the effects in order, with their values, and the changes of values over time.

The manifest gives the initial chain; code changes it while the game runs. All of it is view state: it is kept in
snapshots, but not in the hash. Values change with the time of frames, not of ticks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import resource
from rish_core.manifest import degrees_of
from rish_ecs import UnknownName, UsageError, parse_color
from rish_ecs.declarations import FieldSpec

from .effect import ENABLED, GAME, OVER, WORLD, Effect, Values
from .effect_library import EffectLibrary

if TYPE_CHECKING:
    from rish_core import World


@dataclass
class Link:
    """One effect of the chain.

    name: its name in the chain. effect: the effect's name. values: the values that were set. enabled: whether it is
    drawn. over: the layers that it changes, the world or the complete game.
    """

    name: str
    effect: str
    values: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    enabled: bool = dataclass_field(default=True, metadata={"was": ("on",)})
    over: str = WORLD


@dataclass
class Move:
    """A change of a parameter over time. link: the effect's name in the chain. begun, seconds: start and length."""

    link: str
    parameter: str
    start: tuple[float, ...]
    end: tuple[float, ...]
    begun: float
    seconds: float


@dataclass
class Crossing:
    """A running transition: its effect, the values, its start and its length.

    kept: whether the old image has been copied from the screen.
    """

    effect: str
    values: dict[str, Any]
    begun: float
    seconds: float
    kept: bool = False


@resource(view=True)
class Post:
    """The chain of effects. time: seconds of all frames so far."""

    links: list[Link] = dataclass_field(default_factory=list[Link])
    moves: list[Move] = dataclass_field(default_factory=list[Move])
    crossing: Crossing | None = None
    time: float = 0.0

    def link(self, name: str) -> Link:
        """Return the effect of a name in the chain. Raises UnknownName with the most similar name."""
        for link in self.links:
            if link.name == name:
                return link
        raise UnknownName(
            f"no effect of the chain is called '{name}'", given=name, choices=[link.name for link in self.links]
        )

    def advance(self, dt: float) -> None:
        """Advance the time by `dt` seconds, and with it the changes of values and the transition."""
        self.time += dt
        links = {link.name: link for link in self.links}
        for move in self.moves:
            if move.link not in links:
                continue
            share = 1.0 if move.seconds <= 0 else min(max((self.time - move.begun) / move.seconds, 0.0), 1.0)
            eased = share * share * (3 - 2 * share)
            parts = tuple(a + (b - a) * eased for a, b in zip(move.start, move.end, strict=True))
            links[move.link].values[move.parameter] = parts[0] if len(parts) == 1 else parts
        self.moves = [move for move in self.moves if self.time - move.begun < move.seconds]
        if self.crossing is not None and self.time - self.crossing.begun >= self.crossing.seconds:
            self.crossing = None


def set_post(world: World, chain: Sequence[Any]) -> None:
    """Replace the chain by another one in the form of a manifest: `["bloom", {"vignette": {"strength": 0.4}}]`.

    Angles are degrees, as in a manifest.

    The change is visible from the next frame on, and is not part of the hash. Raises UnknownName and UsageError
    without changing anything.
    """
    world[Post].links, world[Post].moves = links_of(world[EffectLibrary], chain), []


def set_effect(world: World, name: str, *, seconds: float = 0.0, **values: Any) -> None:
    """Set parameters of an effect in the chain; colors also by name, angles in radians.

    name: the name of the effect in the chain; the second effect of a kind is called `bloom.2`. seconds: the time in
    which numbers change to the new values; texts and booleans change immediately. `enabled=False` switches the effect
    off, `enabled=True` switches it on. Raises UnknownName and UsageError without changing anything.
    """
    post: Post = world[Post]
    link = post.link(name)
    effect = world[EffectLibrary].effect(link.effect)
    parameters = dict(values)
    enabled = parameters.pop(ENABLED, link.enabled)
    targets = checked(effect, parameters)
    if not isinstance(enabled, bool):
        raise UsageError(f"'enabled' is true or false, not {enabled!r}", where=f"the effect '{name}'")
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"seconds must be 0 or more, not {seconds!r}", where=f"the effect '{name}'")
    link.enabled = enabled
    post.moves = [move for move in post.moves if move.link != name or move.parameter not in targets]
    for parameter, value in targets.items():
        spec = effect.fields[parameter]
        if seconds > 0 and spec.type.special == "" and spec.type.dtype.kind == "f":
            start = link.values.get(parameter, plain(spec.default))
            post.moves.append(Move(name, parameter, _parts(start), _parts(value), post.time, float(seconds)))
        else:
            link.values[parameter] = value


def transition(world: World, scene: str = "", *, effect: str = "dissolve", seconds: float = 1.0, **values: Any) -> None:
    """Start a transition from the image that is on the screen to the next frames.

    scene: the scene to change to, "" for none. effect: a transition (`dissolve`, `crossfade`, `wipe`, `iris`, or a
    plugin's); values: its parameters. Raises UnknownName and UsageError.
    """
    from rish_core import Scenes

    values_of_crossing = _crossing_values(world[EffectLibrary], effect, seconds, values)
    if scene:
        world[Scenes].go(scene)
    post: Post = world[Post]
    post.crossing = Crossing(effect, values_of_crossing, post.time, float(seconds)) if seconds > 0 else None


def _crossing_values(library: EffectLibrary, effect: str, seconds: float, values: Mapping[str, Any]) -> Values:
    crossing = library.effect(effect)
    if not crossing.transition:
        raise UsageError(
            f"the effect '{effect}' is not a transition",
            hint=f"Transitions: {', '.join(name for name, e in library.effects.items() if e.transition)}",
        )
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"the seconds of a transition must be 0 or more, not {seconds!r}")
    return checked(crossing, values)


def links_of(library: EffectLibrary, chain: Sequence[Any]) -> list[Link]:
    """Return the links of a chain in the form of a manifest. Raises UnknownName and UsageError."""
    links: list[Link] = []
    for item in chain:
        name, values = parts_of(item)
        effect = library.effect(name)
        parameters = {key: _radians(effect, key, value) for key, value in values.items()}
        enabled, over = parameters.pop(ENABLED, True), parameters.pop(OVER, WORLD)
        if not isinstance(enabled, bool):
            raise UsageError(f"'enabled' is true or false, not {enabled!r}", where=f"the effect '{name}'")
        if over not in (WORLD, GAME):
            raise UsageError(f"'over' is {WORLD} or {GAME}, not {over!r}", where=f"the effect '{name}'")
        count = sum(link.effect == name for link in links)
        links.append(Link(f"{name}.{count + 1}" if count else name, name, checked(effect, parameters), enabled, over))
    return links


def parts_of(item: Any) -> tuple[str, Mapping[str, Any]]:
    """Return name and values of an item of a chain. Raises UsageError if it is not an effect."""
    if isinstance(item, str):
        return item, {}
    if isinstance(item, Mapping) and len(item) == 1:
        name, values = next(iter(item.items()))
        if isinstance(name, str) and (values is None or isinstance(values, Mapping)):
            return name, dict(values or {})
    such = "such as {bloom: {strength: 1}}"
    raise UsageError(f"an effect must be a name, or a name with its parameters, {such}, not {item!r}")


def _radians(effect: Effect, name: str, value: Any) -> Any:
    """Convert the value of an angle from degrees to radians; other values are returned unchanged."""
    spec = effect.fields.get(name)
    if spec is None or not spec.angle:
        return value
    degrees = degrees_of(value) if isinstance(value, str) else value
    return math.radians(degrees) if isinstance(degrees, (int, float)) else value


def checked(effect: Effect, values: Mapping[str, Any]) -> Values:
    """Check values and return them as Python numbers, tuples and texts. Raises UnknownName and UsageError."""
    where = f"the effect '{effect.name}'"
    checked_values: Values = {}
    for name, value in values.items():
        spec = effect.fields.get(name)
        if spec is None:
            raise UnknownName(
                f"it has no parameter '{name}'", where=where, given=name, choices=[*effect.fields, ENABLED, OVER]
            )
        try:
            checked_values[name] = plain(spec.check(_readable(spec, value)))
        except (ValueError, TypeError) as error:
            raise UsageError(f"{name}: {error}", where=where) from None
    return checked_values


def _readable(spec: FieldSpec, value: Any) -> Any:
    if spec.type.name == "Color":
        value = parse_color(value) if isinstance(value, str) else value
        return [*value, 1.0] if len(value) == 3 else value
    if spec.type.enum is not None and isinstance(value, str):
        return next((member for member in spec.type.enum if member.name.lower() == value.lower()), value)
    return value


def plain(value: Any) -> Any:
    """Convert a stored value to Python numbers, and tuples of numbers."""
    if isinstance(value, np.ndarray):
        return tuple(value.tolist())
    return value.item() if isinstance(value, np.generic) else value


def _parts(value: Any) -> tuple[float, ...]:
    return tuple(value) if isinstance(value, tuple) else (float(value),)
