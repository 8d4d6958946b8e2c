"""The installed package: its entry points, its version, what it says about itself, and what it depends on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any

from rish_core import API, About
from rish_core.plugin import parse_version
from rish_ecs import Place, UsageError, shorten_path

from ..checked_plugin import Subject
from ..clause import Finding, clause
from ..closure import canonical, closure_of, distribution_of, needs_of

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_CONTRACTS = "rish.contracts."


@clause("C04", "Its entry points name what it is", needs=("C01",))
def check_entry_points(subject: Subject) -> Iterator[Finding]:
    """The name is in lower case and belongs to one package. The groups `rish.contracts.*` in which the package lists
    the plugin are the contracts that its `About` provides. The version can be parsed, and is not stated twice.
    """
    place, name = Place(f"{subject.candidate.distribution}: entry points"), subject.name
    if _NAME.fullmatch(name) is None:
        yield Finding(
            f"the name {name!r} of the entry point is not in lower case", place, "Write it like wind or my_wind"
        )
    others = [each for each in subject.installed if each.name == name and each != subject.candidate]
    for other in others:
        yield Finding(f"{other.distribution} offers a plugin '{name}' too", place, "Rename the plugin")
    try:
        parse_version(subject.candidate.version)
    except UsageError as error:
        yield Finding(f"the version of the package: {error.what}", place, error.hint)
    about = _about(subject)
    provided = {each.name for each in about.provides}
    for contract in sorted(provided - {*subject.candidate.contracts}):
        what = f"its About provides '{contract}', but the entry points do not list it"
        yield Finding(what, place, f'Add [project.entry-points."{_CONTRACTS}{contract}"] with {name} = "..."')
    for contract in sorted({*subject.candidate.contracts} - provided):
        what = f"the entry points list the contract '{contract}', which its About does not provide"
        yield Finding(what, place, f'Write About(provides=["{contract}==1.0"])')
    if about.version is not None and about.version != subject.candidate.version:
        what = f"its About has the version {about.version}, and the package {subject.candidate.version}"
        yield Finding(what, subject.place_of_hook("rish_about"), "Leave the version out of About")


def _about(subject: Subject) -> About:
    declare = getattr(subject.module, "rish_about", None)
    about: Any = declare() if callable(declare) else About()
    return about


@clause("C05", "Its About describes it and fits this version of Rish", needs=("C03",))
def check_about(subject: Subject) -> Iterator[Finding]:
    """`rish_about` gives a description; the range `api` includes the plugin API of the installed kernel; what it
    requires is installed in the versions that it asks for.
    """
    about = _about(subject)
    place = subject.place_of_hook("rish_about") if hasattr(subject.module, "rish_about") else subject.place
    if not about.description.strip():
        yield Finding("it has no description", place, 'Write rish_about with About(description="a wind that blows")')
    if parse_version(API) not in about.api:
        yield Finding(f"its api is {about.api}, and the installed kernel has {API}", place, "Widen the range")


@clause("C06", "It depends on what it uses", needs=("C03",))
def check_dependencies(subject: Subject) -> Iterator[Finding]:
    """While a plugin is checked, only the packages that it depends on can be imported, also by way of others. What its
    modules import of Rish is among its own dependencies, and so are the packages of the plugins that it requires. The
    dependencies of an extra count if the entry point names it: `box = "rish_dialogue.box [box]"`.
    """
    own = canonical(subject.candidate.distribution)
    named = needs_of(subject.candidate.distribution, subject.extras)
    where = Place(f"{subject.candidate.distribution}: dependencies")
    used = {distribution_of(top): place for top, place in _rish_imports(subject)}
    for package in sorted(set(used) - named - {own, ""}):
        yield Finding(f"it imports {package}, which is not among its dependencies", used[package], f"Add {package!r}")
    loaded: dict[str, Any] = {plugin.name: plugin for plugin in subject.plugins}
    for wish in _about(subject).requires:
        provider = loaded.get(wish.name)
        package = canonical(provider.distribution or "") if provider is not None else ""
        if package not in closure_of(subject.candidate.distribution, *subject.extras) | {""}:
            what = f"it requires the plugin '{wish.name}', but its package does not depend on {package}"
            yield Finding(what, where, f"Add {package!r} to the dependencies")


def _rish_imports(subject: Subject) -> Iterator[tuple[str, Place]]:
    """Yield the packages of Rish that the loaded modules import when they are imported, with the line."""
    for module in list(subject.loaded.values()):
        if not module.__file__ or not module.__file__.endswith(".py"):
            continue
        with open(module.__file__, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        for node in _at_import(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            for name in names if isinstance(node, ast.Import) or not node.level else ():
                if name.startswith("rish_") and name.partition(".")[0] != subject.top:
                    yield name.partition(".")[0], Place(shorten_path(module.__file__), node.lineno)


def _at_import(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements that run when a module is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Try)):
            yield from _at_import(node)


def command_points(subject: Subject) -> list[Any]:
    """Return the entry points of the commands that the plugin's package adds to `rish`."""
    points = entry_points(group="rish.commands")
    own = canonical(subject.candidate.distribution)
    return [each for each in points if each.dist is not None and canonical(each.dist.name) == own]
