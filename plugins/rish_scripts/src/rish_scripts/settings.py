"""The settings `settings: scripts:` of a manifest."""

from __future__ import annotations

from dataclasses import field as dataclass_field

from rish_core import Str, field, resource


@resource
class ScriptSettings:
    """The limits for scripts that fail or do not return, and the settings of hot reload.

    develop: names of installed plugins whose code is also reloaded when it is edited, while `reload` is on. Install
    them with `pip install -e`.
    """

    errors: int = field(3, low=1, high=1_000_000, doc="after so many errors a script of an entity is set aside")
    watchdog: float = field(
        2.0, unit="s", low=0, high=86_400, doc="after so long a script that runs on is named", meanings={0: "never"}
    )
    interrupt: float = field(
        10.0,
        unit="s",
        low=0,
        high=86_400,
        doc="after so long a script that runs on is stopped and set aside",
        meanings={0: "never"},
    )
    reload: Str = field(
        "auto",
        choices=("auto", "always", "never", "poll"),
        doc="whether edited files are taken over in play: auto where there is a window; poll looks at the files itself",
    )
    develop: list[str] = dataclass_field(default_factory=list[str])
