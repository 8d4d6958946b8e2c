"""What differs between operating systems is in `rish_system`; no other code of Rish asks for it by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("libs", "rish_core", "kits", "plugins", "examples/plugins")
FILES = [
    path.relative_to(ROOT).as_posix()
    for folder in FOLDERS
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "src" in path.parts and "templates" not in path.parts and "rish_system" not in path.parts
]
FILES += [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tools").glob("*.py"))]
MODULES = {"fcntl", "grp", "msvcrt", "pty", "pwd", "resource", "signal", "termios", "tty", "winreg"}
NAMES = {
    "sys.platform", "os.name", "os.kill", "os.killpg", "os.fork", "os.rename", "os.renames", "os.replace",
    "os.startfile", "os.isatty", "os.getuid", "os.uname", "os.get_terminal_size", "os.sep", "Path.home",
    "platform.machine", "platform.node", "platform.platform", "platform.processor", "platform.release",
    "platform.system", "platform.uname", "platform.version",
    "multiprocessing.Process", "multiprocessing.Pool", "multiprocessing.Queue", "multiprocessing.set_start_method",
}  # fmt: skip
TEXTS = {
    "APPDATA", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "WINDIR",
    "DISPLAY", "WAYLAND_DISPLAY", "Library", "xdg-open", "/usr/share/fonts", "win32", "darwin",
}  # fmt: skip
WORDS = (
    *NAMES, *(f'"{text}"' for text in TEXTS), *(f"{word} {name}" for name in MODULES for word in ("import", "from")),
    "from os import", "from sys import", "from platform import", "get_context",
)  # fmt: skip
"""Only files with one of these are parsed."""
TEXT_CALLS = ("open(", "read_text(", "write_text(", "text=", "universal_newlines=", "errors=")
TEXT_OPTIONS = {"text", "universal_newlines", "errors"}
PROCESS_OPTIONS = {"capture_output", "check", "stdout", "stderr"}
"""Functions of `subprocess` have one of these, and one of the others if they read texts."""
ALLOWED = {
    "libs/rish_jit/src/rish_jit/machine/host.py": "machine code fits one platform and processor",
}
"""Files that may ask Python themselves, with the reason."""


def dotted(node: ast.AST) -> str:
    """Return `a.b` for an attribute of a name, otherwise ""."""
    is_plain = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return f"{node.value.id}.{node.attr}" if is_plain else ""


def dependent(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and name of what differs between systems."""
    for node in ast.walk(ast.parse(text)) if any(word in text for word in WORDS) else ():
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            yield from ((node.lineno, name) for name in names if name in MODULES | NAMES)
        elif isinstance(node, ast.Attribute) and dotted(node) in NAMES:
            yield node.lineno, dotted(node)
        elif isinstance(node, ast.Call) and dotted(node.func) == "multiprocessing.get_context":
            if [each.value for each in node.args if isinstance(each, ast.Constant)] != ["spawn"]:
                yield node.lineno, "a start method other than spawn"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in TEXTS:
            yield node.lineno, node.value


def depends_on_defaults(text: str) -> Iterator[int]:
    """Yield the lines of calls that read or write a text without its encoding, or write one without its line ends.

    `text=True` reads what another program writes, in the encoding of the system; `errors=` does so too.
    """
    for node in ast.walk(ast.parse(text)) if any(word in text for word in TEXT_CALLS) else ():
        if not isinstance(node, ast.Call):
            continue
        options = {each.arg for each in node.keywords}
        if options & TEXT_OPTIONS and options & PROCESS_OPTIONS and "encoding" not in options:
            yield node.lineno
        method = isinstance(node.func, ast.Attribute)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        mode = {"read_text": "r", "write_text": "w"}.get(name, "") if method else ""
        if name == "open" and len(node.args) > (not method):
            mode = str(getattr(node.args[not method], "value", ""))
        is_text = re.fullmatch("[rwxat+]+", mode) and not (name == "read_text" and node.args)
        wanted = {"encoding", "newline"} if set(mode) & set("wxa") else {"encoding"}
        if is_text and not wanted <= options:
            yield node.lineno


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import os\nif os.name == 'nt':\n    os.kill(1, 2)", ["os.kill", "os.name"]),
        ("def f():\n    import signal", ["signal"]),
        ("from sys import platform\nfrom signal import SIGTERM", ["signal", "sys.platform"]),
        ('x = os.environ.get("APPDATA") or Path.home()', ["APPDATA", "Path.home"]),
        ("multiprocessing.get_context()", ["a start method other than spawn"]),
        ("multiprocessing.get_context('spawn').Process()", []),
        ("import os\nos.path.exists('Library/x')\nsys.version", []),
    ],
)
def test_what_differs_is_found(code: str, names: list[str]) -> None:
    """Imports, attributes and names of variables are found, at any place of a module."""
    assert sorted(name for _, name in dependent(code)) == names


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("p.read_text()", True), ("p.read_text(encoding='ascii')", False), ("package.read_text('RECORD')", False),
        ("p.write_text(x, encoding='utf-8')", True), ("p.write_text(x, encoding='utf-8', newline='')", False),
        ("open(p)", False), ("open(p, 'w', encoding='utf-8')", True),
        ("subprocess.run(c, capture_output=True, text=True)", True), ("run(c, check=True)", False),
        ("Popen(c, stdout=PIPE, text=True, encoding='utf-8')", False), ("Label(text='Play')", False),
        ("p.open('rb')", False), ("p.open('a')", True),
        ("p.open('r', encoding='utf-8')", False), ("write_text(x)", False), ("os.open(p, os.O_RDONLY)", False),
    ],
)  # fmt: skip
def test_texts_of_the_system_are_found(code: str, wrong: bool) -> None:
    """Calls that read or write a text in the encoding, or with the line ends, of the system are found."""
    assert bool(list(depends_on_defaults(code))) is wrong


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """The sources of Rish."""
    return {file: (ROOT / file).read_text(encoding="utf-8") for file in FILES}


def test_only_one_package_knows_systems(texts: dict[str, str]) -> None:
    """No file outside `rish_system` depends on the system by itself, except those that are listed with a reason."""
    assert len(texts) > 900
    found = {file: [f"{file}:{line} {name}" for line, name in dependent(text)] for file, text in texts.items()}
    assert [each for file, lines in found.items() if file not in ALLOWED for each in lines] == []
    assert all(found[file] for file in ALLOWED)


def test_texts_have_an_encoding_and_line_ends(texts: dict[str, str]) -> None:
    """Every text that Rish reads or writes is the same on every system."""
    assert [f"{file}:{line}" for file, text in texts.items() for line in depends_on_defaults(text)] == []
