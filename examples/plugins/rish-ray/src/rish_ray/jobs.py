"""What many worlds play: the same game, with a seed and changes of the manifest for each."""

from __future__ import annotations

import ast
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rish_core import UsageError

_OPEN, _CLOSED = "([{", ")]}"


@dataclass(frozen=True)
class Trial:
    """What all worlds have in common.

    game: the folder, or its `game.yaml`. until: the expression that ends a world when it is true, asked after each
    tick; None: none. ticks: after which a world ends at the latest. columns: expressions whose values at the end are
    wanted. optional: the optional plugins of the manifest that run; the others are left out.
    """

    game: str
    until: str | None = None
    ticks: int = 3600
    columns: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job:
    """One world. seed: of all random streams. changes: of the manifest, as for `rish run --set`.

    autopilots: the files of the autopilots of player 1, 2, ...; none: no input, so that a game with an autopilot plays
    itself. labels: what the row of the world begins with, such as the values of the changes.
    """

    seed: int
    changes: tuple[str, ...] = ()
    autopilots: tuple[str, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Outcome:
    """How a world ended.

    ticks: that ran. hash: of the state after the last one, as `rish run --hash` prints it. end: `until`, `ticks` (the
    limit), `quit` (the game ended itself) or `error`. error: the message, in one line. values: of the columns; None
    where an expression has no value. memory: the most that the process of the world has used, in bytes; 0: unknown.
    """

    ticks: int
    hash: str
    end: str
    error: str = ""
    values: tuple[Any, ...] = ()
    memory: int = 0


def product(seeds: Sequence[int], settings: Mapping[str, Sequence[str]], autopilots: Sequence[str] = ()) -> list[Job]:
    """Return a job for each seed with each combination of values; the seeds of one combination follow each other.

    settings: the texts of the values, by key of the manifest.
    """
    jobs: list[Job] = []
    for values in itertools.product(*settings.values()):
        changes = tuple(f"{key}={value}" for key, value in zip(settings, values, strict=True))
        labels = {key: value_of(value) for key, value in zip(settings, values, strict=True)}
        jobs += [Job(seed, changes, tuple(autopilots), {"seed": seed, **labels}) for seed in seeds]
    return jobs


def value_of(text: str) -> Any:
    """Return the number or truth value that a text is, otherwise the text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, (bool, int, float)) else text


def read_seeds(text: str) -> range:
    """Return the seeds of `1000` (0 to 999) or `100-199`. Raises UsageError."""
    first, dash, last = text.partition("-")
    numbers = [part for part in (first, last) if part.isascii() and part.isdigit() and len(part) < 10]
    if len(numbers) == 1 + bool(dash):
        seeds = range(int(first), int(last) + 1) if dash else range(int(first))
        if seeds:
            return seeds
    raise UsageError(f"--seeds {text}: expected a number such as 1000, or the first and the last such as 100-199")


def read_settings(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each `KEY=A,B,C`, by key. Commas within brackets and quotes belong to a value.

    Raises UsageError for a text without a key or a value, and for a key that comes twice.
    """
    settings: dict[str, list[str]] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        parts = list(_split(values))
        if not key.strip() or not equals or not all(parts):
            raise UsageError(f"--set {text}: expected KEY=VALUE, or several values as in settings.game.lives=1,2,3")
        if key.strip() in settings:
            raise UsageError(f"--set {text}: {key.strip()} has values already: write all of them, {key.strip()}=A,B,C")
        settings[key.strip()] = parts
    return settings


def _split(text: str) -> Iterator[str]:
    depth, quote, part = 0, "", ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        depth += not quote and ((letter in _OPEN) - (letter in _CLOSED))
        if letter == "," and not depth and not quote:
            yield part.strip()
            part = ""
        else:
            part += letter
    yield part.strip()


def read_columns(text: str) -> tuple[str, ...]:
    """Return the expressions of a list with commas, such as `score, max(lives, 0)`. Raises UsageError."""
    if not text.strip():
        return ()
    try:
        tree = ast.parse(f"[{text}]", mode="eval").body
    except SyntaxError as error:
        raise UsageError(f"{text!r} is no list of expressions: {error.msg}") from None
    assert isinstance(tree, ast.List)
    return tuple(ast.unparse(each) for each in tree.elts)
