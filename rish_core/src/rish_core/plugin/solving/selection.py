"""Selection: decides which plugins are loaded; the solver then checks and orders them.

`complete` adds the plugins that the named ones require, and chooses the providers of contracts. `solve_optional` leaves
out optional plugins that do not fit. `smallest` finds a smallest part of a refused set that is refused itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .solver import Member, Refusal, Solution, solve
from .versions import Requirement


def complete(
    named: Sequence[Member], find: Callable[[str, Member], Member | None], contracts: Mapping[str, Sequence[str]],
    chosen: Mapping[str, str], ignored: Iterable[str] = (),
) -> list[Member]:  # fmt: skip
    """Add the plugins that the named ones require, recursively, each before the first that requires it.

    find: `find(name, member)` returns the plugin that a member requires under a name, or None. contracts: the providers
    of each contract; for a required contract without a loaded provider, the chosen or the only one is added, otherwise
    the solver refuses it. ignored: names that are not searched for.
    """
    completed: list[Member] = []
    seen = {*ignored, *(member.name for member in named)}
    offered = {provided.name for member in named for provided in member.about.provides}

    def add(member: Member) -> None:
        for requirement in member.about.requires:
            name = requirement.name
            if name in seen or name in offered:
                continue
            if name in contracts:
                choices = [chosen[name]] if name in chosen else [*contracts[name]]
                name = choices[0] if len(choices) == 1 else name
            if name in seen:
                continue
            required = find(name, member)
            seen.update([name] if required is not None or name not in contracts else [])
            if required is not None:
                offered.update(provided.name for provided in required.about.provides)
                add(required)
        completed.append(member)

    for member in named:
        add(member)
    return completed


def smallest(names: Sequence[str], refused: Callable[[Sequence[str]], bool]) -> list[str]:
    """Return a part of a refused set that is refused too, but no longer if any one name is taken out.

    refused: whether a set is refused; it need not be monotone. QuickXplain (Junker 2004) finds a candidate with few
    calls; then single names are taken out as long as the rest is refused.
    """
    conflict, before = _quick([], [], [*names], refused), 0
    conflict = conflict if refused(conflict) else [*names]
    while len(conflict) != before:
        before = len(conflict)
        for name in [*conflict]:
            others = [other for other in conflict if other != name]
            if refused(others):
                conflict = others
    return conflict


def _quick(base: list[str], added: list[str], names: list[str], refused: Callable[[Sequence[str]], bool]) -> list[str]:
    """Return a small part of `names` that is refused together with `base`. added: the last addition to `base`."""
    if added and refused(base):
        return []
    if len(names) <= 1:
        return names
    first, second = names[: len(names) // 2], names[len(names) // 2 :]
    conflict = _quick(base + first, first, second, refused)
    return _quick(base + conflict, conflict, first, refused) + conflict


def solve_optional(
    members: Sequence[Member],
    roots: Sequence[str],
    optional: Collection[str],
    absent: Mapping[str, Refusal],
    **options: Any,
) -> tuple[Solution, dict[str, str], frozenset[str]]:
    """Call `solve` with fewer optional plugins until the others fit together. options: for `solve`.

    roots: the named plugins, in order; others are loaded only if these require them. Of two optional plugins that do
    not fit together, the one that was named later is left out. absent: reasons why a plugin must not be loaded.
    Returns the solution, the plugins left out with the reasons, and those that run only because of `optional`.
    """
    left_out: dict[str, str] = {}
    while True:
        solution = solve(members, **options)
        names = [name for name in roots if name not in left_out]
        droppable = [name for name in reversed(names) if name in optional]
        required = _reached(solution.needs, [name for name in names if name not in optional])
        refusals = (*solution.refusals, *(absent[member.name] for member in members if member.name in absent))
        blamed = next(
            (
                (name, refusal.what)
                for refusal in refusals
                for name in droppable
                if ({refusal.plugin, refusal.other} - required) & _reached(solution.needs, [name])
            ),
            None,
        )
        if blamed is None:
            optional_only = frozenset(_reached(solution.needs, names) - required)
            return replace(solution, refusals=refusals), left_out, optional_only
        left_out.update([blamed])
        needed_names = _reached(solution.needs, [name for name in names if name != blamed[0]])
        members = [member for member in members if member.name in needed_names]


def _reached(needs: Mapping[str, Sequence[Sequence[str]]], names: Sequence[str]) -> set[str]:
    """Return `names` and all plugins that they require, directly or indirectly."""
    reached: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += [provider for group in needs.get(name, ()) for provider in group]
    return reached


@dataclass(frozen=True)
class Degraded:
    """An optional requirement of a plugin that is not met. why: the reason. effect: what is missing without it."""

    plugin: str
    wanted: Requirement
    why: str
    effect: str

    def __str__(self) -> str:
        return f"{self.plugin}: {self.effect or 'it does without'} ({self.why})"


def degraded(members: Iterable[Member], capabilities: Mapping[str, Collection[str]]) -> list[Degraded]:
    """Return the optional requirements that are not met: the plugin is not loaded or does not offer a capability.

    capabilities: those of contracts that are known only when the game runs, such as `backend`.
    """
    members, missing = [*members], list[Degraded]()
    for member in members:
        for requirement, effect in member.about.optional.items():
            offers = _offers(members, requirement.name, capabilities)
            lacking = {name: requirement.lacks(offered) for name, offered in offers.items()}
            if not offers:
                missing.append(Degraded(member.name, requirement, f"'{requirement.name}' is not loaded", effect))
            elif all(lacking.values()):
                name = next(iter(lacking))
                subject = f"the {name} in use" if name in capabilities else f"'{name}'"
                why = f"{subject} does not offer {' and '.join(lacking[name])}"
                missing.append(Degraded(member.name, requirement, why, effect))
    return missing


def needed(members: Iterable[Member], contract: str) -> dict[str, str]:
    """Return the capabilities that plugins need of a contract, each with the first plugin that needs it."""
    needed_by: dict[str, str] = {}
    for member in members:
        for requirement in member.about.requires:
            for name in requirement.capabilities if requirement.name == contract else ():
                needed_by.setdefault(name, member.name)
    return needed_by


def _offers(
    members: Iterable[Member], contract: str, capabilities: Mapping[str, Collection[str]]
) -> dict[str, Collection[str]]:
    """Return the offered capabilities by plugin; a contract that is known only at run time has one provider."""
    offers: dict[str, Collection[str]] = {}
    for member in members:
        provided = [*(each.capabilities for each in member.about.provides if each.name == contract)]
        provided += [member.capabilities] if member.name == contract else []
        if provided:
            offers[member.name] = {*provided[0], *provided[-1]}
    return {contract: capabilities[contract]} if offers and contract in capabilities else offers
