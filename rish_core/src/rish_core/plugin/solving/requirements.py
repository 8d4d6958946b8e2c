"""Requirements of packages (`Requires-Dist`) that the installed packages do not meet.

An installer meets them, but later installations may break them, and a package may be installed without them.
Requirements whose marker is about another system or Python, and those of extras that are not requested, are ignored.
They are checked at every start, so the usual forms are parsed here, which is fast, and `packaging` parses others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion

from rish_ecs import how_to_get, how_to_update, is_ours
from rish_jit.errors.metadata import plain_name

from ..discovery import installed_package, installed_plugins

_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9][\w.-]*)\s*(\[(?P<extras>[^\]]*)\])?\s*(@\s*\S+|(?P<range>([(<>=!~][^@;]*)?))\s*(;\s*(?P<marker>.*))?",
    re.DOTALL,
)
_EXTRA = re.compile(r"""extra\s*==\s*(['"])(?P<extra>[^'"]*)\1\s*""")


def unmet(package: str, requires: Iterable[str]) -> str:
    """Return a sentence for each requirement of a package that is not met, "" if all are. requires: as in metadata."""
    return ". ".join(_sentence(package, *requirement) for requirement in _unmet(requires, [""], set()))


def _unmet(
    requires: Iterable[str], extras: list[str], seen: set[tuple[str, str]]
) -> Iterator[tuple[str, str, str | None]]:
    """Yield the name and range of each requirement that is not met, and the installed version, None if it is missing.

    extras: the requested extras; "" stands for requirements without an extra. seen: the (package, extra) pairs that are
    checked already.
    """
    for text in requires:
        match = _REQUIREMENT.fullmatch(text.strip())
        if match is None or not any(_holds(match["marker"], extra) for extra in extras):
            continue  # an installer would not understand other text either
        name, versions = match["name"], (match["range"] or "").strip(" ()")
        package = installed_package(name)
        if package is None or not _fits(versions, package.version):
            yield name, versions, None if package is None else package.version
            continue
        new_extras = {(plain_name(name), extra.strip()) for extra in (match["extras"] or "").split(",")} - seen
        seen |= new_extras
        inner = sorted(extra for _, extra in new_extras if extra)
        yield from _unmet(package.requires, inner, seen) if inner else ()


def _holds(marker: str | None, extra: str) -> bool:
    """Whether a marker holds on this machine for an extra; for "", whether it holds without an extra."""
    if marker is None:
        return extra == ""
    if only := _EXTRA.fullmatch(marker):
        return extra != "" and plain_name(only["extra"]) == plain_name(extra)
    from packaging.markers import InvalidMarker, Marker

    try:
        return Marker(marker).evaluate({"extra": extra}) and (extra == "" or not Marker(marker).evaluate({"extra": ""}))
    except InvalidMarker:
        return False


@lru_cache(maxsize=256)
def _fits(versions: str, version: str) -> bool:
    try:
        return not versions or SpecifierSet(versions).contains(version, prereleases=True)
    except (InvalidSpecifier, InvalidVersion):
        return False


def _sentence(package: str, name: str, versions: str, version: str | None) -> str:
    if version is None:
        return f"{package} requires {name}{versions}, which is not installed. {how_to_get(name, versions)}"
    offers_plugins = any(plain_name(candidate.distribution) == plain_name(name) for candidate in installed_plugins())
    how = (how_to_update if offers_plugins or is_ours(name) else how_to_get)(name, versions)
    return f"{package} requires {name}{versions}, but {name} {version} is installed. {how}"
