"""The kinds of new assets that the plugin declares for editors: scripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SCRIPT = '''"""NAME: say here what it does."""

from rish_core import Transform, field
from rish_scripts import Script


class NAME(Script):
    """Say here what it does. Add it to an entity in game.yaml: `NAME: {speed: 20}`."""

    speed: float = field(10, unit="units/s", low=0)

    def on_create(self):
        """Called once, after the script was added to its entity."""

    def on_update(self, dt):
        """Called once a tick."""
        if self.has(Transform):
            self.get(Transform).position += (self.speed * dt, 0)
'''
TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "scripts.script": {
        "title": "Script", "about": "A class whose methods are called for the entities that have it",
        "icon": "script", "file": "scripts/FILE.py", "text": _SCRIPT, "names": "class",
        "name": "Door", "declare": {"rish_scripts": "rish_scripts.scripts_in"}, "add": {"NAME": {}},
    },
}  # fmt: skip
"""A script that moves its entity. `rish new script` writes the same one."""
