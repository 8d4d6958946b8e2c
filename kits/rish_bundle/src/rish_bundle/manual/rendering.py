"""A page of Markdown as HTML: headings with anchors, tables, colored code, links by a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]
from pygments.util import ClassNotFound

Link = Callable[[str], str | None]
"""Returns the new target of a link or a picture; None for one that leads nowhere."""
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.-]*:|#", re.IGNORECASE)
_HTML_IMAGE = re.compile(r"(<img\b[^>]*?\bsrc=\")([^\"]+)(\"[^>]*>)")
_FILE = re.compile(r"\bfile=(\S+)")
_COLORS: Any = HtmlFormatter(nowrap=True)  # pyright: ignore[reportUnknownVariableType]


class Rendered(NamedTuple):
    """A page. title: its first heading, as text. body: HTML."""

    title: str
    body: str


def render(text: str, link: Link) -> Rendered:
    """Render a page. link: called for targets that are no addresses of the web and no anchors of the page."""
    tokens = _PARSER.parse(text)
    title, anchors = "", dict[str, int]()
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            words = plain_text(following.children or ())
            title = title or words
            token.attrSet("id", _anchor(words, anchors))
        elif token.type == "html_block":
            token.content = _html(token.content, link)
        _convert(token.children or [], link)
    return Rendered(title, _PARSER.renderer.render(tokens, _PARSER.options, {}))


def colors(style: str) -> str:
    """Return the rules of a style sheet for colored code. style: the name of one of Pygments."""
    formatter: Any = HtmlFormatter(style=style, nobackground=True)  # pyright: ignore[reportUnknownVariableType]
    return str(formatter.get_style_defs("pre"))


def plain_text(tokens: Sequence[Token]) -> str:
    """Return the text of inline tokens without their marks."""
    return "".join(token.content for token in tokens if token.type in ("text", "code_inline"))


def _fence(_self: object, tokens: Sequence[Token], index: int, _options: object, _env: object) -> str:
    """Return a block of code as HTML, below the name of its file if the block names one."""
    language, _, more = tokens[index].info.strip().partition(" ")
    code = tokens[index].content
    try:
        colored = str(highlight(code, get_lexer_by_name(language), _COLORS)) if language else escape(code)
    except ClassNotFound:
        colored = escape(code)
    file = _FILE.search(more)
    name = f'<div class="file">{escape(file[1])}</div>' if file else ""
    return f"{name}<pre><code>{colored}</code></pre>\n"


def _convert(tokens: list[Token], link: Link) -> None:
    """Give the links and pictures of a paragraph their new targets; a link that leads nowhere becomes its text."""
    opened: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")), link)
            opened.append(target is not None)
            if target is None:
                token.tag, token.attrs = "span", {}
            else:
                token.attrSet("href", target)
        elif token.type == "link_close":
            token.tag = "a" if opened.pop() else "span"
        elif token.type == "image":
            token.attrSet("src", _target(str(token.attrGet("src")), link) or "")
        elif token.type == "html_inline":
            token.content = _html(token.content, link)


def _html(text: str, link: Link) -> str:
    return _HTML_IMAGE.sub(lambda match: f"{match[1]}{_target(match[2], link) or ''}{match[3]}", text)


def _target(target: str, link: Link) -> str | None:
    return target if _OUTSIDE.match(target) else link(target)


def _anchor(words: str, used: dict[str, int]) -> str:
    """Return the anchor of a heading as GitHub makes it. used: how often each was made on this page."""
    anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
    count = used[anchor] = used.get(anchor, -1) + 1
    return f"{anchor}-{count}" if count else anchor


_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_PARSER.add_render_rule("fence", _fence)
