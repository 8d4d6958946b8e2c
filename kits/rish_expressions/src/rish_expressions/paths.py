"""Paths: one way to name a field of an entity, of a resource, of the settings or of a layer.

    hero.Health.now                 the entity called hero; 'my hero'.Health.now for a name that is no word
    tank.barrel.Sprite.color        a child of tank called barrel, as in manifests; children of children too
    hero.physics.Body.velocity.x    a component by its full name; an element of a vector, also as velocity[0]
    Health.now                      of the entity that the path is bound to, or of a resource called Health
    Score.points                    a resource
    settings.physics.gravity        settings of a plugin
    settings.audio.volumes.music    an item of a mapping in a resource or in settings
    layers.hud.visible              a layer: visible, paused

Values are in the units of a manifest: angles in degrees, enums as words in lower case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from rish_core import UnknownName, World
from rish_ecs.declarations import FieldSpec, Kind, ResourceSpec

from .errors import ExpressionError
from .tree import ELEMENTS, chain_of, one_line, parse
from .vocabulary import Vocabulary, field_names

if TYPE_CHECKING:
    from .fields import Field

LAYER_FIELDS = ("visible", "paused")
_FORMS = "write NAME.Component.field, Component.field, Resource.field, settings.PLUGIN.field or layers.NAME.visible"


@dataclass(frozen=True)
class Target:
    """The field that a path names, after its names were looked up.

    kind, cls: the kind and class of the field's owner; None for a layer. field: the name of the field. spec: its
    declaration with unit, range and choices; None for a layer, and for a field of a resource without a column type.
    element: the index of a number in a vector; None for the complete value. key: the key of an item of a mapping, or
    "". entity: the name of the entity, or "". children: the names of the child, its child, and so on. layer: the name
    of the layer. type: the type of the value: `number`, `truth`, `text`, `list`, `entity`, or `any`. name: the path
    without entity and children in one spelling, `Sprite.color.r`.
    """

    kind: Literal["component", "resource", "layer"]
    cls: type | None
    field: str
    spec: FieldSpec | None
    element: int | None
    entity: str = ""
    layer: str = ""
    type: str = "any"
    children: tuple[str, ...] = ()
    name: str = ""
    key: str = ""

    def column(self, world: World) -> Any:
        """Return the column of the component's field as a view: all rows of the table; (n,) for an element."""
        assert self.cls is not None
        column = world.table(self.cls).column(self.field)
        return column if self.element is None else column[:, self.element]


