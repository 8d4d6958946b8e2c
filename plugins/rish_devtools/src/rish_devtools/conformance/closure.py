"""The packages that a package depends on, and a way to hide all others from imports.

On the machine of an author everything is installed; on that of a user only what the package asks for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from typing import Any

from packaging.requirements import Requirement

_FOREIGN = re.compile(r"^(\.\.|bin/|Scripts/|__pycache__/|[^/]*\.(dist-info|data|egg-info)/|[^/]*\.pth$)")
"""Matches the files of a distribution that are no modules."""


def canonical(name: str) -> str:
    """Return the name of a distribution in its normal form."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _requirements(name: str, extras: tuple[str, ...]) -> list[Requirement]:
    """Return what a distribution asks for on this machine, with some of its extras; nothing if it is not installed."""
    try:
        needs = map(Requirement, distribution(name).requires or ())
    except PackageNotFoundError:
        return []
    wanted = ("", *extras)
    return [n for n in needs if n.marker is None or any(n.marker.evaluate({"extra": extra}) for extra in wanted)]


def needs_of(name: str, extras: tuple[str, ...] = ()) -> set[str]:
    """Return the distributions on which one depends directly, in normal form. extras: its extras."""
    return {canonical(need.name) for need in _requirements(name, extras)}


@cache
def closure_of(name: str, *extras: str) -> frozenset[str]:
    """Return a distribution and all that it depends on, directly or not, in normal form. extras: its extras."""
    visited: set[tuple[str, tuple[str, ...]]] = set()
    waiting = [(name, tuple(extras))]
    while waiting:
        distribution, wanted_extras = waiting.pop()
        if (canonical(distribution), wanted_extras) not in visited:
            visited.add((canonical(distribution), wanted_extras))
            waiting += [(need.name, tuple(sorted(need.extras))) for need in _requirements(distribution, wanted_extras)]
    return frozenset(distribution for distribution, _ in visited)


@cache
def _owners() -> dict[str, set[str]]:
    """Return the distributions that install each top-level module; several may share a namespace."""
    owners: dict[str, set[str]] = {}
    for each in distributions():
        name = canonical(each.name)
        for top in _tops(each, name):
            owners.setdefault(top, set()).add(name)
    return owners


def _tops(each: Distribution, name: str) -> set[str]:
    """Return the top-level modules of a distribution; of one that is installed for editing, those that it names."""
    files = [line.partition(",")[0] for line in (each.read_text("RECORD") or "").splitlines()]
    inside = {file.partition("/")[0].partition(".")[0] for file in files if not _FOREIGN.search(file)}
    if inside:
        return inside
    points = {point.value.partition(":")[0].partition(".")[0].strip() for point in each.entry_points}
    return {name.replace("-", "_"), *points}


def distribution_of(top: str) -> str:
    """Return the distribution of a top-level module, or an empty text if it is unknown or shared by several."""
    owners = _owners().get(top, set())
    return next(iter(owners)) if len(owners) == 1 else ""


class OnlyDependencies:
    """Hides the modules of distributions that are installed but not among the dependencies of `name`.

    The kernel, `rish_reload` and this kit can always be imported, and what the extra `jit` brings, which compiles
    kernels. An import, and a search with `importlib.util.find_spec`, behave as if the others were not installed.
    """

    def __init__(self, name: str, extras: tuple[str, ...] = ()) -> None:
        self.name = name
        self._allowed = closure_of(name, *extras, "jit") | closure_of("rish-reload") | {"rish-devtools"}
        self._owners = _owners()
        self._before: list[Any] = []

    def begin(self) -> None:
        """Begin to hide modules that are not imported yet."""
        self._before = list(sys.meta_path)
        sys.meta_path[:] = [_Finder(finder, self.hides) for finder in self._before]

    def end(self) -> None:
        """Show all modules again."""
        if self._before:
            sys.meta_path[:], self._before = self._before, []

    def hides(self, module: str) -> bool:
        """Whether a module is one of those that the plugin does not get from its dependencies."""
        top = module.partition(".")[0]
        owners = self._owners.get(top, set[str]())
        return bool(owners) and not owners & self._allowed and top not in sys.stdlib_module_names

    def reason(self, module: str) -> str:
        """Return what to say about the import of a hidden module."""
        owners = " or ".join(sorted(self._owners.get(module.partition(".")[0], {"?"})))
        return f"it imports {module}, but {self.name} does not depend on {owners}"


class _Finder:
    """One of Python's finders, which does not find what is hidden."""

    def __init__(self, finder: Any, hides: Callable[[str], bool]) -> None:
        self._finder = finder
        self._hides = hides

    def find_spec(self, name: str, *more: Any) -> Any:
        """Return the spec of a module, or None if it is hidden or not there."""
        return (
            None if self._hides(name) or not hasattr(self._finder, "find_spec") else self._finder.find_spec(name, *more)
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)
