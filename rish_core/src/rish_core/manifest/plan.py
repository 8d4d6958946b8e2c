"""Plans: trees of nodes flattened into steps, each of which is spawned in one batch.

A step with a thousand copies is one call of `spawn_many`; so are a thousand consecutive single entries with the same
components. References by name are resolved when the plan is made. After all entities exist, their handles are written,
one write for each field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Str, UnknownName, component, did_you_mean, kind_of
from rish_ecs import field as column
from rish_ecs.declarations import Column, Kind, current
from rish_ecs.random import Stream, stream_key

from ..common.hierarchy import hangs
from ..common.names import named
from ..common.transform import Transform
from .prefabs import Node
from .schema import Drawn, Listed, Ref, copy_values, stack
from .validate import Report

if TYPE_CHECKING:
    from rish_ecs import World

Values = dict[str, Any]
PREFAB = "prefab:"
"""The start of the label of a prefab's plan."""


@component
class Origin:
    """The entry of the manifest that an entity was spawned from, so that edits of the text can be applied to it."""

    scene: Str = column("", hidden=True, doc="the scene, or prefab:NAME for what a system spawned")
    entry: int = column(0, hidden=True, doc="the number of its step in the scene's plan")
    copy: int = column(0, hidden=True, doc="its number among the copies")


@dataclass
class Link:
    """A field that refers to an entity. target: the index of its step, None for an entity outside the plan."""

    cls: type
    field: str
    ref: Ref
    target: int | None = None


@dataclass
class Step:
    """One node to be spawned. rows: entities for one copy of the root. parent: the index of the parent's step, or -1.

    root: the index of the step of the tree's root. view_owners: see `World.view_owners`.
    """

    node: Node
    parent: int
    root: int
    rows: int
    parts: dict[type, Values]
    links: list[Link] = field(default_factory=list[Link])
    view_owners: frozenset[str] = frozenset()

    @cached_property
    def fixed(self) -> dict[type, Any]:
        """The component instances that are equal for all copies, created once."""
        instances: dict[type, Any] = {}
        for cls, values in self.parts.items():
            differs = (cls is Transform and self.node.at is not None) or (self.parent >= 0 and hangs(cls))
            if not differs and not any(isinstance(value, Listed | Drawn) for value in values.values()):
                instances[cls] = cls(**values)
        return instances

    def _is_view(self, cls: type) -> bool:
        kind: Kind = kind_of(cls)
        return kind.view or kind.owner in self.view_owners

    @cached_property
    def hashed(self) -> dict[type, Values]:
        """The values of the components that are part of the hash, by class."""
        return {cls: values for cls, values in self.parts.items() if not self._is_view(cls)}

    def components(
        self, copies: Column, parents: Column | None, stream: Stream | None, override: Mapping[type, Values],
        view: bool = False,
    ) -> list[Any]:  # fmt: skip
        """Return component instances for some copies; a field is a single value or an array with one row per copy.

        copies: int64 (n,), the numbers of the copies. parents: int64 (n,), the handle of each copy's parent; None for a
        root. override: values by the current classes. view: return only view components instead of only the others.
        """
        parts: list[Any] = []
        old = {current(cls): cls for cls in self.parts}  # a reload may have replaced a class
        for cls in (*old, *(cls for cls in override if cls not in old)):
            if self._is_view(cls) != view:
                continue
            fixed = self.fixed.get(old.get(cls, cls))
            if fixed is not None and cls not in override:
                parts.append(fixed)
                continue
            values = {**self.parts.get(old.get(cls, cls), {}), **override.get(cls, {})}
            fields = kind_of(cls).fields
            columns = {name: copy_values(fields[name], value, copies, stream) for name, value in values.items()}
            if cls is Transform and self.node.at is not None and "position" not in override.get(Transform, {}):
                columns["position"] = self.places(copies, stream)
            if parents is not None and hangs(cls):
                columns["parent"] = parents
            parts.append(cls(**columns))
        return parts

    def add_view(self, world: World, handles: Column, copies: Column, override: Mapping[type, Values]) -> None:
        """Add the view components to spawned copies.

        They use their own random stream and are added last, so that they don't change the hashed state.
        """
        if len(handles) and (override or len(self.hashed) < len(self.parts)):
            stream = Stream(stream_key(world.seed, f"view:{int(handles[0])}"))
            parts = self.components(copies, None, stream, override, view=True)
            if parts:
                world.add(handles, *parts)

    def places(self, copies: Column, stream: Stream | None) -> Column:
        """Return float32 (n, 2): the positions of some copies by `at`; random ones are drawn only for these copies."""
        at, count = self.node.at, self.node.count
        assert at is not None
        if at.random or not len(copies):
            return at.positions(count, len(copies), stream)
        positions = at.positions(count, count, stream)
        return positions[copies % count]

    @cached_property
    def _forms(self) -> set[type]:
        """The Python types of all values of hashed components."""
        return {type(value) for values in self.hashed.values() for value in values.values()}

    @property
    def draws(self) -> bool:
        """Whether any of its values is random."""
        return (self.node.at is not None and self.node.at.random) or Drawn in self._forms

    @property
    def varies(self) -> bool:
        """Whether the copies differ in more than the positions of a grid or list."""
        return Listed in self._forms or self.draws


