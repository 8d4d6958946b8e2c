"""Finds entities of the edited World that differ from their entries, and whether overrides can describe that."""

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
            parent_node = self.base(step.parent)
            matches = (
                [child for child in parent_node.children if child.name and child.name == step.node.name]
                if parent_node
                else []
            )
            if matches:
                return matches[0]
        return session.prefab_node(step.node.prefab)

    def changes(self, number: int, copy: int) -> Changes:
        """Return the differences between an entity and its entry."""
        session, key = self.session, (number, copy)
        changes = self._changes.get(key)
        if changes is None:
            now, anew = session.now, session.anew
            differs = key in self._other
            changes = changes_of(now, now.handles[key], anew, anew.handles[key]) if differs else Changes()
            self._changes[key] = changes
        return changes

    def has_moved(self, number: int, copy: int) -> bool:
        """Return whether an entity has another parent than in its entry."""
        session, key = self.session, (number, copy)
        now, anew = session.now, session.anew
        return now.key_of(now.parent(now.handles[key])) != anew.key_of(anew.parent(anew.handles[key]))

    def differs(self, number: int, copy: int) -> bool:
        """Return whether an entity or a descendant of it has changed."""
        session = self.session
        handle = session.now.handles.get((number, copy))
        if handle is None or self.has_moved(number, copy) or self.changes(number, copy):
            return True
        children = session.inside(number)
        new_children = self.new_below(number, handle)
        if new_children and (
            session.steps[number].rows > 1 or number not in session.paths or self.clashes(number, new_children)
        ):
            return True
        if is_rearranged(session, handle):
            return True
        for child in children:
            count = session.steps[child].node.count
            if any(self.differs(child, copy * count + i) for i in range(count)):
                return True
        return False

    def alike(self, number: int, copies: list[int]) -> bool:
        """Return whether all copies have the same changes, so that their common entry can express them."""
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
        """Return whether keys with dots can't express the changes of the children that a prefab gives to an entry."""
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
        """Return the children of an entity that the text does not spawn."""
        session, now = self.session, self.session.now
        copy = now.keys[handle][1]
        inside = {child: session.steps[child].node.count for child in session.inside(number)}

        def is_known(child: int) -> bool:
            step, number_of = now.keys.get(child, (-1, 0))
            return step in inside and number_of // inside[step] == copy

        return [child for child in now.children.get(handle, ()) if not is_known(child)]

    def clashes(self, number: int, children: list[int]) -> bool:
        """Return whether new children have names of the prefab's children, and so would be read as changes of them."""
        base = self.base(number)
        names = {child.name for child in base.children if child.name} if base is not None else set[str]()
        return any(self.session.now.name(child) in names for child in children)

    def breaks_below(self, number: int, above: int) -> bool:
        """Return whether keys with dots can't express the changes of a prefab's child. above: the parent's copy."""
        session = self.session
        node, count = session.steps[number].node, session.steps[number].node.count
        namesakes = [i for i in session.inside(session.steps[number].parent) if session.steps[i].node.name == node.name]
        addressable = count == 1 and node.name and len(namesakes) == 1 and "." not in node.name
        for copy in range(above * count, (above + 1) * count):
            if not self.differs(number, copy):
                continue
            handle = session.now.handles.get((number, copy))
            if not addressable or handle is None or self.has_moved(number, copy):
                return True
            changes = self.changes(number, copy)
            if any(cls in NAMED for cls in (*changes.fields, *changes.added, *changes.removed)):
                return True
            children = session.inside(number)
            if self.new_below(number, handle):
                return True
            if any(self.breaks_below(child, copy) for child in children if child not in session.paths):
                return True
        return False
