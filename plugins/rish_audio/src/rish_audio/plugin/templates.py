"""The kinds of new assets that the plugin declares for editors: sounds of the synthesizer, and tunes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TUNE = {
    "tempo": 112,
    "tracks": {
        "lead": {"preset": "lead", "notes": "e5 d5 c5 d5 | e5 e5 e5:2", "volume": 0.5},
        "bass": {"preset": "bass", "notes": "c3:2 g2:2 | c3:2 c3:2"},
        "beat": {"drums": "[k h s h]x2", "volume": 0.4},
    },
}


def _show(editor: Any, name: str, path: str) -> None:
    editor.show("audio.sounds")
    if "audio.sounds" in editor.panels:  # not yet if the plugin was switched on by this
        editor.panels["audio.sounds"].choose(name)


TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "audio.sound": {
        "title": "Sound", "about": "A sound of the synthesizer; import sounds from files",
        "icon": "sound", "key": "settings.audio.sounds.NAME", "names": "key", "name": "chime",
        "value": {"synth": {"preset": "coin", "frequency": 660}}, "add": {"AudioSource": {"clip": "NAME"}},
        "then": _show,
    },
    "audio.tune": {
        "title": "Melody", "about": "Notes that the synthesizer plays",
        "icon": "music", "key": "settings.audio.sounds.NAME", "names": "key", "name": "song",
        "value": {"tune": _TUNE, "loop": True}, "add": {"AudioSource": {"clip": "NAME", "spatial": False}},
        "then": _show,
    },
}  # fmt: skip
"""The templates by name. They create named sounds in the settings of the game, which the panel Sounds plays."""
