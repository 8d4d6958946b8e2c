"""Versions and version ranges: the part of PEP 440 that decides whether two plugins fit together.

A `Version` orders releases, pre-releases (`1.0a1`, `1.0rc2`), post-releases and development releases as the
standard does; a local part (`+g1234`) is read and ignored. A `Range` is a list of clauses that must all hold,
such as `>=0.2,<1`; the clauses are `== != >= <= > < ~=`, and `==1.2.*`. A `Requirement` is a plugin's name
and a range. It is written here because the library that does the whole standard is no dependency of the
kernel.

What is installed is judged as it is: unlike an installer, a range never leaves pre-releases out by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rish_ecs import UsageError

_VERSION = re.compile(
    r"""v?(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:\.\d+)*)
        (?:[-_.]?(?P<pre>a|b|c|rc|alpha|beta|pre|preview)[-_.]?(?P<pre_n>\d*))?
        (?P<post>-(?P<post_bare>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_n>\d*))?
        (?P<dev>[-_.]?dev[-_.]?(?P<dev_n>\d*))?
        (?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_CLAUSE = re.compile(r"(?P<op>~=|==|!=|<=|>=|<|>)\s*(?P<version>[^\s*<>=~]+?)(?P<star>\.\*)?")
_REQUIREMENT = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z0-9_-]*)\s*(?P<range>.*)", re.DOTALL)
_PRE_RANK = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}
_LONGEST = 128  # characters; longer text is no version, and Python refuses integers of 4,300 digits

_Key = tuple[int, tuple[int, ...], tuple[int, int, int], int, tuple[int, int]]


@dataclass(frozen=True)
class Version:
    """One version. `release` is (1, 2, 0) of `1.2.0`; the other parts are None where they are absent."""

    text: str
    epoch: int
    release: tuple[int, ...]
    pre: tuple[int, int] | None
    post: int | None
    dev: int | None

    @classmethod
    def parse(cls, text: str) -> Version:
        """Read a version. Raises UsageError for text that is none."""
        return _parse_version(text)

    @property
    def key(self) -> _Key:
        """What versions are ordered by: trailing zeros don't count, dev < pre < release < post."""
        if self.pre is not None:
            pre = (0, *self.pre)
        else:
            pre = (-1, 0, 0) if self.post is None and self.dev is not None else (1, 0, 0)
        dev = (1, 0) if self.dev is None else (0, self.dev)
        return self.epoch, self._trimmed, pre, -1 if self.post is None else self.post, dev

    @property
    def _trimmed(self) -> tuple[int, ...]:
        release = self.release
        while len(release) > 1 and release[-1] == 0:
            release = release[:-1]
        return release

    @property
    def base(self) -> tuple[int, tuple[int, ...]]:
        """The release that a pre-, post- or development release belongs to."""
        return self.epoch, self._trimmed

    @property
    def early(self) -> bool:
        """Whether it comes before its own release: alpha, beta, candidate or development."""
        return self.pre is not None or self.dev is not None

    def starts_with(self, prefix: Version) -> bool:
        """Whether it belongs to `1.2.*`, with `1.2` as the prefix."""
        count = len(prefix.release)
        padded = self.release + (0,) * (count - len(self.release))
        return self.epoch == prefix.epoch and padded[:count] == prefix.release

    def __lt__(self, other: Version) -> bool:
        return self.key < other.key

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=256)
def _parse_version(text: str) -> Version:
    found = _VERSION.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if found is None:
        raise UsageError(f"{text[:_LONGEST]!r} is no version", hint="Write it like 0.2, 1.0.3 or 2.0rc1")
    part = found.groupdict()
    pre = (_PRE_RANK[part["pre"].lower()], int(part["pre_n"] or 0)) if part["pre"] else None
    post = int(part["post_bare"] or part["post_n"] or 0) if part["post"] else None
    dev = int(part["dev_n"] or 0) if part["dev"] else None
    release = tuple(int(number) for number in part["release"].split("."))
    return Version(text.strip(), int(part["epoch"] or 0), release, pre, post, dev)


@dataclass(frozen=True)
class Clause:
    """One comparison of a range; `star` for `==1.2.*` and `!=1.2.*`."""

    op: str
    version: Version
    star: bool = False

    def holds(self, given: Version) -> bool:
        """Whether a version satisfies this comparison."""
        mine, key = self.version, given.key
        match self.op:
            case "==" | "!=":
                equal = given.starts_with(mine) if self.star else key == mine.key
                return equal == (self.op == "==")
            case ">=":
                return key >= mine.key
            case "<=":
                return key <= mine.key
            case "<":
                own = given.base == mine.base and (mine.post is None or (given.pre, given.post) == (None, mine.post))
                return key < mine.key and not (given.early and not mine.early and own)
            case ">":
                same = (given.base, given.pre) == (mine.base, mine.pre) and mine.dev is None
                after = given.post is not None and mine.post is None and same
                return key > mine.key and not after
            case _:
                prefix = Version("", mine.epoch, mine.release[:-1], None, None, None)
                return key >= mine.key and given.starts_with(prefix)

    def __str__(self) -> str:
        return f"{self.op}{self.version}{'.*' if self.star else ''}"


@dataclass(frozen=True)
class Range:
    """Clauses that must all hold; without any, every version fits."""

    clauses: tuple[Clause, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Range:
        """Read a range such as `>=0.2,<1`. Raises UsageError naming the clause that can't be read."""
        return cls(tuple(_parse_clause(part.strip()) for part in text.split(","))) if text.strip() else cls()

    def unmet(self, version: Version) -> Clause | None:
        """The first clause that a version breaks, or None where it fits."""
        return next((clause for clause in self.clauses if not clause.holds(version)), None)

    def __contains__(self, version: Version) -> bool:
        return self.unmet(version) is None

    def __bool__(self) -> bool:
        return bool(self.clauses)

    def __str__(self) -> str:
        return ",".join(str(clause) for clause in self.clauses)


def _parse_clause(text: str) -> Clause:
    found = _CLAUSE.fullmatch(text)
    if found is None:
        raise UsageError(f"{text!r} is no version range", hint="Write it like >=0.2,<1 or ==1.2.*")
    clause = Clause(found["op"], Version.parse(found["version"]), found["star"] is not None)
    if clause.star and clause.op not in ("==", "!="):
        raise UsageError(f"{text!r}: only == and != may end in .*", hint=f"Write {clause.op}{clause.version}")
    if clause.star and (clause.version.early or clause.version.post is not None):
        raise UsageError(f"{text!r}: only a plain release may end in .*")
    if clause.op == "~=" and len(clause.version.release) < 2:
        raise UsageError(f"{text!r}: ~= needs two numbers at least", hint=f"Write ~={clause.version}.0")
    return clause


@dataclass(frozen=True)
class Requirement:
    """A plugin's name and the versions of it that will do."""

    name: str
    range: Range = Range()

    @classmethod
    def parse(cls, text: str) -> Requirement:
        """Read `physics` or `physics>=0.2,<1`. Raises UsageError saying what can't be read."""
        found = _REQUIREMENT.fullmatch(text)
        if found is None:
            raise UsageError(f"{text!r} names no plugin", hint="Write it like physics or physics>=0.2,<1")
        return cls(found["name"], Range.parse(found["range"]))

    def __str__(self) -> str:
        return f"{self.name}{self.range}"
