"""The catalog: the components of plugins that the game does not load, found without importing most of the plugins."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from rish_core import UsageError

if TYPE_CHECKING:
    from rish_core import App, Registry

KNOWN: Mapping[str, str] = {
    "scene3d": "Model3D Material3D Camera3D Sky3D Sun3D Lamp3D Billboard3D FlyCamera3D Animator3D Socket3D",
    "physics3d": "Body3D Collider3D BallJoint3D HingeJoint3D SliderJoint3D DistanceJoint3D WeldJoint3D WheelJoint3D "
    "MouseJoint3D WindArea3D WaterArea3D GravityPoint3D Character3D",
    "space3d": "Transform3D Flat",
    "physics": "Body Collider RevoluteJoint DistanceJoint PrismaticJoint WeldJoint WheelJoint MotorJoint MouseJoint "
    "GearJoint RatchetJoint WindArea WaterArea GravityPoint Character",
    "lighting": "Light Ambient Occluder Sight FogOfWar",
    "particles": "Emitter",
    "audio": "AudioSource AudioListener",
    "ui": "Screen Widget Layout Label Button Toggle Slider ProgressBar TextInput Dropdown List ScrollView Image Panel "
    "Grid Tabs Dialog Minimap KeyBindings",
    "animation": "Animator Tween MotionPath FollowPath",
    "basics": "Lifetime Timer Wrap Follow",
}
"""The components of plugins of this project, also if these are not installed. A plugin is listed before those that it
requires."""


class PluginRefused(UsageError):
    """A plugin can't be switched on; the message says why, and what to do."""

    def __init__(self, plugin: str, *what: Any, **more: Any) -> None:
        super().__init__(*what, **more)
        self.plugin = plugin


@dataclass(frozen=True)
class Offer:
    """A component of a plugin that the game does not load. about: the description of the plugin. installed: whether the
    plugin is installed."""

    component: str
    plugin: str
    about: str
    installed: bool


class Catalog:
    """The components of plugins that a game does not load, by component name; read again when the game loads other
    plugins."""

    def __init__(self) -> None:
        self._of: Registry | None = None
        self._offers: dict[str, Offer] = {}
        self._search: threading.Thread | None = None

    def offers(self, app: App) -> Mapping[str, Offer]:
        """Return the components that are known now, by name; a thread imports the other installed plugins and adds
        theirs."""
        if self._of is not app.registry:
            self._of, self._offers = app.registry, _known(app)
            self._search = threading.Thread(target=self._import_others, args=(app, app.registry), daemon=True)
            self._search.start()
        return self._offers

    def wait(self) -> None:
        """Wait until the thread has imported the installed plugins."""
        if self._search is not None:
            self._search.join()

    def matching(self, app: App, words: Iterable[str]) -> list[Offer]:
        """Return the offers whose component or plugin has all words; those that begin with the first one come first."""
        lowered = [word.lower() for word in words]
        if not lowered:
            return []
        texts = [(offer, offer.component.lower()) for offer in self.offers(app).values()]
        matches = [(offer, text) for offer, text in texts if all(word in f"{text} {offer.plugin}" for word in lowered)]
        return [
            offer for offer, text in sorted(matches, key=lambda pair: (not pair[1].startswith(lowered[0]), pair[1]))
        ]

    def needed(self, app: App, components: Iterable[str]) -> Offer:
        """Return the offer of the plugin to switch on first for components that a game lacks. Raises UsageError if
        there is none."""
        names = [*components]
        offers = self.lacking(app, names)
        if not offers:
            self.wait()
            offers = self.lacking(app, names)
        if not offers:
            missing = next(name for name in names if not has_component(app, name))
            raise UsageError(f"no installed plugin has the component {missing}", hint="Install the plugin that has it")
        return offers[0]

    def lacking(self, app: App, components: Iterable[str]) -> list[Offer] | None:
        """Return the offers for components that the game does not have; None if no known plugin has one of them.

        The plugin of the first offer has to be switched on first.
        """
        offers = self.offers(app)
        missing = [name for name in components if not has_component(app, name)]
        if any(name not in offers for name in missing):
            return None
        order = [*KNOWN]
        return sorted(
            (offers[name] for name in missing),
            key=lambda offer: order.index(offer.plugin) if offer.plugin in order else len(order),
        )

    def _import_others(self, app: App, registry: Registry) -> None:
        components = registry.offers("component", without=known_plugins(app)).items()
        more = {name: Offer(name, plugin, about_plugin(plugin), True) for name, plugin in components if "." not in name}
        if self._of is registry:
            self._offers = {**more, **self._offers}


def has_component(app: App, name: str) -> bool:
    """Return whether the plugins of a game declare a component of this short name."""
    return app.world.kind(name) in app.world.tables


@cache
def about_plugin(plugin: str) -> str:
    """Return the description of an installed plugin's package; "" if the plugin is not installed."""
    point = next(iter(entry_points(group="rish.plugins", name=plugin)), None)
    return str(point.dist.metadata["Summary"] or "") if point is not None and point.dist is not None else ""


def _known(app: App) -> dict[str, Offer]:
    """Return the offers of the plugins of this project."""
    installed = {candidate.name for candidate in app.plugins.candidates}
    loaded = {key.partition(".")[0] for key in app.registry.components} | {*app.plugins.names}
    return {
        name: Offer(name, plugin, about_plugin(plugin), plugin in installed)
        for plugin, names in KNOWN.items()
        if plugin not in loaded
        for name in names.split()
    }


def known_plugins(app: App) -> set[str]:
    """Return the plugins whose components are listed in `KNOWN`, and other plugins that provide the same contracts."""
    installed = app.plugins.candidates
    contracts = {contract for each in installed if each.name in KNOWN for contract in each.contracts}
    return {*KNOWN, *(each.name for each in installed if contracts & {*each.contracts})}
