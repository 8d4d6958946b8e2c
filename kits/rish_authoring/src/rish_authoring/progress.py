"""Progress reports of long work, see `rish_core.manifest.on_progress`. A listener may cancel the work."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from rish_core.manifest import tell_progress

T = TypeVar("T")


def reported(what: str, items: Sequence[T], every: int = 20) -> Iterator[T]:
    """Yield items, and report how many are done.

    what: the name of the work, such as `comparing entities:`. every: the number of items between two reports.
    """
    for number, item in enumerate(items):
        if number % every == 0:
            tell_progress(what, number, len(items))
        yield item
