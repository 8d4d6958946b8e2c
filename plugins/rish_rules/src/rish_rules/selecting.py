"""Selectors: the entities to which a rule is limited, `self: fruit`, `other: basket`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Group, Name, Tags, UnknownName, World, find, members, tagged
from rish_core.manifest import show
from rish_ecs import Inputs, did_you_mean
from rish_ecs.declarations import distinct

if TYPE_CHECKING:
    from .context import Context

Handles = npt.NDArray[np.int64]


@dataclass
class Selector:
    """Selects entities. word: a tag, a group, a name, or a component. cls: the component, or None."""

    word: str
    cls: type | None = None
    _words: Inputs = field(default_factory=lambda: Inputs((Name, Tags, Group)), repr=False)
    _handles: Handles = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)

    def entities(self, world: World) -> Handles:
        """Return int64 (n,): the handles, sorted; read-only. Those of a word are found again when words have changed,
        which saves a tenth of a tick of the game orchard."""
        if self.cls is not None:
            return np.sort(world.query(self.cls).entities)
        if self._words.changed(world):
            by_name = find(world, self.word)
            name = [[by_name]] if by_name is not None else []
            handles = [tagged(world, self.word), members(world, self.word), *name]
            self._handles = distinct(np.concatenate(handles).astype(np.int64))
        return self._handles


def read_selector(word: Any, mark: Any, path: tuple[str | int, ...], context: Context) -> Selector | None:
    """Return the selector of a word; for a wrong one, report a problem and return None."""
    if not isinstance(word, str) or not word:
        what = f"must be a tag, a group or a name of entities, or a Component, not {show(word)}"
        return context.report.add(mark, path, what)
    if word.rpartition(".")[2][:1].isupper():
        try:
            return Selector(word, context.words.registry.component(word).cls)
        except UnknownName:
            pass
    if word not in context.marks:
        what = f"no entry or prefab has the tag, group or name {word!r}{did_you_mean(word, context.marks)}"
        return context.report.add(mark, path, what)
    return Selector(word)
