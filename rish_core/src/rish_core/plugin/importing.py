"""Imports the modules of the plugins that a plan names, and calls their `rish_about`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rish_ecs import Problem, repr_of

from ..errors import PluginError
from .calls import Failure, blame
from .discovery import Candidate
from .plan import LoadPlan, Source, source_of
from .solving.about import About
from .solving.packages import clash_of, package_of
from .solving.requirements import unmet
from .solving.selection import complete
from .solving.solver import Member, Refusal


class PluginsRefused(PluginError):
    """Raised for plugins that don't fit together.

    problems: all reasons, as problems of the manifest. smallest: a smallest set of named plugins that don't fit
    together; empty if the reasons themselves name them.
    """

    def __init__(self, refusals: Iterable[Refusal], smallest: tuple[str, ...] = ()) -> None:
        self.refusals, self.smallest = tuple(refusals), smallest
        self.problems: tuple[Problem, ...] = tuple(refusal.problem for refusal in self.refusals)
        if len(smallest) > 1:
            names = " and ".join(f"'{name}'" for name in smallest)
            what = f"{names} don't fit together: any one of them can be loaded without the others. Take one out"
            self.problems += (Problem(self.refusals[0].place, "plugins", what),)
        super().__init__("\n".join(str(problem) for problem in self.problems))


@dataclass(frozen=True)
class LoadedPlugin(Member):
    """A loaded plugin with its module, or the object that was given instead of a module."""

    module: Any = None


def import_all(
    plan: LoadPlan, candidates: Sequence[Candidate], present: Iterable[str] = ()
) -> tuple[dict[str, LoadedPlugin], list[Failure]]:
    """Import the planned plugins and those that they require; return the loaded ones in order, and the failures.

    present: names that need not be loaded. A plugin is not imported if a requirement of its package is not met, or if
    two packages offer its name; the solver refuses it.
    """
    outcomes = [_load(source) for source in plan.sources]
    failures = [outcome for outcome in outcomes if isinstance(outcome, Failure)]

    def find(name: str, dependent: Member) -> Member | None:
        offers = [candidate for candidate in candidates if candidate.name == name]
        if not offers:
            return None
        clash = clash_of(offers, package_of(name))
        plugin = LoadedPlugin(name, barred=clash) if clash else _load(source_of(offers[0], dependent.place))
        if isinstance(plugin, Failure):
            failures.append(plugin)
            return None
        return plugin

    ignored = {*(failure.plugin for failure in failures), *plan.missing, *present}
    loaded = [outcome for outcome in outcomes if isinstance(outcome, LoadedPlugin)]
    completed = complete(loaded, find, plan.contracts, plan.chosen, ignored)
    return {outcome.name: outcome for outcome in completed if isinstance(outcome, LoadedPlugin)}, failures


def _load(source: Source) -> LoadedPlugin | Failure:
    """Import one plugin and call its `rish_about`; return the plugin or its failure."""
    lacking = unmet(f"{source.distribution} {source.version}", source.requires) if source.requires else ""
    if lacking:
        return LoadedPlugin(source.name, About(), source.version, source.distribution, source.place, lacking)
    try:
        module = source.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        place = blame(error, None)
        if place.file.startswith("<") and source.place is not None:
            place = source.place  # a file that can't be compiled at all has no line
        return Failure(source.name, "import", place, error, (source.name,))
    tell, about = None, About()
    try:
        tell = getattr(module, "rish_about", None)
        if callable(tell):
            about = tell()
            if not isinstance(about, About):
                raise PluginError(f"it returned {repr_of(about)}", hint='Return About(requires=["physics"])')
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return Failure(source.name, "rish_about", blame(error, tell), error, (source.name,))
    version = source.version or about.version
    return LoadedPlugin(source.name, about, version, source.distribution, source.place, module=module)
