"""The registry: the checked, immutable declarations of a game's plugins, named after their owners.

The kernel declares its components and systems through the same hooks as other plugins, as the plugin `core`. If two
plugins declare the same name or class, it is refused with both owners. A short name (`Body`) can be used if only one
plugin declares it; otherwise the full name (`physics.Body`) is required.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from rish_ecs import DeclarationError, UnknownName, nearest
from rish_ecs.declarations import Kind, ResourceSpec, notice_former

from ..errors import PluginError
from ..loop.layers import Layer
from ..loop.order import BoundSystem
from .declaration_checks import READERS, Named, Reader
from .discovery import Candidate
from .plugins import Plugins
from .suggestions import names_among

_T = TypeVar("_T")
_CLASSES = ("component", "event", "resource", "settings")
"""The words for items whose classes must be declared only once."""


def _frozen() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Registry:
    """All declarations, in the order of the plugins, then in the order in which each plugin returned them.

    components, events, tables, resources: by full name, `plugin.Name`. settings: by plugin. systems: bound, in order of
    declaration. layers, loaders (by suffix), prefabs, names (functions of the world that return lists of names): by
    name. layer_options: the classes whose fields are options of layers, by option. manifest_keys: the plugin whose
    settings a key sets, by key. more: declarations through hooks that plugins add, by hook, then name. owners: the
    declaring plugin, by word (`component`, `layer`, ...) and name. plugins: names in order. others: the plugins that
    are installed but not loaded. readers: by declaring hook. view_owners: the optional plugins that change only what
    is drawn or heard.
    """

    plugins: tuple[str, ...] = ()
    components: Mapping[str, Kind] = field(default_factory=_frozen)
    events: Mapping[str, Kind] = field(default_factory=_frozen)
    tables: Mapping[str, Kind] = field(default_factory=_frozen)
    resources: Mapping[str, ResourceSpec] = field(default_factory=_frozen)
    settings: Mapping[str, ResourceSpec] = field(default_factory=_frozen)
    systems: tuple[BoundSystem, ...] = ()
    layers: Mapping[str, Layer] = field(default_factory=_frozen)
    layer_options: Mapping[str, ResourceSpec] = field(default_factory=_frozen)
    manifest_keys: Mapping[str, str] = field(default_factory=_frozen)
    loaders: Mapping[str, Callable[..., Any]] = field(default_factory=_frozen)
    prefabs: Mapping[str, Mapping[str, Any]] = field(default_factory=_frozen)
    names: Mapping[str, Callable[[Any], Iterable[str]]] = field(default_factory=_frozen)
    owners: Mapping[tuple[str, str], str] = field(default_factory=lambda: MappingProxyType({}))
    more: Mapping[str, Mapping[str, Any]] = field(default_factory=_frozen)
    others: tuple[Candidate, ...] = ()
    readers: Mapping[str, Reader] = field(default_factory=lambda: READERS)
    view_owners: frozenset[str] = frozenset()

    def of(self, hook: str) -> Mapping[str, Any]:
        """Return the items declared through a hook that a plugin adds, by name; empty if there is no such hook."""
        return self.more.get(hook, MappingProxyType({}))

    @property
    def declared(self) -> tuple[type, ...]:
        """The component, event and table classes, for `World(declared)`."""
        kinds = (*self.components.values(), *self.events.values(), *self.tables.values())
        return tuple(kind.cls for kind in kinds)

    def component(self, name: str) -> Kind:
        """Return a component by its short, full or former name. Raises UnknownName."""
        if name not in self.components:
            renamed = [kind for kind in self.components.values() if kind.was and _was_called(kind, name)]
            if len(renamed) == 1 and not any(kind.name == name for kind in self.components.values()):
                notice_former("component", name, renamed[0].name)
                return renamed[0]
        offered = [key for key, kind in self.components.items() if kind.shown or not kind.fields]
        return _find("component", name, self.components, offered)

    def event(self, name: str) -> Kind:
        """Return an event by its short or full name. Raises UnknownName."""
        return _find("event", name, self.events)

    def table(self, name: str) -> Kind:
        """Return a table by its short or full name. Raises UnknownName."""
        return _find("table", name, self.tables)

    def resource(self, name: str) -> ResourceSpec:
        """Return a resource by its short or full name. Raises UnknownName."""
        return _find("resource", name, self.resources)

    def system(self, name: str) -> BoundSystem:
        """Return a system by its short or full name, `blow` or `wind.blow`. Raises UnknownName."""
        return _find("system", name, {system.name: system for system in self.systems})

    def offers(self, what: str, without: Collection[str] = ()) -> Mapping[str, str]:
        """Return the names, short and full, that installed plugins without being loaded declare, each with its plugin.

        what: the word of the items, such as `component`. Imports these plugins, except those in `without`.
        """
        hook = next((hook for hook, reader in self.readers.items() if reader.word == what), None)
        others = tuple(candidate for candidate in self.others if candidate.name not in without)
        return {} if hook is None else names_among(others, hook, self.readers[hook])

    def not_named(self, what: str, name: str, extra: Iterable[str] = ()) -> str | None:
        """Return a message if an installed plugin that is not loaded declares the name, otherwise None.

        The same if a name of such a plugin is more similar than those of the game. extra: further names of the game.
        """
        offers = self.offers(what)
        if name in offers:
            return f"{name!r} belongs to the plugin '{offers[name]}': add {offers[name]} to `plugins:`"
        own = {each for word, full in self.owners if word == what for each in (full, full.partition(".")[2])}
        near = nearest(name, [*offers, *own, *extra])  # of equal names the last counts
        if near is None or near in own or near in extra:
            return None
        meant = f"Did you mean {near!r} of the plugin '{offers[near]}'? Add {offers[near]} to `plugins:`"
        return f"no {what} is called {name!r}. {meant}"

    def owner(self, what: str, name: str) -> str:
        """Return the plugin that declared an item: `owner("layer", "hud")`. Raises UnknownName."""
        plugin = self.owners.get((what, name))
        if plugin is None:
            choices = [other for kind, other in self.owners if kind == what]
            raise UnknownName(f"no {what} is called '{name}'", given=name, choices=choices)
        return plugin


def _was_called(kind: Kind, name: str) -> bool:
    """Whether a short or full name is a former name of a class."""
    return any(name in (key, key.partition(".")[2]) for key in kind.former_keys)


def _find(what: str, name: str, items: Mapping[str, _T], offered: Iterable[str] | None = None) -> _T:
    """Find an item by short or full name. Raises UnknownName. offered: the names that a message may list; None: all."""
    item = items.get(name)
    if item is not None:
        return item
    fitting = [key for key in items if key.partition(".")[2] == name]
    if len(fitting) == 1:
        return items[fitting[0]]
    if fitting:
        owners = " and ".join(key.partition(".")[0] for key in fitting)
        raise UnknownName(
            f"{what} '{name}' is ambiguous: {owners} each declare one", hint=f"Write {' or '.join(sorted(fitting))}"
        )
    raise UnknownName(
        f"no {what} is called '{name}'",
        given=name,
        choices=_choices(items if offered is None else offered, "." in name),
    )


def _choices(names: Iterable[str], full: bool) -> list[str]:
    """Return the names for a message: full ones if a full one was given, otherwise short ones if unambiguous."""
    keys = list(names)
    counts = Counter(key.partition(".")[2] for key in keys)
    return [key if full or counts[key.partition(".")[2]] > 1 else key.partition(".")[2] for key in keys]


def build_registry(plugins: Plugins) -> Registry:
    """Call all declaring hooks, check the results and return the registry.

    An invalid result is a failure of its plugin (`Plugins.fail`: raised, or the plugin is set aside). Raises
    DeclarationError if two plugins declare the same class or name.
    """
    readers = {**READERS, **plugins.hook_manager.readers}
    namespaces = {plugin.name: plugin.namespace for plugin in plugins}
    read: dict[str, list[tuple[str, list[Named]]]] = {hook: [] for hook in readers}
    for hook, target in _declaring_hooks(plugins, readers):
        answers = plugins.gather(hook)
        for plugin in set(plugins.implementers(hook)) - {plugin for plugin, _ in answers}:
            plugins.fail(plugin, hook, DeclarationError("it returned nothing", hint="Is `return` missing?"))
        for plugin, value in answers:
            try:
                named = readers[target].read(namespaces[plugin], value)
                read[target].append((plugin, [(name, _with_plugin(item, plugin)) for name, item in named]))
            except DeclarationError as error:
                plugins.fail(plugin, hook, error.with_traceback(None))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # of an object that was returned
                plugins.fail(plugin, hook, error)
    _check_systems(plugins, read)
    return _Builder(plugins, read, readers).build()


def _with_plugin(item: Any, plugin: str) -> Any:
    """Return a declared item; a system gets the name of its plugin, which may differ from the plugin's namespace."""
    return replace(item, plugin=plugin) if isinstance(item, BoundSystem) else item


