"""Values of rules: how a text in a manifest becomes a value, by the type of the field or parameter.

- A number, true or false, a list or a vector: a text is an expression, `strength / 10`, also as an item of a list.
- A text, an asset: literal, with expressions in braces, `"Score {score}"`; after a `=`, an expression.
- A word of an enum, a color: literal, or an expression after `=`.
- An entity: a name of the rule such as `self`, the name of an entity, or an expression after `=`.

Values are in the units of expressions (degrees); `stored` converts them for columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rish_core import World, named
from rish_core.manifest import FieldsReader, YamlList, YamlMap, degrees_of, show
from rish_ecs import Vector, did_you_mean, parse_color
from rish_ecs.declarations import FieldSpec
from rish_expressions import Expression, ExpressionError, Template, stored, type_of, value_text

if TYPE_CHECKING:
    from .context import Context

Run = Callable[[Mapping[str, Any]], Any]
Path = tuple[str | int, ...]
_TYPE_WORDS = {
    "truth": "true or false",
    "list": "a list",
    "entity": "an entity",
    "number": "a number",
    "nothing": "nothing",
}


def value_of(spec: FieldSpec | None, kind: str, node: Any, mark: Any, path: Path, context: Context) -> Run | None:
    """Return the function that computes a value; for a wrong one, report a problem and return None.

    spec: the declaration of the field that gets the value, or None. kind: its type, see `Target.type`.
    """
    try:
        return _value(spec, kind, node, mark, path, context)
    except ExpressionError as error:
        return context.report.add(mark, path, error.line)


def _value(spec: FieldSpec | None, kind: str, node: Any, mark: Any, path: Path, context: Context) -> Run | None:
    word = spec is not None and (spec.type.special == "enum" or bool(spec.choices))
    color = spec is not None and spec.type.name == "Color"
    if isinstance(node, str):
        if node.startswith("="):
            return _expression(node[1:], kind, context)
        if kind == "entity":
            return _entity(node, context)
        if kind == "text" and not word:
            return _text(spec, node, mark, path, context)
        angle = spec is not None and spec.angle and degrees_of(node) is not None
        if not (word or color or angle):
            return _expression(node, kind, context)
    if (
        isinstance(node, list)
        and any(isinstance(item, str) for item in node)
        and kind in ("list", "any")
        and not _texts(spec)
    ):
        return _list(spec, node, path, context)
    return _literal(spec, kind, node, mark, path, context)


def _texts(spec: FieldSpec | None) -> bool:
    """Return whether the items of a list are texts."""
    return spec is not None and spec.type.text


def _expression(text: str, kind: str, context: Context) -> Run:
    """Return the value of an expression. Raises ExpressionError if it has another type."""
    bound = context.bound(Expression.parse(text))
    if kind == "text":
        return lambda scope: value_text(bound.run(scope))
    if kind != "any" and bound.type not in ("any", kind):
        what = f"this is {_TYPE_WORDS.get(bound.type, bound.type)}, and {_TYPE_WORDS.get(kind, kind)} is needed"
        raise ExpressionError(what, bound.text)
    return bound.run


def _text(spec: FieldSpec | None, text: str, mark: Any, path: Path, context: Context) -> Run | None:
    """Return the function that computes a text, which may have expressions in braces."""
    template = Template.parse(text)
    literal = template.plain
    if literal is not None:
        return _literal(spec, "text", literal, mark, path, context)
    return context.bound(template).run


def _entity(name: str, context: Context) -> Run:
    """Return the function that finds an entity: a name of the rule, the name of an entity, or an expression."""
    if context.names.get(name) in ("entity", "any"):
        context.used.add(name)
        return lambda scope: scope[name]
    if name not in context.marks:
        return _expression(name, "entity", context)
    world = context.world
    return lambda scope: named(_required(world), name)


def _list(spec: FieldSpec | None, node: Any, path: Path, context: Context) -> Run | None:
    if spec is not None and spec.type.shape and len(node) not in _widths(spec):
        marks = node.items_at if isinstance(node, YamlList) else [context.mark]
        return context.report.add(marks[0], path, f"must be {spec.type.width} numbers, not {len(node)}")
    marks = node.items_at if isinstance(node, YamlList) else [context.mark] * len(node)
    parts = [
        value_of(None, "number", item, mark, (*path, index), context)
        for index, (item, mark) in enumerate(zip(node, marks, strict=True))
    ]
    good = [part for part in parts if part is not None]
    if len(good) < len(parts):
        return None
    return lambda scope: Vector([part(scope) for part in good])


def _widths(spec: FieldSpec) -> tuple[int, ...]:
    return (3, 4) if spec.type.name == "Color" else (spec.type.width,)


def _literal(spec: FieldSpec | None, kind: str, node: Any, mark: Any, path: Path, context: Context) -> Run | None:
    """Return a constant, after the same check as for a field of an entry."""
    if spec is not None:
        before = len(context.report)
        node_of_field = YamlMap(mark)
        node_of_field.put(spec.name, node, mark, mark)
        FieldsReader("the value", {spec.name: spec}).read(node_of_field, mark, path[:-1], context.scope, context.report)
        if len(context.report) > before:
            return None
    elif not _is(kind, node):
        return context.report.add(mark, path, f"must be {_TYPE_WORDS.get(kind, kind)}, not {show(node)}")
    value = _plain(spec, node)
    return lambda scope: value


def _is(kind: str, node: Any) -> bool:
    number = isinstance(node, (int, float)) and not isinstance(node, bool)
    match kind:
        case "number":
            return number
        case "truth":
            return isinstance(node, bool)
        case "text":
            return isinstance(node, str)
        case "list":
            return isinstance(node, list)
        case _:
            return number or isinstance(node, (bool, str, list))


def _plain(spec: FieldSpec | None, node: Any) -> Any:
    if spec is not None and isinstance(node, str):
        if spec.type.name == "Color":
            return Vector(parse_color(node))
        if spec.angle:
            return degrees_of(node)
        if spec.type.special == "enum":
            return node.lower()
    if spec is not None and spec.type.name == "Color" and len(node) == 3:
        node = [*node, 1.0]
    return Vector(node) if isinstance(node, list) else node


def given_values(
    specs: Mapping[str, FieldSpec], node: Mapping[str, Any], marks: Mapping[str, Any], path: Path, context: Context
) -> dict[str, Run]:
    """Return, for some fields of a class, the functions that compute the arguments of its constructor."""
    runs: dict[str, Run] = {}
    for name, value in node.items():
        spec = specs[name]
        run = value_of(spec, type_of(spec), value, marks.get(name, context.mark), (*path, name), context)
        if run is not None:
            runs[name] = _column(spec, run)
    return runs


def _column(spec: FieldSpec, run: Run) -> Run:
    return (lambda scope: stored(spec, run(scope))) if spec.angle else run


def name_of(node: YamlMap, key: str, path: Path, known: frozenset[str], what: str, context: Context) -> Run | None:
    """Return the function that computes a name; a literal name must be one of `known`. what: a word for messages."""
    name = node[key]
    if isinstance(name, str):
        name = context.optional.short(what, name)
    if isinstance(name, str) and "{" not in name and not name.startswith("=") and name not in known:
        choices = ", ".join(sorted(known)[:12])
        choices_text = f". Choices: {choices}" if choices else f"; there is no {what}"
        message = f"no {what} is called {name!r}{did_you_mean(name, known)}{choices_text}"
        return context.report.add(node.values_at[key], path, message)
    return value_of(None, "text", name, node.values_at[key], path, context)


def _required(world: World | None) -> World:
    assert world is not None
    return world
