"""The report of an export: the size of each part of a program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rish_ecs import is_ours

_LISTED = 10
"""The largest parts that are named; the others are added up."""


def sizes_by_part(sizes: Iterable[tuple[str, int]], parts: Mapping[str, str]) -> Counter[str]:
    """Return the bytes of each part of a program. sizes: of files. parts: by name of a file; all others are Python."""
    by_part: Counter[str] = Counter()
    for name, size in sizes:
        part = parts.get(name, "Python")
        by_part["Rish" if is_ours(part) else part] += size
    return by_part


def report_lines(by_part: Counter[str]) -> Iterator[str]:
    """Yield a line for each of the largest parts, one for the others, and one for all."""
    largest = by_part.most_common(_LISTED)
    rest = by_part.total() - sum(size for _, size in largest)
    others = [("others", rest)] if rest else []
    for name, size in (*largest, *others, ("unpacked", by_part.total())):
        yield f"  {name:18}{size / 1e6:7.1f} MB"
