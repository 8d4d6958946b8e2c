"""The description of a game's page: the optional file `page.yaml` in the game's folder.

page: 1                     # the format
language: en                # of the page and of its texts
summary: One sentence.
text: |                     # paragraphs, with an empty line between two
  What the game is about.
author: Ada
license: MIT
url: https://example.org/game/          # where the page will be: other sites then find its picture
links: {Source code: https://example.org/source}
color: "#ffb454"            # of buttons; otherwise a color of the pictures
controls: {serve: Throw the ball, debug: null}      # instead of `actions:` in locale/; null hides one
words: {download: Get it}   # instead of the page's own words, see texts/en.yaml
play:                       # how the game is played for the page where there is no recording
  random: 1                 # the seed of random keys; false: nobody presses a key
  keys: TAB . ENTER         # instead, keys that are pressed, one each half second; `.` is a pause
  seed: 5                   # of the game
  seconds: 30
  rate: 60                  # images per second
  scenes: [fire, rain]      # shown one after another, each for the same time; otherwise the game begins by itself
  set: {scene: harbour}     # changes of the manifest
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rish_assets import Section
from rish_core import ManifestError, UnknownName
from rish_core.loop import key_index
from rish_core.manifest import Report, YamlList, YamlMap, load_yaml, show
from rish_ecs import Problem, did_you_mean

FILE_NAME = "page.yaml"
FORMAT = 1
_KEYS = (
    "page",
    "language",
    "summary",
    "text",
    "author",
    "license",
    "url",
    "links",
    "color",
    "controls",
    "words",
    "play",
)
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*")
_ADDRESS = re.compile(r"(https?://|mailto:)[^\s\"<>]+")
MAX_SECONDS = 600
PAUSE = "."
"""The word of `keys` for half a second in which no key is pressed."""


@dataclass(frozen=True)
class Demo:
    """How a game is played without a recording; see the module. changes: of the manifest, as `KEY=VALUE`."""

    random: int | None = 1
    keys: tuple[str, ...] = ()
    seed: int | None = None
    seconds: float = 30
    rate: float = 60
    scenes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Description:
    """What `page.yaml` says; see the module. controls: None for actions that are hidden."""

    language: str = "en"
    summary: str = ""
    text: str = ""
    author: str = ""
    license: str = ""
    url: str = ""
    links: dict[str, str] = field(default_factory=dict[str, str])
    color: str | None = None
    controls: dict[str, str | None] = field(default_factory=dict[str, str | None])
    words: dict[str, str] = field(default_factory=dict[str, str])
    demo: Demo = Demo()


def read_description(folder: Path, actions: Iterable[str], scenes: Iterable[str], words: Iterable[str]) -> Description:
    """Return the description in a game's folder, or the default where it has none.

    actions, scenes: those of the game, which `controls` and `play` may name. words: the names that `words` may have.
    Raises ManifestError with all mistakes, and OSError.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return Description()
    document = load_yaml(path)
    if not isinstance(document.data, YamlMap):
        what = f"the file must be a mapping, not {show(document.data)}"
        raise ManifestError([Problem(document.place(), "", what)])
    report = Report()
    section = _Section(document.data, (), report)
    section.only(_KEYS)
    if section.node.get("page") != FORMAT:
        section.wrong("page", f"the format must be {FORMAT}: begin with `page: {FORMAT}`")
    actions = list(actions)
    description = Description(
        language=section.matching("language", _LANGUAGE, "the tag of a language, as in zh-Hant") or "en",
        summary=" ".join(section.text("summary").split()),
        text=section.text("text"),
        author=section.text("author"),
        license=section.text("license"),
        url=section.matching("url", _ADDRESS, "an address that begins with https://") or "",
        links=section.texts("links", None, _is_address, "an address that begins with https:// or mailto:"),
        color=section.matching("color", _COLOR, 'a color in quotes, as in "#ffb454"'),
        controls=section.controls(actions),
        words=section.texts("words", words, lambda text: bool(text.strip()), "a text"),
        demo=_demo(section.below("play"), scenes),
    )
    if report:
        raise ManifestError(report.problems)
    return description


