"""Entries in the order in which tools have arranged the entities."""

from __future__ import annotations

from bisect import bisect_left

from rish_core import UsageError

from ..text.nodes import Steps
from .session import Session


def settled(session: Session, number: int, copies: list[int]) -> list[int]:
    """Return those of the copies of an entry that can stay in it: the longest run without other entities between."""
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
    """Whether the children of an entity have another order than in the text, in which new ones are the last."""
    children = session.now.children.get(handle, ())
    if not any(child in session.arranged for child in children):
        return False
    last = (len(session.steps), 0)
    known = [session.now.keys.get(child, last) for child in sorted(children, key=session.row)]
    return known != sorted(known)


def hang_named(session: Session) -> list[int]:
    """Return the arranged entities whose entries are at the top with `parent:`, and belong among its `children:`."""
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
    """Return the path of the entry of each entity that has one, also those that spawn several."""
    found = [(path, handle) for handle, path in session.entries.items()]
    for (number, _), handle in session.now.handles.items():
        if number in session.paths and handle not in session.entries:
            found.append((session.paths[number], handle))
    return found


def _places(session: Session) -> dict[Steps, int]:
    """Return the path of each entry with the lowest row of its entities in the tree."""
    found: dict[Steps, int] = {}
    for path, handle in _entries(session):
        row = session.row(handle)
        if row >= 0:
            found[path] = min(found.get(path, row), row)
    return found


def _arrange_list(session: Session, where: Steps) -> None:
    """Sort the siblings within a list of entries; at the top, entries with `parent:` are a family of their own."""
    rows = {int(path[-1]): row for path, row in _places(session).items() if path[:-1] == where}
    families: dict[int, list[int]] = {}
    for index, row in rows.items():
        families.setdefault(int(session.order.parents[row]) if len(where) == 2 else 0, []).append(index)
    now = list(range(len(session.text.get(where))))
    moves = 0
    for family in families.values():
        wanted = sorted(family, key=lambda index: rows[index])
        staying = _longest_rising(wanted)
        for place, index in enumerate(wanted):
            if index in staying:
                continue
            at = now.index(index)
            near = now.index(wanted[place - 1]) + 1 if place else now.index(min(staying, key=now.index))
            to = near - 1 if near > at else near
            if not _shift(session, (*where, at), (*where, to)):
                return
            now.insert(to, now.pop(at))
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


def _longest_rising(numbers: list[int]) -> set[int]:
    """Return the members of a longest rising part of a list; the fewest others have to move."""
    tails: list[int] = []
    ends: list[int] = []
    before: dict[int, int] = {}
    for number in numbers:
        place = bisect_left(tails, number)
        before[number] = ends[place - 1] if place else -1
        tails[place : place + 1] = [number]
        ends[place : place + 1] = [number]
    kept: set[int] = set()
    number = ends[-1] if ends else -1
    while number >= 0:
        kept.add(number)
        number = before[number]
    return kept
