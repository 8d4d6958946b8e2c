"""Templates: the kinds of new assets that plugins declare with the hook `rish_editor_templates`."""

from __future__ import annotations

import ast
import importlib.util
import keyword
import logging
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from rish_core import describe_error
from rish_system import is_device

from ..commands import always

if TYPE_CHECKING:
    from rish_authoring import GameText
    from rish_core import Registry
    from rish_core.plugin import Candidate

    from ..editor import Editor

HOOK = "rish_editor_templates"
NAMES = ("file", "key", "class", "function")
"""The kinds of names of new assets."""
MAX_NAME_LENGTH = 80
"""The greatest number of characters of a name."""
_WORD = re.compile(r"(?<![A-Z])(NAME|CLASS|FILE|PATH)(?![A-Z])")
_KEY = re.compile(r"[^\W\d][\w-]*\Z")
_FILE = re.compile(r'[^\s._/\\:*?"<>|\x00-\x1f\x7f][^/\\:*?"<>|\x00-\x1f\x7f]*\Z')
_NO_PLUGINS = ("core", "editor", "game")
"""The owners of templates that need no plugin in the manifest."""
_log = logging.getLogger("rish.editor")


@dataclass(frozen=True)
class Template:
    """A kind of new assets: a file, or a part of the game's manifest.

    Texts and values may contain the words NAME, CLASS (the name in CapWords), FILE (in lower case with underscores) and
    PATH (of the new file).

    id: begins with the plugin's name. title, about: in English. plugin: that declares it. file: the path of the new
    file; without a folder it is written into the folder that is shown, and one that ends with / is a folder. text: of
    the file, or a function of the editor and the name. key: the place in the manifest instead, such as `scenes.NAME`.
    value: what is written there. edit: a function of the `GameText` and the name, which changes more of the manifest.
    make: a function of the editor and the name, which makes the asset instead, within one step. when: a function of the
    editor, whether it can be made now. name: proposed. names: one of `NAMES`. check: returns what is wrong with a name,
    None if nothing. plugins: that the game must load. declare: for code, by hook, the name that `plugin.py` returns, or
    with a point a function that finds the things of a package. add: values of components for the selected entities.
    set: settings by path, such as `ui.theme`. then: a function of the editor, the name and the path, called at the end.
    """

    id: str
    title: str
    plugin: str
    icon: str = "file"
    about: str = ""
    file: str = ""
    text: str | Callable[[Editor, str], str] = ""
    key: str = ""
    value: Any = None
    edit: Callable[[GameText, str], Any] | None = None
    make: Callable[[Editor, str], Any] | None = None
    when: Callable[[Editor], bool] = always
    name: str = "new"
    names: str = "file"
    check: Callable[[str], str | None] | None = None
    plugins: tuple[str, ...] = ()
    declare: Mapping[str, str] = field(default_factory=dict[str, str])
    add: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Any])
    set: Mapping[str, Any] = field(default_factory=dict[str, Any])
    then: Callable[[Editor, str, str], Any] | None = None

    @property
    def needs(self) -> tuple[str, ...]:
        """The plugins that the game must load."""
        return self.plugins or (() if self.plugin in _NO_PLUGINS else (self.plugin,))

    @property
    def fixed(self) -> bool:
        """Whether its file is always written into the same folder."""
        return "/" in self.file.rstrip("/")

    def spelled(self, name: str) -> str:
        """Return a name in the spelling in which it is written: a class in CapWords, a function in lower case."""
        name = unicodedata.normalize("NFKC", name.strip())
        if self.names == "class":
            return class_name(name)
        return file_name(name) if self.names == "function" else name

    def path(self, name: str, folder: str = "") -> str:
        """Return the path of the new file, relative to the game; "" if there is none. folder: that is shown."""
        if not self.file:
            return ""
        filled = self.filled(self.file, name)
        return filled if self.fixed or not folder else f"{folder}/{filled}"

    def filled(self, value: Any, name: str, path: str = "") -> Any:
        """Return a text, or a collection of texts, in which NAME, CLASS, FILE and PATH are replaced."""
        if isinstance(value, str):
            words = {"NAME": name, "CLASS": class_name(name), "FILE": file_name(name), "PATH": path}
            if self.names in ("file", "key"):
                words["FILE"] = name
            return _WORD.sub(lambda match: words[match[0]], value)
        if isinstance(value, Mapping):
            return {self.filled(key, name, path): self.filled(item, name, path) for key, item in value.items()}
        return [self.filled(item, name, path) for item in value] if isinstance(value, list | tuple) else value

    def content(self, editor: Editor, name: str) -> str:
        """Return the text of a new file."""
        return str(self.text(editor, name)) if callable(self.text) else self.filled(self.text, name)

    def wrong_name(self, editor: Editor, name: str) -> str | None:
        """Return the reason why a spelled name is not allowed; None if it is."""
        tr = editor.tr
        if not name or len(name) > MAX_NAME_LENGTH:
            return (
                tr("Give it a name of at most {count} {count:character|characters}", count=MAX_NAME_LENGTH)
                if name
                else ""
            )
        module = file_name(name)
        if self.names in ("class", "function"):
            if not name.isidentifier() or not name[0].isalpha() or (self.names == "class" and not name[0].isupper()):
                return tr("A letter first, then letters, digits and _")
            if any(keyword.iskeyword(word) for word in (name, module)):
                return tr("{name} is a word of Python", name=module)
            if name in _imported(self.content(editor, name)):
                return tr("{name} is a name that its code uses", name=name)
        elif self.names == "key" and not _KEY.match(name):
            return tr("A letter first, then letters, digits, _ and -")
        elif (self.names == "file" and not is_file_name(name)) or is_device(name):
            return tr("A file can't have this name")
        wrong = self.check(name) if self.check is not None else None
        return tr(wrong) if wrong else None


