"""About: the description of a plugin, by which conflicts are found before anything runs.

    def rish_about():
        return About(requires=["physics>=0.2,<1"], optional={"audio": "storms are silent"}, conflicts=["oldwind"])

The version is read from the plugin's package; only a plugin without a package (of a game or test) states it here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from rish_ecs import DeclarationError, UsageError

from .versions import Range, Requirement, parse_version

API = "1.1"
"""The version of the contract between kernel and plugins. A minor version adds to it, a major one removes from it."""


@dataclass(frozen=True, init=False)
class About:
    """The plugins that a plugin requires, conflicts with and provides.

    requires: plugins or contracts that must be loaded before this one, with version ranges and capabilities, such as
    `physics2d[joints]>=1`. optional: plugins, contracts or capabilities that it uses if they are loaded, each with a
    sentence on what is missing without it. If loaded, their versions must be in the range, and they come before this
    plugin. conflicts: plugins that must not be loaded. provides: contracts, that is additional names under which it
    satisfies requirements, with version and capabilities: `physics2d[joints,queries]==1.0`; `*` stands for capabilities
    that are known only when the game runs. before, after: plugins that come later or earlier than this one if they
    are loaded. api: the supported versions of the plugin API. version: only for a plugin without a package. view:
    whether it changes only what is drawn or heard: its state is not hashed in games that name it as optional, and no
    event is emitted only because it reads it.
    namespace: the first part of the full names of its declarations, `physics` in `physics.Body`; by default its name.
    Providers of one contract share a namespace, so only one of them can be loaded. Raises DeclarationError for text
    that can't be parsed.
    """

    requires: tuple[Requirement, ...]
    optional: Mapping[Requirement, str]
    conflicts: tuple[Requirement, ...]
    provides: tuple[Requirement, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    api: Range
    version: str | None
    description: str
    view: bool
    namespace: str | None

    def __init__(
        self,
        requires: Iterable[str] = (),
        optional: Iterable[str] | Mapping[str, str] = (),
        conflicts: Iterable[str] = (),
        provides: Iterable[str] = (),
        before: Iterable[str] = (),
        after: Iterable[str] = (),
        api: str = "",
        version: str | None = None,
        description: str = "",
        view: bool = False,
        namespace: str | None = None,
    ) -> None:
        fields: dict[str, object] = {
            "requires": _read_requirements("requires", requires),
            "conflicts": _read_requirements("conflicts", conflicts),
            "provides": _read_requirements("provides", provides),
            "before": _read_names("before", before),
            "after": _read_names("after", after),
            "version": version,
            "description": description,
            "view": view,
            "namespace": namespace,
        }
        effects: Mapping[str, str] = cast("Mapping[str, str]", optional) if isinstance(optional, Mapping) else {}
        texts: Iterable[str] = [*effects] if effects else cast("Iterable[str]", optional)
        listed = _read_requirements("optional", texts)
        fields["optional"] = dict(zip(listed, effects.values() if effects else [""] * len(listed), strict=True))
        try:
            fields["api"] = Range.parse(api)
            if version is not None:
                parse_version(version)
        except UsageError as error:
            raise DeclarationError(f"About: {error}") from None
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        for provided in self.provides:
            if [clause.operator for clause in provided.range.clauses] not in ([], ["=="]):
                raise DeclarationError(f"About: provides the range {provided}", hint=f"Write {provided.name}==1.0")


def _read_requirements(name: str, texts: Iterable[str]) -> tuple[Requirement, ...]:
    if isinstance(texts, str):
        raise DeclarationError(f"About: {name} is a text", hint=f"Write a list: {name}=[{texts!r}]")
    try:
        return tuple(Requirement.parse(text) for text in texts)
    except (UsageError, TypeError) as error:
        raise DeclarationError(f"About: {name}: {error}") from None


def _read_names(name: str, texts: Iterable[str]) -> tuple[str, ...]:
    for read in (requirements := _read_requirements(name, texts)):
        if str(read) != read.name:
            raise DeclarationError(f"About: {name} names {read}", hint=f"Write only the name, {read.name!r}")
    return tuple(read.name for read in requirements)
