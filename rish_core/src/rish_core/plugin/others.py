"""The plugins that are installed and that a game does not name: asked only when the game uses something unknown."""

from __future__ import annotations

from collections.abc import Iterable

from .declared import Reader
from .discovery import Candidate


def owner_among(others: Iterable[Candidate], hook: str, reader: Reader, name: str) -> str | None:
    """The plugin that would declare the thing of a name by a hook, or None; it is imported for that.

    A package that can't be imported is passed over, so that it does not hide the mistake that is looked into.
    """
    for candidate in others:
        try:
            declare = getattr(candidate.load(), hook, None)
            found = reader.read(candidate.name, declare()) if callable(declare) else ()
        except (Exception, SystemExit):
            continue
        if any(name in (full, full.removeprefix(f"{candidate.name}.")) for full, _ in found):
            return candidate.name
    return None
