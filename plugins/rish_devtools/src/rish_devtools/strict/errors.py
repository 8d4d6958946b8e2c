"""The error that strict mode raises."""

from __future__ import annotations

from typing import Any, Literal

from rish_ecs import RishError

Rule = Literal["writes", "kept", "hidden", "numbers"]
"""The broken rule: undeclared `writes`, a `kept` column, `hidden` state, or `numbers` that are NaN."""


class StrictError(RishError):
    """Raised when a rule of the engine is broken: an undeclared write, an outdated column, hidden state.

    rule: the rule that is broken. system: the full name of the system that broke it, or None.
    """

    def __init__(self, what: str, *, rule: Rule = "hidden", system: str | None = None, **more: Any) -> None:
        super().__init__(what, **more)
        self.rule: Rule = rule
        self.system = system
