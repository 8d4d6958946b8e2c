"""The texts of rish_audio in the editor, in other languages."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {"zh-TW": {}}
