"""The load plan: finds the source of each plugin that a manifest names, before anything is imported.

Mistakes that the metadata shows are found here: a plugin that is not installed, one that two packages offer, a version
outside the manifest's range. All of them are collected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from rish_ecs import Place, UsageError, did_you_mean, how_to_update

from ..manifest.manifest import NOWHERE, PluginWish
from . import game
from .discovery import Candidate
from .solving.packages import clash_of, how_to_get_plugin, package_of
from .solving.solver import Refusal, choice_of
from .solving.versions import Range, Requirement, parse_version

CORE = "core"
"""The owner of the kernel's own declarations, which use the same hooks as those of plugins."""

_RESERVED = {CORE: "the kernel", game.GAME: "the game's own plugin.py"}
_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_CHOICE = re.compile(
    r"\s*(?P<contract>[A-Za-z][\w-]*)\s*(?P<optional>\?)?\s*=\s*(?P<provider>[A-Za-z][\w-]*)\s*", re.ASCII
)


class NamedWish(PluginWish):
    """A `PluginWish` that comes from code or the command line, not from the manifest."""

    @classmethod
    def parse(cls, text: str, place: Place = NOWHERE) -> NamedWish:
        """Parse `wind`, `wind>=0.2`, `wind? >=0.2` or `physics2d=teach`. Raises UsageError for other text."""
        choice = _CHOICE.fullmatch(text)
        if choice is not None:
            return cls(choice["contract"], "", place, bool(choice["optional"]), choice["provider"])
        name, mark, spec = text.partition("?")
        optional = mark and Requirement.parse(name).name == name.strip()
        requirement = Requirement.parse(name + spec if optional else text)
        return cls(requirement.name, str(requirement).removeprefix(requirement.name), place, bool(optional))


@dataclass(frozen=True)
class Source:
    """Where a plugin comes from; `load()` imports it. requires: the requirements of its package (`Requires-Dist`)."""

    name: str
    load: Callable[[], Any]
    place: Place | None = None
    version: str | None = None
    distribution: str | None = None
    requires: tuple[str, ...] = ()


@dataclass(frozen=True)
class LoadPlan:
    """The sources in the order in which they were named, and all reasons why they can't be loaded.

    missing: the plugins that were named and have no source; plugins that require them are not refused again. optional:
    those that were only named as optional. absent: why such plugins can't be loaded, by name. needs: the manifest's own
    requirements, with places. contracts: the known providers of each contract. chosen: the provider by contract.
    """

    sources: tuple[Source, ...]
    refusals: tuple[Refusal, ...]
    missing: tuple[str, ...]
    optional: frozenset[str]
    absent: Mapping[str, Refusal]
    needs: tuple[tuple[Requirement, Place], ...]
    contracts: Mapping[str, Sequence[str]]
    chosen: Mapping[str, str]


def make_plan(
    wishes: Iterable[PluginWish | str],
    candidates: Sequence[Candidate],
    *,
    extra: Mapping[str, object],
    core: object | None,
    game_file: Path | None,
    manifest: str,
    off: Mapping[str, str],
) -> LoadPlan:
    """Return the sources of the kernel, the wishes, the plugins given as objects, and the game's plugin.

    off: the plugins that must not be loaded, each with the reason.
    """
    wishes = [*wishes]
    planner = _Planner(candidates, extra, manifest, off, wishes)
    if core is not None:
        planner.sources[CORE] = Source(CORE, lambda: core)
    for wish in wishes:
        planner.add(wish)
    for name, thing in extra.items():
        if game_file is not None or name != game.GAME:
            planner.add_given(name, thing, None)
    if game_file is not None:
        place = Place(str(game_file))
        planner.sources[game.GAME] = Source(game.GAME, lambda: game.load_game_plugin(game_file), place)
    elif game.GAME in extra:
        planner.add_given(game.GAME, extra[game.GAME], None)
    missing = tuple(refusal.plugin for refusal in planner.refusals if refusal.plugin not in planner.sources)
    optional = frozenset(planner.optional - planner.needed)
    return LoadPlan(
        tuple(planner.sources.values()), tuple(planner.refusals), missing, optional, planner.absent,
        tuple(planner.needs), planner.contracts, planner.chosen,
    )  # fmt: skip


