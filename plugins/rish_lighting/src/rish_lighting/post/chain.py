"""The chain: which effects lie over the picture, in which order, with which values, and how these move.

The manifest says how it begins; code changes it while the game runs. All of it is view state: kept in snapshots, in no
hash. Values move by the time of the pictures, not of the ticks.
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

from .effect import ENABLED, GAME, OVER, WORLD, Effect, Values, present_key
from .library import EffectLibrary

if TYPE_CHECKING:
    from rish_core import World


@dataclass
class Link:
    """One effect of the chain: its name there, the effect's, the values that were set, whether it is seen, and what
    it lies over, the world or the whole game.
    """

    name: str
    effect: str
    values: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    enabled: bool = dataclass_field(default=True, metadata={"was": ("on",)})
    over: str = WORLD


@dataclass
class Move:
    """A parameter on its way. link: the chain's name of the effect. begun, seconds: when, and how long it takes."""

    link: str
    parameter: str
    start: tuple[float, ...]
    end: tuple[float, ...]
    begun: float
    seconds: float


@dataclass
class Crossing:
    """One picture turning into the next: by which effect, with which values, since when, for how long.

    kept: whether the old picture has been kept; before that it is still to be taken from the screen.
    """

    effect: str
    values: dict[str, Any]
    begun: float
    seconds: float
    kept: bool = False


@resource(view=True)
class Post:
    """The effects over the picture. time: seconds that pictures have taken so far."""

    links: list[Link] = dataclass_field(default_factory=list[Link])
    moves: list[Move] = dataclass_field(default_factory=list[Move])
    crossing: Crossing | None = None
    time: float = 0.0

    def link(self, name: str) -> Link:
        """The effect of a name in the chain. Raises UnknownName with the nearest one."""
        for link in self.links:
            if link.name == name:
                return link
        raise UnknownName(
            f"no effect of the chain is called '{name}'", given=name, choices=[link.name for link in self.links]
        )

    def advance(self, dt: float) -> None:
        """Advance the effects' time, in seconds."""
        self.time += dt
        known = {link.name: link for link in self.links}
        for move in self.moves:
            if move.link not in known:
                continue
            share = 1.0 if move.seconds <= 0 else min(max((self.time - move.begun) / move.seconds, 0.0), 1.0)
            eased = share * share * (3 - 2 * share)
            parts = tuple(a + (b - a) * eased for a, b in zip(move.start, move.end, strict=True))
            known[move.link].values[move.parameter] = parts[0] if len(parts) == 1 else parts
        self.moves = [move for move in self.moves if self.time - move.begun < move.seconds]
        if self.crossing is not None and self.time - self.crossing.begun >= self.crossing.seconds:
            self.crossing = None


def set_post(world: World, chain: Sequence[Any]) -> None:
    """Put another chain over the picture, as a manifest writes it: `["bloom", {"vignette": {"strength": 0.4}}]`.

    Angles are degrees, as there.

    Seen from the next picture on, never part of the hash. Raises UnknownName and UsageError, and then nothing changes.
    """
    made = links_of(world[EffectLibrary], chain)
    world[Post].links, world[Post].moves = made, []


def set_effect(world: World, name: str, *, seconds: float = 0.0, **values: Any) -> None:
    """Give parameters of an effect in the chain new values; colours also by name, angles in radians.

    name: the effect's; the second of a kind is called `bloom.2`. seconds: how long the values take to get there; texts
    and switches change at once. `enabled=False` takes the effect out of the picture, `enabled=True` puts it back.
    Raises UnknownName and UsageError, and then nothing changes.
    """
    post: Post = world[Post]
    link = post.link(name)
    effect = world[EffectLibrary].effect(link.effect)
    given = {present_key(key): value for key, value in values.items()}
    shown = given.pop(ENABLED, link.enabled)
    new = checked(effect, given)
    if not isinstance(shown, bool):
        raise UsageError(f"'enabled' is true or false, not {shown!r}", where=f"the effect '{name}'")
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"it takes 0 seconds or more, not {seconds!r}", where=f"the effect '{name}'")
    link.enabled = shown
    post.moves = [move for move in post.moves if move.link != name or move.parameter not in new]
    for parameter, value in new.items():
        spec = effect.fields[parameter]
        if seconds > 0 and spec.type.special == "" and spec.type.dtype.kind == "f":
            start = link.values.get(parameter, plain(spec.default))
            post.moves.append(Move(name, parameter, _parts(start), _parts(value), post.time, float(seconds)))
        else:
            link.values[parameter] = value