class SpawnPlan:
    """The steps that spawn a scene or a prefab. label: `scene:NAME` or `prefab:NAME`. view_owners: see `World`.

    The steps are computed at the first use, because a game may define many prefabs and spawn few of them.
    """

    def __init__(self, label: str, roots: Iterable[Node], view_owners: frozenset[str] = frozenset()) -> None:
        self.label, self.view_owners = label, view_owners
        self.roots = tuple(roots)

    @cached_property
    def steps(self) -> list[Step]:
        """The nodes in the order in which they are spawned, parents first, with resolved references."""
        steps: list[Step] = []
        for root in self.roots:
            _flatten(steps, root, -1, len(steps), 1, self.view_owners)
        _link(steps, None, ())
        return steps

    @cached_property
    def _runs(self) -> list[Run]:
        return list(_runs(self.steps, self.origin))

    @cached_property
    def _stream(self) -> bool:
        """Whether any step has random values."""
        return any(step.draws for step in self.steps)

    @property
    def rows(self) -> int:
        """The number of entities that one copy spawns."""
        return sum(step.rows for step in self.steps)

    @property
    def of_prefab(self) -> bool:
        """Whether it spawns a prefab, not a scene."""
        return self.label.startswith(PREFAB)

    @property
    def origin(self) -> str:
        """The value of `Origin.scene` for its entities."""
        return self.label.removeprefix("scene:")

    def names(self) -> list[str]:
        """Return the names of its entities, in order and without duplicates."""
        return list(dict.fromkeys(step.node.name for step in self.steps if step.node.name))

    def check(self, report: Report, outside: Sequence[str] = ()) -> None:
        """Report unresolved references and cycles of parents. outside: names of entities outside the plan."""
        _link(self.steps, report, outside)
        _report_cycles(self.steps, report)

    def below(self, names: Sequence[str]) -> int:
        """Return the index of the step at a path of names below the first root. Raises UnknownName."""
        number = 0
        for name in names:
            inner = {step.node.name: k for k, step in enumerate(self.steps) if step.parent == number}
            if name not in inner:
                what = f"no child of {self.label} is called {name!r}"
                raise UnknownName(what, given=name, choices=[each for each in inner if each])
            number = inner[name]
        return number

    def spawn(
        self, world: World, copies: int = 1, override: Mapping[int, Mapping[type, Values]] | None = None
    ) -> list[Column]:
        """Spawn the plan `copies` times; return int64 handles for each step. override: values by step index."""
        stream = world.random(self.label) if self._stream else None
        override = override or {}
        handles: list[Column] = []
        for run in self._runs:
            if run.parts is not None and copies == 1 and not override:
                handles.extend(run.spawn(world))
                for step, step_handles in zip(run.steps, handles[-len(run.steps) :], strict=True):
                    step.add_view(world, step_handles, np.arange(len(step_handles)), {})
                continue
            for step in run.steps:
                step_override = override.get(len(handles), {})
                handles.append(self._spawn_step(world, step, copies, handles, stream, step_override))
                step.add_view(world, handles[-1], np.arange(len(handles[-1])), step_override)
        self._connect(world, handles)
        return handles

    def _spawn_step(
        self, world: World, step: Step, copies: int, handles: list[Column], stream: Stream | None,
        override: Mapping[type, Values],
    ) -> Column:  # fmt: skip
        rows, number = copies * step.rows, len(handles)
        parents = np.repeat(handles[step.parent], step.node.count) if step.parent >= 0 else None
        parts = step.components(np.arange(rows), parents, stream, override)
        if rows == 1:
            return np.array([world.spawn(*parts, Origin(scene=self.origin, entry=number, copy=0))], np.int64)
        origin_values: Values = {"scene": self.origin, "entry": number, "copy": np.arange(rows, dtype=np.int32)}
        return world.spawn_many(rows, *parts, Origin(**origin_values))

    def _connect(self, world: World, handles: list[Column]) -> None:
        """Write the handles of the referenced entities into the fields that refer to them."""
        for step, sources in zip(self.steps, handles, strict=True):
            for link in step.links:
                if not len(sources):
                    continue
                if link.target is None:
                    value: Any = named(world, link.ref.name)
                else:
                    targets = handles[link.target]
                    if not len(targets):
                        continue
                    pairs = np.arange(len(sources)) * len(targets) // len(sources)
                    value = targets[pairs] if self.steps[link.target].root == step.root else int(targets[0])
                world.set(sources, link.cls(**{link.field: value}))


def _flatten(steps: list[Step], node: Node, parent: int, root: int, copies: int, view_owners: frozenset[str]) -> None:
    """Append a node and its children to the steps."""
    rows = copies * node.count
    number = len(steps)
    parts, links = node.parts_and_links
    steps.append(Step(node, parent, root, rows, parts, [Link(*link) for link in links], view_owners))
    for child in node.children:
        _flatten(steps, child, number, root, rows, view_owners)


