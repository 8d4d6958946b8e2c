"""Searches installed plugins that are not loaded for an unknown name that a game uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from .declaration_checks import Reader
from .discovery import Candidate


@lru_cache(maxsize=32)
def names_among(others: tuple[Candidate, ...], hook: str, reader: Reader) -> Mapping[str, str]:
    """Import plugins; return the names that they declare by a hook, short and full, each with its plugin.

    A package that can't be imported is skipped, so that its error does not hide the mistake that is being reported.
    """
    names: dict[str, str] = {}
    for candidate in others:
        for full in _declared(candidate, hook, reader):
            names.setdefault(full, candidate.name)
            names.setdefault(full.removeprefix(f"{candidate.name}."), candidate.name)
    return names


def _declared(candidate: Candidate, hook: str, reader: Reader) -> Iterable[str]:
    try:
        declare = getattr(candidate.load(), hook, None)
        return [full for full, _ in reader.read(candidate.name, declare())] if callable(declare) else ()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ()