def transition(world: World, scene: str = "", *, effect: str = "dissolve", seconds: float = 1.0, **values: Any) -> None:
    """Keep the picture that is on the screen and let it turn into the next ones.

    scene: the scene to go to, "" to stay. effect: one that leads from picture to picture (`dissolve`, `crossfade`,
    `wipe`, `iris`, or a plugin's); values: its parameters. Raises UnknownName and UsageError.
    """
    from rish_core import Scenes

    new = _crossing_values(world[EffectLibrary], effect, seconds, values)
    if scene:
        world[Scenes].go(scene)
    post: Post = world[Post]
    post.crossing = Crossing(effect, new, post.time, float(seconds)) if seconds > 0 else None


def _crossing_values(library: EffectLibrary, effect: str, seconds: float, values: Mapping[str, Any]) -> Values:
    found = library.effect(effect)
    if not found.transition:
        raise UsageError(
            f"the effect '{effect}' does not lead from one picture to the next",
            hint=f"Those that do: {', '.join(name for name, e in library.effects.items() if e.transition)}",
        )
    if not 0 <= seconds < float("inf"):
        raise UsageError(f"a transition takes 0 seconds or more, not {seconds!r}")
    return checked(found, values)


def links_of(library: EffectLibrary, chain: Sequence[Any]) -> list[Link]:
    """The links of a chain as a manifest writes it. Raises UnknownName and UsageError."""
    links: list[Link] = []
    for item in chain:
        name, values = parts_of(item)
        effect = library.effect(name)
        given = {key: _radians(effect, key, value) for key, value in values.items()}
        shown, over = given.pop(ENABLED, True), given.pop(OVER, WORLD)
        if not isinstance(shown, bool):
            raise UsageError(f"'enabled' is true or false, not {shown!r}", where=f"the effect '{name}'")
        if over not in (WORLD, GAME):
            raise UsageError(f"'over' is {WORLD} or {GAME}, not {over!r}", where=f"the effect '{name}'")
        count = sum(link.effect == name for link in links)
        links.append(Link(f"{name}.{count + 1}" if count else name, name, checked(effect, given), shown, over))
    return links


def parts_of(item: Any) -> tuple[str, Mapping[str, Any]]:
    """Name and values of an item of a chain. Raises UsageError where it is none."""
    if isinstance(item, str):
        return item, {}
    if isinstance(item, Mapping) and len(item) == 1:
        name, values = next(iter(item.items()))
        if isinstance(name, str) and (values is None or isinstance(values, Mapping)):
            return name, {present_key(key): value for key, value in (values or {}).items()}
    raise UsageError(f"an effect is a name, or a name with its parameters as {{bloom: {{strength: 1}}}}, not {item!r}")


def _radians(effect: Effect, name: str, value: Any) -> Any:
    """An angle in degrees as code has it."""
    spec = effect.fields.get(name)
    if spec is None or not spec.angle:
        return value
    degrees = degrees_of(value) if isinstance(value, str) else value
    return math.radians(degrees) if isinstance(degrees, (int, float)) else value


def checked(effect: Effect, values: Mapping[str, Any]) -> Values:
    """Values as a link keeps them: Python's numbers, tuples and texts. Raises UnknownName and UsageError."""
    where = f"the effect '{effect.name}'"
    made: Values = {}
    for name, value in values.items():
        spec = effect.fields.get(name)
        if spec is None:
            raise UnknownName(
                f"it has no parameter '{name}'", where=where, given=name, choices=[*effect.fields, ENABLED, OVER]
            )
        try:
            made[name] = plain(spec.check(_readable(spec, value)))
        except (ValueError, TypeError) as error:
            raise UsageError(f"{name}: {error}", where=where) from None
    return made


def _readable(spec: FieldSpec, value: Any) -> Any:
    if spec.type.name == "Color":
        value = parse_color(value) if isinstance(value, str) else value
        return [*value, 1.0] if len(value) == 3 else value
    if spec.type.enum is not None and isinstance(value, str):
        return next((member for member in spec.type.enum if member.name.lower() == value.lower()), value)
    return value


def plain(value: Any) -> Any:
    """A stored value as Python's own: numbers, and tuples of numbers."""
    if isinstance(value, np.ndarray):
        return tuple(value.tolist())
    return value.item() if isinstance(value, np.generic) else value


def _parts(value: Any) -> tuple[float, ...]:
    return tuple(value) if isinstance(value, tuple) else (float(value),)
