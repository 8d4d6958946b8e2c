"""Which entities of the edited World differ from their entries, and how far overrides can describe the differences."""

from __future__ import annotations

from rish_core import Tags
from rish_core.manifest import Node, Placing, Point

from .arranging import is_rearranged
from .fields import Changes, changes_of
from .fingerprints import may_differ
from .session import Session
from .worlds import NAMED, Key


class Comparison:
    """Compares the entities of a session, by the number of their step and of their copy."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._other = may_differ(session.now, session.anew)
        self._changes: dict[Key, Changes] = {}

    def base(self, number: int) -> Node | None:
        """Return the node that an entry inherits from: of its prefab, or of the inherited child that it changes."""
        session = self.session
        step = session.steps[number]
        if step.parent >= 0:
            above = self.base(step.parent)
            found = [child for child in above.children if child.name and child.name == step.node.name] if above else []
            if found:
                return found[0]
        return session.prefab_node(step.node.prefab)

    def changes(self, number: int, copy: int) -> Changes:
        """Return what differs between an entity and its entry."""
        session, key = self.session, (number, copy)
        found = self._changes.get(key)
        if found is None:
            now, anew = session.now, session.anew
            other = key in self._other
            found = changes_of(now, now.handles[key], anew, anew.handles[key]) if other else Changes()
            self._changes[key] = found
        return found

    def has_moved(self, number: int, copy: int) -> bool:
        """Whether an entity has another parent than by its entry."""
        session, key = self.session, (number, copy)
        now, anew = session.now, session.anew
        return now.key_of(now.parent(now.handles[key])) != anew.key_of(anew.parent(anew.handles[key]))

    def differs(self, number: int, copy: int) -> bool:
        """Whether an entity or anything below it has changed."""
        session = self.session
        handle = session.now.handles.get((number, copy))
        if handle is None or self.has_moved(number, copy) or self.changes(number, copy):
            return True
        below = session.inside(number)
        fresh = self.new_below(number, handle)
        if fresh and (session.steps[number].rows > 1 or number not in session.paths or self.clashes(number, fresh)):
            return True
        if is_rearranged(session, handle):
            return True
        for child in below:
            count = session.steps[child].node.count
            if any(self.differs(child, copy * count + k) for k in range(count)):
                return True
        return False

    def alike(self, number: int, copies: list[int]) -> bool:
        """Whether all copies have the same changes, in themselves only, which one entry can express."""
        session = self.session
        at: Placing | None = session.steps[number].node.at
        if session.steps[number].node.children or (at is not None and not isinstance(at, Point)):
            return False
        alive = all((number, copy) in session.now.handles for copy in copies)
        if not alive or any(self.has_moved(number, copy) for copy in copies):
            return False
        changes = [self.changes(number, copy) for copy in copies]
        strangers = any(session.now.children.get(session.now.handles[number, copy]) for copy in copies)
        named = any(cls in NAMED for change in changes for cls in (*change.fields, *change.added, *change.removed))
        added = any(change.added for change in changes)
        return not strangers and not named and not added and len({change.key() for change in changes}) == 1

    def breaks(self, number: int, copy: int) -> bool:
        """Whether keys with dots can't express the changes of what prefabs bring to an entry."""
        session, key = self.session, (number, copy)
        if key not in session.now.handles or number not in session.paths:
            return key not in session.now.handles and number not in session.paths
        base = self.base(number)
        changes = self.changes(number, copy)
        lost = [cls for cls in changes.removed if cls in NAMED]
        lost += [cls for cls in changes.fields if cls is Tags]
        if base is not None and any((base.name, base.tags, base.group)) and lost:
            return True
        handle = session.now.handles[key]
        if self.clashes(number, self.new_below(number, handle)):
            return True
        return any(self.breaks_below(child, copy) for child in session.inside(number) if child not in session.paths)

    def new_below(self, number: int, handle: int) -> list[int]:
        """Return the children of an entity of a step that it has not got by the text."""
        session, now = self.session, self.session.now
        copy = now.keys[handle][1]
        inside = {child: session.steps[child].node.count for child in session.inside(number)}

        def is_known(child: int) -> bool:
            step, number_of = now.keys.get(child, (-1, 0))
            return step in inside and number_of // inside[step] == copy

        return [child for child in now.children.get(handle, ()) if not is_known(child)]

    def clashes(self, number: int, children: list[int]) -> bool:
        """Whether new children have names of those that the prefab brings, which they would change instead."""
        base = self.base(number)
        known = {child.name for child in base.children if child.name} if base is not None else set[str]()
        return any(self.session.now.name(child) in known for child in children)

    def breaks_below(self, number: int, above: int) -> bool:
        """Whether keys with dots can't express the changes of a child that a prefab brings to the copy `above`."""
        session = self.session
        node, count = session.steps[number].node, session.steps[number].node.count
        alike = [k for k in session.inside(session.steps[number].parent) if session.steps[k].node.name == node.name]
        plain = count == 1 and node.name and len(alike) == 1 and "." not in node.name
        for copy in range(above * count, (above + 1) * count):
            if not self.differs(number, copy):
                continue
            handle = session.now.handles.get((number, copy))
            if not plain or handle is None or self.has_moved(number, copy):
                return True
            changes = self.changes(number, copy)
            if any(cls in NAMED for cls in (*changes.fields, *changes.added, *changes.removed)):
                return True
            below = session.inside(number)
            if self.new_below(number, handle):
                return True
            if any(self.breaks_below(child, copy) for child in below if child not in session.paths):
                return True
        return False