class _Planner:
    def __init__(
        self, candidates: Sequence[Candidate], extra: Mapping[str, object], manifest: str, off: Mapping[str, str],
        wishes: Sequence[PluginWish | str],
    ) -> None:  # fmt: skip
        self.sources: dict[str, Source] = {}
        self.needs: list[tuple[Requirement, Place]] = []
        self.off = off
        self.refusals: list[Refusal] = []
        self.optional: set[str] = set()
        self.needed: set[str] = set()
        self.absent: dict[str, Refusal] = {}
        self.extra = extra
        self.manifest = manifest
        self.offers: dict[str, list[Candidate]] = {}
        for candidate in sorted(candidates):
            self.offers.setdefault(candidate.name, []).append(candidate)
        self.contracts = _providers(candidates, extra, off)
        self.named = {name for wish in wishes if (name := _name_of(wish)) is not None} | extra.keys()
        self.chosen = {wish.name: wish.provider for wish in map(_parsed, wishes) if wish and wish.provider}

    def refuse(self, name: str, other: str, what: str, place: Place | None) -> None:
        where = place if place is not None and place.file else Place(self.manifest)
        self.refusals.append(Refusal(name, other, what, where))

    def add(self, wish: PluginWish | str) -> None:
        """Plan the plugin of one wish; if it is named twice, it is planned once and must be in both ranges."""
        try:
            wish = NamedWish.parse(wish) if isinstance(wish, str) else wish
            wanted = Requirement.parse(f"{wish.name}{wish.spec}")
        except UsageError as error:
            name = wish if isinstance(wish, str) else wish.name
            self.refuse(name, name, str(error), None if isinstance(wish, str) else wish.place)
            return
        name = self._provider(wanted, wish)
        if name is None:
            return
        if wanted.capabilities or name != wanted.name:
            self.needs += [] if wish.optional else [(wanted, wish.place)]
            wanted = Requirement(name, wanted.range if name == wanted.name else Range())
        (self.optional if wish.optional else self.needed).add(wanted.name)
        if wanted.name in self.off and wanted.name not in self.extra:
            what = f"{self.off[wanted.name]}. To load it without running it, use --without {wanted.name}"
            self.refuse(wanted.name, wanted.name, what, wish.place)
            if wish.optional:
                self.absent[wanted.name] = self.refusals.pop()
        elif wanted.name in self.extra:
            self.add_given(wanted.name, self.extra[wanted.name], wish.place)
        elif wanted.name in _RESERVED:
            what = f"'{wanted.name}' is {_RESERVED[wanted.name]}, always loaded. Take it out of plugins"
            self.refuse(wanted.name, wanted.name, what, wish.place)
        else:
            self._add_installed(wanted, wish)

    def _provider(self, wanted: Requirement, wish: PluginWish) -> str | None:
        """Return the plugin to load for a wish; None if there is none, or if another provider replaces it.

        For a plugin it is the plugin itself. For a contract it is the chosen provider, one that is named, or the only
        one; other cases are refused.
        """
        is_plugin = wanted.name in self.offers or wanted.name in self.extra
        if wanted.name not in self.contracts and wish.provider is not None:
            choices = ", ".join(sorted(self.contracts)) or "none"
            what = f"no installed plugin provides the contract '{wanted.name}'. Contracts: {choices}"
            return self.refuse(wanted.name, wanted.name, what, wish.place)
        if wanted.name not in self.contracts or is_plugin:
            return None if self._replaced(wanted.name) else wanted.name
        choices = self.contracts[wanted.name]
        chosen = self.chosen.get(wanted.name)
        if chosen is not None and chosen not in choices:
            what = f"'{chosen}' does not provide the contract '{wanted.name}'. Providers: {', '.join(choices)}"
            return self.refuse(wanted.name, chosen, what, wish.place)
        fitting = [chosen] if chosen else [name for name in choices if name in self.named] or [*choices]
        if len(fitting) > 1:
            what = f"'{wanted.name}' is {choice_of(wanted.name, fitting, 'its place')}"
            return self.refuse(wanted.name, wanted.name, what, wish.place)
        self.chosen[wanted.name] = fitting[0]
        return fitting[0]

    def _replaced(self, name: str) -> bool:
        """Whether a choice replaces a plugin by another provider of its contract."""
        return any(name in self.contracts.get(key, ()) and name != chosen for key, chosen in self.chosen.items())

    def add_given(self, name: str, thing: object, place: Place | None) -> None:
        """Plan a plugin that is given as a module or object; it replaces an installed plugin of the same name."""
        if _NAME.fullmatch(name) is None:
            self.refuse(name, name, f"{name!r} can't be a plugin's name. Write it like wind", place)
            return
        file = getattr(thing, "__file__", None)
        where = place or (Place(file) if isinstance(thing, ModuleType) and file else None)
        self.sources.setdefault(name, Source(name, lambda: thing, where))

    def _add_installed(self, wanted: Requirement, wish: PluginWish) -> None:
        offers, place = self.offers.get(wanted.name, []), wish.place
        refusal_count = len(self.refusals)
        if not offers:
            names = {*self.offers, *self.extra}
            guess = did_you_mean(wanted.name, names)
            listed = f" Installed: {', '.join(sorted(names))}." if names and not guess and not wish.optional else ""
            how = how_to_get_plugin(wanted.name, wanted.range)
            what = f"plugin '{wanted.name}' is not installed{guess}.{listed} {how}"
            self.refuse(wanted.name, self.manifest, what, place)
        elif clash := clash_of(offers, package_of(wanted.name)):
            self.refuse(wanted.name, wanted.name, f"plugin '{wanted.name}' can't be loaded: {clash}", place)
        else:
            self._check_range(wanted, offers[0], place)
        fits = len(self.refusals) == refusal_count
        if not fits and wish.optional:
            self.absent[wanted.name] = self.refusals.pop()
        elif fits or len(offers) == 1:
            self.sources.setdefault(wanted.name, source_of(offers[0], place))

    def _check_range(self, wanted: Requirement, offer: Candidate, place: Place | None) -> None:
        version = _readable(offer.version)
        if wanted.range and (version is None or parse_version(version) not in wanted.range):
            installed, how = f"{offer.distribution} {offer.version}", how_to_update(offer.distribution, wanted.range)
            what = f"{self.manifest} asks for {wanted}, but {installed} is installed. {how}"
            self.refuse(wanted.name, self.manifest, what, place)


