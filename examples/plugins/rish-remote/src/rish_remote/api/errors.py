"""Errors of the API: a status of HTTP, a message, and a list of problems with their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rish_core import UnknownName, did_you_mean


@dataclass(frozen=True)
class Problem:
    """One mistake in a request. place: the path of keys to it, such as `set.Transform.position`."""

    place: str
    message: str


class ApiError(Exception):
    """Raised when a request can't be answered. status: of HTTP. problems: all mistakes in its arguments."""

    def __init__(self, status: int, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.problems = tuple(problems)

    def to_plain(self) -> dict[str, Any]:
        """Return the error as the body of a response."""
        body: dict[str, Any] = {"status": self.status, "message": self.message}
        if self.problems:
            body["problems"] = [{"place": problem.place, "message": problem.message} for problem in self.problems]
        return {"error": body}


class Problems:
    """Collects the mistakes of a request, which are reported together."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def add(self, place: str, message: object) -> None:
        """Add a mistake."""
        self.found.append(Problem(place, str(message)))

    def refuse(self) -> None:
        """Raise ApiError 400 if there are mistakes."""
        if self.found:
            raise ApiError(400, "; ".join(f"{each.place}: {each.message}" for each in self.found[:4]), self.found)


def missing(error: UnknownName) -> ApiError:
    """Return the error for a name in the path of a URL that does not exist."""
    return ApiError(404, str(error))


def unknown(what: str, name: str, choices: Iterable[str]) -> str:
    """Return the message for an unknown name, with the nearest choice and the first twelve."""
    names = list(choices)
    listed = f". Choices: {', '.join(names[:12])}" if names else ""
    return f"no {what} is called {name!r}{did_you_mean(name, names)}{listed}"
