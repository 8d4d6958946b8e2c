"""Runs the examples of one page of documentation, as a reader would; run as a script, in a process of its own.

    python play.py PAGE FOLDER

The words after the language of a fenced block say what to do. `file=PATH`: the block is written to that path. `run`: it
is executed, the lines after `$ ` as commands in the folder; the lines after a command are its expected output (`...`
matches anything). `fails`: exit code 2 is expected. A page that continues another one says so in a comment, `<!--
examples after: page.md -->`, and finds its files. `pip install ./folder` works without a network: the package's module
and entry points are put into a folder on `sys.path`, as pip would do. The exit code is 1, with a report, if an example
does not do what the page says.
"""

from __future__ import annotations

import importlib
import io
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from fresh_python import run_python, start_server

AFTER = re.compile(r"<!-- examples after: (\S+) -->")
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=indent)```$", re.M | re.S)

WATCHED = "60" if os.environ.get("RISH_LONG") else "10"
"""The number of frames of a game that a reader would watch in a window."""


class Wrong(Exception):
    """An example that does not do what its page says."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the words after it, the text and the number of its first line."""

    language: str
    words: tuple[str, ...]
    body: str
    line: int

    @property
    def file(self) -> str:
        """The path that it is written to, or an empty text."""
        return next((word.removeprefix("file=") for word in self.words if word.startswith("file=")), "")


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    for found in FENCE.finditer(text):
        language, *words = found["info"].split() or [""]
        body = "".join(line.removeprefix(found["indent"]) for line in found["body"].splitlines(keepends=True))
        yield Block(language, tuple(words), body, text.count("\n", 0, found.start()) + 1)


def commands(body: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a console block, each with its expected output."""
    for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield command.partition("  #")[0].strip(), output.strip("\n")


class Player:
    """Runs blocks in a folder. site: where packages are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = folder.parent / "site"
        self.site.mkdir(exist_ok=True)
        sys.path.insert(0, str(self.site))

    def play(self, block: Block) -> None:
        """Write or execute one block. Raises Wrong."""
        if block.file:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8")
        elif block.language == "python":
            exec(compile(block.body, f"line {block.line}", "exec"), {"__name__": "example"})
        else:
            for command, expected in commands(block.body):
                code, output = self.execute(shlex.split(command.removeprefix("uv run ").removeprefix("uv ")))
                if code != (2 if "fails" in block.words else 0):
                    raise Wrong(f"$ {command}\nanswers {code}:\n{output}")
                if expected and not matches(expected, output):
                    raise Wrong(f"$ {command}\nprints:\n{output}\n\nthe page says:\n{expected}")

    def execute(self, words: list[str]) -> tuple[int, str]:
        """Run a command; return the exit code and its output."""
        if words[:2] == ["pip", "install"]:
            for name in words[2:]:
                self.install(self.folder / name)
            return 0, ""
        if words[0] == "rish":
            if words[1] == "run" and not {"--frames", "--headless", "--bisect"} & {*words}:
                words = [*words, "--frames", WATCHED]
            from rish_core import launcher

            said = io.StringIO()
            with redirect_stdout(said), redirect_stderr(said):
                try:
                    code = launcher.main(words[1:])
                except SystemExit as end:
                    code = int(end.code or 0)
            return code, said.getvalue()
        if words[0] in ("pytest", "python"):
            quick = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "rish_devtools.testing"]
            start = quick if words[0] == "pytest" else []
            environment = {**os.environ, "PYTHONPATH": str(self.site), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
            done = run_python(*start, *words[1:], cwd=self.folder, env=environment)
            return done.returncode, done.stdout + done.stderr
        raise Wrong(f"examples can't run {words[0]!r}")

    def install(self, package: Path) -> None:
        """Put a package of one module where importlib finds it, with its metadata."""
        project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for module in package.glob("*.py"):
            (self.site / module.name).write_text(module.read_text(encoding="utf-8"), encoding="utf-8")
            sys.modules.pop(module.stem, None)
        about = self.site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        about.mkdir(exist_ok=True)
        needs = "".join(f"Requires-Dist: {need}\n" for need in project.get("dependencies", []))
        head = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        (about / "METADATA").write_text(head + needs, encoding="utf-8")
        record = "".join(f"{module.name},,\n" for module in package.glob("*.py"))
        (about / "RECORD").write_text(record, encoding="utf-8")
        lines = []
        for group, entries in project.get("entry-points", {}).items():
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
        (about / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        importlib.invalidate_caches()


def matches(expected: str, output: str) -> bool:
    """Return True if the output equals the expected one, except for parts matched by `...` and trailing spaces."""
    want, have = ("\n".join(line.rstrip() for line in text.strip().splitlines()) for text in (expected, output))
    pattern = ".*?".join(re.escape(part) for part in want.split("..."))
    return re.fullmatch(pattern, have, re.S) is not None


def main(page: str, folder: str) -> int:
    """Run the examples of a page; return 1 and print a report if one fails."""
    start_server()
    text = Path(page).read_text(encoding="utf-8")
    before = Path(page).resolve().parent
    os.chdir(folder)
    player = Player(Path.cwd())
    for name in AFTER.findall(text):
        for block in blocks((before / name).read_text(encoding="utf-8")):
            if block.file:
                player.play(block)
    for block in blocks(text):
        if block.file or "run" in block.words:
            try:
                player.play(block)
            except Wrong as wrong:
                print(f"{page}:{block.line}: {wrong}", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