def _declaring_hooks(plugins: Plugins, readers: Mapping[str, Reader]) -> Iterable[tuple[str, str]]:
    """Yield the declaring hooks of the kernel and of plugins, each with the hook whose results it adds to.

    Raises PluginError for a hook whose `declares` names no declaring hook.
    """
    yield from ((hook, hook) for hook in readers)
    for hook, target in plugins.hook_manager.declaring.items():
        if target not in readers:
            raise PluginError(
                f"the hook '{hook}' of plugin '{plugins.hook_manager.owners[hook]}' declares {target!r}",
                given=target,
                choices=readers,
            )
        yield hook, target


def _check_systems(plugins: Plugins, read: Mapping[str, list[tuple[str, list[Named]]]]) -> None:
    """Check that reads and writes of systems are declared; repeated after plugins were set aside."""
    changed = True
    while changed:
        running = set(plugins.names)
        declared = {
            key
            for hook in ("rish_components", "rish_resources", "rish_events")
            for plugin, named in read[hook]
            if plugin in running
            for name, item in named
            for key in (item.cls, name)
        }
        for plugin, named in read["rish_systems"]:
            problem = _problem_of(named, declared, plugins.others) if plugin in running else None
            if problem is not None:
                plugins.fail(plugin, "rish_systems", problem)
        changed = set(plugins.names) != running


