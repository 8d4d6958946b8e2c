"""About: the description of a plugin, by which conflicts are found before anything runs.

    def rish_about():
        return About(requires=["physics>=0.2,<1"], optional=["audio"], conflicts=["oldwind"], provides=["wind"])

The version is read from the plugin's package; only a plugin without a package (of a game or test) states it here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rish_ecs import DeclarationError, UsageError

from .versions import Range, Requirement, parse_version

API = "1.0"
"""The version of the contract between kernel and plugins. A minor version adds to it, a major one removes from it."""


@dataclass(frozen=True, init=False)
class About:
    """The plugins that a plugin requires, conflicts with and provides.

    requires: plugins that must be loaded before this one, with version ranges. optional: plugins that need not be
    loaded; one that is loaded for another reason must be in the range, and comes before this one. conflicts: plugins
    that must not be loaded. provides: additional names under which it satisfies requirements, `physics` or
    `physics==0.3`. api: the supported versions of the plugin API. version: only for a plugin without a package. view:
    whether it changes only what is drawn or heard, so that its state is not hashed in games that name it as optional.
    Raises DeclarationError for text that can't be parsed.
    """

    requires: tuple[Requirement, ...]
    optional: tuple[Requirement, ...]
    conflicts: tuple[Requirement, ...]
    provides: tuple[Requirement, ...]
    api: Range
    version: str | None
    description: str
    view: bool

    def __init__(
        self,
        requires: Iterable[str] = (),
        optional: Iterable[str] = (),
        conflicts: Iterable[str] = (),
        provides: Iterable[str] = (),
        api: str = "",
        version: str | None = None,
        description: str = "",
        view: bool = False,
    ) -> None:
        lists = {"requires": requires, "optional": optional, "conflicts": conflicts, "provides": provides}
        for name, texts in lists.items():
            object.__setattr__(self, name, _read_requirements(name, texts))
        for provided in self.provides:
            if [clause.operator for clause in provided.range.clauses] not in ([], ["=="]):
                raise DeclarationError(f"About: provides the range {provided}", hint=f"Write {provided.name}==1.0")
        try:
            object.__setattr__(self, "api", Range.parse(api))
            if version is not None:
                parse_version(version)
        except UsageError as error:
            raise DeclarationError(f"About: {error}") from None
        object.__setattr__(self, "version", version)
        object.__setattr__(self, "description", description)
        object.__setattr__(self, "view", view)


def _read_requirements(name: str, texts: Iterable[str]) -> tuple[Requirement, ...]:
    if isinstance(texts, str):
        raise DeclarationError(f"About: {name} is a text", hint=f"Write a list: {name}=[{texts!r}]")
    try:
        return tuple(Requirement.parse(text) for text in texts)
    except (UsageError, TypeError) as error:
        raise DeclarationError(f"About: {name}: {error}") from None
