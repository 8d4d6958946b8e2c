"""Texts for messages: names and exceptions of other people, in a form that can be shown.

A name in a file or the text of an exception may contain anything: codes that clear the terminal, characters that
reverse a line, a million letters. An exception may even raise when it is asked for its text. The functions here never
raise, and their results can be printed and stored anywhere.
"""

from __future__ import annotations

import re
from typing import Any

LONGEST = 2000
"""The most characters of the text of an exception, and of a line of a message; the rest is left out."""
_UNDECODED = re.compile("[\udc80-\udcff]+")
"""Bytes that Python could not decode, in file names and arguments."""
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, without the tab and the line feed
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f"  # they change the order of other characters
    "\u2028\u2029\ufff9-\ufffb\ud800-\udfff]"  # ends of lines, marks of annotations, halves of characters
)
_name_of: Any = type.__dict__["__name__"].__get__  # a metaclass may hide the name


def printable(text: str, *, one_line: bool = False) -> str:
    r"""Return a text with control characters, changes of direction and lone surrogates escaped, as in `\x1b`.

    Line feeds and tabs stay, unless `one_line`. Undecoded bytes of a file name become the characters that they stand
    for in UTF-8, or `\xff`.
    """
    text = str.__str__(text)  # a subclass of str may behave in any way
    if text.isprintable():
        return text
    text = _UNSAFE.sub(_escaped, _UNDECODED.sub(_decoded, text))
    return text.replace("\n", r"\n").replace("\t", r"\t") if one_line else text


def shortened(text: str, most: int = LONGEST) -> str:
    """Return a text without what is beyond `most` characters, and then with its whole length."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def text_of(value: object, *, whole: bool = False) -> str:
    """Return `str(value)` in one line that can be printed; a remark instead if that raises.

    whole: with all its lines and of any length.
    """
    return _asked(str, value, whole=whole)


def repr_of(value: object) -> str:
    """Return `repr(value)` in one line that can be printed; a remark instead if that raises."""
    return _asked(repr, value)


def describe_error(error: BaseException) -> str:
    """Return the type and the text of an exception in one line, `ValueError: too many`; the type if it has no text.

    Nothing that the exception does in `__str__` has an effect: if it raises, even SystemExit, that is said instead.
    """
    name, text = _name_of(type(error)), text_of(error)
    return f"{name}: {text}" if text else name


def _asked(ask: Any, value: object, *, whole: bool = False) -> str:
    try:
        text = ask(value)
        return printable(text) if whole else printable(shortened(text), one_line=True)
    except BaseException as broken:  # also what no `except Exception` catches: the caller reports another failure
        return f"<{_name_of(type(value))}, whose {ask.__name__}() raises {_name_of(type(broken))}>"


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def _decoded(match: re.Match[str]) -> str:
    return match[0].encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
