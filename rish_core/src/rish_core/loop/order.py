"""The order of systems, computed deterministically from their `before` and `after` declarations.

Within a stage the order is a topological sort (Kahn's algorithm). Of the systems that are ready, the one that was
declared first runs first. So two systems without a relation keep the order of their declaration, and a new `before` or
`after` moves as few systems as possible. Of the ready systems, one with `before="*.*"` runs before all others, and one
with `after="*.*"` after all others. Stages have a fixed order, so a `before` or `after` between stages has no effect or
is a mistake.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

from rish_ecs import Place, Stage, place_of
from rish_ecs.declarations import SystemSpec

from ..errors import ScheduleError

Side = Literal["before", "after"]
ALL = "*.*"
"""A value of `before` and `after` that matches every other system of the stage."""


@dataclass(frozen=True)
class BoundSystem:
    """A system and the plugin that declared it; `name` is `plugin.function`, or `namespace.function`."""

    name: str
    plugin: str
    spec: SystemSpec

    @classmethod
    def of(cls, plugin: str, spec: SystemSpec) -> BoundSystem:
        """Bind a system to its plugin."""
        return cls(f"{plugin}.{spec.name}", plugin, spec)

    @property
    def namespace(self) -> str:
        """The first part of its name."""
        return self.name.partition(".")[0]

    @property
    def place(self) -> Place:
        """The file and line of the function."""
        return place_of(self.spec.fn)


def order_systems(
    systems: Sequence[BoundSystem], plugins: Collection[str] = ()
) -> dict[Stage, tuple[BoundSystem, ...]]:
    """Return the systems of each stage in the order in which they run.

    plugins: all loaded plugins, including those without systems; a `before` or `after` about any other plugin is
    ignored, because that plugin is absent. Raises ScheduleError for two systems of one name, for a `before` or `after`
    that names no system of a loaded plugin or that the order of stages makes impossible, and for cycles.
    """
    names = _by_name(systems)
    present = {*plugins, *(bound.namespace for bound in systems)}
    edges = list(_edges(systems, names, present))
    return {stage: _sort_stage(stage, systems, edges) for stage in Stage}


def _by_name(systems: Sequence[BoundSystem]) -> dict[str, BoundSystem]:
    names: dict[str, BoundSystem] = {}
    for bound in systems:
        other = names.setdefault(bound.name, bound)
        if other is not bound:
            raise ScheduleError(
                f"two systems are called '{bound.name}', the other at {other.place}",
                where=bound.place,
                hint="Give one of them another name with @system(..., name=...)",
            )
    return names


def _edges(
    systems: Sequence[BoundSystem], names: dict[str, BoundSystem], present: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the pairs (earlier, later) of systems of one stage."""
    for bound in systems:
        for wish in bound.spec.before:
            for other in _wished(bound, "before", wish, names, present):
                yield bound.name, other.name
        for wish in bound.spec.after:
            for other in _wished(bound, "after", wish, names, present):
                yield other.name, bound.name


def _wished(
    bound: BoundSystem, side: Side, wish: str, names: dict[str, BoundSystem], present: Collection[str]
) -> Iterable[BoundSystem]:
    """Return the systems of the same stage that one item of `before` or `after` names.

    The forms are `plugin.name`, `plugin.*`, and `name` in the same plugin. `*.*` returns none; see `_rank`.
    """
    if wish == ALL:
        return ()
    full = wish if "." in wish else f"{bound.namespace}.{wish}"
    plugin, _, last = full.rpartition(".")
    if last == "*":
        mates = (other for other in names.values() if other.namespace == plugin and other is not bound)
        return [other for other in mates if other.spec.stage is bound.spec.stage]
    other = names.get(full)
    if other is None:
        if plugin in present:
            raise _unknown(bound, side, full, names)
        return ()
    if other is bound:
        raise ScheduleError(f"system '{bound.name}' must run {side} itself", where=bound.place)
    if other.spec.stage is bound.spec.stage:
        return (other,)
    if (bound.spec.stage < other.spec.stage) != (side == "before"):
        raise _impossible(bound, side, other)
    return ()


def _unknown(bound: BoundSystem, side: Side, full: str, names: dict[str, BoundSystem]) -> ScheduleError:
    plugin = full.rpartition(".")[0]
    return ScheduleError(
        f"system '{bound.name}' must run {side} '{full}', but plugin '{plugin}' has no such system",
        where=bound.place,
        given=full,
        choices=[name for name, other in names.items() if other.namespace == plugin],
    )


def _impossible(bound: BoundSystem, side: Side, other: BoundSystem) -> ScheduleError:
    stage, other_stage = bound.spec.stage, other.spec.stage
    return ScheduleError(
        f"system '{bound.name}' of stage {stage.name} can't run {side} '{other.name}' of stage {other_stage.name}, "
        f"because {min(stage, other_stage).name} is over when {max(stage, other_stage).name} begins",
        where=bound.place,
        hint=f"Move '{bound.name}' to another stage or drop {side}={other.name!r}",
    )


def _sort_stage(
    stage: Stage, systems: Sequence[BoundSystem], edges: Sequence[tuple[str, str]]
) -> tuple[BoundSystem, ...]:
    rank = {bound.name: (_rank(bound.spec), i) for i, bound in enumerate(systems) if bound.spec.stage is stage}
    before: dict[str, list[str]] = {name: [] for name in rank}
    for first, second in edges:
        if second in before:
            before[second].append(first)
    order = topological(before, rank)
    if len(order) < len(rank):
        raise _cycle(stage, systems, before, rank.keys() - order)
    return tuple(systems[rank[name][1]] for name in order)


def topological(before: Mapping[str, Iterable[str]], rank: Mapping[str, Any]) -> list[str]:
    """Sort names so that each comes after its names in `before` (Kahn's algorithm); ready names by rank, lowest first.

    Names in cycles, and names that come after one of these, are left out.
    """
    sorter = TopologicalSorter(before)
    with suppress(CycleError):
        sorter.prepare()
    order: list[str] = []
    ready: list[tuple[Any, str]] = []
    while sorter.is_active():
        for name in sorter.get_ready():
            heapq.heappush(ready, (rank[name], name))
        order.append(heapq.heappop(ready)[1])
        sorter.done(order[-1])
    return order


def cycle_of(name: str, before: Mapping[str, str]) -> list[str]:
    """Return the cycle that is reached from a name by following `before` repeatedly, in that order."""
    path: list[str] = []
    while name not in path:
        path.append(name)
        name = before[name]
    return path[path.index(name) :]


def _rank(spec: SystemSpec) -> int:
    """Return -1 for a system that runs before all others, 1 for one that runs after them, otherwise 0."""
    return (ALL in spec.after) - (ALL in spec.before)


def _cycle(
    stage: Stage, systems: Sequence[BoundSystem], before: Mapping[str, Iterable[str]], stuck: Collection[str]
) -> ScheduleError:
    """Return the error that names one cycle. stuck: the unsorted systems, each of which waits for another of them."""
    ring = cycle_of(min(stuck), {name: min(n for n in before[name] if n in stuck) for name in stuck})[::-1]
    start = ring.index(min(ring))
    ring = [*ring[start:], *ring[: start + 1]]
    return ScheduleError(
        f"stage {stage.name}: systems wait on each other: {' → '.join(ring)}",
        where=next(bound.place for bound in systems if bound.name == ring[0]),
        hint="Drop one of their before= or after=",
    )