def _is_address(text: str) -> bool:
    return _ADDRESS.fullmatch(text) is not None


def _demo(section: _Section, scenes: Iterable[str]) -> Demo:
    section.only(("random", "keys", "seed", "seconds", "rate", "scenes", "set"))
    usual = Demo()
    return Demo(
        random=None if section.node.get("random") is False else section.whole("random", usual.random),
        keys=section.keys("keys"),
        seed=section.whole("seed", None),
        seconds=section.number("seconds", usual.seconds, 0.1, MAX_SECONDS),
        rate=section.number("rate", usual.rate, 1, 120),
        scenes=section.names("scenes", scenes),
        changes=tuple(f"{key}={json.dumps(value)}" for key, value in section.below("set").node.items()),
    )


class _Section(Section):
    """A mapping of the file."""

    def text(self, key: str) -> str:
        """Return a text without white space around it; "" if there is none."""
        value = self.node.get(key, "")
        if isinstance(value, str):
            return value.strip()
        self.wrong(key, f"must be a text, not {show(value)}")
        return ""

    def matching(self, key: str, pattern: re.Pattern[str], what: str) -> str | None:
        """Return a text of a form, or None. what: the form, for messages."""
        value = self.node.get(key)
        if value is None or (isinstance(value, str) and pattern.fullmatch(value)):
            return value
        self.wrong(key, f"must be {what}, not {show(value)}")
        return None

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """Return a number within a range."""
        value = self.node.get(key, default)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        self.wrong(key, f"must be a number from {low:g} to {high:g}, not {show(value)}")
        return default

    def whole(self, key: str, default: int | None) -> int | None:
        """Return a whole number from 0 up."""
        value = self.node.get(key, default)
        if value is default or (type(value) is int and 0 <= value < math.inf):
            return value
        self.wrong(key, f"must be a whole number from 0 up, not {show(value)}")
        return default

    def texts(self, key: str, keys: Iterable[str] | None, fits: Callable[[str], bool], what: str) -> dict[str, str]:
        """Return a mapping of texts. keys: those that it may have; None: any. what: what fits, for messages."""
        section = self.below(key)
        if keys is not None:
            section.only(list(keys))
        valid: dict[str, str] = {}
        for name, value in section.node.items():
            if isinstance(value, str) and fits(value):
                valid[name] = value
            else:
                section.wrong(name, f"must be {what}, not {show(value)}")
        return valid

    def keys(self, key: str) -> tuple[str, ...]:
        """Return the names of keys in a text."""
        names = self.text(key).split()
        for name in names:
            try:
                if name != PAUSE:
                    key_index(name)
            except UnknownName as error:
                self.wrong(key, error.what)
        return tuple(names)

    def names(self, key: str, choices: Iterable[str]) -> tuple[str, ...]:
        """Return a list of names that are among the choices."""
        value, known = self.node.get(key, YamlList(self.node.mark)), list(choices)
        if not isinstance(value, YamlList):
            self.wrong(key, f"must be a list of names, not {show(value)}")
            return ()
        for mark, name in zip(value.items_at, value, strict=True):
            if name not in known:
                what = f"nothing is called {name!r} here{did_you_mean(name, known)}. Choices: {', '.join(known)}"
                self.report.add(mark, (*self.path, key), what)
        return tuple(name for name in value if name in known)

    def controls(self, actions: list[str]) -> dict[str, str | None]:
        """Return the names of actions; None for those that are hidden."""
        section = self.below("controls")
        section.only(actions)
        valid: dict[str, str | None] = {}
        for action, value in section.node.items():
            if value is None or isinstance(value, str):
                valid[action] = value
            else:
                section.wrong(action, f"must be a text, or null to hide it, not {show(value)}")
        return valid