def _parsed(wish: PluginWish | str) -> PluginWish | None:
    try:
        return NamedWish.parse(wish) if isinstance(wish, str) else wish
    except UsageError:
        return None


def _name_of(wish: PluginWish | str) -> str | None:
    parsed = _parsed(wish)
    return parsed.name if parsed is not None else None


def _providers(
    candidates: Iterable[Candidate], extra: Mapping[str, object], off: Mapping[str, str]
) -> dict[str, list[str]]:
    """Return the sorted names of the plugins that provide each contract, from packages' metadata and given objects."""
    providers: dict[str, set[str]] = {}
    for candidate in candidates:
        for contract in candidate.contracts if candidate.name not in off else ():
            providers.setdefault(contract, set()).add(candidate.name)
    for name, thing in extra.items():
        with suppress(Exception, SystemExit):  # a broken `rish_about` is reported when the plugin is loaded
            for provided in cast("Any", thing).rish_about().provides:
                providers.setdefault(provided.name, set()).add(name)
    return {contract: sorted(names) for contract, names in providers.items()}


def source_of(offer: Candidate, place: Place | None) -> Source:
    """Return the source of an installed plugin. place: where the plugin, or one that requires it, is named."""
    return Source(offer.name, offer.load, place, _readable(offer.version), offer.distribution, offer.requires)


def _readable(version: str) -> str | None:
    """Return a package's version, or None if it is not a valid version (then no range fits it)."""
    try:
        parse_version(version)
    except UsageError:
        return None
    return version
