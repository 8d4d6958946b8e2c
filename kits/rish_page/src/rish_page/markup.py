"""HTML from Python: every text is escaped, unless it was made here."""

from __future__ import annotations

from html import escape

_EMPTY = frozenset({"meta", "link", "img", "br", "source"})
"""Elements without content, which have no closing tag."""


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()


Content = str | Html | None
"""A text, which is escaped, HTML, which is not, or nothing."""


def element(name: str, /, *children: Content, **attributes: str | bool | int | None) -> Html:
    """Return an element. attributes: `_` stands for `-`, and one at the end is left out (`class_`).

    An attribute that is True has no value; one that is False or None is left out.
    """
    head = [name]
    for key, value in attributes.items():
        if value is not None and value is not False:
            attribute = key.rstrip("_").replace("_", "-")
            head.append(attribute if value is True else f'{attribute}="{escape(str(value))}"')
    start = f"<{' '.join(head)}>"
    return Html(start if name in _EMPTY else f"{start}{joined(*children)}</{name}>")


def joined(*parts: Content, by: str = "") -> Html:
    """Return parts one after another. by: what is between two."""
    return Html(by.join(part if isinstance(part, Html) else escape(part) for part in parts if part is not None))
