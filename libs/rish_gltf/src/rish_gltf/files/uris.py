"""URIs of data: inside the text, or a file beside or below the model."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from urllib.parse import unquote, unquote_to_bytes

from ..element import Element, Reading

_ADVICE = "Put the file beside the model or in a folder below it, and name it by a relative path"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Files:
    """Reads the data that URIs name, each file once, within the limit of all bytes."""

    def __init__(self, reading: Reading, load: Callable[[str], bytes], used_bytes: int) -> None:
        self._reading, self._load = reading, load
        self._left = reading.limits.file_bytes - used_bytes
        self._known: dict[str, bytes] = {}

    def read(self, element: Element) -> bytes:
        """Return the bytes that the `uri` of an element names."""
        uri = element.text("uri")
        if uri not in self._known:
            data = _inline(element, uri) if uri[:5].lower() == "data:" else self._neighbor(element, uri)
            self._left -= len(data)
            if self._left < 0:
                element.fail("the files of the model are too large", "If you trust it, raise `file_bytes` of Limits")
            self._known[uri] = data
        return self._known[uri]

    def _neighbor(self, element: Element, uri: str) -> bytes:
        """Return the bytes of a file beside or below the model."""
        path = safe_path(element, uri)
        try:
            data = self._load(path)
        except Exception as error:  # the caller's function may raise anything
            reason = (str(error) or type(error).__name__).rstrip(".")
            element.reading.fail(element.path, f"the file {path[:100]!r} can't be read: {reason}", _ADVICE)
        return bytes(data)


def safe_path(element: Element, uri: str) -> str:
    """Return the relative path that a URI names, with `/` between its parts; it never leaves the model's folder."""
    path = unquote(uri, errors="replace")
    parts = [part for part in path.split("/") if part != "."]
    if (
        not uri
        or len(path) > 1000
        or _SCHEME.match(path)
        or any(part in ("", "..") or part.strip(" .") == "" for part in parts)
        or not parts
        or any(ord(sign) < 32 or sign in '\\:?#*<>|"' for sign in path)
    ):
        element.fail(f"the address {uri[:100]!r} does not name a file beside or below the model", _ADVICE)
    return "/".join(parts)


def _inline(element: Element, uri: str) -> bytes:
    """Return the bytes in a data URI."""
    head, comma, body = uri.partition(",")
    if not comma:
        element.fail("the data URI has no comma")
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        element.fail(f"the data URI is no base64: {error}")