@dataclass(frozen=True)
class FieldPath:
    """A parsed path. text: in one line. parts: the names. quoted: whether the first name is in quotes.

    index: the number in brackets at the end, or None.
    """

    text: str
    parts: tuple[str, ...]
    quoted: bool = False
    index: int | None = None

    @classmethod
    def parse(cls, text: str) -> FieldPath:
        """Return the path of a text. Raises ExpressionError."""
        chain = chain_of(parse(text))
        shown = one_line(text)
        if chain is None or (len(chain[0]) < 2 and not chain[1]):
            raise ExpressionError(f"this names no field: {_FORMS}", shown, 1)
        parts, quoted, index = chain
        return cls(shown, tuple(parts), quoted, index)

    def __str__(self) -> str:
        return self.text

    @property
    def has_component(self) -> bool:
        """Whether one of the names begins with a capital letter, as those of components and resources do."""
        return any(part[:1].isupper() for part in self.parts[self.quoted :])

    def resolve(self, words: Vocabulary, column: int = 1, *, below: bool = False) -> Target:
        """Look up the names. Raises ExpressionError, with the nearest name.

        words: the names that exist. column: the column of the path in a longer text, from 1. below: whether all names
        before the component are names of children, `barrel.Sprite.color`, of an entity that is given otherwise.
        """
        if not self.quoted and self.parts[0] == "layers" and not self.has_component:
            return self._layer(words, column)
        if not self.quoted and self.parts[0] == "settings" and not self.has_component:
            return self._settings(words, column)
        last = max((i for i, part in enumerate(self.parts) if i >= self.quoted and part[:1].isupper()), default=-1)
        if last < 0:
            raise self._error(f"this names no field: {_FORMS}", column)
        before, name, after = self.parts[:last], self.parts[last], self.parts[last + 1 :]
        names, owner = self._owner(words, before, name, column, below)
        if isinstance(owner, ResourceSpec):
            return self._target("resource", owner, after, column)
        target = self._target("component", owner, after, column)
        entity, children = ("", names) if below else ("".join(names[:1]), names[1:])
        written = ".".join(self.parts[last - (len(before) - len(names)) : last + 2])
        return replace(target, entity=entity, children=children, name=written + _element_suffix(target))

    def _owner(
        self, words: Vocabulary, before: tuple[str, ...], name: str, column: int, below: bool
    ) -> tuple[tuple[str, ...], Kind | ResourceSpec]:
        """Return the names of the entity and its children, and the declaration of the component or resource."""
        registry = words.registry
        full = f"{before[-1]}.{name}" if before and not (self.quoted and len(before) == 1) else ""
        if full in registry.components:
            before, name = before[:-1], full
        elif full and len(before) == 1 and full in registry.resources:
            return (), registry.resources[full]
        try:
            return before, registry.component(name)
        except UnknownName as unknown:
            if not before and not below:
                try:
                    return (), registry.resource(name)
                except UnknownName:
                    offered = {key.rpartition(".")[2] for key in (*registry.components, *registry.resources)}
                    what = f"no component or resource is called {name!r}"
                    raise self._error(what, column, given=name, choices=offered) from None
            what = unknown.what
            raise self._error(what, column, given=name, choices=unknown.choices) from None

    def _settings(self, words: Vocabulary, column: int) -> Target:
        """Resolve `settings.PLUGIN.field`."""
        if len(self.parts) < 3:
            raise self._error("write settings.PLUGIN.field", column)
        spec = words.settings(self.parts[1], self.parts[2])
        if spec is None:
            what = f"no plugin {self.parts[1]!r} has settings here"
            raise self._error(what, column, given=self.parts[1], choices=words.plugins)
        return self._target("resource", spec, self.parts[2:], column)

    def _layer(self, words: Vocabulary, column: int) -> Target:
        """Resolve `layers.NAME.visible`."""
        if len(self.parts) != 3 or self.parts[2] not in LAYER_FIELDS or self.index is not None:
            raise self._error("write layers.NAME.visible or layers.NAME.paused", column)
        layer = self.parts[1]
        if words.layers is not None and layer not in words.layers:
            raise self._error(f"no layer is called {layer!r}", column, given=layer, choices=words.layers)
        return Target("layer", None, self.parts[2], None, None, layer=layer, type="truth")

    def _target(
        self, kind: Literal["component", "resource"], owner: Kind | ResourceSpec, after: tuple[str, ...], column: int,
    ) -> Target:  # fmt: skip
        """Resolve the names after a component or resource: a field, perhaps with an element or a key."""
        if not after:
            raise self._error(f"name a field of {owner.name}", column, choices=field_names(owner))
        names = field_names(owner)
        if after[0] not in names and after[0] not in owner.fields:
            what = f"{owner.name} has no field {after[0]!r}"
            raise self._error(what, column, given=after[0], choices=names)
        spec = owner.fields.get(after[0])
        if len(after) == 2 and self.index is None and _is_mapping(owner, after[0]):
            return Target(kind, owner.cls, after[0], None, None, key=after[1])
        element = self._element(after, spec, column)
        kind_of_value = "any" if spec is None else "number" if element is not None else type_of(spec)
        if kind_of_value == "rows":
            raise self._error(f"{owner.name}.{after[0]} has rows of numbers, which expressions can't use", column)
        return Target(kind, owner.cls, after[0], spec, element, type=kind_of_value)

    def _element(self, after: Sequence[str], spec: FieldSpec | None, column: int) -> int | None:
        """Return the index of a number in a vector, or None for the complete value.

        Raises ExpressionError if it is too large.
        """
        width = spec.type.width if spec is not None and len(spec.type.shape) == 1 and not spec.type.pooled else None
        index = self.index
        if len(after) > 2 or (len(after) == 2 and (index is not None or after[1] not in ELEMENTS)):
            raise self._error(f"{'.'.join(after)} is no field and no number of a vector", column)
        if len(after) == 2:
            index = ELEMENTS[after[1]]
        if index is None:
            return None
        listed = spec is None or spec.type.special == "list"
        if (width is None and not listed) or (width is not None and not 0 <= index < width):
            has = f"has {width} numbers" if width is not None else "is no vector"
            raise self._error(f"{after[0]} {has}, so {self.text} does not exist", column)
        return index

    def _error(self, what: str, column: int, *, given: object = None, choices: Iterable[str] = ()) -> ExpressionError:
        return ExpressionError(what, self.text, column, given=given, choices=choices)

    def bind(self, world: World, entity: int | None = None) -> Field:
        """Return the field in a World, to be read and written. Raises ExpressionError for an unknown name.

        entity: the handle for a path without an entity's name, such as `Health.now`. An entity that the path names is
        looked up when the field is used, so it may be spawned later.
        """
        from .fields import bind_target

        return bind_target(world, self, self.resolve(Vocabulary.of_world(world)), entity)


def _is_mapping(owner: Kind | ResourceSpec, name: str) -> bool:
    """Return whether a field of a resource is declared as a dict with texts as keys."""
    hint = owner.hints.get(name) if isinstance(owner, ResourceSpec) else None
    return get_origin(hint) is dict and get_args(hint)[0] is str


def _element_suffix(target: Target) -> str:
    """Return the end of a name for an element: `.x`, `.r`, `[5]`; empty for a complete value."""
    if target.element is None or target.spec is None:
        return ""
    letters = "rgba" if target.spec.type.name == "Color" else "xyzw"
    return f".{letters[target.element]}" if 0 <= target.element < 4 else f"[{target.element}]"


def type_of(spec: FieldSpec) -> str:
    """Return the type of a field's values in expressions; `rows` for matrices, which expressions can't use."""
    kind = spec.type
    if kind.special in ("enum", "str", "chars", "asset"):
        return "text"
    if kind.special == "list":
        return "list"
    if kind.special == "entity":
        return "entity"
    if kind.shape:
        return "list" if len(kind.shape) == 1 else "rows"
    return "truth" if kind.dtype.kind == "b" else "number"


def value_text(value: Any) -> str:
    """Return a value as text: `3`, `0.25`, `true`, `(1, 2)`; whole numbers have no decimal point."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return f"({', '.join(value_text(item) for item in value)})"  # pyright: ignore[reportUnknownVariableType]
    return str(value)
