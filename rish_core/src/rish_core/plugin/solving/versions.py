"""Versions and version ranges of plugins by PEP 440.

The library `packaging` compares versions; this module adds the clause that a version breaks, and clear messages.
Installed pre-releases count like other versions: unlike in an installer, a range does not exclude them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from packaging.specifiers import InvalidSpecifier, Specifier
from packaging.version import InvalidVersion, Version

from rish_ecs import UsageError

_REQUIREMENT = re.compile(
    r"\s*(?P<name>[A-Za-z][A-Za-z0-9_-]*)\s*(\[(?P<capabilities>[^\[\]]*)\])?\s*(?P<range>.*)", re.DOTALL
)
_CAPABILITY = re.compile(r"\*|[a-z][a-z0-9_.-]*")
_MAX_CHARS = 128  # characters; longer text is not a version, and Python refuses integers of 4,300 digits


def parse_version(text: str) -> Version:
    """Parse a version. Raises UsageError for other text."""
    try:
        return Version(text if len(text) <= _MAX_CHARS else "")
    except InvalidVersion:
        raise UsageError(f"{text[:_MAX_CHARS]!r} is not a version", hint="Write it like 0.2, 1.0.3 or 2.0rc1") from None


@dataclass(frozen=True)
class Range:
    """Clauses such as `>=0.2` and `<1` that must all hold; without clauses all versions fit."""

    clauses: tuple[Specifier, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Range:
        """Parse a range such as `>=0.2,<1`. Raises UsageError with the clause that can't be parsed."""
        return cls(tuple(_parse_clause(part.strip()) for part in text.split(","))) if text.strip() else cls()

    def unmet(self, version: Version) -> Specifier | None:
        """Return the first clause that a version breaks, or None if it fits."""
        return next((clause for clause in self.clauses if not clause.contains(version, prereleases=True)), None)

    def __contains__(self, version: Version) -> bool:
        return self.unmet(version) is None

    def __bool__(self) -> bool:
        return bool(self.clauses)

    def __str__(self) -> str:
        return ",".join(str(clause) for clause in self.clauses)


def _parse_clause(text: str) -> Specifier:
    try:
        clause = Specifier(text if len(text) <= _MAX_CHARS else "")
    except InvalidSpecifier:
        hint = "Write it like >=0.2,<1, ~=1.4 or ==1.2.*"
        raise UsageError(f"{text[:_MAX_CHARS]!r} is not a version range", hint=hint) from None
    if clause.operator == "===":
        raise UsageError(f"{text!r} is not a version range", hint=f"Write =={clause.version}")
    return clause


@dataclass(frozen=True)
class Requirement:
    """The name of a plugin or contract, the range of accepted versions, and the capabilities that are needed of it.

    In `provides`, the capabilities are those that are offered, and `*` stands for any.
    """

    name: str
    range: Range = Range()
    capabilities: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Requirement:
        """Parse `physics`, `physics>=0.2,<1` or `physics2d[joints,queries]>=1`. Raises UsageError for other text."""
        match = _REQUIREMENT.fullmatch(text)
        if match is None:
            raise UsageError(f"{text!r} names no plugin", hint="Write it like physics or physics>=0.2,<1")
        names = [] if match["capabilities"] is None else [name.strip() for name in match["capabilities"].split(",")]
        for name in names:
            if _CAPABILITY.fullmatch(name) is None:
                raise UsageError(f"{name!r} is no capability", hint="Write it like physics2d[joints,queries]")
        return cls(match["name"], Range.parse(match["range"]), tuple(sorted(set(names))))

    def lacks(self, offered: Iterable[str]) -> list[str]:
        """Return the needed capabilities that are not among those that are offered."""
        offered = set(offered)
        return [] if "*" in offered else [name for name in self.capabilities if name not in offered]

    def __str__(self) -> str:
        needed = f"[{','.join(self.capabilities)}]" if self.capabilities else ""
        return f"{self.name}{needed}{self.range}"
