"""The state of a dialogue, its events, and the settings. Everything that a saved game needs is in `DialogueState`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field as dataclass_field

from rish_core import UnknownName, event, field, resource
from rish_ecs import Str

from .script import Dialogue


@resource
class DialogueState:
    """The dialogue that is held. dialogue, node: their names, "" if there is none. step: the next step of the node.

    phase: "" (nobody talks), "line" or "choice". speaker: the key of the speaker, "" for the narrator. portrait: the
    path of a picture. text: the line, or its key in the translations. speed: characters in a second with which it
    appears, 0: at once. lines: how many lines were shown. options: the texts of the choices, keys: their places. tick:
    in which the last line began, or the last dialogue ended. seen: the places of what was shown and has `once`. visits:
    how often each dialogue was started before.
    """

    dialogue: str = ""
    node: str = ""
    step: int = 0
    phase: str = ""
    speaker: str = ""
    portrait: str = ""
    text: str = ""
    speed: float = 0.0
    lines: int = 0
    options: list[str] = dataclass_field(default_factory=list[str])
    keys: list[str] = dataclass_field(default_factory=list[str])
    tick: int = -1
    seen: list[str] = dataclass_field(default_factory=list[str])
    visits: dict[str, int] = dataclass_field(default_factory=dict[str, int])


@resource(derived=True)
class Dialogues:
    """The dialogues of the game by name, read from the files of the settings."""

    def __post_init__(self) -> None:
        """Start without dialogues; `begin` names them."""
        self._find: Mapping[str, Callable[[], Dialogue | None]] = {}

    def begin(self, find: Mapping[str, Callable[[], Dialogue | None]]) -> None:
        """Use these dialogues. find: functions by name that return the dialogue, None for one with mistakes."""
        self._find = find

    @property
    def by_name(self) -> dict[str, Dialogue]:
        """The dialogues by name, without those that have mistakes."""
        return {name: dialogue for name, find in self._find.items() if (dialogue := find()) is not None}

    def __getitem__(self, name: str) -> Dialogue:
        """Return a dialogue. Raises UnknownName with the nearest."""
        if name not in self.by_name:
            raise UnknownName(f"no dialogue is called {name!r}", given=name, choices=self.by_name)
        return self.by_name[name]


@resource
class DialogueSettings:
    """`settings: dialogue:` in the manifest.

    files: the dialogues of the game; `inn.dialogue.yaml` is called `inn`.
    """

    files: list[str] = dataclass_field(default_factory=list[str])
    speed: float = field(45.0, unit="1/s", low=0, high=10_000, doc="characters of a line in a second; 0: at once")


@event
class DialogueStarted:
    """A dialogue began."""

    dialogue: Str = field("", doc="its name")


@event
class LineShown:
    """A line began to appear."""

    dialogue: Str = field("", doc="the name of the dialogue")
    node: Str = field("", doc="the name of the node")
    speaker: Str = field("", doc="the key of the speaker; empty: the narrator")


@event
class ChoiceMade:
    """The player chose."""

    dialogue: Str = field("", doc="the name of the dialogue")
    node: Str = field("", doc="the name of the node with the choices")
    choice: int = field(0, doc="the number of the choice in the file, from 0")
    text: Str = field("", doc="its text as shown")


@event
class DialogueEnded:
    """A dialogue is over."""

    dialogue: Str = field("", doc="its name")
