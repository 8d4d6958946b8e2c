"""The functions of the language, and the names that every expression may use.

Angles are in degrees, as in manifests. sin, cos and atan2 use `rish_jit.maths`, whose results are the same on every
machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from rish_core import Input, Name, Scenes, World, find, tagged
from rish_ecs import Stream, Vector
from rish_jit import maths

from .paths import value_text
from .values import MAX_RESULT, add_values, checked, minus, number, numbers_of, times, vector


@dataclass(frozen=True)
class Function:
    """A function of the language.

    call: the Python function, called with the arguments. low, high: the smallest and the largest number of arguments.
    result: the type of the result. doc: one line for help. world: whether the World is passed before the arguments.
    words: what the first argument names if it is a text: `action`, `tag` or `entity`. draws: whether a random stream is
    passed before the arguments.
    """

    call: Callable[..., Any]
    low: int
    high: int
    result: str
    doc: str
    world: bool = False
    words: str = ""
    draws: bool = False


def _whole(value: Any, rounded: Callable[[float], int]) -> int:
    return checked(rounded(number(value)))


def _round(value: Any, digits: Any = None) -> float:
    if digits is None:
        return _whole(value, round)
    if type(digits) is not int or not 0 <= digits <= 15:
        raise ValueError("round(x, n) keeps 0 to 15 digits")
    return checked(round(float(number(value)), digits))


def _clamp(value: Any, low: Any, high: Any) -> Any:
    return max(number(low), min(number(value), number(high)))


def _lerp(a: Any, b: Any, share: Any) -> Any:
    return add_values(a, times(minus(b, a), number(share)))


def _length(value: Any) -> float:
    total = 0.0
    for item in vector(value):
        total += item * item
    return checked(math.sqrt(checked(float(total))))


def _absolute(value: Any) -> float:
    return checked(abs(number(value)))


def _floor(value: Any) -> int:
    return _whole(value, math.floor)


def _ceil(value: Any) -> int:
    return _whole(value, math.ceil)


def _sign(value: Any) -> int:
    return (number(value) > 0) - (number(value) < 0)


def _sin(value: Any) -> float:
    return maths.sin(maths.radians(float(number(value))))


def _cos(value: Any) -> float:
    return maths.cos(maths.radians(float(number(value))))


def _distance(start: Any, end: Any) -> float:
    return _length(minus(vector(start), vector(end)))


def _text(value: Any) -> str:
    return value_text(value)[:MAX_RESULT]


def _size(value: Any) -> int:
    if isinstance(value, (str, Vector)):
        return len(value)
    raise ValueError(f"size needs a text or a list, not {value!r}")


def _sqrt(value: Any) -> float:
    if number(value) < 0:
        raise ValueError("the square root of a negative number")
    return float(maths.sqrt(float(value)))


def _atan2(y: Any, x: Any) -> float:
    return maths.degrees(maths.atan2(float(number(y)), float(number(x))))


def _handle(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"an entity such as self is needed, not {value!r}")
    return value


def _inputs(world: World, name: Any, player: Any) -> Sequence[Input]:
    """Return the input of a player. None: that of all devices, or those of all players who have this action."""
    input: Input = world[Input]
    if player is not None:
        return (input.player(player),)
    return () if input.knows(name) else [source for source in input.players if source.knows(name)]


def ask_input(world: World, query: str, name: Any, player: Any = None) -> Any:
    """Return the result of a method of `Input` for an action or key.

    query: `pressed`, `released`, `down` or `strength`. name: the action or key. player: from 1; None: any device, or
    any player if only players have the action. Raises UnknownName.
    """
    return max(getattr(source, query)(name) for source in _inputs(world, name, player) or (world[Input],))


def _query(query: str) -> Callable[..., Any]:
    def result(world: World, name: Any, player: Any = None) -> Any:
        return ask_input(world, query, name, player)

    return result


def _tagged(world: World, handle: Any, tag: Any) -> bool:
    return _handle(handle) in tagged(world, tag).tolist()


def _count(world: World, what: Any) -> int:
    return len(tagged(world, what)) if isinstance(what, str) else len(world.table(what))


def _exists(world: World, what: Any) -> bool:
    return find(world, what) is not None if isinstance(what, str) else bool(world.alive(_handle(what)))


def _entity(world: World, name: Any) -> int:
    handle = find(world, name)
    if handle is None:
        raise ValueError(f"no entity is called {name!r}")
    return handle


def _name(world: World, handle: Any) -> str:
    row = world.table(Name).row_of(_handle(handle))
    return world.table(Name).read_row("value", row) if row >= 0 else ""


def _axis(world: World, left: Any, right: Any, player: Any = None) -> float:
    return ask_input(world, "strength", right, player) - ask_input(world, "strength", left, player)


def _random(stream: Stream, low: Any = 0.0, high: Any = 1.0) -> float:
    return checked(float(stream.uniform(float(number(low)), float(number(high)))))


def _pick(stream: Stream, options: Any) -> Any:
    if not isinstance(options, Vector) or not options:
        raise ValueError("pick needs a list such as [1, 2, 3]")
    return cast("Any", options[stream.integers(0, len(options))])


FUNCTIONS: dict[str, Function] = {
    "abs": Function(_absolute, 1, 1, "number", "the number without its sign"),
    "min": Function(lambda *v: min(numbers_of(v)), 1, 16, "number", "the smallest number"),
    "max": Function(lambda *v: max(numbers_of(v)), 1, 16, "number", "the greatest number"),
    "round": Function(_round, 1, 2, "number", "the nearest whole number; with a second number, digits"),
    "floor": Function(_floor, 1, 1, "number", "the next whole number below"),
    "ceil": Function(_ceil, 1, 1, "number", "the next whole number above"),
    "sign": Function(_sign, 1, 1, "number", "-1, 0 or 1"),
    "clamp": Function(_clamp, 3, 3, "number", "clamp(x, low, high): x kept between two bounds"),
    "lerp": Function(_lerp, 3, 3, "any", "lerp(a, b, t): the value at the share t of the way from a to b"),
    "sqrt": Function(_sqrt, 1, 1, "number", "the square root"),
    "sin": Function(_sin, 1, 1, "number", "the sine of degrees"),
    "cos": Function(_cos, 1, 1, "number", "the cosine of degrees"),
    "atan2": Function(_atan2, 2, 2, "number", "atan2(y, x): the direction of a vector in degrees"),
    "length": Function(_length, 1, 1, "number", "the length of a vector"),
    "distance": Function(_distance, 2, 2, "number", "between two positions"),
    "size": Function(_size, 1, 1, "number", "how many characters a text has, or items a list"),
    "text": Function(_text, 1, 1, "text", "a value as text"),
    "pressed": Function(
        _query("pressed"),
        1,
        2,
        "truth",
        "whether an action began in this tick; pressed(jump, 2): of player 2",
        True,
        "action",
    ),
    "released": Function(_query("released"), 1, 2, "truth", "whether an action ended in this tick", True, "action"),
    "down": Function(_query("down"), 1, 2, "truth", "whether an action is held", True, "action"),
    "strength": Function(_query("strength"), 1, 2, "number", "0 to 1: how far an action is pushed", True, "action"),
    "axis": Function(
        _axis, 2, 3, "number", "-1 to 1 from two actions; axis(left, right, 2): of player 2", True, "action"
    ),
    "tagged": Function(_tagged, 2, 2, "truth", "tagged(self, tag): whether an entity has a tag", True),
    "count": Function(_count, 1, 1, "number", "how many entities have a tag, or a Component", True, "tag"),
    "exists": Function(_exists, 1, 1, "truth", "whether an entity exists, by name or handle", True, "entity"),
    "entity": Function(_entity, 1, 1, "entity", "the entity of a name", True, "entity"),
    "name": Function(_name, 1, 1, "text", "the name of an entity, or an empty text", True),
    "random": Function(
        _random, 0, 2, "number", "random(low, high): a random number, 0 to 1 without bounds", draws=True
    ),
    "pick": Function(_pick, 1, 1, "any", "a random item of a list", draws=True),
}
"""All functions by name."""

BUILTINS: dict[str, tuple[str, Callable[[World], Any], str]] = {
    "time": ("number", lambda world: world.time, "seconds since the game began, counted in ticks"),
    "tick": ("number", lambda world: world.tick, "the number of the tick"),
    "dt": ("number", lambda world: world.dt, "seconds of a tick"),
    "scene": ("text", lambda world: world[Scenes].current, "the name of the current scene"),
    "pointer": ("list", lambda world: Vector(world[Input].pointer), "the pointer in the game's pixels, y up"),
    "touched": ("truth", lambda world: world[Input].touched, "whether the player did something in this tick"),
}
"""Names that every expression may use: the type, a function of the World, and a description."""
WORDS: dict[str, Any] = {"true": True, "false": False, "none": None}
"""Constants as YAML writes them; True, False and None are known as well."""