def is_file_name(name: str) -> bool:
    """Return whether a file can have this name on every system, and is not hidden."""
    return bool(_FILE.match(name)) and name[-1] not in ". " and not is_device(name)


def class_name(name: str) -> str:
    """Return a name in CapWords: `snow_owl` is SnowOwl."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[_\s-]+", name))


def file_name(name: str) -> str:
    """Return a name in lower case with underscores: `SnowOwl` is snow_owl."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s-]+", "_", name).lower()


def _imported(source: str) -> set[str]:
    """Return the names that a text of Python imports."""
    try:
        nodes = ast.walk(ast.parse(source))
    except SyntaxError:
        return set()
    aliases = [each for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for each in node.names]
    return {each.asname or each.name for each in aliases}


_others: dict[Candidate, tuple[Template, ...]] = {}
"""The templates of plugins that are installed and were not loaded by a game."""
_reading = Lock()


def templates_of(registry: Registry) -> list[Template]:
    """Return the templates of the plugins of a game, and those of other plugins that were read, by title."""
    templates: dict[str, Template] = dict(registry.of(HOOK))
    for candidate in registry.others:
        for template in _others.get(candidate, ()):
            templates.setdefault(template.id, template)
    return sorted(templates.values(), key=lambda each: each.title)


def read_others(registry: Registry) -> None:
    """Read the templates of the installed plugins that a game does not load; they are imported for that, once.

    It takes a second in a new process, so an editor with a window does it in a thread of its own when a game opens.
    """
    with _reading:
        for candidate in registry.others:
            if candidate not in _others:
                _others[candidate] = _read(registry, candidate) if _mentions(candidate) else ()


def _mentions(candidate: Candidate) -> bool:
    """Whether the source of a plugin contains the hook; only such plugins are imported."""
    try:
        spec = importlib.util.find_spec(candidate.value.partition(":")[0].strip())
        return spec is not None and spec.origin is not None and HOOK.encode() in Path(spec.origin).read_bytes()
    except (ImportError, OSError, ValueError, AttributeError):
        return False


def _read(registry: Registry, candidate: Candidate) -> tuple[Template, ...]:
    """Return the templates of a plugin that is not loaded; none if it is broken."""
    try:
        declare = getattr(candidate.load(), HOOK, None)
        pairs = registry.readers[HOOK].read(candidate.name, declare()) if callable(declare) else ()
        return tuple(template for _, template in pairs)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        _log.debug("no templates of %s: %s", candidate, describe_error(error))
        return ()
