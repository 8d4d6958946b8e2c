"""The task of a game: observations, actions and rewards of agents, from the file `gym.yaml` beside `game.yaml`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rish_core import ManifestError
from rish_core.manifest import Report, Spot, YamlList, YamlMap, load_yaml, marked, show, written

from .parts import ActionWish, Part, Term, read_actions, read_parts, read_terms
from .reading import TaskSection, Text

FILE_NAME = "gym.yaml"
FORMAT = 1
_KEYS = (
    "gym", "start", "set", "optional", "leave_out", "frame_skip", "limit", "observation", "action", "reward", "end",
    "info", "players",
)  # fmt: skip
_MINUTE = 3600
_MAX_TICKS = 10**9


@dataclass(frozen=True)
class PlayerTask:
    """The part of a task that each player may have for itself.

    observation: the parts by name; None: a picture, or a summary if the game draws nothing. action: None: a button for
    each action of the manifest. reward: the terms by name. end: when the episode ends for this player; None: with the
    game.
    """

    observation: Mapping[str, Part] | None = None
    action: ActionWish | None = None
    reward: Mapping[str, Term] = field(default_factory=dict[str, Term])
    end: Text | None = None


@dataclass(frozen=True)
class Task:
    """A task as written; `Task()` is that of a game without `gym.yaml`.

    start: the first scene; None: that of the manifest. changes: of the manifest, as for `rish run --set`. optional: the
    optional plugins that run; the others are left out. leave_out: systems that don't run unless pictures are drawn.
    frame_skip: ticks of a step. limit: ticks until an episode is truncated, or None. common: for all players. players:
    what single players have instead. info: expressions by name.
    """

    start: str | None = None
    changes: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    leave_out: tuple[Text, ...] = ()
    frame_skip: int = 1
    limit: int | None = _MINUTE
    common: PlayerTask = field(default_factory=PlayerTask)
    players: tuple[PlayerTask, ...] = ()
    info: Mapping[str, Text] = field(default_factory=dict[str, Text])

    def of_player(self, number: int) -> PlayerTask:
        """Return the task of a player, from 1."""
        return self.players[number - 1] if number <= len(self.players) else self.common


def read_task(source: Path | str | Mapping[str, Any]) -> Task:
    """Return the task of a file, of a game's folder, or of a mapping with the same keys as the file.

    A folder without `gym.yaml` has the default task. Raises ManifestError with all mistakes.
    """
    if isinstance(source, Mapping):
        return _read(marked(source, Spot("task"), anew=True))
    path = Path(source)
    if path.is_dir():
        path = path / FILE_NAME
        if not path.exists():
            return Task()
    document = load_yaml(path)
    if not isinstance(document.data, YamlMap):
        raise Text("", document.place(), "").failed(f"the file must be a mapping, not {show(document.data)}")
    return _read(document.data)


def _read(data: YamlMap) -> Task:
    report = Report()
    section = TaskSection(data, (), report)
    section.only(_KEYS)
    if data.get("gym") != FORMAT:
        section.wrong("gym", f"the format must be {FORMAT}: begin with `gym: {FORMAT}`")
    common = _player(section, PlayerTask())
    task = Task(
        start=_start(section),
        changes=tuple(_changes(section.below("set"))),
        optional=tuple(text.text for text in section.texts("optional")),
        leave_out=section.texts("leave_out"),
        frame_skip=section.whole("frame_skip", 1, 1, 1000) or 1,
        limit=section.whole("limit", _MINUTE, 1, _MAX_TICKS),
        common=common,
        players=tuple(_players(section, common)),
        info=_texts(section.below("info")),
    )
    if report:
        raise ManifestError(report.problems)
    return task


def _start(section: TaskSection) -> str | None:
    text = section.text("start")
    return text.text if text is not None else None


def _changes(section: TaskSection, before: str = "") -> Iterator[str]:
    """Yield the texts for `--set`; mappings inside of mappings are joined with dots."""
    for key, value in section.node.items():
        if isinstance(value, YamlMap):
            yield from _changes(section.below(key), f"{before}{key}.")
        else:
            yield f"{before}{key}={written(value)}"


def _players(section: TaskSection, common: PlayerTask) -> Iterator[PlayerTask]:
    value = section.node.get("players")
    if value is not None and not isinstance(value, YamlList):
        section.wrong("players", f"must be a list of mappings, not {show(value)}")
    for index, item in enumerate(value if isinstance(value, YamlList) else ()):
        path = ("players", index)
        if isinstance(item, YamlMap):
            section_of_player = TaskSection(item, path, section.report)
            section_of_player.only(("observation", "action", "reward", "end"))
            yield _player(section_of_player, common)
        else:
            section.wrong("players", f"item {index} must be a mapping, not {show(item)}")


def _player(section: TaskSection, base: PlayerTask) -> PlayerTask:
    fields: dict[str, Any] = {}
    if "observation" in section.node:
        fields["observation"] = read_parts(section.below("observation"))
    if "action" in section.node:
        fields["action"] = read_actions(section.below("action"))
    if "reward" in section.node:
        fields["reward"] = read_terms(section)
    if "end" in section.node:
        fields["end"] = section.text("end")
    return replace(base, **fields)


def _texts(section: TaskSection) -> dict[str, Text]:
    texts = {key: section.text(key) for key in section.node}
    return {key: text for key, text in texts.items() if text is not None}
