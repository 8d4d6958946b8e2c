"""Formulas in number fields: `2*pi`, `*2`, `+=10`, `x + 8*i`, `random`.

A formula that begins with an operator and `=`, or with `*`, `/`, `%`, is applied to the present value; a formula
without names that differ from entity to entity is a plain number. Only arithmetic is possible: the text is parsed and
computed here, it is never executed.
"""

from __future__ import annotations

import ast
import math
import operator
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

_CONTINUES = re.compile(r"\s*(?:(\*\*|//|[-+*/%])=|(\*\*|//|[*/%]))(.+)", re.DOTALL)
_MAX_LENGTH = 200
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.true_divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.float_power,
}
_UNARY: dict[type, Callable[[Any], Any]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_CONSTANTS = {"pi": math.pi, "tau": math.tau, "e": math.e}
_FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "abs": (1, np.abs),
    "ceil": (1, np.ceil),
    "cos": (1, lambda degrees: np.cos(np.radians(degrees))),
    "floor": (1, np.floor),
    "max": (2, np.maximum),
    "min": (2, np.minimum),
    "random": (2, lambda low, high: low + (high - low) * random.random()),
    "round": (1, np.round),
    "sin": (1, lambda degrees: np.sin(np.radians(degrees))),
    "sqrt": (1, np.sqrt),
}
NAMES = ("x", "i", "n", "random", *_CONSTANTS, *(f"{name}()" for name in _FUNCTIONS))
"""What a formula may contain: x is the present value, i counts the entities from 0, n is their number."""


class FormulaError(ValueError):
    """A text that is no formula; the message says why."""


@dataclass(frozen=True)
class Formula:
    """A formula that gives each entity a value of its own. text: as it was typed."""

    text: str
    _tree: ast.expr

    def of(self, values: Any) -> Numbers:
        """Return the new values, float64 n, for the present ones. Raises FormulaError if one is not finite."""
        present = np.atleast_1d(np.asarray(values, np.float64))
        names = {"x": present, "i": np.arange(len(present), dtype=np.float64), "n": float(len(present))}
        with np.errstate(all="ignore"):
            computed = np.broadcast_to(np.asarray(_compute(self._tree, names, len(present)), np.float64), present.shape)
        if not np.isfinite(computed).all():
            raise FormulaError(f"{self.text!r} gives no finite number")
        return np.array(computed)


def read_formula(text: str) -> float | Formula:
    """Return a plain number, or a formula that depends on the entity. Raises FormulaError."""
    expression = text.strip().replace("×", "*").replace("÷", "/").replace("−", "-").rstrip("°")
    if len(expression) > _MAX_LENGTH:
        raise FormulaError("the formula is too long")
    continued = _CONTINUES.fullmatch(expression)
    if continued is not None:
        expression = f"x {continued[1] or continued[2]} ({continued[3]})"
    try:
        tree = ast.parse(expression, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise FormulaError(f"{text!r} is no number and no formula") from None
    formula = Formula(text.strip(), tree)
    value = formula.of([1.0])  # finds unknown names now
    varies = any(isinstance(node, ast.Name) and node.id in ("x", "i", "n", "random") for node in ast.walk(tree))
    return formula if varies else float(value[0])


def _compute(node: ast.expr, names: dict[str, Any], count: int) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)  # pyright: ignore[reportArgumentType]
    if isinstance(node, ast.Name):
        if node.id == "random":
            return np.array([random.random() for _ in range(count)])
        if node.id in names or node.id in _CONSTANTS:
            return names.get(node.id, _CONSTANTS.get(node.id))
        raise FormulaError(f"a formula has no name {node.id!r}; it may have {', '.join(NAMES)}")
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _UNARY[type(node.op)](_compute(node.operand, names, count))
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_compute(node.left, names, count), _compute(node.right, names, count))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node, node.func.id, names, count)
    raise FormulaError(f"a formula can't contain {ast.unparse(node)!r}")


def _call(node: ast.Call, name: str, names: dict[str, Any], count: int) -> Any:
    arity, function = _FUNCTIONS.get(name, (0, abs))
    if not arity:
        raise FormulaError(f"a formula has no function {name!r}; it may have {', '.join(NAMES)}")
    if len(node.args) != arity:
        raise FormulaError(f"{name}() takes {arity} numbers, not {len(node.args)}")
    arguments = [_compute(part, names, count) for part in node.args]
    if name == "random":
        low, high = (np.broadcast_to(part, (count,)) for part in arguments)
        return np.array([function(a, b) for a, b in zip(low.tolist(), high.tolist(), strict=True)])
    return function(*arguments)
