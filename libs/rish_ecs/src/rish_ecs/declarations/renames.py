"""Former names: renamed fields and classes are still accepted in manifests, saves and code.

Former names are declared for a field with `field(was="old")`, for a class with `@component(was="Old")` or
`@resource(was="Old")`, and for an enum member with an alias. A log message gives the new name.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from rish_jit.errors import Place

_log = logging.getLogger("rish")
_noticed: set[tuple[str, str]] = set()


def former_names(was: str | Iterable[str]) -> tuple[str, ...]:
    """Return the argument `was` of a declaration as a tuple."""
    return (was,) if isinstance(was, str) else tuple(was)


def notice_former(what: str, old: str, new: str, place: Place | None = None) -> None:
    """Log, once per process, that `old` of `what` is now called `new`."""
    if (what, old) not in _noticed:
        _noticed.add((what, old))
        _log.warning("%s%s: %r is called %r now; please rename it", f"{place}: " if place else "", what, old, new)
