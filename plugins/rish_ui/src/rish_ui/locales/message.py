"""`Message`: one text in one language, with its plural forms; and the keys of texts in fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rish_expressions import Bound, Expression, ExpressionError, Template

from .languages import plural_form

if TYPE_CHECKING:
    from rish_core.manifest import Mark
    from rish_ecs import World

_KEY = re.compile(r"\$([A-Za-z_][\w-]*(?:\.[\w-]+)*)\Z")
SEGMENT = re.compile(r"[\w-]+(?:\.[\w-]+)*\Z")
"""The pattern of one part of a key in a file."""


def key_of(text: str) -> str | None:
    """Return the key of a text such as `$menu.play`; None for other texts, such as `$5` and `$$menu.play`."""
    match = _KEY.match(text) if text[:1] == "$" else None
    return match[1] if match is not None else None


def plain_of(text: str) -> str:
    """Return the shown form of a text that is no key: without the first of two dollar signs."""
    return text[1:] if text.startswith("$$") else text


@dataclass(frozen=True)
class Message:
    """A text of a catalog. Texts are templates, see docs/how-to/expressions.md.

    forms: by the plural form of CLDR, or by an exact number as text; a text without plural forms has only `other`. by:
    the expression whose value chooses the form. mark: the place of the text in its file.
    """

    key: str
    language: str
    forms: Mapping[str, str]
    by: str = ""
    mark: Mark | None = None

    def form(self, number: float | None = None) -> str:
        """Return the text for a number, as a template."""
        if number is None or not self.by:
            return self.forms["other"]
        exact = f"{number:g}"
        return self.forms.get(exact) or self.forms.get(plural_form(self.language, number)) or self.forms["other"]

    def bind(self, world: World, names: Mapping[str, str] | Iterable[str] = (), **options: Any) -> Bound:
        """Look up all names in a World, like `Template.bind`; the result returns the complete text.

        names: see `Expression.bind`; they may be used in the text, and to choose its form. Raises ExpressionError.
        """
        texts = {form: Template.parse(text).bind(world, names, **options) for form, text in self.forms.items()}
        if not self.by:
            return texts["other"]
        count = Expression.parse(self.by).bind(world, names, **options)

        def run(given: Mapping[str, Any]) -> str:
            value = count.run(given)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ExpressionError(f"{self.key}: {self.by} is no number, so it chooses no form", self.by)
            selected = texts.get(f"{value:g}") or texts.get(plural_form(self.language, value)) or texts["other"]
            return selected.run(given)

        all_bound = [count, *texts.values()]
        paths = tuple(dict.fromkeys(path for bound in all_bound for path in bound.paths))
        names_used = frozenset(name for bound in all_bound for name in bound.used)
        return Bound(self.forms["other"], run, "text", paths, names_used)


def placeholders(text: str) -> list[str]:
    """Return the expressions in a template, without formats, in order. Raises ExpressionError."""
    return [part[0].text for part in Template.parse(text).parts if not isinstance(part, str)]
