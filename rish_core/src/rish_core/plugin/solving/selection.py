"""Settling: which plugins are loaded, before the solver checks and orders them.

`complete` adds what the named plugins require, and chooses the providers of contracts. `settle` leaves out optional
plugins that do not fit. `smallest` finds the smallest part of a refused set that explains the refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .solver import Member, Refusal, Solution, solve
from .versions import Requirement


def complete(
    named: Sequence[Member], find: Callable[[str, Member], Member | None], contracts: Mapping[str, Sequence[str]],
    chosen: Mapping[str, str], known: Iterable[str] = (),
) -> list[Member]:  # fmt: skip
    """Add the plugins that the named ones require, recursively, each before the first that requires it.

    find: returns a plugin that the second one requires, or None. contracts: the providers of each contract; a required
    contract without a provider gets the chosen or the only one, otherwise the solver refuses it. known: names that are
    not searched for.
    """
    done: list[Member] = []
    seen = {*known, *(member.name for member in named)}
    offered = {provided.name for member in named for provided in member.about.provides}

    def add(member: Member) -> None:
        for wanted in member.about.requires:
            name = wanted.name
            if name in seen or name in offered:
                continue
            if name in contracts:
                choices = [chosen[name]] if name in chosen else [*contracts[name]]
                name = choices[0] if len(choices) == 1 else name
            if name in seen:
                continue
            found = find(name, member)
            seen.update([name] if found is not None or name not in contracts else [])
            if found is not None:
                offered.update(provided.name for provided in found.about.provides)
                add(found)
        done.append(member)

    for member in named:
        add(member)
    return done


def smallest(names: Sequence[str], refused: Callable[[Sequence[str]], bool]) -> list[str]:
    """Return names of a refused set that are refused themselves, and no longer if any one of them is taken out.

    refused: whether a set is refused; it need not be monotone. QuickXplain (Junker 2004) finds a candidate with few
    calls; then single names are taken out until nothing changes.
    """
    left, before = _quick([], [], [*names], refused), 0
    left = left if refused(left) else [*names]
    while len(left) != before:
        before = len(left)
        for name in [*left]:
            others = [other for other in left if other != name]
            if refused(others):
                left = others
    return left


def _quick(kept: list[str], added: list[str], names: list[str], refused: Callable[[Sequence[str]], bool]) -> list[str]:
    """Return names that are refused together with `kept`. added: the last addition to `kept`."""
    if added and refused(kept):
        return []
    if len(names) <= 1:
        return names
    first, second = names[: len(names) // 2], names[len(names) // 2 :]
    found = _quick(kept + first, first, second, refused)
    return _quick(kept + found, found, first, refused) + found


def settle(
    members: Sequence[Member],
    roots: Sequence[str],
    optional: Collection[str],
    absent: Mapping[str, Refusal],
    **known: Any,
) -> tuple[Solution, dict[str, str], frozenset[str]]:
    """Solve without the optional plugins that do not fit, as `solve` does with the others.

    roots: the plugins that were named, in order; what they require is loaded only for them. Of two optional plugins
    that do not fit together, the one that was named later is left out. absent: reasons why a plugin must not be loaded.
    Returns the solution, the plugins left out with the reasons, and those that run only because of `optional`.
    """
    left: dict[str, str] = {}
    while True:
        solution = solve(members, **known)
        wanted = [name for name in roots if name not in left]
        spare = [name for name in reversed(wanted) if name in optional]
        firm = _reached(solution.needs, [name for name in wanted if name not in optional])
        refusals = (*solution.refusals, *(absent[member.name] for member in members if member.name in absent))
        blamed = next(
            (
                (name, refusal.what)
                for refusal in refusals
                for name in spare
                if ({refusal.plugin, refusal.other} - firm) & _reached(solution.needs, [name])
            ),
            None,
        )
        if blamed is None:
            spared = frozenset(_reached(solution.needs, wanted) - firm)
            return replace(solution, refusals=refusals), left, spared
        left.update([blamed])
        here = _reached(solution.needs, [name for name in wanted if name != blamed[0]])
        members = [member for member in members if member.name in here]


def _reached(needs: Mapping[str, Sequence[Sequence[str]]], names: Sequence[str]) -> set[str]:
    """Return the plugins and those that they require, recursively."""
    found: set[str] = set()
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [each for group in needs.get(name, ()) for each in group]
    return found


@dataclass(frozen=True)
class Degraded:
    """Something that a plugin does without: the plugin, what it would use, the reason, and what is missing then."""

    plugin: str
    wanted: Requirement
    why: str
    effect: str

    def __str__(self) -> str:
        return f"{self.plugin}: {self.effect or 'it does without'} ({self.why})"


def degraded(members: Iterable[Member], capabilities: Mapping[str, Collection[str]]) -> list[Degraded]:
    """Return what plugins do without, because a plugin is not loaded or does not offer a capability.

    capabilities: those of contracts that are known only when the game runs, such as `backend`.
    """
    members, found = [*members], list[Degraded]()
    for member in members:
        for wanted, effect in member.about.optional.items():
            offers = _offers(members, wanted.name, capabilities)
            lacking = {name: wanted.lacks(offered) for name, offered in offers.items()}
            if not offers:
                found.append(Degraded(member.name, wanted, f"'{wanted.name}' is not loaded", effect))
            elif all(lacking.values()):
                name = next(iter(lacking))
                subject = f"the {name} in use" if name in capabilities else f"'{name}'"
                why = f"{subject} does not offer {' and '.join(lacking[name])}"
                found.append(Degraded(member.name, wanted, why, effect))
    return found


def needed(members: Iterable[Member], contract: str) -> dict[str, str]:
    """Return the capabilities that plugins need of a contract, each with the first plugin that needs it."""
    found: dict[str, str] = {}
    for member in members:
        for wanted in member.about.requires:
            for name in wanted.capabilities if wanted.name == contract else ():
                found.setdefault(name, member.name)
    return found


def _offers(
    members: Iterable[Member], contract: str, capabilities: Mapping[str, Collection[str]]
) -> dict[str, Collection[str]]:
    """Return the offered capabilities by plugin; a contract that is known only at run time has one provider."""
    offers: dict[str, Collection[str]] = {}
    for member in members:
        provided = [*(one.capabilities for one in member.about.provides if one.name == contract)]
        provided += [member.capabilities] if member.name == contract else []
        if provided:
            offers[member.name] = {*provided[0], *provided[-1]}
    return {contract: capabilities[contract]} if offers and contract in capabilities else offers
