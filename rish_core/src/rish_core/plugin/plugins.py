"""The plugins of a game: calls their hooks, handles their failures, sets them aside (disables them), resumes them."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any, Literal, cast, get_args

from rish_ecs import Place, UnknownName, printable, repr_of

from ..errors import PluginError
from . import game
from .calls import Around, Face, Failure, HookManager, IsolatedCaller, blame
from .discovery import Candidate
from .implementations import Implementation, find_implementations
from .importing import LoadedPlugin, PluginsRefused, import_all
from .plan import CORE, LoadPlan, Source
from .solving.selection import Degraded, degraded, needed
from .solving.solver import cascade, solve
from .solving.versions import Requirement

Policy = Literal["raise", "disable"]
Answer = Literal["raise", "skip", "disable"]

_log = logging.getLogger("rish.plugins")


class Plugins:
    """All plugins of a game in their order; calls their hooks and handles their failures.

    failures: all failures so far. aside: the plugins that are set aside (disabled), each with the reason. candidates:
    all installed plugins; others: the installed plugins that are not loaded. absent: the optional plugins that were
    not loaded, each with the reason. optional: the plugins that run only because they, or plugins that require them,
    were named as optional. left_out: the plugins that are set aside on request, with those that require them. needs:
    the manifest's own requirements, with places. dependent: the plugins that are set aside because they require one
    that is. resting: the plugins that `adopt` sets aside again, each with the reason. trial: the plugins on trial, each
    with its first failure or None; a failure sets such a plugin aside, whatever the policy.
    """

    def __init__(
        self, order: Sequence[LoadedPlugin], needs: Mapping[str, Sequence[Sequence[str]]], policy: Policy
    ) -> None:
        self.policy: Policy = policy
        self.failures: list[Failure] = []
        self.aside: dict[str, str] = {}
        self.candidates: tuple[Candidate, ...] = ()
        self.others: tuple[Candidate, ...] = ()
        self.absent: dict[str, str] = {}
        self.optional: frozenset[str] = frozenset()
        self.left_out: frozenset[str] = frozenset()
        self.needs: tuple[tuple[Requirement, Place], ...] = ()
        self.hook_manager = HookManager()
        self._order = tuple(order)
        self._needs = needs
        self.resting: Mapping[str, str] = {}
        self.trial: dict[str, BaseException | None] = {}
        self.dependent: set[str] = set()
        self._on_aside: list[Callable[[tuple[str, ...]], None]] = []
        self._implementations: dict[tuple[str, str], Implementation] = {}
        self._caller = IsolatedCaller(self.hook_manager, (), self._fail)

    # The plugins

    def __iter__(self) -> Iterator[LoadedPlugin]:
        return (plugin for plugin in self._order if plugin.name not in self.aside)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: str) -> bool:
        return any(plugin.name == name for plugin in self)

    @property
    def all(self) -> tuple[LoadedPlugin, ...]:
        """The running plugins and those that are set aside, in their order."""
        return self._order

    @property
    def names(self) -> tuple[str, ...]:
        """The running plugins, in their order."""
        return tuple(plugin.name for plugin in self)

    @property
    def required(self) -> Mapping[str, Sequence[Sequence[str]]]:
        """For each plugin and each of its requirements, the plugins that satisfy it."""
        return self._needs

    @property
    def providers(self) -> dict[str, str]:
        """The running plugin that provides each contract."""
        return {provided.name: plugin.name for plugin in self for provided in plugin.about.provides}

    def __getitem__(self, name: str) -> LoadedPlugin:
        for plugin in self:
            if plugin.name == name:
                return plugin
        reason = self.aside.get(name)
        what = f"plugin '{name}' is disabled: {reason}" if reason else f"no plugin '{name}' is loaded"
        raise UnknownName(what, given=name, choices=() if reason else self.names)

    # Calling them

    def has(self, hook: str) -> bool:
        """Whether any plugin implements a hook. Raises UnknownName for an unknown hook."""
        return self._caller.has(hook)

    def implementers(self, hook: str) -> tuple[str, ...]:
        """Return the plugins that implement a hook, in the order of calling."""
        return self._caller.implementers(hook)

    @property
    def gather(self) -> Callable[..., list[tuple[str, Any]]]:
        """`gather(hook, **arguments)` calls all plugins; returns a list of (plugin, result) without None."""
        return self._caller.gather

    @property
    def first(self) -> Callable[..., tuple[str, Any] | None]:
        """`first(hook, **arguments)` calls plugins until one returns a result; returns (plugin, result) or None."""
        return self._caller.first

    @property
    def tell(self) -> Callable[..., None]:
        """`tell(plugins, hook, **arguments)` calls only some plugins and drops their results."""
        return self._caller.tell

    def system_failed(self, system: str, error: BaseException, world: Any) -> Answer:
        """Return the policy for a system that raised, from the first plugin that decides, otherwise from the App."""
        answer = self._ask_about_error("rish_system_failed", _check_answer, system=system, error=error, world=world)
        return answer if answer is not None else self.policy

    def hint(self, error: BaseException) -> str | None:
        """Return a hint for an error from a plugin, or None."""
        hint = self._ask_about_error("rish_error_hint", _check_sentence, error=error)
        return None if hint is None else printable(hint)

    def _ask_about_error(self, hook: str, check: Callable[[Any], str | None], **arguments: Any) -> Any:
        """Return the first result that `check` accepts, or None. Failures must not hide the error that is handled."""
        try:
            while (result := self.first(hook, **arguments)) is not None:
                plugin, answer = result
                mistake = check(answer)
                if mistake is None:
                    return answer
                self.fail(plugin, hook, PluginError(mistake))
        except PluginError as error:
            _log.error("%s", error)
        return None

    def wrap_calls(self, around: Around | None) -> None:
        """Call the implementations of hooks through other functions, see `App.wrap_calls`."""
        self._caller.around = around

    # Failures

    def fail(self, plugin: str, hook: str, error: BaseException) -> None:
        """Handle a failure of a plugin by the policy: raise PluginError, or set the plugin aside."""
        self._fail(Failure(plugin, hook, self.blame(plugin, hook, error), error))

    def blame(self, plugin: str, hook: str, error: BaseException) -> Place:
        """Return the place of a failure: the deepest line of the plugin, otherwise its implementation of the hook."""
        implementation = self._implementations.get((plugin, hook))
        return blame(error, implementation.function if implementation is not None else None)

    def set_aside(self, plugin: str, reason: str) -> tuple[str, ...]:
        """Disable a plugin and all that require it; return the names of the newly disabled ones, the plugin first."""
        disabled = [] if plugin in self.aside else [plugin]
        self.aside.setdefault(plugin, reason)
        followers = cascade(self._needs, self.aside)
        self.dependent.update(followers)
        disabled += followers
        self._caller.drop(disabled)
        if disabled:
            for listener in self._on_aside:
                listener(tuple(disabled))
        return tuple(disabled)

    def leave_out(self, names: Iterable[str]) -> None:
        """Set plugins aside on request: their declarations stay, but none of their code runs. Raises UnknownName."""
        for name in [*names]:
            if name == CORE:
                raise PluginError("the kernel can't be left out")
            if name not in self.left_out:
                self.left_out |= {*self.set_aside(self[name].name, "it is left out")}

    def resume(self, *plugins: str) -> tuple[str, ...]:
        """Resume set-aside plugins and those that were set aside because of them; return the names of all resumed."""
        before = {*self.aside}
        for name in (*plugins, *self.dependent):
            self.aside.pop(name, None)
        self.dependent = set(cascade(self._needs, self.aside))
        self.left_out &= self.aside.keys()
        self._caller.drop_only(self.aside)
        return tuple(name for name in self.names if name in before)

    def dependents(self, plugin: str) -> tuple[str, ...]:
        """Return the running plugins that can't run without this one."""
        return tuple(cascade(self._needs, {**self.aside, plugin: ""}))

    def needed(self, contract: str) -> dict[str, str]:
        """Return the capabilities that are needed of a contract, each with the plugin or manifest that needs it."""
        needed_by = needed(self, contract)
        for requirement, place in self.needs:
            names = requirement.capabilities if requirement.name == contract else ()
            needed_by |= dict.fromkeys(names, place.file or "the manifest")
        return needed_by

    def degraded(self, capabilities: Mapping[str, Collection[str]]) -> list[Degraded]:
        """Return the unmet optional requirements of plugins. capabilities: of contracts known only at run time."""
        return degraded(self, capabilities)

    def on_aside(self, listener: Callable[[tuple[str, ...]], None]) -> None:
        """Call `listener(names)` whenever plugins are set aside, so that their systems can be disabled."""
        self._on_aside.append(listener)

    def failed_on_trial(self, plugin: str, error: BaseException) -> bool:
        """Whether a plugin that failed is on trial; if so, store its first failure in `trial`."""
        if plugin not in self.trial:
            return False
        self.trial[plugin] = self.trial[plugin] or error
        return True

    def _fail(self, failure: Failure) -> None:
        on_trial = self.failed_on_trial(failure.plugin, failure.as_error())
        if (self.policy == "raise" and not on_trial) or failure.plugin == CORE:
            self.failures.append(failure)
            raise failure.as_error() from failure.error
        failure = replace(failure, aside=self.set_aside(failure.plugin, failure.what))
        self.failures.append(failure)
        _log.error("%s", failure)

    # Setting up

    def begin(self, broken: Sequence[Failure], aside: Mapping[str, str]) -> None:
        """Record the failures so far, add the plugins' own hooks, and connect their functions with all hooks."""
        for failure in broken:
            self.aside[failure.plugin] = failure.what
            self.failures.append(failure)
            _log.error("%s", failure)
        for name, reason in aside.items():
            self.aside[name] = reason
            _log.error("plugin '%s' is disabled: %s", name, reason)
        self._connect_hooks()

    def _connect_hooks(self) -> None:
        for plugin in self:
            self._add_specs(plugin)
        faces: list[Face] = []
        for plugin in self:
            implementations, mistakes = self._implementations_of(plugin)
            self._implementations.update({(plugin.name, each.hook): each for each in implementations})
            faces.append(Face(plugin.name, implementations))
            if mistakes:
                mistake = mistakes[0] if len(mistakes) == 1 else PluginError("\n".join(map(str, mistakes)))
                self._refuse_plugin(plugin, mistake)
        self._caller = IsolatedCaller(self.hook_manager, faces, self._fail)
        self._caller.drop(self.aside)

    def _implementations_of(self, plugin: LoadedPlugin) -> tuple[list[Implementation], list[PluginError]]:
        """Return the hooks that a plugin implements, and the mistakes in them; an error is a failure of the plugin."""
        try:
            return find_implementations(plugin.name, plugin.module, self.hook_manager.arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._fail(Failure(plugin.name, "import", blame(error, None), error))
            return [], []

    def _refuse_plugin(self, plugin: LoadedPlugin, mistake: PluginError) -> None:
        if self.policy == "raise" or plugin.name == CORE:
            raise mistake
        names = self.set_aside(plugin.name, str(mistake))
        self.failures.append(Failure(plugin.name, "import", plugin.place or Place("?"), mistake, names))
        _log.error("%s", mistake)

    def _add_specs(self, plugin: LoadedPlugin) -> None:
        declare: Any = None
        try:
            declare = getattr(plugin.module, "rish_hookspecs", None)
            if not callable(declare):
                return
            specs: Any = declare()
            is_list = isinstance(specs, (list, tuple))
            for namespace in cast("Sequence[Any]", specs if is_list else [specs]):
                self.hook_manager.add_specs(plugin.name, namespace)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._fail(Failure(plugin.name, "rish_hookspecs", blame(error, declare), error))

    def replaced(self, name: str, module: Any, keep: Collection[str] = ()) -> Plugins:
        """Return a new set with another module for one plugin; a plugin that is not loaded is added. See `revised`."""
        former = next((plugin for plugin in self._order if plugin.name == name), None) or LoadedPlugin(name)
        source = Source(name, lambda: module, former.place, former.version, former.distribution)
        return self.revised(LoadPlan((source,), (), (), frozenset(), {}, (), {}, {}), keep=keep)

    def revised(self, plan: LoadPlan, *, without: Collection[str] = (), keep: Collection[str] = ()) -> Plugins:
        """Return a new set: these plugins with those of a plan, which replace plugins of the same name or are added.

        without: the plugins that are removed; added ones take their place, otherwise they come before the game's own.
        keep: the set-aside plugins whose declarations stay; other set-aside plugins are left out. Installed plugins
        that a new one requires are added. `self` does not change before `adopt`. Raises PluginError if a module fails,
        and PluginsRefused if the plugins do not fit together.
        """
        stay = [plugin for plugin in self._order if plugin.name not in without]
        offered = [contract.name for plugin in stay for contract in plugin.about.provides]
        imported, broken = import_all(plan, self.candidates, [*(plugin.name for plugin in stay), *offered])
        for failure in broken:
            raise failure.as_error() from failure.error
        new = [plugin for plugin in imported.values() if all(plugin.name != old.name for old in stay)]
        members: list[LoadedPlugin] = []
        for former in self._order:
            if former.name in without or former.name == game.GAME:
                members += new
                new = []
            if former.name not in without:
                members.append(imported.get(former.name, former))
        members += new
        resting = {name: why for name, why in self.aside.items() if name not in imported and name not in without}
        left_out = {name: resting.pop(name) for name in list(resting) if name not in keep}
        solved = [plugin for plugin in members if plugin.name not in left_out]
        solution = solve(solved, needs=[*self.needs, *plan.needs], contracts=plan.contracts)
        if plan.refusals or solution.refusals:
            raise PluginsRefused((*plan.refusals, *solution.refusals))
        named = {plugin.name: plugin for plugin in members}
        order = [named.pop(name) for name in solution.order]
        plugins = Plugins([*order, *named.values()], solution.needs, "raise")
        plugins.aside, plugins.resting, plugins.optional = left_out, resting, self.optional
        plugins.candidates, loaded_names = self.candidates, {plugin.name for plugin in plugins.all}
        plugins.others = tuple(candidate for candidate in self.candidates if candidate.name not in loaded_names)
        plugins.absent = {name: why for name, why in self.absent.items() if name not in loaded_names}
        plugins.needs = (*self.needs, *plan.needs)
        plugins.begin((), solution.aside)
        return plugins

    def copy(self) -> Plugins:
        """Return a copy from which `adopt` can restore these plugins later."""
        plugins = copy.copy(self)
        plugins.aside = dict(self.aside)
        return plugins

    @contextmanager
    def raising(self) -> Generator[None]:
        """A context manager in which failures of plugins are raised, whatever the policy."""
        policy, self.policy = self.policy, "raise"
        try:
            yield
        finally:
            self.policy = policy

    def adopt(self, other: Plugins) -> list[Any]:
        """Continue with the plugins from `revised` or `copy`; return the modules that are no longer in use."""
        before = self._order
        self._order, self._needs, self.hook_manager = other._order, other._needs, other.hook_manager
        other._caller.around = self._caller.around
        self._implementations, self._caller = other._implementations, other._caller
        self._caller.on_failure = self._fail
        self.others, self.absent, self.optional = other.others, other.absent, other.optional
        self.aside, self.needs = {**other.aside, **other.resting}, other.needs
        self.resume()
        modules = [plugin.module for plugin in self._order]
        return [plugin.module for plugin in before if not any(plugin.module is module for module in modules)]

    def close(self) -> None:
        """Remove the game's own modules from `sys.modules`, so that the next load of the folder imports them again."""
        for plugin in self._order:
            if plugin.name == game.GAME and isinstance(plugin.module, ModuleType):
                game.forget_game_plugin(plugin.module)


def _check_answer(answer: Any) -> str | None:
    if isinstance(answer, str) and answer in get_args(Answer):
        return None
    return f"it answered {repr_of(answer)}, expected 'raise', 'skip', 'disable' or None"


def _check_sentence(answer: Any) -> str | None:
    return None if isinstance(answer, str) else f"it answered {repr_of(answer)}, expected a sentence or None"
