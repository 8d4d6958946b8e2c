"""What a plugin declares: hooks, fields, settings, names, and its implementations of the hooks of others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rish_core import builtin
from rish_core.plugin import build_registry, load_plugins
from rish_ecs import RishError, place_of
from rish_ecs.declarations import FieldSpec, Kind, ResourceSpec, resource_spec

from ..checked_plugin import Subject
from ..clause import Finding, clause


@clause("C03", "Its hooks exist, take the arguments that they name, and return what they promise", needs=("C01",))
def check_hooks(subject: Subject) -> Iterator[Finding]:
    """Each function `rish_*` is compared with the hook of that name, and what the declaring hooks return is read as
    for a game.
    """
    try:
        assert subject.registry is not None
    except BaseException as error:
        subject.note_leaving(error)
        yield Finding.of(error)


@clause("C11", "Its hooks declare the same at each call", needs=("C03",))
def check_twice(subject: Subject) -> Iterator[Finding]:
    """The declarations are read a second time, as when a second game begins in the same process: names and classes must
    be the same.
    """
    first = subject.registry
    try:
        plugins = load_plugins([subject.name], core=builtin, installed=subject.installed, policy="raise")
        second = build_registry(plugins)
    except BaseException as error:
        subject.note_leaving(error)
        yield Finding.of(error)
        return
    for key in sorted({*first.owners} ^ {*second.owners}):
        yield Finding(f"the {key[0]} '{key[1]}' is declared at one call and not at another", subject.place, _SAME)
    for name, kind in first.components.items():
        if name in second.components and second.components[name].cls is not kind.cls:
            yield Finding(f"{name} is a new class at each call", kind.place, _SAME)


_SAME = "Define classes in the module, and return the same ones each time"


@clause("C13", "Every component, event and field is described, and its range makes sense", needs=("C03",))
def check_fields(subject: Subject) -> Iterator[Finding]:
    """A component or event has a docstring. A field has a `doc` or a `unit`, or is hidden; its `low` is below its
    `high`, and both are numbers.
    """
    for kind in own_kinds(subject):
        if not kind.doc.strip():
            yield Finding(f"{kind.name} has no description", kind.place, "Write a docstring")
        for name, spec in kind.fields.items():
            if not (spec.doc or spec.unit or spec.hidden):
                hint = f'Write {name}: ... = field(..., doc="...") or unit='
                yield Finding(f"{kind.name}.{name} has neither a description nor a unit", kind.place, hint)
            yield from _range(f"{kind.name}.{name}", spec, kind.cls)


def own_kinds(subject: Subject) -> list[Kind]:
    """Return the components and events that the plugin declares."""
    registry = subject.registry
    pairs = [("component", registry.components), ("event", registry.events)]
    return [kinds[name] for what, kinds in pairs for name in subject.own(what)]


def _range(name: str, spec: FieldSpec, cls: type) -> Iterable[Finding]:
    """Yield a finding for a range that makes no sense. The place of a class is looked up only then: it takes long."""
    if spec.low is not None and spec.high is not None and not spec.low < spec.high:
        yield Finding(f"the range of {name} is {spec.low} to {spec.high}", place_of(cls), "Give a low below the high")
    if any(bound is not None and math.isnan(bound) for bound in (spec.low, spec.high)):
        yield Finding(f"the range of {name} has a limit that is no number", place_of(cls), "Leave the limit out")


@clause("C14", "Every setting is described and has a range", needs=("C03",))
def check_settings(subject: Subject) -> Iterator[Finding]:
    """Each field of the class of `rish_settings` and of `rish_layer_options` that has a column type has a `doc`, and
    each single number a `low` and a `high`.
    """
    for spec in _own_settings(subject):
        for name, field in spec.fields.items():
            if not field.doc:
                yield Finding(
                    f"{spec.name}.{name} has no description", place_of(spec.cls), 'Write field(..., doc="...")'
                )
            if field.type.dtype.kind not in "fi" or field.type.special or field.type.shape:
                continue
            for bound in ("low", "high"):
                if getattr(field, bound) is None:
                    yield Finding(
                        f"{spec.name}.{name} has no {bound}", place_of(spec.cls), f"Write field(..., {bound}=...)"
                    )
            yield from _range(f"{spec.name}.{name}", field, spec.cls)


def _own_settings(subject: Subject) -> Iterator[ResourceSpec]:
    for hook in ("rish_settings", "rish_layer_options"):
        declare = getattr(subject.module, hook, None)
        spec = resource_spec(declare()) if callable(declare) else None
        if spec is not None:
            yield spec


@clause("C15", "Fields refer to lists of names that exist", needs=("C03",))
def check_lists(subject: Subject) -> Iterator[Finding]:
    """A field that is declared with `names="climates"` holds a text, and `rish_names` of the plugin or of one that it
    requires declares that list.
    """
    lists = subject.registry.names
    for kind in own_kinds(subject):
        for name, spec in kind.fields.items():
            if spec.names and spec.names not in lists:
                what = f"{kind.name}.{name} refers to the list {spec.names!r}, which no plugin declares"
                yield Finding(what, kind.place, f"Declare it in rish_names. Known lists: {', '.join(sorted(lists))}")
            if spec.names and not (spec.type.text or spec.type.special):
                yield Finding(f"{kind.name}.{name} refers to a list of names, and holds no text", kind.place)


@clause("C16", "What it returns from hooks of other plugins is what they read", needs=("C03",), beside=True)
def check_foreign_hooks(subject: Subject) -> Iterator[Finding]:
    """The plugin is loaded together with each installed plugin that adds a hook which it implements, such as the
    editor: its panels, inspectors, gizmos, commands and texts are read as there.
    """
    hooks = [name for name in dir(subject.module) if name.startswith("rish_")]
    for name in sorted(_adding(subject, hooks)):
        try:
            plugins = load_plugins([subject.name, name], core=builtin, installed=subject.installed, policy="raise")
            build_registry(plugins)
        except RishError as error:
            yield Finding.of(error)


def _adding(subject: Subject, hooks: list[str]) -> set[str]:
    """Return the plugins, not loaded yet, that add one of these hooks."""
    names_of_plugins: set[str] = set()
    for candidate in subject.installed:
        if candidate.name in subject.plugins:
            continue
        try:
            declare: Any = getattr(candidate.load(), "rish_hookspecs", None)
            declared: Any = declare() if callable(declare) else ()
        except Exception:
            continue  # a fault of another plugin is not this one's
        spaces: Any = declared if isinstance(declared, (list, tuple)) else (declared,)
        names = [name for space in spaces for name in (space if isinstance(space, Mapping) else dir(space))]
        if set(names) & set(hooks):
            names_of_plugins.add(candidate.name)
    return names_of_plugins
