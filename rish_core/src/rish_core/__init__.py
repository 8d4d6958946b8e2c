"""Rish, a small kernel for games made of plugins.

All public names of the kernel are exported here. A module is imported when one of its names is first used, so that
`rish --help` and other short commands start quickly::

    from rish_core import Stage, component, field, system
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from rish_ecs import (
        TICK_STAGES,
        Array,
        Asset,
        Chars,
        Color,
        Columns,
        DeclarationError,
        Disabled,
        Each,
        Entity,
        EntityView,
        Mat4,
        NotYet,
        Place,
        Problem,
        Quat,
        Query,
        RishError,
        Snapshot,
        SnapshotError,
        Stage,
        StaleEntity,
        Str,
        Stream,
        Table,
        UnknownName,
        UsageError,
        Vec2,
        Vec3,
        Vec4,
        Vector,
        World,
        all_of,
        any_of,
        component,
        derived,
        describe_error,
        did_you_mean,
        event,
        every,
        field,
        kind_of,
        message_of,
        not_,
        place_of,
        place_of_error,
        place_of_record,
        printable,
        repr_of,
        resource,
        resource_equals,
        say,
        shorten_path,
        system,
        table,
        text_of,
    )

    from . import builtin, common, launcher, loop, manifest, plugin
    from .app import App, open_game
    from .assembly import declared_layers, read_plugins
    from .assets import AssetNames, Assets, canonical, load_text, read_asset, with_placeholder, with_siblings
    from .common.edges import Edges, publish_edges
    from .common.matrices import world_matrices
    from .common.names import Group, Name, Persistent, Tags, find, members, named, tagged
    from .common.transform import Transform, teleport
    from .errors import AssetError, ManifestError, PluginError, ScheduleError
    from .launcher.collector import settle, thaw
    from .launcher.exit_codes import FINE, OURS, YOURS
    from .loop.clock import Clock
    from .loop.events import InputRecord, WindowEvent
    from .loop.host import Captures, Host
    from .loop.input import Input
    from .loop.layers import Layer, Layers, LayerStack
    from .loop.profile import Profiler
    from .loop.session import Failures, Interventions, Session
    from .loop.ticks import PendingInput, TickHooks
    from .manifest.manifest import Manifest, parse_manifest, read_manifest
    from .manifest.plan import Origin
    from .manifest.scenes import Prefabs, Scenes, in_scene, spawn_prefab
    from .plugin.declaration_checks import Reader, declared_instances, declared_items, declared_mapping
    from .plugin.hooks import hookimpl, hookspec
    from .plugin.plugins import Plugins
    from .plugin.registry import Registry
    from .plugin.solving.about import API, About
    from .warming import WindowClosed

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "=rish_ecs": "Array Asset Chars Color Columns DeclarationError Disabled Each Entity EntityView Mat4 "
        "NotYet Place Problem Quat Query RishError Snapshot SnapshotError Stage StaleEntity Str "
        "Stream TICK_STAGES Table UnknownName UsageError Vec2 Vec3 Vec4 Vector World all_of any_of component "
        "derived describe_error did_you_mean event every field kind_of message_of not_ place_of place_of_error "
        "place_of_record printable repr_of resource resource_equals say shorten_path system table text_of",
        "app": "App open_game",
        "assembly": "declared_layers read_plugins",
        "assets": "AssetNames Assets canonical load_text read_asset with_placeholder with_siblings",
        "launcher.collector": "settle thaw",
        "common.edges": "Edges publish_edges",
        "common.matrices": "world_matrices",
        "common.names": "Group Name Persistent Tags find members named tagged",
        "common.transform": "Transform teleport",
        "errors": "AssetError ManifestError PluginError ScheduleError",
        "launcher.exit_codes": "FINE OURS YOURS",
        "loop.clock": "Clock",
        "loop.events": "InputRecord WindowEvent",
        "loop.host": "Captures Host",
        "loop.input": "Input",
        "loop.layers": "Layer LayerStack Layers",
        "loop.profile": "Profiler",
        "loop.session": "Failures Interventions Session",
        "loop.ticks": "PendingInput TickHooks",
        "manifest.manifest": "Manifest parse_manifest read_manifest",
        "manifest.plan": "Origin",
        "manifest.scenes": "Prefabs Scenes in_scene spawn_prefab",
        "plugin.solving.about": "API About",
        "plugin.declaration_checks": "Reader declared_instances declared_items declared_mapping",
        "plugin.hooks": "hookimpl hookspec",
        "plugin.plugins": "Plugins",
        "plugin.registry": "Registry",
        "warming": "WindowClosed",
    },
    modules=("builtin", "common", "launcher", "loop", "manifest", "plugin"),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
