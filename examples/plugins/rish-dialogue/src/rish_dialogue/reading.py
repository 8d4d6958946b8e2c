"""Reads a dialogue from its YAML file, and reports every mistake with its line.

With a World, the names in conditions and texts are looked up for evaluation; without one they are only checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rish_core import World
from rish_core.manifest import Report, Spot, YamlList, YamlMap, read_yaml, show
from rish_ecs import did_you_mean
from rish_expressions import Bound, Expression, ExpressionError, Template, Vocabulary

from .reach import check_reach
from .script import END, Assignment, Choices, Dialogue, Effects, Goto, Line, Option, Random, Speaker, Step

SUFFIX = ".dialogue.yaml"
STREAM = "dialogue"
"""The random stream of dialogues."""
GIVEN = {"visits": "number"}
"""The names that conditions and texts have besides those of the game: how often the dialogue was started before."""
MAX_TEXT = 2000
_STEP_KEYS = ("say", "choices", "random", "goto", "set", "add")
_OPTIONS = ("if", "once", "portrait", "speed")
_Path = tuple[str | int, ...]
_Base = tuple[str, Bound | None, bool]


@dataclass
class Reader:
    """The inputs of reading. world: None for a check. speakers: of the file that is read."""

    words: Vocabulary
    world: World | None
    report: Report
    name: str = ""
    speakers: Mapping[str, Speaker] | None = None

    def bound(self, text: Expression | Template, state: bool = True) -> Bound:
        """Look up the names of a text. Raises ExpressionError."""
        if self.world is None:
            return text.check(self.words, GIVEN, stream=STREAM, state=state)
        return text.bind(self.world, GIVEN, stream=STREAM, state=state, words=self.words)

    def expression(self, node: YamlMap, key: str, path: _Path) -> Bound | None:
        """Read the condition or value below a key; None if it is missing or wrong."""
        if key not in node:
            return None
        value = node[key]
        if not isinstance(value, str | bool | int | float):
            self.wrong(node, key, path, f"must be an expression such as gold >= 5, not {show(value)}")
            return None
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return self.tried(node, key, path, lambda: self.bound(Expression.parse(text)))

    def template(self, node: YamlMap, key: str, path: _Path) -> Bound | None:
        """Read the text below a key; None if it is wrong."""
        value = node[key]
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            self.wrong(node, key, path, f"must be a text, not {show(value)}")
            return None
        if len(str(value)) > MAX_TEXT:
            self.wrong(node, key, path, f"has {len(str(value))} characters; a line has at most {MAX_TEXT}")
            return None
        return self.tried(node, key, path, lambda: self.bound(Template.parse(str(value))))

    def tried(self, node: YamlMap, key: str, path: _Path, read: Any) -> Any:
        """Return the result of `read`; if it raises ExpressionError, report it and return None."""
        try:
            return read()
        except ExpressionError as error:
            self.wrong(node, key, path, error.line)
            return None

    def wrong(self, node: YamlMap, key: str, path: _Path, sentence: str) -> None:
        """Report a mistake of the value of a key."""
        self.report.add(node.values_at[key], (*path, key), sentence)


def read_dialogue(
    source: Path | str, name: str, words: Vocabulary, world: World | None = None
) -> tuple[Dialogue | None, Report]:
    """Read a dialogue from a file or a text; return it (None if there are mistakes) and the mistakes."""
    document = read_yaml(source, None if isinstance(source, Path) else f"{name}{SUFFIX}")
    report = Report(document.problems)
    node = document.data
    if not isinstance(node, YamlMap):
        if not report:
            report.add(Spot(document.file, 0, 0), (), f"a dialogue is a mapping with `nodes:`, not {show(node)}")
        return None, report
    reader = Reader(words, world, report, name)
    for key in node:
        if key not in ("speakers", "start", "nodes"):
            report.unknown(node, key, (), f"a dialogue has no key {key!r}", ("speakers", "start", "nodes"))
    reader.speakers = _speakers(node, reader)
    nodes = _nodes(node, reader)
    entries = _entries(node, nodes, report)
    marks = node["nodes"].keys_at if nodes else {}
    dialogue = Dialogue(name, entries, reader.speakers, nodes, marks)
    if not report:
        check_reach(dialogue, report)
    return (None if report else dialogue), report


def _entries(node: YamlMap, nodes: Mapping[str, Any], report: Report) -> tuple[str, ...]:
    """Read `start:`, a name or a list of names; without it, the first node."""
    if "start" not in node:
        return tuple(nodes)[:1]
    names = node["start"] if isinstance(node["start"], list) else [node["start"]]
    for name in names:
        if nodes and name not in nodes:
            report.add(node.values_at["start"], ("start",), _no_node(name, nodes))
    if not names:
        report.add(node.values_at["start"], ("start",), "must name at least one node")
    return tuple(map(str, names))


def _no_node(name: Any, nodes: Mapping[str, Any]) -> str:
    return f"no node is called {name!r}{did_you_mean(name, nodes)}. Nodes: {', '.join(list(nodes)[:12])}, {END}"


def _speakers(node: YamlMap, reader: Reader) -> dict[str, Speaker]:
    speakers: dict[str, Speaker] = {}
    section = node.get("speakers")
    if section is None:
        return speakers
    if not isinstance(section, YamlMap):
        reader.wrong(node, "speakers", (), f"must be a mapping such as {{mara: {{name: Mara}}}}, not {show(section)}")
        return speakers
    for key, value in section.items():
        path = ("speakers", key)
        if key in _STEP_KEYS or key in _OPTIONS:
            reader.report.add(section.keys_at[key], path, f"{key!r} is a word of dialogues: choose another name")
        elif isinstance(value, str):
            speakers[key] = Speaker(key, value)
        elif isinstance(value, YamlMap):
            speakers[key] = _speaker(key, value, path, reader)
        else:
            reader.wrong(section, key, path[:1], f"must be a name, or {{name: ..., portrait: ...}}, not {show(value)}")
    return speakers


def _speaker(key: str, node: YamlMap, path: _Path, reader: Reader) -> Speaker:
    for each in node:
        if each not in ("name", "portrait"):
            reader.report.unknown(node, each, path, f"a speaker has no key {each!r}", ("name", "portrait"))
        elif not isinstance(node[each], str):
            reader.wrong(node, each, path, f"must be a text, not {show(node[each])}")
    return Speaker(key, str(node.get("name", key.title())), str(node.get("portrait", "")))


def _nodes(node: YamlMap, reader: Reader) -> dict[str, tuple[Step, ...]]:
    section = node.get("nodes")
    if not isinstance(section, YamlMap) or not section:
        mark = node.values_at["nodes"] if "nodes" in node else node.mark
        reader.report.add(mark, ("nodes",), "must be a mapping with at least one node, such as {hello: [say: Hello.]}")
        return {}
    nodes: dict[str, tuple[Step, ...]] = {}
    for name, steps in section.items():
        path = ("nodes", name)
        if name == END:
            reader.report.add(section.keys_at[name], path, f"{END!r} is the end of every dialogue: choose another name")
        elif not isinstance(steps, YamlList):
            reader.wrong(section, name, path[:1], f"must be a list of steps, not {show(steps)}")
        nodes[name] = _steps(steps, path, reader) if isinstance(steps, YamlList) else ()
    for name, steps in section.items():
        _check_jumps(steps, ("nodes", name), nodes, reader)
    return nodes


def _check_jumps(node: Any, path: _Path, nodes: Mapping[str, Any], reader: Reader) -> None:
    """Report every `goto` below a value that names no node."""
    if isinstance(node, YamlMap):
        goto = node.get("goto")
        if isinstance(goto, str) and goto not in nodes and goto != END:
            reader.wrong(node, "goto", path, _no_node(goto, nodes))
        if isinstance(node.get("choices"), YamlList):
            _check_jumps(node["choices"], (*path, "choices"), nodes, reader)
    elif isinstance(node, YamlList):
        for k, each in enumerate(node):
            _check_jumps(each, (*path, k), nodes, reader)


def _steps(node: YamlList, path: _Path, reader: Reader) -> tuple[Step, ...]:
    steps = [_step(each, mark, (*path, k), reader) for k, each, mark in _items(node)]
    return tuple(step for step in steps if step is not None)


def _items(node: YamlList) -> Iterator[tuple[int, Any, Any]]:
    """Yield the index, the value and the mark of each item."""
    for k, each in enumerate(node):
        yield k, each, node.items_at[k]


def _step(node: Any, mark: Any, path: _Path, reader: Reader) -> Step | None:
    speakers = reader.speakers or {}
    if not isinstance(node, YamlMap):
        return reader.report.add(mark, path, f"must be a step such as {{say: Hello.}}, not {show(node)}")
    kinds = [key for key in node if key in _STEP_KEYS or (key not in _OPTIONS)]
    for key in kinds:
        if key not in _STEP_KEYS and key not in speakers:
            keys = (*speakers, *_STEP_KEYS, *_OPTIONS)
            message = f"no speaker and no step is called {key!r}"
            return reader.report.unknown(node, key, path, message, keys)
    effects = [key for key in kinds if key in ("set", "add")]
    main = [key for key in kinds if key not in effects]
    if len(main) > 1 or not kinds or (main and effects):
        return reader.report.add(mark, path, "must have exactly one of: a speaker, say, choices, random, goto, set/add")
    base = _base(node, path, reader)
    if effects:
        return Effects(*base, _assignments(node, path, reader))
    return _main_step(node, main[0], base, path, reader)


def _main_step(node: YamlMap, key: str, base: _Base, path: _Path, reader: Reader) -> Step | None:
    if key == "goto":
        if isinstance(node[key], str):
            return Goto(*base, node[key])
        return reader.wrong(node, key, path, f"must be the name of a node, not {show(node[key])}")
    if key not in ("choices", "random"):
        return _line(node, key, base, path, reader)
    if not isinstance(node[key], YamlList) or not node[key]:
        return reader.wrong(node, key, path, f"must be a list, not {show(node[key])}")
    inner = (*path, key)
    if key == "random":
        lines = _steps(node[key], inner, reader)
        if any(not isinstance(line, Line) for line in lines):
            return reader.wrong(node, key, path, "may have lines only")
        return Random(*base, tuple(line for line in lines if isinstance(line, Line)))
    options = [_option(each, mark, (*inner, k), reader) for k, each, mark in _items(node[key])]
    return Choices(*base, tuple(option for option in options if option is not None))


def _base(node: YamlMap, path: _Path, reader: Reader) -> _Base:
    once = node.get("once", False)
    if not isinstance(once, bool):
        reader.wrong(node, "once", path, f"must be true or false, not {show(once)}")
    key = "/".join([reader.name, *map(str, path[1:])])
    return key, reader.expression(node, "if", path), once is True


def _line(node: YamlMap, key: str, base: _Base, path: _Path, reader: Reader) -> Line | None:
    text = reader.template(node, key, path)
    speed, portrait = node.get("speed"), node.get("portrait", "")
    if speed is not None and not (type(speed) in (int, float) and 0 <= speed <= 10_000):
        reader.wrong(node, "speed", path, f"must be a number from 0 to 10000, not {show(speed)}")
    if not isinstance(portrait, str):
        reader.wrong(node, "portrait", path, f"must be the path of a picture, not {show(portrait)}")
    speaker = (reader.speakers or {}).get(key)
    portrait = str(portrait) or (speaker.portrait if speaker else "")
    return None if text is None else Line(*base, text, speaker, portrait, speed)


def _option(node: Any, mark: Any, path: _Path, reader: Reader) -> Option | None:
    keys = ("say", "if", "once", "set", "add", "goto")
    if not isinstance(node, YamlMap) or "say" not in node:
        return reader.report.add(mark, path, f"must be a choice such as {{say: Yes., goto: more}}, not {show(node)}")
    for key in node:
        if key not in keys:
            reader.report.unknown(node, key, path, f"a choice has no key {key!r}", keys)
    goto = node.get("goto")
    if goto is not None and not isinstance(goto, str):
        reader.wrong(node, "goto", path, f"must be the name of a node, not {show(goto)}")
    text = reader.template(node, "say", path)
    if text is None:
        return None
    return Option(*_base(node, path, reader), text, _assignments(node, path, reader), goto)


def _assignments(node: YamlMap, path: _Path, reader: Reader) -> tuple[Assignment, ...]:
    """Read `set:` and `add:`: the changes of variables."""
    assignments: list[Assignment] = []
    for key in ("set", "add"):
        values = node.get(key)
        if values is None:
            continue
        if not isinstance(values, YamlMap) or not values:
            reader.wrong(node, key, path, f"must be a mapping of variables, such as {{gold: 5}}, not {show(values)}")
            continue
        for name in values:
            assignment = _assignment(values, name, (*path, key), reader, add=key == "add")
            assignments += [assignment] if assignment is not None else []
    return tuple(assignments)


def _assignment(values: YamlMap, name: str, path: _Path, reader: Reader, *, add: bool) -> Assignment | None:
    variables = reader.words.variables
    if name not in variables:
        reader.report.unknown(values, name, path, f"no variable is called {name!r}", variables)
        return None
    old, textual = variables[name], isinstance(variables[name], str)
    if add and (textual or isinstance(old, bool)):
        return reader.wrong(values, name, path, f"{name} is no number, so nothing can be added")
    value = reader.template(values, name, path) if textual else reader.expression(values, name, path)
    if value is None:
        return None
    kind = "text" if textual else "truth" if isinstance(old, bool) else "number"
    if value.type not in (kind, "any"):
        return reader.wrong(values, name, path, f"{name} is a {kind}, and {value.text} is a {value.type}")
    return Assignment(name, value, add)
