"""A dialogue as it was read from its file: nodes, each with steps that are done one after another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rish_expressions import Bound

END = "end"
"""The name to go to that ends the dialogue."""


@dataclass(frozen=True)
class Speaker:
    """A person of a dialogue. portrait: the path of a picture, or an empty text."""

    key: str
    name: str
    portrait: str = ""


@dataclass(frozen=True)
class Assignment:
    """A change of a variable. add: the value is added."""

    variable: str
    value: Bound
    add: bool


@dataclass(frozen=True)
class Step:
    """The fields of all steps: the place that names it in saved games, a condition, and whether it is done only
    once."""

    key: str
    condition: Bound | None
    once: bool


@dataclass(frozen=True)
class Line(Step):
    """A line of text. speaker: None for the narrator. speed: characters in a second; None: that of the settings."""

    text: Bound
    speaker: Speaker | None = None
    portrait: str = ""
    speed: float | None = None


@dataclass(frozen=True)
class Option(Step):
    """One choice of the player. goto: the node that follows, or None for the next step."""

    text: Bound
    effects: tuple[Assignment, ...] = ()
    goto: str | None = None


@dataclass(frozen=True)
class Choices(Step):
    """The choices of which the player takes one."""

    options: tuple[Option, ...]


@dataclass(frozen=True)
class Random(Step):
    """Lines of which one is shown, drawn from the random stream `dialogue`."""

    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Effects(Step):
    """Changes of variables."""

    changes: tuple[Assignment, ...]


@dataclass(frozen=True)
class Goto(Step):
    """Continues with another node."""

    node: str


@dataclass(frozen=True)
class Dialogue:
    """A complete dialogue. entries: the nodes to begin with, first the usual one. marks: the places of the nodes."""

    name: str
    entries: tuple[str, ...]
    speakers: Mapping[str, Speaker]
    nodes: Mapping[str, tuple[Step, ...]]
    marks: Mapping[str, Any] = field(default_factory=dict[str, Any], compare=False)
