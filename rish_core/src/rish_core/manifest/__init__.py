"""The manifest: reading YAML with the places of values, checking it against declarations, prefabs and scenes."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from rish_ecs.declarations import degrees_of, resolve, show, written

    from .check import compile_manifest, settings_reader
    from .data_only import is_data_only, use_data_only
    from .entries import ROOT_OF_PREFAB
    from .manifest import FILE_NAME
    from .nodes import Document, Mark, Spot, YamlList, YamlMap, marked, path_text, place_at
    from .optional import OptionalNames
    from .placing import MAX_COPIES, Placing, Point
    from .plan import Link, SpawnPlan, Step
    from .prefabs import Node
    from .progress import on_progress, tell_progress
    from .scenes import CompiledManifest
    from .schema import FLOAT32_MAX, Drawn, FieldsReader, Listed, Ref, Scope, copy_values
    from .structure import FORMAT, section_schemas
    from .validate import Report, range_of, range_text, unit_of
    from .yaml import MAX_BYTES, MAX_VALUES, Composer, load_yaml, read_yaml, text_of

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "=rish_ecs.declarations": "degrees_of resolve show written",
        "check": "compile_manifest settings_reader",
        "data_only": "is_data_only use_data_only",
        "entries": "ROOT_OF_PREFAB",
        "manifest": "FILE_NAME",
        "nodes": "Document Mark Spot YamlList YamlMap marked path_text place_at",
        "optional": "OptionalNames",
        "placing": "MAX_COPIES Placing Point",
        "plan": "Link SpawnPlan Step",
        "prefabs": "Node",
        "progress": "on_progress tell_progress",
        "schema": "Drawn FLOAT32_MAX FieldsReader Listed Ref Scope copy_values",
        "structure": "FORMAT section_schemas",
        "scenes": "CompiledManifest",
        "validate": "Report range_of range_text unit_of",
        "yaml": "Composer MAX_BYTES MAX_VALUES load_yaml read_yaml text_of",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
