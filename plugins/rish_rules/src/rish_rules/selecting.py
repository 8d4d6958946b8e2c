"""Selectors: the entities to which a rule is limited, `self: fruit`, `other: basket`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import UnknownName, World, find, members, tagged
from rish_core.manifest import show
from rish_ecs import did_you_mean

if TYPE_CHECKING:
    from .context import Context

Handles = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Selector:
    """Selects entities. word: a tag, a group, a name, or a component. cls: the component, or None."""

    word: str
    cls: type | None = None

    def entities(self, world: World) -> Handles:
        """Return int64 (n,): the handles, sorted."""
        if self.cls is not None:
            return np.sort(world.query(self.cls).entities)
        by_name = find(world, self.word)
        handles = [tagged(world, self.word), members(world, self.word), *([[by_name]] if by_name is not None else [])]
        return np.unique(np.concatenate(handles).astype(np.int64))


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
