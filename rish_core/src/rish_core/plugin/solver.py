"""The solver: checks that plugins fit together and computes their order.

It takes the description of each plugin and returns an order, or all reasons why there is none; each reason names both
sides and the command that solves it. The order is topological by requirement; independent plugins keep the order in
which they were named. It does not depend on the order of discovery, folders or sets, so that two machines with the same
manifest and versions run the same game.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from rish_ecs import Place, Problem, did_you_mean

from ..loop.order import cycle_of, topological
from .about import API, About
from .versions import Range, Requirement, parse_version


@dataclass(frozen=True)
class Member:
    """One plugin to be loaded. version: None if unknown. place: where it was requested."""

    name: str
    about: About = field(default_factory=About)
    version: str | None = None
    distribution: str | None = None
    place: Place | None = None

    @property
    def titled(self) -> str:
        """Its name and version for messages: `'wind' 0.2.0`."""
        return f"'{self.name}' {self.version}" if self.version else f"'{self.name}'"


@dataclass(frozen=True)
class Refusal:
    """One reason why a set of plugins is refused: the two sides that do not fit, and the message.

    other: the second side; the plugin itself if only one is concerned.
    """

    plugin: str
    other: str
    what: str
    place: Place

    @property
    def problem(self) -> Problem:
        """The refusal as a problem of the manifest."""
        return Problem(self.place, "plugins", self.what)


@dataclass(frozen=True)
class Solution:
    """The result of the solver; `order` is valid only if `refusals` is empty.

    needs: for each plugin and each of its requirements, the plugins that satisfy it. aside: plugins that can't run
    because a plugin that they require failed to load, each with the reason.
    """

    order: tuple[str, ...]
    refusals: tuple[Refusal, ...]
    needs: Mapping[str, tuple[tuple[str, ...], ...]]
    aside: Mapping[str, str]


PUBLISHED = (
    "animation", "audio", "basics", "editor", "frame", "history", "lighting", "particles", "physics", "render", "rules",
    "scripts", "terminal",
)  # fmt: skip
"""The plugins of this project that are published in a package named `rish-<name>`."""
_IN_ANOTHER = {
    "debug": "rish-editor", "profile": "rish-devtools", "profiler": "rish-devtools", "strict": "rish-devtools",
    "watchdog": "rish-devtools",
}  # fmt: skip
"""The plugins of this project that are published in a package with another name."""


def how_to_get(plugin: str, versions: object = "") -> str:
    """Return a sentence on how to install a missing plugin. versions: the requested range."""
    if plugin in _IN_ANOTHER:
        return f"Run: pip install {_IN_ANOTHER[plugin]}"
    if plugin in PUBLISHED:
        return f"Run: pip install {quoted(f'{pip_name(plugin)}{versions}')}"
    return "Its documentation says which package to install; `rish plugins` lists the plugins that are installed"


def pip_name(plugin: str, distribution: str | None = None) -> str:
    """Return the distribution of a plugin for pip; if unknown, by convention `rish-<name>`."""
    return distribution or f"rish-{plugin.replace('_', '-')}"


def solve(
    members: Sequence[Member],
    *,
    installed: Iterable[str] = (),
    failed: Iterable[str] = (),
    manifest: str = "game.yaml",
    api: str = API,
) -> Solution:
    """Check and order plugins, given in the order in which they were named (the kernel first, the game last).

    installed: names of all installed plugins. failed: plugins that were named and could not be imported. manifest: the
    file name for messages. api: the version of the plugin API.
    """
    by_name = {member.name: member for member in members}
    return _Solver(by_name, frozenset(installed), tuple(dict.fromkeys(failed)), manifest, api).run()


@dataclass
class _Solver:
    members: dict[str, Member]
    installed: frozenset[str]
    failed: tuple[str, ...]
    manifest: str
    api: str

    def __post_init__(self) -> None:
        self.refusals: list[Refusal] = []
        self.needs: dict[str, tuple[tuple[str, ...], ...]] = {}
        self.uses: dict[str, tuple[str, ...]] = {}
        self.aside: dict[str, str] = {}
        self.offers: dict[str, list[tuple[str, str | None]]] = {}
        for member in self.members.values():
            self._offer(member)

    def _offer(self, member: Member) -> None:
        """Record the names under which a plugin satisfies requirements, each with its version if it has one."""
        self.offers.setdefault(member.name, []).append((member.name, member.version))
        for provided in member.about.provides:
            version = str(provided.range.clauses[0].version) if provided.range else None
            self.offers.setdefault(provided.name, []).append((member.name, version))

    def run(self) -> Solution:
        for member in self.members.values():
            self._check_api(member)
            self.needs[member.name] = tuple(self._satisfy(member))
            self.uses[member.name] = tuple(self._use(member))
            for conflict in member.about.conflicts:
                self._check_conflict(member, conflict)
        cascade(self.needs, self.aside)
        order = tuple(self._order())
        return Solution(order, tuple(dict.fromkeys(self.refusals)), self.needs, self.aside)

    def _refuse(self, member: Member, other: str, what: str) -> None:
        place = member.place if member.place and member.place.file else Place(self.manifest)
        self.refusals.append(Refusal(member.name, other, what, place))

    def _check_api(self, member: Member) -> None:
        unmet = member.about.api.unmet(parse_version(self.api))
        if unmet is None:
            return
        newer = unmet.operator in (">", ">=", "~=") and parse_version(self.api) < parse_version(unmet.version)
        upgrade = "rish-core" if newer else pip_name(member.name, member.distribution)
        self._refuse(
            member,
            "rish-core",
            f"plugin {member.titled} is for plugin API {member.about.api}, but rish-core offers {self.api}. "
            f"Run: pip install -U {upgrade}",
        )

    def _satisfy(self, member: Member) -> Iterator[tuple[str, ...]]:
        """Yield the plugins that satisfy each requirement; an unsatisfied one is refused or sets its plugin aside."""
        for wanted in member.about.requires:
            if wanted.name == member.name:
                what = f"plugin {member.titled} requires itself. Take that out of its About"
                self._refuse(member, member.name, what)
                continue
            offers, fitting = self._offered(member, wanted)
            if fitting:
                yield fitting
            elif offers:
                self._refuse_version(member, wanted, offers)
            elif wanted.name in self.failed:
                self.aside[member.name] = f"it requires '{wanted.name}', which failed to load"
            elif wanted.name in self.installed or not self.failed:
                self._refuse_missing(member, wanted)
            else:  # the names that a plugin provides are unknown if it could not be imported
                blamed = ", ".join(f"'{name}'" for name in self.failed)
                self.aside[member.name] = f"it requires '{wanted.name}', and {blamed} failed to load"

    def _offered(self, member: Member, wanted: Requirement) -> tuple[list[tuple[str, str | None]], tuple[str, ...]]:
        """Return what other plugins offer under a name, and those of them whose version is in the range."""
        offers = [offer for offer in self.offers.get(wanted.name, ()) if offer[0] != member.name]
        return offers, tuple(name for name, version in offers if _fits(version, wanted.range))

    def _use(self, member: Member) -> Iterator[str]:
        """Yield the loaded plugins that a plugin uses optionally; a version outside the range is refused."""
        for wanted in member.about.optional:
            offers, fitting = self._offered(member, wanted)
            if offers and not fitting:
                self._refuse_version(member, wanted, offers)
            yield from fitting

    def _refuse_version(self, member: Member, wanted: Requirement, offers: Sequence[tuple[str, str | None]]) -> None:
        name, version = offers[0]
        other = self.members[name]
        has = f"is version {version}" if version else "has no version"
        if name != wanted.name:
            offered = f"as {version}" if version else "without a version"
            has = f"is provided by '{name}' {offered}"
        install = f"{pip_name(name, other.distribution)}{wanted.range if name == wanted.name else ''}"
        flags = "" if name == wanted.name else "-U "
        self._refuse(
            member,
            name,
            f"plugin {member.titled} requires {wanted}, but '{wanted.name}' {has}. "
            f"Run: pip install {flags}{quoted(install)}",
        )

    def _refuse_missing(self, member: Member, wanted: Requirement) -> None:
        start = f"plugin {member.titled} requires '{wanted.name}', which is"
        add = f"add '{wanted.name}' to plugins in {self.manifest}"
        if wanted.name in self.installed:
            return self._refuse(member, wanted.name, f"{start} installed but not named: {add}")
        guess = did_you_mean(wanted.name, {*self.installed, *self.offers} - {member.name})
        return self._refuse(
            member, wanted.name, f"{start} not installed{guess}. {how_to_get(wanted.name, wanted.range)}. Then {add}"
        )

    def _check_conflict(self, member: Member, conflict: Requirement) -> None:
        for name, version in self.offers.get(conflict.name, ()):
            if name == member.name or not _fits(version, conflict.range):
                continue
            other = self.members[name]
            also = f" (which provides '{conflict.name}')" if name != conflict.name else ""
            out = f"take '{member.name}' or '{name}' out of plugins in {self.manifest}"
            mend = f"{out[0].upper()}{out[1:]}"
            if conflict.range:
                mend = f"Run: pip install -U {pip_name(name, other.distribution)}, or {out}"
            self._refuse(member, name, f"plugin {member.titled} conflicts with {other.titled}{also}. {mend}")

    def _order(self) -> list[str]:
        names = [name for name in self.members if name not in self.aside]
        rank = {name: index for index, name in enumerate(names)}
        first = {name: [*chain(*self.needs[name]), *self.uses[name]] for name in names}
        before = {name: [p for p in first[name] if p in rank] for name in names}
        order = topological(before, rank)
        while left := [name for name in names if name not in order]:
            cycle = cycle_of(left[0], {name: next(b for b in before[name] if b in left) for name in left})
            first = cycle.index(min(cycle, key=rank.__getitem__))
            self._refuse_cycle([*cycle[first:], *cycle[:first]])
            before.update({name: [] for name in cycle})  # so that a second cycle is found
            order = topological(before, rank)
        return order

    def _refuse_cycle(self, cycle: Sequence[str]) -> None:
        pairs = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        chain = ", ".join(f"'{name}' requires '{other}'" for name, other in pairs)
        upgrade = " ".join(pip_name(name, self.members[name].distribution) for name in cycle)
        self._refuse(
            self.members[cycle[0]],
            cycle[1],
            f"plugins require one another in a circle: {chain}. Run: pip install -U {upgrade}, "
            f"or take one of them out of plugins in {self.manifest}",
        )


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


def cascade(needs: Mapping[str, Sequence[Sequence[str]]], aside: dict[str, str]) -> list[str]:
    """Set aside the plugins with a requirement that only plugins in `aside` satisfy, recursively; return their names.

    aside: the plugins that are set aside, each with the reason; the others are added.
    """
    fresh: list[str] = []
    while left := {
        name: f"it requires '{group[0]}', which is disabled"
        for name, groups in needs.items()
        for group in reversed(groups)
        if name not in aside and aside.keys() >= set(group)
    }:
        aside.update(left)
        fresh += left
    return fresh


def _fits(version: str | None, wanted: Range) -> bool:
    return parse_version(version) in wanted if version is not None else not wanted


def quoted(requirement: str) -> str:
    """Put a requirement into quotes if it contains characters that a shell would interpret."""
    return f"'{requirement}'" if set("<>!=~*") & set(requirement) else requirement
