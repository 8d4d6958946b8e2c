"""Field paths such as `hero.Health.now`, and a small language of expressions over them.

Manifests, rules, bindings and tools use the same paths and the same language::

from rish_expressions import Expression, FieldPath, Template
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .actions import Action, Scope, Setting, read_actions
    from .children import child_names, children_at, named_children
    from .errors import ExpressionError
    from .expression import Bound, Expression
    from .fields import ComponentField, Field, bind_target, stored
    from .functions import BUILTINS, FUNCTIONS, WORDS, ask_input
    from .paths import FieldPath, Target, type_of, value_text
    from .template import Template
    from .values import add_values
    from .variables import Variables
    from .vocabulary import Vocabulary, actions_of, no_player

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "actions": "Action Scope Setting read_actions",
        "children": "child_names children_at named_children",
        "errors": "ExpressionError",
        "expression": "Bound Expression",
        "fields": "ComponentField Field bind_target stored",
        "functions": "BUILTINS FUNCTIONS WORDS ask_input",
        "paths": "FieldPath Target type_of value_text",
        "template": "Template",
        "values": "add_values",
        "variables": "Variables",
        "vocabulary": "Vocabulary actions_of no_player",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
