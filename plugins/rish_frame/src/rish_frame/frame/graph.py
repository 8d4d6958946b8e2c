"""The order of passes: a stable topological sort by the targets that they draw onto and read, and by their rules.

Three rules order two passes; an earlier rule overrides a later one:

1. `before` and `after` of a pass, which name a pass or a rank.
2. Inputs: a pass that reads a target follows the passes that draw onto it.
3. The rank, see RANKS. A pass that others depend on takes the lowest rank among them and itself. Passes of equal
   rank keep the order of declaration.

Some targets are read between two draws: the screen, and any target that a pass both reads and draws onto. The rank
of the reader then decides: passes of earlier ranks draw before it reads, passes of later ranks after it.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from rish_core import ScheduleError
from rish_ecs import UnknownName

if TYPE_CHECKING:
    from .passes import Pass

RANKS: tuple[str, ...] = ("lit", "lights", "combine", "unlit", "post", "screen", "overlay")
"""The parts of a frame in drawing order: lit layers, lights, both combined, unlit layers, post-processing, layers in
screen space (a score, a menu), overlays (an editor). Each is also a name that `before` and `after` accept.
"""

_Edges = list[set[int]]


def rank_of(name: str, where: str) -> int:
    """Return the number of a rank. Raises UnknownName, with the most similar name as a suggestion."""
    try:
        return RANKS.index(name)
    except ValueError:
        raise UnknownName(f"no rank is called '{name}'", where=where, given=name, choices=RANKS) from None


def base_name(attachment: str) -> str:
    """Return the target's name in an attachment's name: `gbuffer` for `gbuffer:1`."""
    return attachment.partition(":")[0]


def sort_passes(passes: Sequence[Pass]) -> list[Pass]:
    """Return the passes in drawing order. Raises ScheduleError that names the passes of a cycle, if there is one."""
    ranks = [rank_of(p.rank, f"pass '{p.name}'") for p in passes]
    explicit = _explicit_edges(passes)
    after = [set(edges) for edges in explicit]
    for first, later in _reading_edges(passes, ranks):
        if later not in explicit[first] and first not in explicit[later]:
            after[first].add(later)
    order, missing_counts = _kahn(after, _urgency(ranks, after))
    if len(order) < len(passes):
        raise _circle(passes, after, missing_counts)
    return [passes[i] for i in order]


def _explicit_edges(passes: Sequence[Pass]) -> _Edges:
    """Return edges[i]: the passes that follow pass i by their `before` and `after`. Unknown names are ignored."""
    indices_by_name: dict[str, set[int]] = {}
    for i, p in enumerate(passes):
        indices_by_name.setdefault(p.name, set()).add(i)
        indices_by_name.setdefault(p.rank, set()).add(i)
    edges: _Edges = [set() for _ in passes]
    for i, p in enumerate(passes):
        for name in names_of(p.before):
            edges[i] |= indices_by_name.get(name, set()) - {i}
        for name in names_of(p.after):
            for other in sorted(indices_by_name.get(name, set()) - {i}):
                edges[other].add(i)
    return edges


def names_of(names: str | Sequence[str]) -> Sequence[str]:
    """Return the names in `before` or `after` of a pass as a sequence."""
    return (names,) if isinstance(names, str) else names


def _reading_edges(passes: Sequence[Pass], ranks: Sequence[int]) -> list[tuple[int, int]]:
    """Return a pair (earlier, later) for each pass that reads a target that another one draws onto."""
    edges: list[tuple[int, int]] = []
    drawn: list[set[str]] = [{base_name(target) for target in p.targets} for p in passes]
    writers: dict[str, list[int]] = {}
    for writer, targets in enumerate(drawn):
        for target in targets:
            writers.setdefault(target, []).append(writer)
    for reader, p in enumerate(passes):
        for target in dict.fromkeys(base_name(name) for name in p.inputs):
            by_rank = target == "screen" or target in drawn[reader]
            for writer in writers.get(target, ()):
                if writer == reader:
                    continue
                first = not by_rank or (ranks[writer], writer) < (ranks[reader], reader)
                edges.append((writer, reader) if first else (reader, writer))
    return edges


def _circle(passes: Sequence[Pass], after: _Edges, missing_counts: Sequence[int]) -> ScheduleError:
    """Return the error that names a cycle of passes. missing_counts: for each pass, how many passes before it are not
    sorted yet."""
    node = next(i for i, count in enumerate(missing_counts) if count)
    path: list[int] = []
    while node not in path:
        path.append(node)
        node = min(i for i, edges in enumerate(after) if node in edges and missing_counts[i])
    circle = [node, *reversed(path[path.index(node) :])]
    return ScheduleError(
        "passes depend on one another in a cycle: " + " → ".join(f"'{passes[i].name}'" for i in circle),
        hint="Set the order with before= or after=; it overrides the order that follows from inputs",
    )


def _urgency(ranks: Sequence[int], after: _Edges) -> list[int]:
    """Return for each pass the lowest rank among it and all passes that depend on it."""
    urgency = list(ranks)
    changed = True
    while changed:
        changed = False
        for i, edges in enumerate(after):
            minimum = min((urgency[later] for later in edges), default=urgency[i])
            if minimum < urgency[i]:
                urgency[i], changed = minimum, True
    return urgency


def _kahn(after: _Edges, urgency: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the indices in an order that keeps all edges (Kahn's algorithm); ties by urgency, then declaration.

    Passes of a cycle, and those after it, are missing. Also return for each pass how many passes before it are not
    sorted.
    """
    counts = Counter(chain.from_iterable(after))
    missing_counts = [counts[i] for i in range(len(after))]
    ready = [(urgency[i], i) for i, count in enumerate(missing_counts) if not count]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        _, i = heapq.heappop(ready)
        order.append(i)
        for later in sorted(after[i]):
            missing_counts[later] -= 1
            if not missing_counts[later]:
                heapq.heappush(ready, (urgency[later], later))
    return order, missing_counts
