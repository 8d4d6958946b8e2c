"""Routes: what a request of one method and path does, and where it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from .args import Arg

if TYPE_CHECKING:
    from ..game.game import Game

ROOT = "/api/1"
"""The beginning of all paths; the number increases when a change would break clients."""


class Where(Enum):
    """When the game's thread answers.

    FRAME: at the end of a frame, when no tick is under way; hashed state can't be changed there. BORDER: between two
    ticks, where it can.
    """

    FRAME = "frame"
    BORDER = "border"


@dataclass(frozen=True)
class Call:
    """A request whose arguments are checked. path: the names in the path. args: those of the query or the body."""

    path: Mapping[str, str]
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Later:
    """An answer that is known in a later frame. done: whether it is known. result: returns it."""

    done: Callable[[], bool]
    result: Callable[[], Any]


@dataclass(frozen=True)
class Bytes:
    """An answer that is not JSON. encode: returns its bytes, and is called in the server's thread."""

    media: str
    encode: Callable[[], bytes]
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


Answer = Callable[["Game", Call], Any]


@dataclass(frozen=True)
class Route:
    """A method and a path with names in braces. args: of the query for GET, otherwise of the JSON body.

    where: when the game's thread answers. edits: whether the game's state may change from outside its input. seconds:
    how long a request waits for the game. stream: whether the answer is a stream of events. media: the types of an
    answer that is not JSON.
    """

    method: str
    path: str
    summary: str
    answer: Answer
    args: Mapping[str, Arg] = field(default_factory=dict[str, Arg])
    where: Where = Where.FRAME
    edits: bool = False
    seconds: float = 5.0
    stream: bool = False
    media: tuple[str, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether the request is refused if the game may only be read."""
        return self.method != "GET"

    @property
    def parts(self) -> list[str]:
        """The parts of the path between the slashes."""
        return self.path.strip("/").split("/")

    @property
    def names(self) -> list[str]:
        """The names in braces of the path."""
        return [part[1:-1] for part in self.parts if part.startswith("{")]

    def match(self, parts: list[str]) -> dict[str, str] | None:
        """Return the values of the names for the parts of a path as sent, or None if the path is another one.

        Parts are decoded after the split, so an encoded slash stays inside its part. Raises UnicodeDecodeError.
        """
        pattern = self.parts
        if len(pattern) != len(parts):
            return None
        values: dict[str, str] = {}
        for segment, text in zip(pattern, parts, strict=True):
            if segment.startswith("{"):
                values[segment[1:-1]] = unquote(text, errors="strict")
            elif segment != text:
                return None
        return values
