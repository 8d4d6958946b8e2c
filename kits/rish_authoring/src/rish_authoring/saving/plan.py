"""The plan of saving an edited World: what will be written, what was made by code, what can't be saved.

    plan = save_plan(app)
    plan.edits, plan.notes, plan.problems, plan.made_by_code
    plan.apply(include=plan.made_by_code[:1])

The World is compared with the text itself, not with a list of edits, so it does not matter which tools, scripts or undo
steps changed it. The plan changes copies of the texts; `apply` writes the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rish_core import App, ManifestError, Origin, UsageError
from rish_core.manifest import compile_manifest, tell_progress

from ..progress import reported
from ..text.game_text import GameText
from ..text.nodes import Steps
from ..text.partial import parsed_for
from ..tree.marks import authored, previews
from .arranging import arrange, hang_named, settled
from .comparison import Comparison
from .entries import entry_of
from .fields import EntryWriter
from .fingerprints import Fingerprints, unlike
from .foreign import Foreign
from .groups import freeze, reduce_group
from .losses import Losses, missing, parts_of
from .session import Session, after_removal
from .worlds import Spawned, described, spawn_anew

_COMPARING, _WRITING, _CHECKING = "comparing entities:", "writing entries:", "checking the new text:"


@dataclass
class _Wanted:
    """The changes of structure, collected before any list of entries changes."""

    gone: list[int] = field(default_factory=list[int])
    split: list[tuple[int, list[int], list[int]]] = field(default_factory=list["tuple[int, list[int], list[int]]"])


class SavePlan:
    """What saving the current scene of a game does. Created by `save_plan`.

    edits: sentences about the changes of the text. notes: what is written in another form, such as a grid that becomes
    a list. problems: what a manifest can't contain. made_by_code: the handles of entities without an entry that no tool
    has marked; they are saved only if `apply` is asked to. wrong: after `finish`, why the text is not complete.
    """

    def __init__(self, app: App, text: GameText | None = None) -> None:
        self.app = app
        self.session = Session(app, GameText(app.manifest) if text is None else text)
        self._compared = Comparison(self.session)
        self._wanted = _Wanted()
        self.wrong: list[str] = []
        self._written: dict[int, Steps | None] = {}
        session = self.session
        for number in reported(_COMPARING, range(len(session.steps))):
            step = session.steps[number]
            if step.parent < 0 and number not in session.foreign.steps:
                self._step(number, list(range(step.node.count)))
        self._rename()
        self._restructure()
        tell_progress(_COMPARING, 1, 1)
        self.made_by_code = self._strangers()

    @property
    def edits(self) -> list[str]:
        """Sentences about the changes of the text."""
        return self.session.edits

    @property
    def notes(self) -> list[str]:
        """Sentences about entries that are written in another form."""
        return self.session.notes

    @property
    def problems(self) -> list[str]:
        """What can't be saved."""
        return self.session.problems

    @property
    def changed(self) -> dict[Path, str]:
        """The new texts of the files that change."""
        return self.session.text.changed

    def include(self, handles: Iterable[int]) -> None:
        """Add entries for entities that code made, with their children."""
        for handle in handles:
            if handle not in self._written:
                self._insert(handle)
        self.made_by_code = self._strangers()

    def differences(self) -> list[str]:
        """Return how the World of the new text would differ from the edited one; empty if saving is complete.

        The new text is checked and its scene is spawned into a World of its own.
        """
        session = self.session
        tell_progress(_CHECKING, 0, 4)
        try:
            after, its = self._opened_anew(session.text, reuse=True)
        except ManifestError as error:
            return [str(error)]
        tell_progress(_CHECKING, 3, 4)
        lacking, extra = unlike(Fingerprints(session.now, self._saved()), Fingerprints(after, its))
        tell_progress(_CHECKING, 4, 4)
        return [
            *(f"the text would not have: {described(session.now, handle)}" for handle in lacking),
            *(f"the text would have: {described(after, handle)}" for handle in extra),
        ]

    def losses(self) -> Losses:
        """Return what saving this loses, for `wrong`. Raises ManifestError if the new text has mistakes."""
        session = self.session
        text = session.text
        after, its = self._opened_anew(text)
        files = text.with_texts({path: data.decode() for path, data in text.read.items()})
        mine = self._saved()
        mine += [h for h in authored(self.app.world) if h not in session.now.keys and h not in self._written]
        lost = missing(parts_of(session.now, mine), parts_of(after, its))
        if not files.has(("scenes", session.label)):
            return Losses(lost)
        before, former = self._opened_anew(files)
        plain = parts_of(before, former, values=False), parts_of(after, its, values=False)
        return Losses(lost, missing(*plain))

    def _saved(self) -> list[int]:
        """Return the entities that the new text should have."""
        session = self.session
        own = [handle for handle, key in session.now.keys.items() if key[0] not in session.foreign.steps]
        return [*own, *(handle for handle in self._written if handle not in session.now.keys)]

    def _opened_anew(self, text: GameText, *, reuse: bool = False) -> tuple[Spawned, list[int]]:
        """Return the World of the scene as a text gives it, and the entities of the text. Raises ManifestError.

        reuse: take over what the App has read and checked; see `parsed_for`.
        """
        app = self.app
        manifest = parsed_for(app, text, reuse=reuse)
        tell_progress(_CHECKING, 1, 4)
        with app.plugins.raising():
            app.plugins.gather("rish_manifest", manifest=manifest, plugins=app.plugins, registry=app.registry)
        compiled = compile_manifest(manifest, app.registry, self.session.compiled if reuse else None)
        plan = compiled.scene(self.session.label)
        tell_progress(_CHECKING, 2, 4)
        spawned, foreign = spawn_anew(app.world, compiled, plan), Foreign(plan).steps
        return spawned, [handle for handle, key in spawned.keys.items() if key[0] not in foreign]

    def apply(self, *, include: Iterable[int] = (), partial: bool = False) -> list[Path]:
        """Write the files; return their paths. include: entities of `made_by_code` to save too.

        Raises UsageError, before anything is written, if not everything can be saved (partial: write the rest), or if
        another program has changed a file; and if a file can't be written.
        """
        return self.finish(include=include, partial=partial).save()

    def finish(self, *, include: Iterable[int] = (), partial: bool = False) -> GameText:
        """Return the complete new text, without writing it; as for `apply`. Raises UsageError."""
        self.include(include)
        self.settle()
        self.wrong = [*self.problems, *self.differences()]
        if self.wrong and not partial:
            listed = "\n".join(f"  {text}" for text in self.wrong[:20])
            raise UsageError(f"not everything can be saved:\n{listed}", hint="Give partial=True to save the rest")
        return self.session.text

    def settle(self) -> None:
        """Write random values out if the edits would change them, because each draw depends on those before it."""
        session = self.session
        split = {number for number, _, _ in self._wanted.split}
        drawing = [k for k, step in enumerate(session.steps) if step.draws and k in session.paths and k not in split]
        if drawing and self.differences():
            for number in drawing:
                if session.steps[number].rows == session.steps[number].node.count:
                    freeze(session, number)

    # Comparing

    def _step(self, number: int, copies: list[int]) -> None:
        """Write the changed values of the copies of a step below one parent; collect changes of structure."""
        session = self.session
        changed = [copy for copy in copies if self._compared.differs(number, copy)]
        node = session.steps[number].node
        if len(copies) > 1 and number in session.paths:
            stays = settled(session, number, [copy for copy in copies if copy not in changed] or copies)
            alike = bool(changed) and len(changed) == len(copies) and len(stays) == len(copies)
            changed = changed if alike else [copy for copy in copies if copy in changed or copy not in stays]
        if not changed:
            return
        if number not in session.paths:
            self._inherited(number, copies)
        elif node.count == 1 and self._compared.breaks(number, copies[0]):
            self._wanted.split.append((number, copies, copies))
        elif node.count == 1:
            self._single(number, copies[0])
        elif len(changed) == len(copies) and self._compared.alike(number, copies):
            handle = session.now.handles[number, copies[0]]
            EntryWriter(session, session.paths[number], node).write(handle, self._compared.changes(number, copies[0]))
        else:
            self._wanted.split.append((number, changed, copies))

    def _single(self, number: int, copy: int) -> None:
        session = self.session
        handle = session.now.handles.get((number, copy))
        if handle is None:
            self._wanted.gone.append(number)
        else:
            writer = EntryWriter(
                session, session.paths[number], session.steps[number].node, base=self._compared.base(number)
            )
            writer.write(handle, self._compared.changes(number, copy))
        for child in session.inside(number):
            count = session.steps[child].node.count
            if handle is not None or any((child, copy * count + k) in session.now.handles for k in range(count)):
                self._step(child, [copy * count + k for k in range(count)])

    def _inherited(self, number: int, copies: list[int]) -> None:
        """Write the changes of a child that a prefab brings as keys with dots into the nearest entry above it."""
        session = self.session
        node, names, above = session.steps[number].node, list[str](), number
        handle = session.now.handles.get((number, copies[0]))
        while above not in session.paths and above >= 0:
            step = session.steps[above]
            alike = [k for k in session.inside(step.parent) if session.steps[k].node.name == step.node.name]
            if not step.node.name or len(alike) > 1 or step.node.count != 1:
                handle = None
            names.insert(0, step.node.name)
            above = step.parent
        if handle is None or above < 0 or self._compared.has_moved(number, copies[0]):
            self.problems.append(
                f"{node.name or node.prefab or 'a child'!r}, which a prefab brings, can't be changed so"
            )
            return
        prefix = "".join(f"{name}." for name in names)
        base = self._compared.base(number)
        changes = self._compared.changes(number, copies[0])
        EntryWriter(session, session.paths[above], node, prefix, base).write(handle, changes)
        for child in session.inside(number):
            self._step(child, list(range(session.steps[child].node.count)))

    # Names

    def _rename(self) -> None:
        """Write the new names of entities wherever the text refers to them."""
        session = self.session
        for step in session.steps:
            for link in step.links:
                handle = session.now.handles.get((link.target, 0)) if link.target is not None else None
                name = session.now.name(handle) if handle is not None else ""
                path = session.foreign.in_text(link.ref.path)
                if not name or name == link.ref.name or not session.text.has(path):
                    continue
                if session.text.get(path) == link.ref.name:
                    session.text.of(path).set(path, name)
                    session.edits.append(f"a reference to {link.ref.name!r} is now to {name!r}")

    # Structure

    def _restructure(self) -> None:
        session, wanted = self.session, self._wanted
        for number, changed, copies in reported(_WRITING, wanted.split, 1):
            self._split(number, changed, copies)
        new = [handle for handle in authored(self.app.world) if handle not in session.now.keys]
        own = [(key, handle) for key, handle in session.now.handles.items() if key[0] not in session.foreign.steps]
        moved = [handle for key, handle in own if self._compared.has_moved(*key)]
        fresh = set(new)
        for handle in reported(_WRITING, sorted([*new, *moved], key=self._depth)):  # parents first
            if handle not in fresh:
                self._try(handle, lambda handle=handle: self._move(handle))
            elif handle not in self._written:
                self._insert(handle)
        self._delete(number for number in wanted.gone if number in session.paths)
        for handle in hang_named(session):
            self._try(handle, lambda handle=handle: self._move(handle, inside=True))
        arrange(session)

    def _try(self, handle: int, work: Callable[[], None]) -> None:
        try:
            work()
        except UsageError as error:
            self.problems.append(f"{self.session.said(handle)}: {error}")

    def _depth(self, handle: int) -> int:
        depth = 0
        while handle := self.session.now.parent(handle):
            depth += 1
        return depth

    def _split(self, number: int, changed: list[int], copies: list[int]) -> None:
        """Give changed copies entries of their own behind the group."""
        session = self.session
        path = session.paths[number]
        kept = [copy for copy in copies if copy not in changed]
        made = [session.now.handles[number, copy] for copy in changed if (number, copy) in session.now.handles]
        assert isinstance(path[-1], int)
        if len(copies) == 1:
            self._replace(number, made[0])
            return
        # an entry that is written may have further ones as its children, so each is looked at when its turn comes
        for offset, handle in enumerate(handle for handle in reported(_WRITING, made) if handle not in self._written):
            where = (*path[:-1], path[-1] + 1 + offset)
            session.inserted(where)
            self._write(where, handle, new=True)
            session.edits.append(f"{session.said(handle)} gets an entry of its own")
        if kept:
            reduce_group(session, number, kept, copies)
        else:
            self._delete([number])

    def _replace(self, number: int, handle: int) -> None:
        """Write the entry of one entity again, without the prefab if need be."""
        session = self.session
        path = session.paths[number]
        for paths in (session.paths, session.entries):
            for key in [key for key, known in paths.items() if known[: len(path)] == path]:
                del paths[key]
        session.paths[number] = path
        self._write(path, handle, new=False)
        session.edits.append(f"{session.said(handle)}: its entry is written again")

    def _write(self, where: Steps, handle: int, *, new: bool) -> None:
        """Write the complete entry of an entity, and keep the paths of the entries in it."""
        session, made = self.session, dict[int, Steps | None]()
        data = entry_of(session, handle, made)
        session.keep_left_out(data, made)
        text = session.text.of(where)
        if new:
            text.insert(where, data)
        else:
            text.set(where, data)
        session.entries.update({inner: (*where, *below) for inner, below in made.items() if below is not None})
        self._written.update(made)

    def _insert(self, handle: int) -> None:
        """Write the entry of a new entity into the children of its parent, or at the end of the scene."""
        session = self.session
        parent = session.now.parent(handle)
        above = session.entries.get(parent)
        where = self._end_of(("scenes", session.label) if above is None else (*above, "children"))
        self._write(where, handle, new=True)
        if parent and above is None:
            try:
                session.text.of(where).put((*where, "parent"), session.name_of(parent))
            except UsageError as error:
                self.problems.append(f"{session.said(handle)}: its parent has no entry, and {error}")
        session.edits.append(f"{session.said(handle)} is added")

    def _end_of(self, items: Steps) -> Steps:
        """Return the path behind the last item of a list, which is inserted if it does not exist."""
        text = self.session.text.of(items)
        if text.kind(items) != "list":  # there is none, or it is null
            text.put(items, [])
        return (*items, text.length(items))

    def _move(self, handle: int, *, inside: bool = False) -> None:
        """Move the entry of an entity to where its parent is. inside: into its `children:`, without `parent:`."""
        session = self.session
        path, parent = session.entries.get(handle), session.now.parent(handle)
        above = session.entries.get(parent)
        if path is not None and above is not None and path[: len(above)] == above and len(path) == len(above) + 2:
            return  # it was written there with its parent
        if path is None:
            if handle not in self._written:
                self._insert(handle)
            return
        text = session.text.of(path)
        named = text.has((*path, "parent"))
        if parent and (above is None or (named and not inside and session.is_unique(session.now.name(parent)))):
            if len(path) > 3:
                path = self._take(path, self._end_of(("scenes", session.label)))
            text.put((*path, "parent"), session.name_of(parent))
        else:
            if named:
                text.delete((*path, "parent"))
            top = ("scenes", session.label)
            if above is not None:
                self._take(path, self._end_of((*above, "children")))
            elif path[:-1] != top:
                self._take(path, self._end_of(top))
        session.edits.append(f"{session.said(handle)} has another parent")

    def _take(self, path: Steps, end: Steps) -> Steps:
        session = self.session
        to = after_removal(end, path)
        if path[:-1] == end[:-1]:
            to = (*end[:-1], int(end[-1]) - 1)
        text = session.text.of(path)
        try:
            text.move(path, to)
        except UsageError:  # its comments have no place in brackets
            text.unfold(end[:-2])
            text.move(path, to)
        session.moved(path, to)
        left = path[:-1]
        if len(left) > 2:
            left = after_removal(left, path)
            if session.text.get(left) == []:
                session.text.of(left).delete(left)
        return to

    def _delete(self, numbers: Iterable[int]) -> None:
        """Delete the entries of steps."""
        session, gone = self.session, list[Steps]()
        for number in numbers:
            session.edits.append(f"{session.steps[number].node.name or 'an entry'!r} is deleted")
            gone.append(session.paths[number])
        gone.sort(reverse=True)  # so that the paths of those before stay as they are
        for path in reported(_WRITING, gone):
            text = session.text.of(path)
            text.delete(path)
            if len(path) > 3 and not text.length(path[:-1]):
                text.delete(path[:-1])
        session.deleted(gone)

    def _strangers(self) -> list[int]:
        """Return the entities without an entry, without those below others of them."""
        session, world = self.session, self.app.world
        known = {*session.now.keys, *self._written, *previews(world).tolist()}
        alive = np.flatnonzero(world.entities.state[: world.entities.used] == 1)
        every = (world.entities.generation[alive].astype(np.int64) << 32 | alive).tolist()
        found = [handle for handle in every if handle not in known]
        found = {h: None for h in found if session.now.components(h) or world.has(h, Origin)}
        return [handle for handle in found if session.now.parent(handle) not in found]


def save_plan(app: App, text: GameText | None = None) -> SavePlan:
    """Compare the current scene of a game with its text; return what saving it would write. Only between two ticks.

    text: the text that the App was built from, which the plan changes; None: it is read from the files.

    Values of the text that a fresh start would give are the measure, so entities that the game itself has moved count
    as changed: stop the game before, and restore its first state.
    """
    return SavePlan(app, text)
