"""Writes entries in the order in which tools have arranged the entities."""

from __future__ import annotations

from bisect import bisect_left

from rish_core import UsageError

from ..text.nodes import Steps
from .session import Session


def copies_to_keep(session: Session, number: int, copies: list[int]) -> list[int]:
    """Return the copies of an entry that can stay in it: the longest run without other entities between them."""
    handles = {copy: session.now.handles.get((number, copy)) for copy in copies}
    if not any(handle in session.arranged for handle in handles.values()):
        return copies
    runs: list[list[int]] = [[]]
    last = -2
    for copy, handle in handles.items():
        row = session.row(handle) if handle is not None else -1
        place = int(session.order.positions[row]) if row >= 0 else last
        if place != last + 1 and runs[-1]:
            runs.append([])
        runs[-1].append(copy)
        last = place
    return max(runs, key=len)


def is_rearranged(session: Session, handle: int) -> bool:
    """Return whether the children of an entity have another order than in the text.

    New children are expected at the end.
    """
    children = session.now.children.get(handle, ())
    if not any(child in session.arranged for child in children):
        return False
    last = (len(session.steps), 0)
    keys = [session.now.keys.get(child, last) for child in sorted(children, key=session.row)]
    return keys != sorted(keys)


def hang_named(session: Session) -> list[int]:
    """Return the arranged entities with `parent:` in a top-level entry, whose parent has other children below it."""
    named = [handle for handle, path in session.entries.items() if len(path) == 3 and handle in session.arranged]
    named = [handle for handle in named if session.now.parent(handle) in session.entries]
    inside = {session.now.parent(handle) for path, handle in _entries(session) if len(path) > 3}
    return sorted((handle for handle in named if session.now.parent(handle) in inside), key=session.row)


def arrange(session: Session) -> None:
    """Move entries within their lists so that siblings have the order of the tree."""
    if not session.arranged:
        return
    for where in sorted({path[:-1] for path in _places(session)}, key=len, reverse=True):  # inner lists first
        _arrange_list(session, where)


def _entries(session: Session) -> list[tuple[Steps, int]]:
    """Return the path and the handle of each entity that has an entry, including entries that spawn several copies."""
    entries = [(path, handle) for handle, path in session.entries.items()]
    for (number, _), handle in session.now.handles.items():
        if number in session.paths and handle not in session.entries:
            entries.append((session.paths[number], handle))
    return entries


def _places(session: Session) -> dict[Steps, int]:
    """Return the lowest row in the tree of the entities of each entry, by path."""
    rows: dict[Steps, int] = {}
    for path, handle in _entries(session):
        row = session.row(handle)
        if row >= 0:
            rows[path] = min(rows.get(path, row), row)
    return rows


def _arrange_list(session: Session, where: Steps) -> None:
    """Sort the siblings within a list of entries. At the top level, entries with the same `parent:` are siblings."""
    rows = {int(path[-1]): row for path, row in _places(session).items() if path[:-1] == where}
    families: dict[int, list[int]] = {}
    for index, row in rows.items():
        families.setdefault(int(session.order.parents[row]) if len(where) == 2 else 0, []).append(index)
    current = list(range(len(session.text.get(where))))
    moves = 0
    for family in families.values():
        target_order = sorted(family, key=lambda index: rows[index])
        staying = _longest_increasing(target_order)
        for place, index in enumerate(target_order):
            if index in staying:
                continue
            at = current.index(index)
            neighbor = (
                current.index(target_order[place - 1]) + 1 if place else current.index(min(staying, key=current.index))
            )
            to = neighbor - 1 if neighbor > at else neighbor
            if not _shift(session, (*where, at), (*where, to)):
                return
            current.insert(to, current.pop(at))
            moves += 1
    if moves:
        session.edits.append(f"the entries of {where[1]} have another order")


def _shift(session: Session, path: Steps, to: Steps) -> bool:
    """Move an entry within its list; return False, with a note, if its text can't be moved."""
    text = session.text.of(path)
    try:
        try:
            text.move(path, to)
        except UsageError:  # its comments have no place in brackets
            text.unfold(path[:-1])
            text.move(path, to)
    except UsageError as error:
        session.notes.append(f"the order can't be written: {error}")
        return False
    session.moved(path, to)
    return True


def _longest_increasing(numbers: list[int]) -> set[int]:
    """Return a longest increasing subsequence of a list, so that as few entries as possible are moved."""
    tails: list[int] = []
    ends: list[int] = []
    before: dict[int, int] = {}
    for number in numbers:
        place = bisect_left(tails, number)
        before[number] = ends[place - 1] if place else -1
        tails[place : place + 1] = [number]
        ends[place : place + 1] = [number]
    members: set[int] = set()
    number = ends[-1] if ends else -1
    while number >= 0:
        members.add(number)
        number = before[number]
    return members
