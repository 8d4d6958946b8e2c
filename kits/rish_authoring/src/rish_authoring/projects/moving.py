"""Renames and deletes files of a project: on the disk, in its texts in memory, and in the open scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from rish_core import UsageError

from ..references.changing import FileChange
from ..references.find_uses import Tree, Use
from ..references.formats import Formats
from ..references.plan import MovePlan, find_uses, plan_move
from ..references.trash import plan_delete
from ..references.world import rename_in_world
from ..text.game_text import GameText
from .project import Project

Declared = Iterable[tuple[str, Mapping[str, Iterable[str]]]]
"""The places in files that name other files, by suffix, as plugins declare them; see `Formats`."""


class AssetFiles:
    """The files of a project and the places in which they use each other.

    declared: the formats that plugins declare.
    """

    def __init__(self, project: Project, declared: Declared = ()) -> None:
        self._project = project
        self._formats = Formats(project.app.registry, declared)

    @property
    def root(self) -> Path:
        """The folder of the game."""
        return self._project.text.main.parent

    def uses(self, name: str, *, unsaved: bool = False) -> list[Use]:
        """Return the uses of a file, or of the files in a folder.

        unsaved: search the manifest as saving would write it now, which takes as long as saving; False: its present
        text.
        """
        text = self._project.plan().finish(partial=True) if unsaved else self._project.text
        return find_uses(self._tree(text), name)

    def plan(self, old: str, new: str, chosen: Collection[Use] = ()) -> MovePlan:
        """Return the plan of a rename, which changes nothing yet; see `plan_move`. Raises UsageError."""
        return plan_move(self._tree(), old, new, chosen=chosen, memory=self._tree(self._project.text))

    def move(self, plan: MovePlan) -> None:
        """Rename as planned, in a group of the history that the project follows.

        Raises UsageError and ManifestError; the group then undoes everything.
        """
        project = self._project
        moves, chosen = plan.moves, [use for use in plan.changed if not use.sure]
        after = {(moves.now(use.file), use.new) for use in chosen}
        before = {(use.file, use.text) for use in chosen}
        project.files.make(
            plan.change,
            back=lambda: self._replanned(moves.new, moves.old, after),
            forth=lambda: self._replanned(moves.old, moves.new, before),
        )
        rename_in_world(project.app, moves)
        project.rename({self.root / plan.moves.now(name): text for name, text in plan.texts.items()})

    def _replanned(self, old: str, new: str, chosen: Collection[tuple[str, str]]) -> FileChange:
        """Return the change for the files as they are now.

        chosen: file and text of the unsure uses to rename as well.
        """
        tree = self._tree()
        plan = plan_move(tree, old, new)
        unsure = [use for use in plan.unsure if (use.file, use.text) in chosen]
        return plan_move(tree, old, new, chosen=unsure).change if unsure else plan.change

    def delete(self, name: str) -> None:
        """Move a file or a folder into the trash; in a group of the history. Raises UsageError."""
        tree = self._tree()
        included = [each for each in tree.manifests if each == name or each.startswith(f"{name}/")]
        if included:
            raise UsageError(f"{included[0]} is a part of the manifest", hint="Take it out of `include:` first")
        self._project.files.make(plan_delete(self.root, name))

    def _tree(self, text: GameText | None = None) -> Tree:
        """Return the files of the game. text: a manifest that replaces the one on the disk; None: that of the disk."""
        contents = (text or self._project.text).plain
        texts = {path.relative_to(self.root).as_posix(): content for path, content in contents.items()}
        return Tree(self.root, self._formats, frozenset(texts), {} if text is None else texts)
