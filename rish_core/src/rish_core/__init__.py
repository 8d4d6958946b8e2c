"""Rish: a thin kernel for games made of plugins.

Every public name stands here and nowhere else; a module is imported when one of its names is first used, so that
`rish --help` and tools that only look stay quick::

    from rish_core import Stage, component, field, system
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import jit, maths
    from .app import App, open_game
    from .assets import Assets
    from .common.edges import Edges, EdgeVersions, LightPoints, edges_version, publish_edges
    from .common.masks import ImageMask
    from .common.names import Group, Name, Persistent, Tags, find, members, named, tagged
    from .common.transform import Transform, WorldMatrices, teleport, transform_points, world_matrices
    from .ecs.columns import Array, Asset, Chars, Color, Entity, Mat4, Quat, Str, Vec2, Vec3, Vec4
    from .ecs.component import Disabled, Each, component, event, field, kind_of, table
    from .ecs.query import Query
    from .ecs.random import Stream
    from .ecs.resource import resource
    from .ecs.snapshot import Snapshot
    from .ecs.system import TICK_STAGES, Stage, system
    from .ecs.table import Columns, Table
    from .ecs.views import EntityView
    from .ecs.world import World
    from .errors import (
        AssetError,
        BackendError,
        DeclarationError,
        ManifestError,
        NotYet,
        Place,
        PluginError,
        RishError,
        ScheduleError,
        SnapshotError,
        StaleEntity,
        StrictError,
        UnknownName,
        UsageError,
    )
    from .frame.backend import Backend, Drawer, DrawStats, DrawTarget
    from .frame.batches import Batch, Material
    from .frame.camera_math import look_at, orthographic, perspective, view_2d
    from .frame.instances import INSTANCE, pack_sprites
    from .frame.kinds import ArraySpec, BatchKind, register_kind
    from .frame.null import NullBackend
    from .frame.passes import Frame, Page, Pass, Target
    from .frame.shaders import Pixels, Shader, sample
    from .loop.clock import Clock
    from .loop.conditions import all_of, any_of, every, in_scene, not_, resource_equals
    from .loop.events import InputRecord, WindowEvent
    from .loop.input import Input
    from .loop.layers import Layer, Layers, LayerStack
    from .loop.profile import Profiler
    from .loop.session import Interventions, Session
    from .loop.ticks import Taps
    from .manifest.manifest import Manifest, parse_manifest, read_manifest
    from .manifest.plan import Origin
    from .manifest.scenes import Prefabs, Scenes, spawn_prefab
    from .plugin.about import API, About
    from .plugin.hooks import hookimpl, hookspec
    from .plugin.registry import Registry

_WHERE = {
    "app": "App open_game",
    "assets": "Assets",
    "common.edges": "Edges EdgeVersions LightPoints edges_version publish_edges",
    "common.masks": "ImageMask",
    "common.names": "Group Name Persistent Tags find members named tagged",
    "common.transform": "Transform WorldMatrices teleport transform_points world_matrices",
    "ecs.columns": "Array Asset Chars Color Entity Mat4 Quat Str Vec2 Vec3 Vec4",
    "ecs.component": "Disabled Each component event field kind_of table",
    "ecs.query": "Query",
    "ecs.random": "Stream",
    "ecs.resource": "resource",
    "ecs.snapshot": "Snapshot",
    "ecs.system": "TICK_STAGES Stage system",
    "ecs.table": "Columns Table",
    "ecs.views": "EntityView",
    "ecs.world": "World",
    "errors": "AssetError BackendError DeclarationError ManifestError NotYet Place PluginError RishError ScheduleError "
    "SnapshotError StaleEntity StrictError UnknownName UsageError",
    "frame.backend": "Backend DrawStats DrawTarget Drawer",
    "frame.batches": "Batch Material",
    "frame.camera_math": "look_at orthographic perspective view_2d",
    "frame.instances": "INSTANCE pack_sprites",
    "frame.kinds": "ArraySpec BatchKind register_kind",
    "frame.null": "NullBackend",
    "frame.shaders": "Pixels Shader sample",
    "frame.passes": "Frame Page Pass Target",
    "loop.clock": "Clock",
    "loop.conditions": "all_of any_of every in_scene not_ resource_equals",
    "loop.events": "InputRecord WindowEvent",
    "loop.input": "Input",
    "loop.layers": "Layer LayerStack Layers",
    "loop.profile": "Profiler",
    "loop.session": "Interventions Session",
    "loop.ticks": "Taps",
    "manifest.manifest": "Manifest parse_manifest read_manifest",
    "manifest.plan": "Origin",
    "manifest.scenes": "Prefabs Scenes spawn_prefab",
    "plugin.about": "API About",
    "plugin.hooks": "hookimpl hookspec",
    "plugin.registry": "Registry",
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names.split()}
_MODULES = ("jit", "maths")

__all__ = sorted([*_MODULE_OF, *_MODULES])  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """A public name, fetched from its module at first use."""
    module = _MODULE_OF.get(name)
    if module is not None:
        found = getattr(importlib.import_module(f".{module}", __name__), name)
    elif name in _MODULES:
        found = importlib.import_module(f".{name}", __name__)
    else:
        from .errors import did_you_mean

        raise AttributeError(f"rish_core has no {name!r}{did_you_mean(name, __all__)}", name=name, obj=None)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Every public name."""
    return __all__
