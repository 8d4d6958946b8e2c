"""Widgets that edit numbers, vectors, texts, colors and curves."""

from __future__ import annotations

from .colors import Colors, in_steps
from .curves import Curves
from .formulas import Formula, FormulaError, read_formula
from .numbers import MIXED, Entered, Parts, within
from .texts import Lines

__all__ = ["MIXED", "Entered", "Formula", "FormulaError", "Parts", "Values", "in_steps", "read_formula", "within"]


class Values(Colors, Curves, Lines):
    """Widgets that edit a value. mixed: the edited things have different values; `MIXED` is shown for them."""
