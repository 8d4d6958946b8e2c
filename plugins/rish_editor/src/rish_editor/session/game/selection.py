"""The selection: the entities that the editor's commands apply to, in the order in which they were chosen."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from rish_core import World

Handles = npt.NDArray[np.int64]


class Selection:
    """Handles of entities. version: rises with each change. before: the entities that were selected before the last
    change."""

    def __init__(self) -> None:
        self._chosen: dict[int, None] = {}
        self._tuple: tuple[int, ...] | None = ()
        self._array: Handles | None = None
        self.before: list[int] = []
        self.version = 0

    def __len__(self) -> int:
        return len(self._chosen)

    def __contains__(self, handle: object) -> bool:
        return handle in self._chosen

    def __iter__(self) -> Any:
        return iter(self._chosen)

    @property
    def handles(self) -> list[int]:
        """The entities in the order in which they were chosen."""
        return list(self._chosen)

    @property
    def chosen(self) -> tuple[int, ...]:
        """The entities in the order in which they were chosen: the same object until the selection changes."""
        if self._tuple is None:
            self._tuple = tuple(self._chosen)
        return self._tuple

    @property
    def array(self) -> Handles:
        """The entities as int64 n, read-only."""
        if self._array is None:
            self._array = np.fromiter(self._chosen, np.int64, len(self._chosen))
            self._array.flags.writeable = False
        return self._array

    @property
    def primary(self) -> int | None:
        """The entity that was selected last, whose axes gizmos use. None if nothing is selected."""
        return next(reversed(self._chosen), None)

    def set(self, handles: Iterable[int] | Handles) -> None:
        """Select exactly these entities."""
        chosen = dict.fromkeys(handles.tolist() if isinstance(handles, np.ndarray) else map(int, handles))
        if len(chosen) != len(self._chosen) or any(map(operator.ne, chosen, self._chosen)):
            self.before, self._chosen = self.handles, chosen
            self._tuple = self._array = None
            self.version += 1

    def add(self, handles: Iterable[int]) -> None:
        """Select these entities too."""
        self.set([*(handle for handle in self._chosen), *handles])

    def remove(self, handles: Iterable[int]) -> None:
        """Select these entities no longer."""
        removed = {int(handle) for handle in handles}
        self.set([handle for handle in self._chosen if handle not in removed])

    def toggle(self, handles: Iterable[int]) -> None:
        """Toggle the selection of each of these entities."""
        toggled = dict.fromkeys(map(int, handles))
        remaining = [handle for handle in self._chosen if handle not in toggled]
        self.set([*remaining, *(handle for handle in toggled if handle not in self._chosen)])

    def clear(self) -> None:
        """Select nothing."""
        self.set(())

    def prune(self, world: World) -> None:
        """Forget entities that no longer exist."""
        if self._chosen:
            alive = world.entities.status_many(self.array) != 0
            if not alive.all():
                self.set(self.array[alive].tolist())
