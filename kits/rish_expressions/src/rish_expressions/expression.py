"""Expressions: arithmetic, comparisons, `and`, `or`, `not` and a few functions over fields.

    rule = Expression.parse("hero.Health.now <= 0 and not exists(boss)")
    over = rule.bind(world)          # looks all names up
    if over(): ...

`check` finds unknown names and values that do not fit before the game runs. The language is described in
docs/how-to/expressions.md.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from rish_core import World

from .compiling import Compiler
from .paths import FieldPath
from .tree import one_line, parse
from .vocabulary import Vocabulary

_NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Bound:
    """An expression bound to a World.

    run: evaluates it; called with the values of the names. type: the type of the result, see `Target.type`. paths: the
    paths that it reads. used: the names that it reads, of those that were given to `bind`. constant: whether it has the
    same value always, such as a text without expressions.
    """

    text: str
    run: Callable[[Mapping[str, Any]], Any]
    type: str
    paths: tuple[FieldPath, ...] = ()
    used: frozenset[str] = frozenset()
    constant: bool = False

    def __call__(self, values: Mapping[str, Any] = _NOTHING) -> Any:
        """Return the value of the expression. values: of the names given to `bind`. Raises ExpressionError."""
        return self.run(values)


@dataclass(frozen=True)
class Expression:
    """A parsed expression. text: in one line. tree: its syntax, which has only allowed forms."""

    text: str
    tree: ast.expr = field(repr=False, compare=False)

    @classmethod
    def parse(cls, text: str) -> Expression:
        """Return the expression of a text. Raises ExpressionError."""
        return cls(one_line(text), parse(text))

    def __str__(self) -> str:
        return self.text

    def check(
        self, words: Vocabulary, names: Mapping[str, str] | Iterable[str] = (), *, stream: str | None = None,
        state: bool = False, self_given: bool = False,
    ) -> Bound:  # fmt: skip
        """Look up all names without a World. Raises ExpressionError.

        The result has the type and the paths, but can't be evaluated. self_given: whether paths without an entity's
        name are allowed, because `bind` will get an entity. For the other arguments see `bind`.
        """
        return self._bound(Compiler(self.text, words, None, typed(names), 0 if self_given else None, stream, state))

    def bind(
        self, world: World, names: Mapping[str, str] | Iterable[str] = (), *, entity: int | None = None,
        stream: str | None = None, state: bool = False, words: Vocabulary | None = None,
    ) -> Bound:  # fmt: skip
        """Look up all names in a World. Raises ExpressionError.

        names: the names whose values are given at each evaluation, such as the fields of an event; a mapping also gives
        their types. entity: the handle for paths without an entity's name. stream: the name of the random stream for
        `random` and `pick`; None: both are refused. state: whether the result changes hashed state, so that derived
        resources are refused. words: the names of the World if the caller has them already.
        """
        words = words if words is not None else Vocabulary.of_world(world)
        return self._bound(Compiler(self.text, words, world, typed(names), entity, stream, state))

    def _bound(self, compiler: Compiler) -> Bound:
        """Compile the tree."""
        run, kind = compiler.compile(self.tree)
        return Bound(self.text, run, kind, tuple(compiler.paths), frozenset(compiler.used))


def typed(names: Mapping[str, str] | Iterable[str]) -> Mapping[str, str]:
    """Return names with their types; `any` if no types are given."""
    return cast("Mapping[str, str]", names) if isinstance(names, Mapping) else dict.fromkeys(names, "any")
