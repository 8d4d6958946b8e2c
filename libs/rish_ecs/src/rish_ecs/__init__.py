"""Rish's entity component system: packed numpy columns, queries, events, snapshots, hashes. Usable on its own::

from rish_ecs import Vec2, World, component
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from rish_jit.errors import (
        DeclarationError,
        NotYet,
        Place,
        Problem,
        RishError,
        SnapshotError,
        StaleEntity,
        UnknownName,
        UsageError,
        add_engine,
        did_you_mean,
        engine_packages,
        in_engine,
        message_of,
        nearest,
        place_of,
        place_of_error,
        place_of_record,
        shorten_path,
    )
    from rish_jit.errors.packages import (
        how_to_get,
        how_to_get_module,
        how_to_update,
        is_ours,
        module_docstring,
        module_file,
        quoted,
    )
    from rish_jit.errors.terminal import say
    from rish_jit.errors.texts import describe_error, printable, repr_of, text_of

    from . import declarations, derivations, query, random, snapshots, states, storage
    from .colors import parse_color
    from .declarations.columns import Array, Asset, Chars, Color, Entity, Mat4, Quat, Str, Vec2, Vec3, Vec4
    from .declarations.component import Disabled, Each, component, event, field, kind_of, table
    from .declarations.conditions import all_of, any_of, every, not_, resource_equals
    from .declarations.resource import resource
    from .declarations.system import TICK_STAGES, Stage, system
    from .derivations.declaration import Compared, Rows, derived
    from .derivations.inputs import Inputs
    from .query import Query
    from .random import Stream
    from .snapshots.snapshot import Snapshot
    from .storage.row_changes import RowChanges
    from .storage.table import Columns, Table
    from .vector import Vector
    from .views import EntityView
    from .world import World

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "colors": "parse_color",
        "declarations.columns": "Array Asset Chars Color Entity Mat4 Quat Str Vec2 Vec3 Vec4",
        "declarations.component": "Disabled Each component event field kind_of table",
        "declarations.conditions": "all_of any_of every not_ resource_equals",
        "declarations.resource": "resource",
        "derivations.declaration": "Compared Rows derived",
        "derivations.inputs": "Inputs",
        "declarations.system": "TICK_STAGES Stage system",
        "=rish_jit.errors": "DeclarationError NotYet Place Problem RishError SnapshotError StaleEntity "
        "UnknownName UsageError add_engine did_you_mean engine_packages in_engine message_of nearest place_of "
        "place_of_error place_of_record shorten_path",
        "=rish_jit.errors.packages": "how_to_get how_to_get_module how_to_update is_ours module_docstring "
        "module_file quoted",
        "query": "Query",
        "random": "Stream",
        "snapshots.snapshot": "Snapshot",
        "storage.row_changes": "RowChanges",
        "storage.table": "Columns Table",
        "=rish_jit.errors.terminal": "say",
        "=rish_jit.errors.texts": "describe_error printable repr_of text_of",
        "vector": "Vector",
        "views": "EntityView",
        "world": "World",
    },
    modules=("declarations", "derivations", "query", "random", "snapshots", "states", "storage"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
