"""Tidied snapshots: a canonical form in which equal states give equal bytes.

A world numbers texts in the order of their first use, and stores its resources in the order in which they were added.
Both depend on the history of the state, and not only on the state. A save game is written in a tidied form: it contains
only texts in use, in the order of their first occurrence, and all named parts are sorted by name. So a game that is
saved, loaded and saved again gives the same file, byte for byte.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rish_core import Snapshot
from rish_ecs.snapshots import QueueState, TableState

_TEXTS = frozenset({"Str", "Asset", "list[Str]", "list[Asset]"})


def tidied(snapshot: Snapshot) -> Snapshot:
    """Return the canonical form of a snapshot; unchanged arrays are shared."""
    queues = _sorted(snapshot.queues)
    states = [*_sorted(snapshot.tables).items(), *_sorted(snapshot.columns).items()]
    everything = [*states, *((key, queue.rows) for key, queue in queues.items())]
    texts = _Texts(snapshot.texts)
    for _, state in everything:
        for name in _text_fields(state):
            texts.add(_numbers(state.fields[name]))
    renumbered = {key: _renumbered(state, texts) for key, state in everything}
    changes = snapshot.changes
    return replace(
        snapshot,
        texts=texts.texts,
        tables={key: renumbered[key] for key in _sorted(snapshot.tables)},
        columns={key: renumbered[key] for key in _sorted(snapshot.columns)},
        queues={key: QueueState(renumbered[key], queue.base, queue.tick_start) for key, queue in queues.items()},
        resources={key: _sorted(fields) for key, fields in _sorted(snapshot.resources).items()},
        view=sorted(snapshot.view),
        changes={
            **{name: changes[name] for name in ("sequence", "view_sequence") if name in changes},
            **{name: _sorted(changes[name]) for name in ("cursors", "log_start", "logs")},
        },
    )


class _Texts:
    """Renumbers texts in the order in which they occur; number 0 stays the empty text."""

    def __init__(self, old: list[str]) -> None:
        self.old = old
        self.texts = [""]
        self.number: NDArray[np.int32] = np.full(len(old), -1, np.int32)
        self.number[:1] = 0

    def add(self, numbers: NDArray[np.int32]) -> None:
        """Assign new numbers to the texts that have none yet."""
        distinct, first = np.unique(numbers, return_index=True)
        for number in distinct[np.argsort(first, kind="stable")].tolist():
            if self.number[number] < 0:
                self.number[number] = len(self.texts)
                self.texts.append(self.old[number])


def _text_fields(state: TableState) -> list[str]:
    """Return the names of the fields that store numbers of texts."""
    return [name for name, kind in state.schema.items() if kind in _TEXTS]


def _numbers(value: Any) -> NDArray[np.int32]:
    """Return int32 (n,): the numbers of texts in a column, or in the items of a list column."""
    return np.ravel(value[1] if isinstance(value, tuple) else value)


def _renumbered(state: TableState, texts: _Texts) -> TableState:
    """Return a table with the new numbers of texts."""
    text_fields = _text_fields(state)
    if not text_fields:
        return state
    fields = dict(state.fields)
    for name in text_fields:
        value = fields[name]
        fields[name] = (value[0], texts.number[value[1]]) if isinstance(value, tuple) else texts.number[value]
    return replace(state, fields=fields)


def _sorted(mapping: dict[Any, Any]) -> dict[Any, Any]:
    return dict(sorted(mapping.items()))
