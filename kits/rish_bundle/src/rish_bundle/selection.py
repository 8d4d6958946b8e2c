"""What goes into a bundle: the games, the installed packages of Rish, and the packages that these need."""

from __future__ import annotations

import locale
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from rish_core import UsageError
from rish_ecs import is_ours
from rish_export import Plan, Wanted, make_plan, needed, unused_requirements
from rish_jit.errors.metadata import plain_name

_LEFT_OUT = {"rish-bundle", "rish-export", "rish-page"}
"""Packages of Rish that work with an installed Python only."""
_EDITOR = ("en", "zh")
"""The languages of the editor."""
_MANIFEST = "game.yaml"


@dataclass(frozen=True)
class Selection:
    """The content of a bundle.

    plans: of the games, by the names of their folders. distributions: by plain name. imported: the top-level modules
    that code of games and of other people's packages imports. languages: their tags, for rules of plurals and numbers.
    """

    plans: dict[str, Plan]
    distributions: dict[str, Distribution]
    imported: frozenset[str]
    languages: frozenset[str]


def select(games: Sequence[Path], more: Iterable[str]) -> Selection:
    """Check games, and return them with the packages of a bundle. more: requirements of packages that are added.

    Raises UsageError without a game and for two games of the same name, ManifestError with all mistakes of a game, and
    RishError for a package that is not installed.
    """
    added, plans = [*_wanted(more)], dict[str, Plan]()
    for folder in game_folders(games):
        name = folder.resolve().name
        if name.casefold() in map(str.casefold, plans):
            raise UsageError(f"there are two games named {name}", hint="Rename one of their folders")
        plans[name] = make_plan(str(folder))
    imported = frozenset[str]().union(*(plan.imported for plan in plans.values()))
    found = dict(needed([*added, *map(Wanted, installed_parts())], unused_requirements(imported)))
    for plan in plans.values():
        found |= plan.distributions
    mine = locale.getlocale()[0] or "en"
    languages = frozenset({mine.replace("_", "-"), *_EDITOR}.union(*(plan.languages for plan in plans.values())))
    return Selection(plans, dict(sorted(found.items())), imported, languages)


def game_folders(places: Sequence[Path]) -> list[Path]:
    """Return the folders of games. places: such folders, and folders with games in them; none: `games`.

    Raises UsageError for a place without a game.
    """
    folders: list[Path] = []
    for place in places or [Path("games")]:
        inside = (
            [place] if (place / _MANIFEST).is_file() else sorted(path.parent for path in place.glob(f"*/{_MANIFEST}"))
        )
        if not inside:
            raise UsageError(
                f"there is no game in {place}", hint="Name the folders of games, or a folder with games in it"
            )
        folders += inside
    return folders


def installed_parts() -> set[str]:
    """Return the plain names of the installed packages of Rish that a bundle contains."""
    names = {plain_name(package.name) for package in distributions()}
    return {name for name in names if is_ours(name)} - _LEFT_OUT


def _wanted(more: Iterable[str]) -> Iterator[Wanted]:
    for text in more:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            raise UsageError(f"{text!r} is no name of a package", hint="Write it as in: --with numba") from None
        yield Wanted(requirement.name, frozenset(requirement.extras))
