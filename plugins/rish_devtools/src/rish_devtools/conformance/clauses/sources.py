"""The source code of the package: what it imports, and its names beside those of others."""

from __future__ import annotations

from collections.abc import Iterator

from rish_core import Registry, RishError, builtin
from rish_core.plugin import Candidate, build_registry, load_plugins
from rish_ecs import Place, shorten_path

from ..checked_plugin import Subject
from ..clause import Finding, clause
from ..public_names import private_imports


@clause("C07", "It imports only public names of other packages of Rish", beside=True)
def check_imports(subject: Subject) -> Iterator[Finding]:
    """All files of the package are read. A name of another package of Rish is public if its package, or a public module
    of it, lists the name in `__all__`.
    """
    for path in [subject.folder] if subject.folder.is_file() else sorted(subject.folder.rglob("*.py")):
        if "templates" in path.parts:
            continue
        for line, sentence in private_imports(path.read_text(encoding="utf-8"), subject.top):
            yield Finding(
                sentence, Place(shorten_path(path), line), "Use public names, or ask for the name to be public"
            )


@clause("C12", "Its names clash with those of no other installed plugin", needs=("C03",), beside=True)
def check_names(subject: Subject) -> Iterator[Finding]:
    """Each other installed plugin is loaded, except for those that exclude this one: it may declare none of the same
    classes, prefabs, layers, loaders of files, lists of names, keys of the manifest, backends and so on.
    """
    own_keys = {key for key, owner in subject.registry.owners.items() if owner == subject.name}
    declared = {kind.cls for kind in _declared(subject.registry, subject.name)}
    for other in subject.installed:
        if other.name in subject.plugins or not _together(subject, other):
            continue
        registry = _registry(subject, [other.name])
        if registry is None:
            continue
        other_keys = {key for key, owner in registry.owners.items() if owner == other.name}
        for what, name in sorted(own_keys & other_keys):
            if _shared(subject.registry, registry, what, name):
                continue
            what_is_wrong = f"the {what} '{name}' is declared by '{other.name}' of {other.distribution} too"
            yield Finding(what_is_wrong, subject.place, "Rename it, or name the other one in About(conflicts=[...])")
        for cls in sorted(declared & {kind.cls for kind in _declared(registry, other.name)}, key=str):
            yield Finding(
                f"the class {cls.__name__} is declared by '{other.name}' too", subject.place, "Declare your own"
            )


def _together(subject: Subject, other: Candidate) -> bool:
    """Whether both can be loaded in one game, apart from their names; a plugin that fails by itself says nothing."""
    try:
        plugins = load_plugins([subject.name, other.name], core=builtin, installed=subject.installed, policy="disable")
    except RishError:
        return False
    return other.name in plugins and subject.name in plugins


def _registry(subject: Subject, names: list[str]) -> Registry | None:
    try:
        plugins = load_plugins(names, core=builtin, installed=subject.installed, policy="raise")
        return build_registry(plugins)
    except RishError:
        return None


def _shared(one: Registry, two: Registry, what: str, name: str) -> bool:
    """Whether two plugins agree on the function that loads files or lists names, which they may."""
    loaders = one.loaders.get(name) if what == "loader" else one.names.get(name) if what == "list of names" else None
    return loaders is not None and loaders is (two.loaders if what == "loader" else two.names).get(name)


def _declared(registry: Registry, plugin: str) -> list:
    kinds = [("component", registry.components), ("event", registry.events), ("resource", registry.tables)]
    return [
        kind for what, declared in kinds for name, kind in declared.items() if registry.owners[what, name] == plugin
    ]
