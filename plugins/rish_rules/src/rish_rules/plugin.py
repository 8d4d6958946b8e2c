"""The hooks of rish_rules: `on:` and `variables:` of the manifest, and the system that runs the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rish_core import About, World, hookimpl
from rish_expressions import Action, Variables

from . import hooks
from .builtin import ACTIONS
from .state import RulesSettings, RulesState, WaitingRules
from .systems import Rules, hold_waiting, run_rules
from .triggers import restart

if TYPE_CHECKING:
    from rish_core import App, Manifest, Registry


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="rules without Python: what happens on events, keys, times and conditions")


def rish_hookspecs() -> ModuleType:
    """Add the hook `rish_actions`."""
    return hooks


def rish_settings() -> type:
    """Return the class of `on:` and `variables:`."""
    return RulesSettings


def rish_manifest_keys() -> list[str]:
    """Return the keys of the manifest that the plugin reads."""
    return ["on", "variables"]


def rish_resources() -> list[type]:
    """Return the resources for variables, the state of rules, waiting rules, and the rules."""
    return [Variables, RulesState, WaitingRules, Rules]


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that runs the rules."""
    return [hold_waiting, run_rules]


def rish_actions() -> list[Action]:
    """Return the built-in actions with plain parameters."""
    return ACTIONS


def rish_manifest(manifest: Manifest, registry: Registry) -> None:
    """Check the rules and variables."""
    from .context import context_of
    from .reading import read_rules

    context = context_of(manifest, registry)
    read_rules(manifest, context)
    manifest.problems.extend(context.report.problems)
    manifest.skipped["rules"] = context.optional.skipped


def rish_ready(app: App) -> None:
    """Set the variables to their first values, and bind the rules."""
    from .context import variables_of

    app.world.put(Variables(values=variables_of(app.manifest)))
    _bind_rules(app)


def rish_reloaded(app: App, plugins: tuple[str, ...]) -> None:
    """Bind the rules of the edited manifest. A variable that still has its type keeps its value."""
    from .context import variables_of

    variables: Variables = app.world[Variables]
    first_values = variables_of(app.manifest)
    variables.values = {
        name: variables.values[name] if type(variables.values.get(name)) is type(value) else value
        for name, value in first_values.items()
    }
    _bind_rules(app)


def _bind_rules(app: App) -> None:
    """Bind the rules of the manifest to the World."""
    from .context import context_of
    from .reading import read_rules

    app.world.put(Rules(rules=read_rules(app.manifest, context_of(app.manifest, app.registry, app.world))))


def rish_scene_loaded(world: World, scene: str) -> None:
    """Record that a scene began, and restart timers and conditions."""
    state: RulesState = world[RulesState]
    state.began = scene
    restart(state)


def rish_scene_unloading(world: World, scene: str) -> None:
    """Drop the rules that wait."""
    world[WaitingRules].clear()


@hookimpl(optional=True)
def rish_editor_panels() -> list[type]:
    """Return the panel Rules of the editor."""
    from .editing import PANELS

    return PANELS


@hookimpl(optional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets: a rule."""
    from .editing import TEMPLATES

    return TEMPLATES


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"
