"""The plan of saving an edited World: the edits of the text, entities made by code, and problems.

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
from ..text.partial_manifest import parsed_for
from ..tree.marks import authored, previews
from .arranging import arrange, copies_to_keep, hang_named
from .comparison import Comparison
from .entries import entry_of
from .fields import EntryWriter
from .fingerprints import Fingerprints, unmatched
from .foreign import Foreign
from .groups import freeze, reduce_group
from .omissions import Losses, missing, parts_of
from .session import Session, after_removal
from .worlds import Spawned, described, spawn_anew

_COMPARING, _WRITING, _CHECKING = "comparing entities:", "writing entries:", "checking the new text:"


@dataclass
class _StructureChanges:
    """Changes of lists of entries, which are collected first and applied together.

    gone: the steps to delete. split: a step, its copies that get their own entries, and all its copies.
    """

    gone: list[int] = field(default_factory=list[int])
    split: list[tuple[int, list[int], list[int]]] = field(default_factory=list["tuple[int, list[int], list[int]]"])


class SavePlan:
    """The plan of saving the current scene of a game, created by `save_plan`.

    edits: sentences about the changes of the text. notes: sentences about entries that are written in another form,
    such as a grid that becomes a list. problems: sentences about data that a manifest can't contain. made_by_code: the
    handles of entities without an entry that no tool has marked; they are saved only if `apply` includes them. wrong:
    after `finish`, the reasons why the text is not complete.
    """

    def __init__(self, app: App, text: GameText | None = None) -> None:
        self.app = app
        self.session = Session(app, GameText(app.manifest) if text is None else text)
        self._compared = Comparison(self.session)
        self._structure = _StructureChanges()
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
        """Sentences about data that can't be saved."""
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
        """Return sentences about how the World of the new text would differ from the edited one; [] if they are equal.

        The new text is checked and its scene is spawned into a World of its own.
        """
        session = self.session
        tell_progress(_CHECKING, 0, 4)
        try:
            after, text_entities = self._opened_anew(session.text, reuse=True)
        except ManifestError as error:
            return [str(error)]
        tell_progress(_CHECKING, 3, 4)
        absent, extra = unmatched(Fingerprints(session.now, self._saved()), Fingerprints(after, text_entities))
        tell_progress(_CHECKING, 4, 4)
        return [
            *(f"the text would not have: {described(session.now, handle)}" for handle in absent),
            *(f"the text would have: {described(after, handle)}" for handle in extra),
        ]

    def losses(self) -> Losses:
        """Return the data that saving this plan loses. Raises ManifestError if the new text has mistakes."""
        session = self.session
        text = session.text
        after, text_entities = self._opened_anew(text)
        files = text.with_texts({path: data.decode() for path, data in text.read.items()})
        expected = self._saved()
        expected += [h for h in authored(self.app.world) if h not in session.now.keys and h not in self._written]
        lost = missing(parts_of(session.now, expected), parts_of(after, text_entities))
        if not files.has(("scenes", session.label)):
            return Losses(lost)
        before, file_entities = self._opened_anew(files)
        without_values = parts_of(before, file_entities, values=False), parts_of(after, text_entities, values=False)
        return Losses(lost, missing(*without_values))

    def _saved(self) -> list[int]:
        """Return the entities that the new text should have."""
        session = self.session
        own = [handle for handle, key in session.now.keys.items() if key[0] not in session.foreign.steps]
        return [*own, *(handle for handle in self._written if handle not in session.now.keys)]

    def _opened_anew(self, text: GameText, *, reuse: bool = False) -> tuple[Spawned, list[int]]:
        """Spawn the scene of a text into a new World; return it and the entities of the text. Raises ManifestError.

        reuse: reuse data that the App has read and checked; see `parsed_for`.
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
        """Return the complete new text without writing it. Arguments and errors are those of `apply`."""
        self.include(include)
        self.settle()
        self.wrong = [*self.problems, *self.differences()]
        if self.wrong and not partial:
            problems = "\n".join(f"  {text}" for text in self.wrong[:20])
            raise UsageError(f"not everything can be saved:\n{problems}", hint="Give partial=True to save the rest")
        return self.session.text

    def settle(self) -> None:
        """Replace random values by numbers if the edits would change them; each draw depends on earlier ones."""
        session = self.session
        split = {number for number, _, _ in self._structure.split}
        drawing = [i for i, step in enumerate(session.steps) if step.draws and i in session.paths and i not in split]
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
            staying = copies_to_keep(session, number, [copy for copy in copies if copy not in changed] or copies)
            same_changes = bool(changed) and len(changed) == len(copies) and len(staying) == len(copies)
            changed = changed if same_changes else [copy for copy in copies if copy in changed or copy not in staying]
        if not changed:
            return
        if number not in session.paths:
            self._inherited(number, copies)
        elif node.count == 1 and self._compared.breaks(number, copies[0]):
            self._structure.split.append((number, copies, copies))
        elif node.count == 1:
            self._single(number, copies[0])
        elif len(changed) == len(copies) and self._compared.alike(number, copies):
            handle = session.now.handles[number, copies[0]]
            EntryWriter(session, session.paths[number], node).write(handle, self._compared.changes(number, copies[0]))
        else:
            self._structure.split.append((number, changed, copies))

    def _single(self, number: int, copy: int) -> None:
        """Write the changes of a step with one copy, and of its children."""
        session = self.session
        handle = session.now.handles.get((number, copy))
        if handle is None:
            self._structure.gone.append(number)
        else:
            writer = EntryWriter(
                session, session.paths[number], session.steps[number].node, base=self._compared.base(number)
            )
            writer.write(handle, self._compared.changes(number, copy))
        for child in session.inside(number):
            count = session.steps[child].node.count
            if handle is not None or any((child, copy * count + i) in session.now.handles for i in range(count)):
                self._step(child, [copy * count + i for i in range(count)])

    def _inherited(self, number: int, copies: list[int]) -> None:
        """Write the changes of a prefab's child as keys with dots into the nearest ancestor that has an entry."""
        session = self.session
        node, names, ancestor = session.steps[number].node, list[str](), number
        handle = session.now.handles.get((number, copies[0]))
        while ancestor not in session.paths and ancestor >= 0:
            step = session.steps[ancestor]
            namesakes = [i for i in session.inside(step.parent) if session.steps[i].node.name == step.node.name]
            if not step.node.name or len(namesakes) > 1 or step.node.count != 1:
                handle = None
            names.insert(0, step.node.name)
            ancestor = step.parent
        if handle is None or ancestor < 0 or self._compared.has_moved(number, copies[0]):
            self.problems.append(
                f"{node.name or node.prefab or 'a child'!r}, which a prefab brings, can't be changed so"
            )
            return
        prefix = "".join(f"{name}." for name in names)
        base = self._compared.base(number)
        changes = self._compared.changes(number, copies[0])
        EntryWriter(session, session.paths[ancestor], node, prefix, base).write(handle, changes)
        for child in session.inside(number):
            self._step(child, list(range(session.steps[child].node.count)))

    # Names

    def _rename(self) -> None:
        """Replace references in the text to entities that have new names."""
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
        """Apply the changes of structure: split groups, add, move, delete and sort entries."""
        session, structure = self.session, self._structure
        for number, changed, copies in reported(_WRITING, structure.split, 1):
            self._split(number, changed, copies)
        new = [handle for handle in authored(self.app.world) if handle not in session.now.keys]
        of_text = [(key, handle) for key, handle in session.now.handles.items() if key[0] not in session.foreign.steps]
        moved = [handle for key, handle in of_text if self._compared.has_moved(*key)]
        new_set = set(new)
        for handle in reported(_WRITING, sorted([*new, *moved], key=self._depth)):  # parents first
            if handle not in new_set:
                self._try(handle, lambda handle=handle: self._move(handle))
            elif handle not in self._written:
                self._insert(handle)
        self._delete(number for number in structure.gone if number in session.paths)
        for handle in hang_named(session):
            self._try(handle, lambda handle=handle: self._move(handle, inside=True))
        arrange(session)

    def _try(self, handle: int, work: Callable[[], None]) -> None:
        """Call a function; a UsageError becomes a problem of the entity."""
        try:
            work()
        except UsageError as error:
            self.problems.append(f"{self.session.phrase_for(handle)}: {error}")

    def _depth(self, handle: int) -> int:
        """Return the number of ancestors of an entity."""
        depth = 0
        while handle := self.session.now.parent(handle):
            depth += 1
        return depth

    def _split(self, number: int, changed: list[int], copies: list[int]) -> None:
        """Write own entries for changed copies after the entry of the group."""
        session = self.session
        path = session.paths[number]
        remaining = [copy for copy in copies if copy not in changed]
        entities = [session.now.handles[number, copy] for copy in changed if (number, copy) in session.now.handles]
        assert isinstance(path[-1], int)
        if len(copies) == 1:
            self._replace(number, entities[0])
            return
        # an entry that is written may have further ones as its children, so each is looked at when its turn comes
        for offset, handle in enumerate(
            handle for handle in reported(_WRITING, entities) if handle not in self._written
        ):
            where = (*path[:-1], path[-1] + 1 + offset)
            session.inserted(where)
            self._write(where, handle, new=True)
            session.edits.append(f"{session.phrase_for(handle)} gets an entry of its own")
        if remaining:
            reduce_group(session, number, remaining, copies)
        else:
            self._delete([number])

    def _replace(self, number: int, handle: int) -> None:
        """Write the entry of one entity again as a whole, without its prefab if necessary."""
        session = self.session
        path = session.paths[number]
        for paths in (session.paths, session.entries):
            for key in [key for key, entry_path in paths.items() if entry_path[: len(path)] == path]:
                del paths[key]
        session.paths[number] = path
        self._write(path, handle, new=False)
        session.edits.append(f"{session.phrase_for(handle)}: its entry is written again")

    def _write(self, where: Steps, handle: int, *, new: bool) -> None:
        """Write the complete entry of an entity, and record the paths of the entries in it."""
        session, paths = self.session, dict[int, Steps | None]()
        data = entry_of(session, handle, paths)
        session.keep_left_out(data, paths)
        text = session.text.of(where)
        if new:
            text.insert(where, data)
        else:
            text.set(where, data)
        session.entries.update({inner: (*where, *path) for inner, path in paths.items() if path is not None})
        self._written.update(paths)

    def _insert(self, handle: int) -> None:
        """Write the entry of a new entity into the children of its parent, or at the end of the scene."""
        session = self.session
        parent = session.now.parent(handle)
        parent_path = session.entries.get(parent)
        where = self._end_of(("scenes", session.label) if parent_path is None else (*parent_path, "children"))
        self._write(where, handle, new=True)
        if parent and parent_path is None:
            try:
                session.text.of(where).put((*where, "parent"), session.name_of(parent))
            except UsageError as error:
                self.problems.append(f"{session.phrase_for(handle)}: its parent has no entry, and {error}")
        session.edits.append(f"{session.phrase_for(handle)} is added")

    def _end_of(self, items: Steps) -> Steps:
        """Return the path after the last item of a list. The list is inserted if it does not exist."""
        text = self.session.text.of(items)
        if text.kind(items) != "list":  # there is none, or it is null
            text.put(items, [])
        return (*items, text.length(items))

    def _move(self, handle: int, *, inside: bool = False) -> None:
        """Move the entry of an entity to its parent's entry. inside: always into its `children:`, without `parent:`."""
        session = self.session
        path, parent = session.entries.get(handle), session.now.parent(handle)
        parent_path = session.entries.get(parent)
        if (
            path is not None
            and parent_path is not None
            and path[: len(parent_path)] == parent_path
            and len(path) == len(parent_path) + 2
        ):
            return  # it was written there with its parent
        if path is None:
            if handle not in self._written:
                self._insert(handle)
            return
        text = session.text.of(path)
        has_parent_key = text.has((*path, "parent"))
        if parent and (
            parent_path is None or (has_parent_key and not inside and session.is_unique(session.now.name(parent)))
        ):
            if len(path) > 3:
                path = self._take(path, self._end_of(("scenes", session.label)))
            text.put((*path, "parent"), session.name_of(parent))
        else:
            if has_parent_key:
                text.delete((*path, "parent"))
            top = ("scenes", session.label)
            if parent_path is not None:
                self._take(path, self._end_of((*parent_path, "children")))
            elif path[:-1] != top:
                self._take(path, self._end_of(top))
        session.edits.append(f"{session.phrase_for(handle)} has another parent")

    def _take(self, path: Steps, end: Steps) -> Steps:
        """Move an entry to the end of a list, and delete its former list if it is empty; return the new path."""
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
        former_list = path[:-1]
        if len(former_list) > 2:
            former_list = after_removal(former_list, path)
            if session.text.get(former_list) == []:
                session.text.of(former_list).delete(former_list)
        return to

    def _delete(self, numbers: Iterable[int]) -> None:
        """Delete the entries of steps."""
        session, paths = self.session, list[Steps]()
        for number in numbers:
            session.edits.append(f"{session.steps[number].node.name or 'an entry'!r} is deleted")
            paths.append(session.paths[number])
        paths.sort(reverse=True)  # so that the paths of earlier entries stay the same
        for path in reported(_WRITING, paths):
            text = session.text.of(path)
            text.delete(path)
            if len(path) > 3 and not text.length(path[:-1]):
                text.delete(path[:-1])
        session.deleted(paths)

    def _strangers(self) -> list[int]:
        """Return the topmost entities without an entry."""
        session, world = self.session, self.app.world
        known_handles = {*session.now.keys, *self._written, *previews(world).tolist()}
        alive = np.flatnonzero(world.entities.state[: world.entities.used] == 1)
        handles = (world.entities.generation[alive].astype(np.int64) << 32 | alive).tolist()
        strangers = [handle for handle in handles if handle not in known_handles]
        strangers = {h: None for h in strangers if session.now.components(h) or world.has(h, Origin)}
        return [handle for handle in strangers if session.now.parent(handle) not in strangers]


def save_plan(app: App, text: GameText | None = None) -> SavePlan:
    """Compare the current scene of a game with its text; return the plan of saving it. Only between two ticks.

    text: the text from which the App was built, which the plan changes; None: it is read from the files.

    Entities are compared with a new start of the scene, so entities that the game itself has moved count as changed.
    Stop the game before, and restore its first state.
    """
    return SavePlan(app, text)
