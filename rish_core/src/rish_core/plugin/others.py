"""Searches installed plugins that a game does not name; only used when the game uses an unknown name."""

from __future__ import annotations

from collections.abc import Iterable

from .declared import Reader
from .discovery import Candidate


def owner_among(others: Iterable[Candidate], hook: str, reader: Reader, name: str) -> str | None:
    """Import plugins until one declares the name by a hook; return that plugin, or None.

    A package that can't be imported is skipped, so that its error does not hide the mistake that is being reported.
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
