"""The hook that rish_ui adds: texts of plugins in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rish_core import Reader, hookspec
from rish_ecs import DeclarationError


def read_locales(plugin: str, value: Any) -> list[tuple[str, Any]]:
    """Check the result of a plugin: texts by language and key, or a folder."""
    if isinstance(value, str | Path):
        if not Path(value).is_dir():
            raise DeclarationError(f"rish_locales returned {str(value)!r}, which is no folder")
        return [(plugin, Path(value))]
    texts: Any = value
    if not isinstance(value, Mapping) or not all(isinstance(each, Mapping) for each in texts.values()):
        hint = 'Return {"en": {"wind.strong": "Strong wind"}}, or the path of a folder with en.yaml'
        raise DeclarationError(f"rish_locales returned {type(value).__name__}, expected texts by language", hint=hint)
    return [(plugin, texts)]


@hookspec(reads=Reader("texts of", read_locales), provisional=True)
def rish_locales() -> Any:
    """Declare the texts of the plugin in several languages, for widgets, as `$key`.

    When: while the registry is built.
    How often: once.
    Arguments: none.
    Returns: {language: {key: text}}, with nested keys and plural forms as in the files of a game, or the path of a
        folder with files such as `en.yaml` and `zh-Hant.yaml`. Later plugins, and at last the game, replace texts.
    Failures: anything else disables the plugin; a mistake in a text is logged, and that text is left out.
    Example::

        from pathlib import Path

        @hookimpl(optional=True)
        def rish_locales():
            return Path(__file__).parent / "locale"
    """
