"""The plugins that are installed and that a game does not name: asked only when the game uses something unknown."""

from __future__ import annotations

from collections.abc import Iterable

from .declared import READERS
from .discovery import Candidate

_HOOKS = {"component": "rish_components", "prefab": "rish_prefabs", "backend": "rish_backends"}


def owner_among(others: Iterable[Candidate], what: str, name: str) -> str | None:
    """The plugin that would bring the component, prefab or backend of a name, or None; it is imported for that.

    A package that can't be imported is passed over, so that it does not hide the mistake that is looked into.
    """
    hook = _HOOKS[what]
    for candidate in others:
        try:
            declare = getattr(candidate.load(), hook, None)
            found = READERS[hook](candidate.name, declare()) if callable(declare) else ()
        except (Exception, SystemExit):
            continue
        if any(name in (full, full.removeprefix(f"{candidate.name}.")) for full, _ in found):
            return candidate.name
    return None
