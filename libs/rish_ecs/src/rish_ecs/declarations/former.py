"""Former names. What was renamed is still read from manifests, saves and code, and a notice says the new name.

A field says so with `field(was="old")`, a class with `@component(was="Old")` or `@resource(was="Old")`, an enum by an
alias of its member.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ..errors import Place

_log = logging.getLogger("rish")
_noticed: set[tuple[str, str]] = set()


def former_names(was: str | Iterable[str]) -> tuple[str, ...]:
    """The argument `was` of a declaration as a tuple."""
    return (was,) if isinstance(was, str) else tuple(was)


def former_keys(was: Iterable[str], owner: str) -> list[str]:
    """Full names that a class had: a name without a dot belongs to the plugin that owns the class now."""
    return [name if "." in name or not owner else f"{owner}.{name}" for name in was]


def notice_former(what: str, old: str, new: str, place: Place | None = None) -> None:
    """Log once in a process that `old` of `what` is called `new` now."""
    if (what, old) not in _noticed:
        _noticed.add((what, old))
        _log.warning("%s%s: %r is called %r now; please rename it", f"{place}: " if place else "", what, old, new)
