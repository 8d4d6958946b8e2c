"""Reads the values of a clip file, and records every mistake with its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from rish_core.manifest import Document, path_text
from rish_ecs import Problem, did_you_mean

from .model import MIN_SECONDS, PlayMode

Steps = tuple[Any, ...]


class Stop(Exception):  # internal: not an error for callers
    """Raised after a mistake was recorded; the part of the file that contains it is left out."""


class Reader:
    """Checks values of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def number(self, entry: Any, key: Any, path: Steps, default: float) -> float:
        """Return a duration or rate. Raises Stop."""
        value = entry.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not MIN_SECONDS <= value <= 1e6:
            self.wrong((*path, key), f"expected a number from {MIN_SECONDS} to 1,000,000, got {value!r}")
        return float(value)

    def keys(self, data: Any, known: tuple[str, ...], path: Steps) -> None:
        """Check that a value is a mapping that has only allowed keys. Raises Stop."""
        if not isinstance(data, dict):
            self.wrong(path, f"expected the keys {', '.join(known)}, got {type(data).__name__}")
        for key in data:
            if key not in known:
                self.wrong((*path, key), f"there is no {key!r}{did_you_mean(key, known)}. Choices: {', '.join(known)}")

    def play(self, entry: Any, path: Steps, names: Iterable[str]) -> tuple[PlayMode, str]:
        """Return the mode of a clip, and the clip that follows it, one of these names. Raises Stop."""
        mode = str(entry.get("mode", "loop")).replace("_", "-")
        modes = [member.value for member in PlayMode]
        if mode not in modes:
            self.wrong((*path, "mode"), f"expected one of {', '.join(modes)}, got {mode!r}{did_you_mean(mode, modes)}")
        next_clip = entry.get("next", "")
        if not isinstance(next_clip, str):
            self.wrong((*path, "next"), f"expected the name of a clip, got {next_clip!r}")
        if next_clip and next_clip not in names:
            self.wrong((*path, "next"), f"there is no clip {next_clip!r}{did_you_mean(next_clip, names)}")
        if next_clip and mode != "once":
            self.wrong((*path, "next"), "'next' is only possible in a clip with  mode: once")
        return PlayMode(mode), next_clip

    def note(self, path: Steps, what: str) -> None:
        """Record a mistake, and continue."""
        self.document.problems.append(Problem(self.document.place(*path), path_text(path), what))

    def wrong(self, path: Steps, what: str) -> NoReturn:
        """Record a mistake and raise Stop."""
        self.note(path, what)
        raise Stop
