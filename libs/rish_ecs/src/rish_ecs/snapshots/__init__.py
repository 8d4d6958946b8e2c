"""The state of a World as data: snapshots, restores, hashes, redeclared classes."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .data import QueueState, TableState
    from .deltas import Delta
    from .digests import prepare_digests
    from .following import follow
    from .mirror import Mirror
    from .packed_state import FlatPart, FlatReader, FlatState, unflattened
    from .records import Recorder, bring_up_to_date
    from .redeclare import put_captured, reinstate
    from .restore import converted
    from .snapshot import capture_rows

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "data": "QueueState TableState",
        "deltas": "Delta",
        "digests": "prepare_digests",
        "packed_state": "FlatPart FlatReader FlatState unflattened",
        "following": "follow",
        "mirror": "Mirror",
        "records": "Recorder bring_up_to_date",
        "redeclare": "put_captured reinstate",
        "restore": "converted",
        "snapshot": "capture_rows",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
