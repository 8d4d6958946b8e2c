"""The load plan: finds the source of each plugin that a manifest names, before anything is imported.

Mistakes that the metadata shows are found here: a plugin that is not installed, one that two packages offer, a version
outside the manifest's range. All of them are collected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from rish_ecs import Place, UsageError, did_you_mean

from ..manifest.manifest import NOWHERE, PluginWish
from . import game
from .discovery import Candidate
from .solver import Refusal, how_to_get, pip_name, quoted
from .versions import Requirement, parse_version

CORE = "core"
"""The owner of the kernel's own declarations, which use the same hooks as those of plugins."""

_RESERVED = {CORE: "the kernel", game.GAME: "the game's own plugin.py"}
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


class NamedWish(PluginWish):
    """A wish that comes from code or the command line."""

    @classmethod
    def parse(cls, text: str, place: Place = NOWHERE) -> NamedWish:
        """Parse `wind`, `wind>=0.2` or `wind? >=0.2`. Raises UsageError for other text."""
        name, mark, spec = text.partition("?")
        optional = mark and Requirement.parse(name).name == name.strip()
        requirement = Requirement.parse(name + spec if optional else text)
        return cls(requirement.name, str(requirement.range), place, bool(optional))


@dataclass(frozen=True)
class Source:
    """The origin of one plugin; `load()` imports it."""

    name: str
    load: Callable[[], Any]
    place: Place | None = None
    version: str | None = None
    distribution: str | None = None


@dataclass(frozen=True)
class LoadPlan:
    """The sources in the order in which they were named, and all reasons why they can't be loaded.

    missing: the plugins that were named and have no source, so that no plugin is blamed for requiring them. optional:
    those that were only named as optional. absent: the reasons for which they can't be loaded, by name.
    """

    sources: tuple[Source, ...]
    refusals: tuple[Refusal, ...]
    missing: tuple[str, ...]
    optional: frozenset[str]
    absent: Mapping[str, Refusal]


def make_plan(
    wishes: Iterable[PluginWish | str],
    candidates: Sequence[Candidate],
    *,
    extra: Mapping[str, object],
    core: object | None,
    game_file: Path | None,
    manifest: str,
) -> LoadPlan:
    """Return the sources of the kernel, the wishes, the plugins given as objects, and the game's plugin."""
    planner = _Planner(candidates, extra, manifest)
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
    return LoadPlan(tuple(planner.sources.values()), tuple(planner.refusals), missing, optional, planner.absent)


class _Planner:
    def __init__(self, candidates: Sequence[Candidate], extra: Mapping[str, object], manifest: str) -> None:
        self.sources: dict[str, Source] = {}
        self.refusals: list[Refusal] = []
        self.optional: set[str] = set()
        self.needed: set[str] = set()
        self.absent: dict[str, Refusal] = {}
        self.extra = extra
        self.manifest = manifest
        self.offers: dict[str, list[Candidate]] = {}
        for candidate in sorted(candidates):
            self.offers.setdefault(candidate.name, []).append(candidate)

    def refuse(self, name: str, other: str, what: str, place: Place | None) -> None:
        known = place if place is not None and place.file else Place(self.manifest)
        self.refusals.append(Refusal(name, other, what, known))

    def add(self, wish: PluginWish | str) -> None:
        """Plan one wish; a plugin that is named twice is planned once, and both ranges must hold."""
        try:
            wish = NamedWish.parse(wish) if isinstance(wish, str) else wish
            wanted = Requirement.parse(f"{wish.name}{wish.spec}")
        except UsageError as error:
            name = wish if isinstance(wish, str) else wish.name
            self.refuse(name, name, str(error), None if isinstance(wish, str) else wish.place)
            return
        (self.optional if wish.optional else self.needed).add(wanted.name)
        if wanted.name in self.extra:
            self.add_given(wanted.name, self.extra[wanted.name], wish.place)
        elif wanted.name in _RESERVED:
            what = f"'{wanted.name}' is {_RESERVED[wanted.name]}, always loaded. Take it out of plugins"
            self.refuse(wanted.name, wanted.name, what, wish.place)
        else:
            self._add_installed(wanted, wish)

    def add_given(self, name: str, thing: object, place: Place | None) -> None:
        """Plan a plugin that is given as a module or object, instead of an installed one of its name."""
        if _NAME.fullmatch(name) is None:
            self.refuse(name, name, f"{name!r} can't be a plugin's name. Write it like wind", place)
            return
        file = getattr(thing, "__file__", None)
        where = place or (Place(file) if isinstance(thing, ModuleType) and file else None)
        self.sources.setdefault(name, Source(name, lambda: thing, where))

    def _add_installed(self, wanted: Requirement, wish: PluginWish) -> None:
        offers, place = self.offers.get(wanted.name, []), wish.place
        before = len(self.refusals)
        if not offers:
            known = {*self.offers, *self.extra}
            guess = did_you_mean(wanted.name, known)
            listed = f" Installed: {', '.join(sorted(known))}." if known and not guess and not wish.optional else ""
            how = how_to_get(wanted.name, wanted.range)
            what = f"plugin '{wanted.name}' is not installed{guess}.{listed} {how}"
            self.refuse(wanted.name, self.manifest, what, place)
        elif len(offers) > 1:
            both = " and ".join(str(offer) for offer in offers)
            gone = pip_name(wanted.name, offers[-1].distribution)
            what = f"plugin '{wanted.name}' is offered by two packages, {both}. Run: pip uninstall {gone}"
            self.refuse(wanted.name, offers[1].distribution, what, place)
        else:
            self._check_range(wanted, offers[0], place)
        fits = len(self.refusals) == before
        if not fits and wish.optional:
            self.absent[wanted.name] = self.refusals.pop()
        elif fits or len(offers) == 1:
            self.sources.setdefault(wanted.name, source_of(offers[0], place))

    def _check_range(self, wanted: Requirement, offer: Candidate, place: Place | None) -> None:
        version = _readable(offer.version)
        if wanted.range and (version is None or parse_version(version) not in wanted.range):
            install = quoted(f"{offer.distribution}{wanted.range}")
            what = (
                f"{self.manifest} asks for {wanted}, but {offer.distribution} {offer.version} is installed. "
                f"Run: pip install {install}"
            )
            self.refuse(wanted.name, self.manifest, what, place)


def source_of(offer: Candidate, place: Place | None) -> Source:
    """Return the source of an installed plugin. place: where it, or the plugin that requires it, is named."""
    return Source(offer.name, offer.load, place, _readable(offer.version), offer.distribution)


def _readable(version: str) -> str | None:
    """Return a package's version, or None if it is not a valid version (then no range fits it)."""
    try:
        parse_version(version)
    except UsageError:
        return None
    return version
