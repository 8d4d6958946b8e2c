"""Public names that are imported at their first use (PEP 562), so that importing a package is fast.

A package lists each name twice: below `if TYPE_CHECKING` for type checkers and editors, and in the table passed here::

    __getattr__, __dir__ = lazy_names(__name__, {"world": "World", "query": "Query"})
    __all__ = __dir__()
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any


class _NoName(AttributeError):
    """A package has no such name. `from package import module` raises it too, so the nearest name is searched late."""

    def __init__(self, package: str, name: str, public: list[str]) -> None:
        super().__init__(name=name, obj=None)
        self._package, self._public = package, public

    def __str__(self) -> str:
        from .errors import did_you_mean

        return f"{self._package} has no {self.name!r}{did_you_mean(self.name, self._public)}"


def lazy_names(
    package: str, where: Mapping[str, str], modules: Iterable[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the functions `__getattr__` and `__dir__` of a package; the second returns its public names, sorted.

    where: names, separated by spaces, by the module that defines them: relative to the package, or absolute with a
    leading `=`. modules: public modules and sub-packages of the package.
    """
    module_of = {name: module for module, names in where.items() for name in names.split()}
    public = sorted([*module_of, *modules])
    submodules = frozenset(modules)

    def fetch(name: str) -> Any:
        module = module_of.get(name)
        if module is not None:
            path = module[1:] if module.startswith("=") else f"{package}.{module}"
            value = getattr(importlib.import_module(path), name)
        elif name in submodules:
            value = importlib.import_module(f"{package}.{name}")
        else:
            raise _NoName(package, name, public)
        setattr(sys.modules[package], name, value)
        return value

    return fetch, lambda: public
