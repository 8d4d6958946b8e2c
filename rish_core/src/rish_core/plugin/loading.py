"""Loads plugins: imports them, reads their requirements, sorts them and connects them with the hooks.

    plugins = load_plugins(["render", "wind>=0.2"], game_file=Path("games/breezy/plugin.py"), core=core_module)
    for owner, components in plugins.gather("rish_components"):
        ...

Problems between plugins (one is missing, two conflict, a cycle) refuse the game, and all reasons are reported together.
If a plugin itself is broken, the policy decides: `raise` (for development) raises its error, `disable` (for players)
sets it aside (disables it) together with the plugins that require it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..manifest.manifest import PluginWish
from .discovery import Candidate, installed_plugins
from .importing import LoadedPlugin, PluginsRefused, import_all
from .plan import CORE, make_plan
from .plugins import Plugins, Policy
from .solving.about import API
from .solving.selection import complete, smallest, solve_optional
from .solving.solver import Solution, solve


def load_plugins(
    wishes: Iterable[PluginWish | str] = (),
    *,
    extra: Mapping[str, object] | None = None,
    game_file: Path | None = None,
    core: object | None = None,
    policy: Policy = "raise",
    installed: Sequence[Candidate] | None = None,
    off: Mapping[str, str] | None = None,
    manifest: str = "game.yaml",
    api: str = API,
) -> Plugins:
    """Load the plugins that a game names and those that they require.

    wishes: the plugins of the manifest, in its order, then those of `--with`: `PluginWish` or text. An optional plugin
    that is not installed or does not fit is left out. extra: plugins given as modules or objects, by name, without an
    entry point; they are loaded even if no wish names them. game_file: the game's own `plugin.py`, or None. core: the
    kernel's own declarations. policy: see the module. installed: the result of discovery; None: search now; an empty
    list: no plugins are installed. off: plugins that must not be loaded, each with the reason. manifest: the name of
    its file, for messages.

    Raises PluginsRefused with all reasons if the plugins don't fit together, and with policy `raise` PluginError for
    the first plugin that is broken itself.
    """
    candidates = installed_plugins() if installed is None else installed
    off = off or {}
    plan = make_plan(wishes, candidates, extra=extra or {}, core=core, game_file=game_file, manifest=manifest, off=off)
    loaded, broken = import_all(plan, [candidate for candidate in candidates if candidate.name not in off])
    options: dict[str, Any] = {
        "installed": {candidate.name for candidate in candidates},
        "failed": [*(failure.plugin for failure in broken), *plan.missing, *off],
        "contracts": plan.contracts,
        "manifest": manifest,
        "api": api,
    }
    roots = [source.name for source in plan.sources]
    result = solve_optional(list(loaded.values()), roots, plan.optional, plan.absent, needs=plan.needs, **options)
    solution, left_out, optional_only = result
    if plan.refusals or solution.refusals:
        required = [name for name in roots if name not in plan.optional]
        raise PluginsRefused((*plan.refusals, *solution.refusals), _explained(required, loaded, solution, options))
    for failure in broken:
        if policy == "raise" or failure.plugin == CORE:
            raise failure.as_error() from failure.error
    plugins = Plugins([loaded[name] for name in solution.order], solution.needs, policy)
    plugins.optional, plugins.needs = optional_only, plan.needs
    plugins.absent = {name: refusal.what for name, refusal in plan.absent.items() if name not in plugins} | left_out
    plugins.absent |= {failure.plugin: "it failed to load" for failure in broken if failure.plugin in plan.optional}
    known_names = {*plugins.names, *plugins.absent, *(failure.plugin for failure in broken)}
    plugins.candidates = tuple(candidates)
    plugins.others = tuple(candidate for candidate in candidates if candidate.name not in known_names)
    plugins.begin(broken, solution.aside)
    return plugins


def _explained(
    roots: Sequence[str], loaded: Mapping[str, LoadedPlugin], solution: Solution, options: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return a smallest set of named plugins that don't fit together; () if one refusal names all of them already."""

    def refused(names: Sequence[str]) -> bool:
        members = [loaded[name] for name in names]
        members = complete(members, lambda name, _: loaded.get(name), options["contracts"], {})
        return bool(solve(members, **options).refusals)

    named = [name for name in roots if name in loaded]
    if not solution.refusals or not refused(named):
        return ()
    conflict = smallest(named, refused)
    pairs = {(refusal.plugin, refusal.other) for refusal in solution.refusals}
    return () if any(set(conflict) <= set(pair) for pair in pairs) else tuple(conflict)
