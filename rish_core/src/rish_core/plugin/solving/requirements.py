"""Requirements of packages (`Requires-Dist`) that the installed packages do not meet.

An installer meets them, but later installations may change them, and a package may be installed without them. Those
under a marker for another system or Python, and those of extras that nobody asks for, do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion

from rish_ecs import how_to_get, how_to_update, is_ours

from ..discovery import installed_package, installed_plugins


def unmet(package: str, requires: Iterable[str]) -> str:
    """Return a sentence for each requirement of a package that is not met, "" if all are. requires: as in metadata."""
    return ". ".join(_sentence(package, *found) for found in _unmet(requires, ("",), set()))


def _unmet(
    requires: Iterable[str], extras: Iterable[str], seen: set[tuple[str, str]]
) -> Iterator[tuple[Requirement, str | None]]:
    """Yield the requirements that are not met, each with the installed version, None if the package is missing.

    extras: those that are asked for; "" stands for what the package requires in any case. seen: the extras of packages
    that are already checked.
    """
    for wanted in _parsed(requires):
        if not any(_applies(wanted, extra) for extra in extras):
            continue
        found = installed_package(wanted.name)
        if found is None or not _fits(wanted, found.version):
            yield wanted, None if found is None else found.version
            continue
        asked = {(wanted.name, extra) for extra in wanted.extras} - seen
        seen |= asked
        yield from _unmet(found.requires, sorted(extra for _, extra in asked), seen)


def _parsed(requires: Iterable[str]) -> Iterator[Requirement]:
    for text in requires:
        try:
            yield Requirement(text)
        except InvalidRequirement:  # written by an old tool; an installer would not understand it either
            continue


def _applies(wanted: Requirement, extra: str) -> bool:
    """Whether a requirement holds on this machine because of an extra, or with "" in any case."""
    in_any_case = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
    if extra == "" or wanted.marker is None:
        return in_any_case and extra == ""
    return wanted.marker.evaluate({"extra": extra}) and not in_any_case


def _fits(wanted: Requirement, version: str) -> bool:
    try:
        return wanted.specifier.contains(version, prereleases=True)
    except InvalidVersion:
        return not wanted.specifier


def _sentence(package: str, wanted: Requirement, version: str | None) -> str:
    name, versions = wanted.name, str(wanted.specifier)
    if version is None:
        return f"{package} requires {name}{versions}, which is not installed. {how_to_get(name, versions)}"
    offers_plugins = any(candidate.distribution == name for candidate in installed_plugins())
    how = (how_to_update if offers_plugins or is_ours(name) else how_to_get)(name, versions)
    return f"{package} requires {name}{versions}, but {name} {version} is installed. {how}"
