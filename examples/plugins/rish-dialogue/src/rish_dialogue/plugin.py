"""The hooks of the plugin `dialogue`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rish_core import About, hookimpl

from .files import check_files, load_all, load_path
from .reading import SUFFIX
from .state import ChoiceMade, DialogueEnded, Dialogues, DialogueSettings, DialogueStarted, DialogueState, LineShown

if TYPE_CHECKING:
    from rish_core import App, Manifest, Registry, World


def rish_about() -> About:
    """Describe the plugin; the variables of the game belong to `rules`."""
    return About(description="dialogues from YAML", api=">=1,<2", requires=["rules>=0.1"])


def rish_settings() -> type:
    """Return the class of `settings: dialogue:`."""
    return DialogueSettings


def rish_resources() -> list[type]:
    """Return the state of the dialogue, and the dialogues."""
    return [DialogueState, Dialogues]


def rish_events() -> list[type]:
    """Return the events of the plugin."""
    return [DialogueStarted, LineShown, ChoiceMade, DialogueEnded]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loader of dialogues."""
    return {SUFFIX: load_path}


def rish_names() -> dict[str, Callable[[World], list[str]]]:
    """Return the list of dialogues."""
    return {"dialogues": lambda world: list(world[Dialogues].by_name)}


def rish_manifest(manifest: Manifest, registry: Registry) -> None:
    """Check all dialogues."""
    check_files(manifest, registry)


def rish_ready(app: App) -> None:
    """Read all dialogues."""
    load_all(app)


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the actions of rules: `talk`."""
    from .actions import ACTIONS

    return ACTIONS
