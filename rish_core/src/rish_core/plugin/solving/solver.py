"""The solver: checks that plugins fit together and computes their order.

It takes the description of each plugin and returns an order, or all reasons why there is none; each reason names both
sides and the command that solves it. The order is topological by requirement; independent plugins keep the order in
which they were named. It does not depend on the order of discovery, folders or sets, so that two machines with the same
manifest and versions run the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from rish_ecs import Place, Problem, did_you_mean, how_to_update

from ...loop.order import cycle_of, topological
from .about import API, About
from .packages import how_to_get_plugin, how_to_update_plugin
from .versions import Range, Requirement, parse_version


@dataclass(frozen=True)
class Member:
    """A plugin to be loaded. version: None if unknown. place: where it is named. barred: why it is refused, or ""."""

    name: str
    about: About = field(default_factory=About)
    version: str | None = None
    distribution: str | None = None
    place: Place | None = None
    barred: str = ""

    @property
    def titled(self) -> str:
        """Its name and version for messages: `'wind' 0.2.0`."""
        return f"'{self.name}' {self.version}" if self.version else f"'{self.name}'"

    @property
    def namespace(self) -> str:
        """The first part of the full names of all that it declares."""
        return self.about.namespace or self.name

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The capabilities of all contracts that it provides."""
        return tuple(dict.fromkeys(chain(*(provided.capabilities for provided in self.about.provides))))


@dataclass(frozen=True)
class Refusal:
    """One reason why a set of plugins is refused: the plugin, what it does not fit to (perhaps itself), a message."""

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


def solve(
    members: Sequence[Member],
    *,
    installed: Iterable[str] = (),
    failed: Iterable[str] = (),
    contracts: Mapping[str, Sequence[str]] | None = None,
    needs: Iterable[tuple[Requirement, Place]] = (),
    manifest: str = "game.yaml",
    api: str = API,
) -> Solution:
    """Check and order plugins, given in the order in which they were named (the kernel first, the game last).

    installed: names of all installed plugins. failed: plugins that were named and can't be loaded. contracts: the
    installed providers of each contract. needs: the manifest's own requirements, with places. manifest: the file name
    for messages. api: the version of the plugin API.
    """
    by_name = {member.name: member for member in members}
    failed = dict.fromkeys([*failed, *(member.name for member in members if member.barred)])
    solver = _Solver(by_name, frozenset(installed), tuple(failed), contracts or {}, manifest, api)
    return solver.run(needs)


@dataclass(frozen=True)
class _Offer:
    """A plugin that satisfies requirements under a name, with the version and the capabilities that it offers."""

    plugin: str
    version: str | None
    capabilities: tuple[str, ...]

    def fits(self, versions: Range) -> bool:
        """Whether its version is in a range."""
        return parse_version(self.version) in versions if self.version is not None else not versions


