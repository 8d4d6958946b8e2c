"""What a player is known by: name, color, and the tokens of hosts, in a file of the player."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, cast

from rish_system import config_folder, make_folders, write_whole

_FILE = "net.json"
_MOST_TOKENS = 20


@dataclass
class Identity:
    """name, color: see `Profile`. tokens: by the fingerprint of the host, oldest first."""

    name: str = ""
    color: int = -1
    tokens: dict[str, str] = field(default_factory=dict[str, str])

    @staticmethod
    def load() -> Identity:
        """Return what the file of the player says; defaults for what it lacks."""
        try:
            data: Any = json.loads((config_folder() / _FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError, RuntimeError):
            return Identity()
        values = cast("dict[str, Any]", data) if isinstance(data, dict) else {}
        name, color, tokens = values.get("name"), values.get("color"), values.get("tokens")
        kept = {str(k): str(v) for k, v in cast("dict[Any, Any]", tokens).items()} if isinstance(tokens, dict) else {}
        return Identity(name if isinstance(name, str) else "", color if isinstance(color, int) else -1, kept)

    def save(self) -> None:
        """Write the file; without a folder that can be written nothing happens."""
        while len(self.tokens) > _MOST_TOKENS:
            del self.tokens[next(iter(self.tokens))]
        text = json.dumps({"name": self.name, "color": self.color, "tokens": self.tokens}, indent=1)
        try:
            make_folders(config_folder())
            write_whole(config_folder() / _FILE, text.encode())
        except (OSError, RuntimeError):
            return
