"""Renaming and deleting files of a project: on the disk, in its texts in memory, and in the open scene."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from ..references.changing import FileChange
from ..references.finding import Tree, Use
from ..references.formats import Formats
from ..references.plan import MovePlan, find_uses, plan_move
from ..references.world import rename_in_world
from .project import Project

Declared = Iterable[tuple[str, Mapping[str, Iterable[str]]]]
"""Where files name others: by suffix, what plugins declare, see `Formats`."""


class AssetFiles:
    """The files of a project with the uses of each other. declared: what plugins say of their formats."""

    def __init__(self, project: Project, declared: Declared = ()) -> None:
        self._project = project
        self._formats = Formats(project.app.registry, declared)

    @property
    def root(self) -> Path:
        """The folder of the game."""
        return self._project.text.main.parent

    def uses(self, name: str) -> list[Use]:
        """Return the uses of a file, or of the files in a folder, in the files and in the unsaved edits of texts."""
        return find_uses(self._tree(memory=True), name)

    def plan(self, old: str, new: str, chosen: Collection[Use] = ()) -> MovePlan:
        """Return the plan of a rename, see `plan_move`. Raises UsageError."""
        return plan_move(self._tree(), old, new, chosen=chosen, memory=self._tree(memory=True))

    def move(self, plan: MovePlan) -> None:
        """Rename as planned; in a group of the history that the project follows. Raises UsageError and ManifestError;
        the group then takes everything back.
        """  # fmt: skip
        project = self._project
        project.files.make(plan.change)
        rename_in_world(project.app, plan.moves.moved)
        project.rename({self.root / plan.moves.now(name): text for name, text in plan.texts.items()})

    def delete(self, change: FileChange) -> None:
        """Delete as planned by `plan_delete`; in a group of the history. Raises UsageError."""
        self._project.files.make(change)

    def _tree(self, *, memory: bool = False) -> Tree:
        text, root = self._project.text, self.root
        names = {path.relative_to(root).as_posix(): each for path, each in text.plain.items()}
        return Tree(root, self._formats, frozenset(names), names if memory else {})
