"""What a program knows about itself: a file that the export writes."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ABOUT = "program.json"
"""The name of the file."""


@dataclass(frozen=True)
class About:
    """A program. game: the folder of the game, relative to that of the file. windowed: whether it has a window.

    plugins: name to `package version`. others: the plugins that are not of Rish itself. others_are_optional: whether
    the game can do without them. identity: names the folder of the game's files of the player; "": the title does.
    """

    name: str
    title: str
    version: str
    game: str
    windowed: bool = False
    plugins: dict[str, str] = field(default_factory=dict[str, str])
    others: list[str] = field(default_factory=list[str])
    others_are_optional: bool = False
    identity: str = ""

    def to_bytes(self) -> bytes:
        """Return the content of the file."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1).encode()

    @classmethod
    def read(cls, folder: Path) -> About:
        """Read the file in a folder. Raises OSError, ValueError and TypeError for a damaged one."""
        values: Any = json.loads((folder / ABOUT).read_bytes())
        return cls(**values)


def program_folder() -> Path:
    """Return the folder with the files of this program."""
    return Path(getattr(sys, "_MEIPASS", "") or Path(__file__).parents[2])