def _problem_of(
    named: Iterable[Named], declared: set[type | str], others: Iterable[Candidate]
) -> DeclarationError | None:
    seen: set[str] = set()
    for name, system in named:
        if name in seen:
            return DeclarationError(f"two systems are called '{name}'", where=system.place, hint="Give one a name=")
        seen.add(name)
        for cls in (*system.spec.reads, *system.spec.writes):
            kind: Any = getattr(cls, "__kind__", None)
            if isinstance(kind, Kind) and cls not in declared and kind.key not in declared:  # otherwise it was reloaded
                return _undeclared(system, kind, others)
    return None


def _undeclared(system: BoundSystem, kind: Kind, others: Iterable[Candidate]) -> DeclarationError:
    package = kind.cls.__module__.partition(".")[0]
    what = f"system '{system.name}' names the {kind.category} '{kind.name}', which no loaded plugin declares"
    if package == system.spec.fn.__module__.partition(".")[0]:
        hook = "rish_resources" if kind.category == "table" else f"rish_{kind.category}s"
        return DeclarationError(what, where=system.place, hint=f"Return it from {hook}()")
    owner = next((other.name for other in others if other.value.partition(".")[0] == package), None)
    hint = f"It belongs to {package}. Require the plugin that declares it: About(requires=[...])"
    if owner is not None:
        hint = f"It belongs to the plugin '{owner}': add {owner} to `plugins:`, and to About(requires=['{owner}'])"
    return DeclarationError(what, where=system.place, hint=hint)


class _Builder:
    def __init__(
        self, plugins: Plugins, read: Mapping[str, list[tuple[str, list[Named]]]], readers: Mapping[str, Reader]
    ) -> None:
        self.names = plugins.names
        self.readers = readers
        self.plugins = plugins
        self.read = read
        self.owners: dict[tuple[str, str], str] = {}
        self.seen: dict[object, str] = {}

    def build(self) -> Registry:
        hooks = dict.fromkeys(("rish_components", "rish_resources", "rish_events", *self.readers))
        more: dict[str, Mapping[str, Any]] = {hook: MappingProxyType(self._items(hook)) for hook in hooks}
        fields: dict[str, Any] = {hook.removeprefix("rish_"): more.pop(hook) for hook in READERS}
        items = fields["resources"].items()
        fields["tables"] = MappingProxyType({name: kind for name, kind in items if isinstance(kind, Kind)})
        fields["resources"] = MappingProxyType({name: spec for name, spec in items if isinstance(spec, ResourceSpec)})
        fields["systems"] = tuple(fields["systems"].values())
        optional = (plugin for plugin in self.plugins if plugin.name in self.plugins.optional)
        return Registry(
            plugins=self.names,
            view_owners=frozenset(plugin.name for plugin in optional if plugin.about.view),
            more=MappingProxyType(more),
            owners=MappingProxyType(self.owners),
            others=self.plugins.others,
            readers=self.readers,
            **fields,
        )

    def _items(self, hook: str) -> dict[str, Any]:
        """Return the items of a hook by name, from the plugins that still run."""
        by_name: dict[str, Any] = {}
        for plugin, named in self.read[hook]:
            for name, item in named if plugin in self.names else ():
                if hook in ("rish_loaders", "rish_names") and by_name.get(name) is item:
                    continue  # two plugins that use the same files agree on the function that reads or lists them
                self._add_owner(self.readers[hook].word, name, item, plugin)
                by_name[name] = item
        return by_name

    def _add_owner(self, what: str, name: str, item: Any, plugin: str) -> None:
        if not what:
            what, _, name = name.partition(" ")
        if isinstance(item, (Kind, ResourceSpec)) and what in _CLASSES:
            self._check_unique(item.cls, what, item.name, plugin)
            item.owner = self.plugins[plugin].namespace
        self._check_unique((what, name), what, name, plugin)
        self.owners[what, name] = plugin

    def _check_unique(self, key: object, what: str, name: str, plugin: str) -> None:
        if key in self.seen:
            raise _twice(what, name, self.seen[key], plugin)
        self.seen[key] = plugin


def _twice(what: str, name: str, first: str, second: str) -> DeclarationError:
    if first == second:
        return DeclarationError(f"plugin '{first}' declares the {what} '{name}' twice", hint="Take one out")
    return DeclarationError(
        f"{what} '{name}' comes from both '{first}' and '{second}'",
        hint="Only its owner may return it: rename one, or leave one of the plugins out",
    )