def _link(steps: Sequence[Step], report: Report | None, outside: Sequence[str]) -> None:
    """Resolve all references; report those that are not found or ambiguous."""
    by_name: dict[str, list[int]] = {}
    for number, step in enumerate(steps):
        if step.node.name:
            by_name.setdefault(step.node.name, []).append(number)
    for number, step in enumerate(steps):
        for link in step.links:
            ref = link.ref
            targets = _targets(steps, number, by_name.get(ref.name, []))
            link.target = targets[0] if targets else None
            if report is not None and (len(targets) > 1 or not (targets or ref.name in outside)):
                report.add(ref.mark, ref.path, _link_message(ref.name, len(targets), [*by_name, *outside]))


def _targets(steps: Sequence[Step], number: int, named: list[int]) -> list[int]:
    """Return the steps of a name that a reference in a step may mean: the nearest in its tree, else roots, else all."""
    return _nearest(steps, number, named) or [other for other in named if steps[other].parent < 0] or named


def _link_message(name: str, count: int, choices: Sequence[str]) -> str:
    if count:
        return f"{count} entities are called {name!r}: give them different names"
    listed = f". Names: {', '.join(choices[:12])}" if choices else ""
    return f"no entity of this scene is called {name!r}{did_you_mean(name, choices)}{listed}"


def _nearest(steps: Sequence[Step], number: int, candidates: Sequence[int]) -> list[int]:
    """Return the first candidate below a step, otherwise below its parent, and so on up to the root; [] if none.

    So each copy of a prefab inside another prefab refers to its own parts.
    """
    while candidates and number >= 0:
        end = number + steps[number].node.size
        inside = [other for other in candidates if number <= other < end]
        if inside:
            return inside[:1]
        number = steps[number].parent
    return []


def _report_cycles(steps: Sequence[Step], report: Report) -> None:
    """Report entities that would be their own ancestors."""
    parents = [step.parent for step in steps]
    for number, step in enumerate(steps):
        for link in step.links:
            if link.field == "parent" and hangs(link.cls) and link.target is not None:
                parents[number] = link.target
    checked = [False] * len(parents)
    for start in range(len(parents)):
        seen: dict[int, None] = {}
        number = start
        while number >= 0 and not checked[number] and number not in seen:
            seen[number] = None
            number = parents[number]
        if number in seen:
            node = steps[number].node
            report.add(node.mark, (*node.path, "parent"), f"{node.name!r} is its own ancestor")
        for number in seen:
            checked[number] = True


@dataclass
class Run:
    """Consecutive steps that are spawned together. parts: the joined columns by class; None for a single step."""

    steps: list[Step]
    parts: list[tuple[type, Values]] | None = None

    def spawn(self, world: World) -> list[Column]:
        """Spawn all steps in one call; return the handles of each."""
        assert self.parts is not None
        handles = world.spawn_many(sum(step.rows for step in self.steps), *(cls(**v) for cls, v in self.parts))
        ends = np.cumsum([step.rows for step in self.steps])[:-1]
        return np.split(handles, ends)


def _runs(steps: Sequence[Step], origin: str) -> Iterable[Run]:
    """Join consecutive steps without parents and children that have the same components and equal copies."""
    current: list[Step] = []
    first = 0
    for number, step in enumerate([*steps, None]):
        joinable = step is not None and step.parent < 0 and not step.node.children and not step.varies
        if current and (step is None or not joinable or list(step.hashed) != list(current[0].hashed)):
            yield _joined(current, first, origin)
            current = []
        if step is None:
            return
        if not joinable:
            yield Run([step])
            continue
        if not current:
            first = number
        current.append(step)


def _joined(steps: list[Step], first: int, origin: str) -> Run:
    if len(steps) < 2:
        return Run(steps)
    rows = np.array([step.rows for step in steps])
    owner = np.repeat(np.arange(len(steps)), rows)
    parts: list[tuple[type, Values]] = []
    for cls in steps[0].hashed:
        kind: Kind = kind_of(cls)
        written = [step.parts[cls] for step in steps]
        names = list(dict.fromkeys(name for values in written for name in values))
        columns = {
            name: stack(kind.fields[name], [values.get(name, kind.fields[name].default) for values in written], owner)
            for name in names
        }
        placings = [step.node.at for step in steps]
        if cls is Transform and any(at is not None for at in placings):
            positions = columns.get("position", np.tile(kind.fields["position"].default, (len(owner), 1)))
            starts = np.cumsum(rows) - rows
            for at, start, count in zip(placings, starts.tolist(), rows.tolist(), strict=True):
                if at is not None and count:
                    positions[start : start + count] = at.positions(count, count, None)
            columns["position"] = positions
        parts.append((cls, columns))
    copy = np.arange(len(owner)) - np.repeat(np.cumsum(rows) - rows, rows)
    origin_columns = {"scene": origin, "entry": (owner + first).astype(np.int32), "copy": copy.astype(np.int32)}
    return Run(steps, [*parts, (Origin, origin_columns)])