@dataclass
class _Solver:
    members: dict[str, Member]
    installed: frozenset[str]
    failed: tuple[str, ...]
    contracts: Mapping[str, Sequence[str]]
    manifest: str
    api: str

    def __post_init__(self) -> None:
        self.refusals: list[Refusal] = []
        self.needs: dict[str, tuple[tuple[str, ...], ...]] = {}
        self.uses: dict[str, tuple[str, ...]] = {}
        self.aside: dict[str, str] = {}
        self.offers: dict[str, list[_Offer]] = {}
        for member in self.members.values():
            self._offer(member)

    def _offer(self, member: Member) -> None:
        """Record the names under which a plugin satisfies requirements."""
        own = _Offer(member.name, member.version, member.capabilities)
        self.offers.setdefault(member.name, []).append(own)
        for provided in member.about.provides:
            version = str(provided.range.clauses[0].version) if provided.range else None
            self.offers.setdefault(provided.name, []).append(_Offer(member.name, version, provided.capabilities))

    def run(self, needs: Iterable[tuple[Requirement, Place]]) -> Solution:
        """Check all plugins and the manifest's own requirements (`needs`), and order the plugins."""
        for requirement, place in needs:
            self._check_need(requirement, place)
        for member in self.members.values():
            if member.barred:
                self._refuse(member, member.name, f"plugin {member.titled} can't be loaded: {member.barred}")
            self._check_api(member)
            self.needs[member.name] = tuple(self._satisfy(member))
            self.uses[member.name] = tuple(self._use(member))
            for conflict in member.about.conflicts:
                self._check_conflict(member, conflict)
        self._check_namespaces()
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
        advice = how_to_update("rish-core") if newer else how_to_update_plugin(member.name, member.distribution)
        offered = f"but rish-core offers {self.api}"
        what = f"plugin {member.titled} is for plugin API {member.about.api}, {offered}. {advice}"
        self._refuse(member, "rish-core", what)

    def _satisfy(self, member: Member) -> Iterator[tuple[str, ...]]:
        """Yield the plugins that satisfy each requirement; an unsatisfied one is refused or sets its plugin aside."""
        for requirement in member.about.requires:
            if requirement.name == member.name:
                what = f"plugin {member.titled} requires itself. Take that out of its About"
                self._refuse(member, member.name, what)
                continue
            offers = self._offered(member, requirement)
            versions = [offer for offer in offers if offer.fits(requirement.range)]
            fitting = tuple(offer.plugin for offer in versions if not requirement.lacks(offer.capabilities))
            if fitting:
                yield fitting
            elif versions:
                self._refuse_capabilities(member, requirement, versions[0])
            elif offers:
                self._refuse_version(member, requirement, offers[0])
            elif requirement.name in self.failed:
                self.aside[member.name] = f"it requires '{requirement.name}', which can't be loaded"
            elif requirement.name in self.installed or not self.failed:
                self._refuse_missing(member, requirement)
            else:  # the names that a plugin provides are unknown if it could not be imported
                blamed = ", ".join(f"'{name}'" for name in self.failed)
                self.aside[member.name] = f"it requires '{requirement.name}', and {blamed} failed to load"

    def _offered(self, member: Member, requirement: Requirement) -> list[_Offer]:
        """Return what other plugins offer under a name."""
        return [offer for offer in self.offers.get(requirement.name, ()) if offer.plugin != member.name]

    def _use(self, member: Member) -> Iterator[str]:
        """Yield the loaded plugins that a plugin uses optionally; a version outside the range is refused."""
        for requirement in member.about.optional:
            offers = self._offered(member, requirement)
            fitting = [offer.plugin for offer in offers if offer.fits(requirement.range)]
            if offers and not fitting:
                self._refuse_version(member, requirement, offers[0])
            yield from fitting

    def _check_need(self, requirement: Requirement, place: Place) -> None:
        """Refuse a plugin that lacks the version or the capabilities that the manifest requires of it."""
        asking = Member(requirement.name, place=place)
        for offer in self.offers.get(requirement.name, ()):
            if not offer.fits(requirement.range):
                self._refuse_version(asking, requirement, offer)
            elif requirement.lacks(offer.capabilities):
                self._refuse_capabilities(asking, requirement, offer)

    def _refuse_version(self, member: Member, requirement: Requirement, offer: _Offer) -> None:
        name, version = offer.plugin, offer.version
        other = self.members[name]
        has = f"is version {version}" if version else "has no version"
        if name != requirement.name:
            offered = f"as {version}" if version else "without a version"
            has = f"is provided by '{name}' {offered}"
        advice = how_to_update_plugin(name, other.distribution, requirement.range if name == requirement.name else "")
        what = f"{self._asking(member)} requires {requirement}, but '{requirement.name}' {has}. {advice}"
        self._refuse(member, name, what)

    def _asking(self, member: Member) -> str:
        """Return the subject of a message: the plugin, or the manifest if the requirement is the manifest's own."""
        return f"plugin {member.titled}" if member.name in self.members else self.manifest

    def _refuse_capabilities(self, member: Member, requirement: Requirement, offer: _Offer) -> None:
        lacking = " and ".join(requirement.lacks(offer.capabilities))
        others = [name for name in self.contracts.get(requirement.name, ()) if name not in self.members]
        choices = " or ".join(f"{requirement.name}={name}" for name in others)
        advice = f"Write {choices} in plugins of {self.manifest}" if others else f"Take '{member.name}' out of plugins"
        what = f"{self._asking(member)} needs {lacking} of '{requirement.name}', which '{offer.plugin}' does not offer."
        self._refuse(member, offer.plugin, f"{what} {advice}")

    def _check_namespaces(self) -> None:
        """Refuse plugins with the same namespace, such as two providers of one contract."""
        first: dict[str, Member] = {}
        for member in self.members.values():
            other = first.setdefault(member.namespace, member)
            if other is not member:
                what = (
                    f"plugins {other.titled} and {member.titled} both declare under the name '{member.namespace}', so "
                    f"only one of them can be loaded. Take '{other.name}' or '{member.name}' out of plugins in "
                    f"{self.manifest}"
                )
                self._refuse(member, other.name, what)

    def _refuse_missing(self, member: Member, requirement: Requirement) -> None:
        start = f"plugin {member.titled} requires '{requirement.name}', which is"
        add = f"add '{requirement.name}' to plugins in {self.manifest}"
        if requirement.name in self.installed:
            return self._refuse(member, requirement.name, f"{start} installed but not named: {add}")
        if providers := self.contracts.get(requirement.name):
            choice = choice_of(requirement.name, providers, f"plugins of {self.manifest}")
            return self._refuse(member, requirement.name, f"{start} {choice}")
        guess = did_you_mean(requirement.name, {*self.installed, *self.offers} - {member.name})
        return self._refuse(
            member,
            requirement.name,
            f"{start} not installed{guess}. {how_to_get_plugin(requirement.name, requirement.range)}. Then {add}",
        )

    def _check_conflict(self, member: Member, conflict: Requirement) -> None:
        for offer in self.offers.get(conflict.name, ()):
            name = offer.plugin
            if name == member.name or not offer.fits(conflict.range):
                continue
            other = self.members[name]
            provided_as = f" (which provides '{conflict.name}')" if name != conflict.name else ""
            removal = f"take '{member.name}' or '{name}' out of plugins in {self.manifest}"
            advice = f"{removal[0].upper()}{removal[1:]}"
            if conflict.range:
                advice = f"{how_to_update_plugin(name, other.distribution)}, or {removal}"
            self._refuse(member, name, f"plugin {member.titled} conflicts with {other.titled}{provided_as}. {advice}")

    def _order(self) -> list[str]:
        names = [name for name in self.members if name not in self.aside]
        rank = {name: index for index, name in enumerate(names)}
        before = {name: [p for p in self._earlier(name) if p in rank and p != name] for name in names}
        order = topological(before, rank)
        while stuck := [name for name in names if name not in order]:
            cycle = cycle_of(stuck[0], {name: next(b for b in before[name] if b in stuck) for name in stuck})
            first = cycle.index(min(cycle, key=rank.__getitem__))
            self._refuse_cycle([*cycle[first:], *cycle[:first]])
            before.update({name: [] for name in cycle})  # so that a second cycle is found
            order = topological(before, rank)
        return order

    def _earlier(self, name: str) -> Iterator[str]:
        """Yield the plugins that come before a plugin: required, used, and by `after` and `before`."""
        yield from chain(*self.needs[name])
        yield from self.uses[name]
        yield from (offer.plugin for wanted in self.members[name].about.after for offer in self.offers.get(wanted, ()))
        provided = {offered for offered, offers in self.offers.items() if any(offer.plugin == name for offer in offers)}
        yield from (other.name for other in self.members.values() if provided & set(other.about.before))

    def _refuse_cycle(self, cycle: Sequence[str]) -> None:
        pairs = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        chain = ", ".join(f"'{name}' {self._relation(name, other)} '{other}'" for name, other in pairs)
        self._refuse(
            self.members[cycle[0]],
            cycle[1],
            f"plugins require one another in a circle: {chain}. Get other versions of them, or take one of them out of "
            f"plugins in {self.manifest}",
        )

    def _relation(self, name: str, other: str) -> str:
        needed = any(other in group for group in self.needs[name])
        return "requires" if needed else "uses" if other in self.uses[name] else "comes after"


def choice_of(contract: str, providers: Sequence[str], where: str) -> str:
    """Return the end of a sentence about a contract without a loaded provider. where: in which file to choose one."""
    names = " and ".join(f"'{name}'" for name in providers)
    choices = " or ".join(f"{contract}={name}" for name in providers)
    return f"a contract that {names} provide{'' if len(providers) > 1 else 's'}: write {choices} in {where}"


def cascade(needs: Mapping[str, Sequence[Sequence[str]]], aside: dict[str, str]) -> list[str]:
    """Set aside the plugins with a requirement that only plugins in `aside` satisfy, recursively; return their names.

    aside: the plugins that are set aside, each with the reason; the newly set aside ones are added to it.
    """
    added: list[str] = []
    while blocked := {
        name: f"it requires '{group[0]}', which is disabled"
        for name, groups in needs.items()
        for group in reversed(groups)
        if name not in aside and aside.keys() >= set(group)
    }:
        aside.update(blocked)
        added += blocked
    return added
