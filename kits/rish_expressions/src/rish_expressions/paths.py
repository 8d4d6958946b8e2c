"""Paths: one way to name a field of an entity, of a resource, of the settings or of a layer.

    hero.Health.now                 the entity called hero; 'my hero'.Health.now for a name that is no word
    tank.barrel.Sprite.color        of the child called barrel, as in manifests; also of a child's child
    hero.physics.Body.velocity.x    a component by its full name; a number of a vector, also as velocity[0]
    Health.now                      of the entity that the path is bound to, otherwise of the resource Health
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
    """What a path names, after its names were looked up.

    kind: of the owner. cls: its class; None for a layer. field: its name. spec: the declaration of the field with unit,
    range and choices; None for a field of a resource without a column type, and for a layer. element: the index of a
    number in a vector, or None for the complete value. key: of an item of a mapping, or "". entity: the first name
    before the component; "" for none. children: the names below it. layer: the name of a layer. type: of the value:
    `number`, `truth`, `text`, `list`, `entity`, or `any`. name: of the field without entity and children,
    `Sprite.color.r`; one spelling for each element.
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
        """Return the column of a component's field, or that of the element: all rows of its table, as a live view."""
        assert self.cls is not None
        column = world.table(self.cls).column(self.field)
        return column if self.element is None else column[:, self.element]


@dataclass(frozen=True)
class FieldPath:
    """A path as written. text: all of it. parts: the names. quoted: whether the first part is a quoted name.

    index: the number in brackets at the end, or None.
    """

    text: str
    parts: tuple[str, ...]
    quoted: bool = False
    index: int | None = None

    @classmethod
    def parse(cls, text: str) -> FieldPath:
        """Return the path of a text. Raises ExpressionError."""
        found = chain_of(parse(text))
        shown = one_line(text)
        if found is None or (len(found[0]) < 2 and not found[1]):
            raise ExpressionError(f"this names no field: {_FORMS}", shown, 1)
        parts, quoted, index = found
        return cls(shown, tuple(parts), quoted, index)

    def __str__(self) -> str:
        return self.text

    @property
    def has_component(self) -> bool:
        """Whether one of the names is in CapWords, as those of components and resources are."""
        return any(part[:1].isupper() for part in self.parts[self.quoted :])

    def resolve(self, words: Vocabulary, column: int = 1, *, below: bool = False) -> Target:
        """Look up the names. Raises ExpressionError with the nearest.

        column: of the path in a longer text. below: all names before the component are those of children of an entity
        that is given otherwise: `barrel.Sprite.color`.
        """
        if not self.quoted and self.parts[0] == "layers" and not self.has_component:
            return self._layer(words, column)
        if not self.quoted and self.parts[0] == "settings" and not self.has_component:
            return self._settings(words, column)
        last = max((k for k, part in enumerate(self.parts) if k >= self.quoted and part[:1].isupper()), default=-1)
        if last < 0:
            raise self._error(f"this names no field: {_FORMS}", column)
        before, name, after = self.parts[:last], self.parts[last], self.parts[last + 1 :]
        names, found = self._owner(words, before, name, column, below)
        if isinstance(found, ResourceSpec):
            return self._target("resource", found, after, column)
        target = self._target("component", found, after, column)
        entity, children = ("", names) if below else ("".join(names[:1]), names[1:])
        written = ".".join(self.parts[last - (len(before) - len(names)) : last + 2])
        return replace(target, entity=entity, children=children, name=written + _letter(target))

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
        if len(self.parts) < 3:
            raise self._error("write settings.PLUGIN.field", column)
        found = words.settings(self.parts[1], self.parts[2])
        if found is None:
            what = f"no plugin {self.parts[1]!r} has settings here"
            raise self._error(what, column, given=self.parts[1], choices=words.plugins)
        return self._target("resource", found, self.parts[2:], column)

    def _layer(self, words: Vocabulary, column: int) -> Target:
        if len(self.parts) != 3 or self.parts[2] not in LAYER_FIELDS or self.index is not None:
            raise self._error("write layers.NAME.visible or layers.NAME.paused", column)
        layer = self.parts[1]
        if words.layers is not None and layer not in words.layers:
            raise self._error(f"no layer is called {layer!r}", column, given=layer, choices=words.layers)
        return Target("layer", None, self.parts[2], None, None, layer=layer, type="truth")

    def _target(
        self, kind: Literal["component", "resource"], found: Kind | ResourceSpec, after: tuple[str, ...], column: int,
    ) -> Target:  # fmt: skip
        if not after:
            raise self._error(f"name a field of {found.name}", column, choices=field_names(found))
        names = field_names(found)
        if after[0] not in names and after[0] not in found.fields:
            what = f"{found.name} has no field {after[0]!r}"
            raise self._error(what, column, given=after[0], choices=names)
        spec = found.fields.get(after[0])
        if len(after) == 2 and self.index is None and _is_mapping(found, after[0]):
            return Target(kind, found.cls, after[0], None, None, key=after[1])
        element = self._element(after, spec, column)
        word = "any" if spec is None else "number" if element is not None else type_of(spec)
        if word == "rows":
            raise self._error(f"{found.name}.{after[0]} has rows of numbers, which expressions can't use", column)
        return Target(kind, found.cls, after[0], spec, element, type=word)

    def _element(self, after: Sequence[str], spec: FieldSpec | None, column: int) -> int | None:
        """Return the index of a number in a vector, or None. Raises ExpressionError for one that it has not."""
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

        entity: the handle for a path without an entity's name, such as `Health.now`. A named entity is looked up when
        the field is used, so it may be spawned later.
        """
        from .fields import bind_target

        return bind_target(world, self, self.resolve(Vocabulary.of_world(world)), entity)


def _is_mapping(found: Kind | ResourceSpec, name: str) -> bool:
    """Whether a field of a resource is declared as a dict with texts as keys."""
    hint = found.hints.get(name) if isinstance(found, ResourceSpec) else None
    return get_origin(hint) is dict and get_args(hint)[0] is str


def _letter(target: Target) -> str:
    """Return the end of a name for an element: `.x`, `.r`, `[5]`; empty for a complete value."""
    if target.element is None or target.spec is None:
        return ""
    letters = "rgba" if target.spec.type.name == "Color" else "xyzw"
    return f".{letters[target.element]}" if 0 <= target.element < 4 else f"[{target.element}]"


def type_of(spec: FieldSpec) -> str:
    """Return the type of a field's values in expressions; `rows` for matrices, which expressions can't use."""
    found = spec.type
    if found.special in ("enum", "str", "chars", "asset"):
        return "text"
    if found.special == "list":
        return "list"
    if found.special == "entity":
        return "entity"
    if found.shape:
        return "list" if len(found.shape) == 1 else "rows"
    return "truth" if found.dtype.kind == "b" else "number"


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
