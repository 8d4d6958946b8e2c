"""A Python console on the live World, without widgets: it runs texts, keeps what they print, and completes names.

A text runs with all rights of the program, as in any Python console.
"""

from __future__ import annotations

import ast
import codeop
import contextlib
import io
import logging
import rlcompleter
import traceback
import warnings
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rish_core import find

from .selection import Selected

if TYPE_CHECKING:
    from ..editor import Editor

FILE = "<console>"
MAX_OUTPUTS = 2_000
"""The greatest number of pieces of output that are kept."""
_MAX_LETTERS = 20_000
"""Letters of one output that are shown."""
Kind = Literal["input", "output", "error"]


@dataclass(frozen=True)
class Piece:
    """A line of input, output or an error. number: counts all pieces."""

    number: int
    kind: Kind
    text: str


class Repl:
    """Runs what a user types. pieces: input and output, the oldest first. names: the variables of the user."""

    def __init__(self) -> None:
        self.pieces: deque[Piece] = deque(maxlen=MAX_OUTPUTS)
        self.count = 0
        self.inputs: list[str] = []
        self.names: dict[str, Any] = {"__name__": "__console__", "__builtins__": __builtins__}

    def put(self, kind: Kind, text: str) -> None:
        """Add a text to the output, one piece for each line."""
        lines = text[:_MAX_LETTERS].rstrip("\n").split("\n")
        if len(text) > _MAX_LETTERS:
            lines.append(f"… {len(text) - _MAX_LETTERS:,} more")
        for line in lines:
            self.count += 1
            self.pieces.append(Piece(self.count, kind, line))

    def use(self, editor: Editor) -> None:
        """Bind the predefined names, such as `world`, to the opened game."""
        import numpy as np

        game = editor.game
        self.names |= {"editor": editor, "game": game, "np": np, "log": logging.getLogger("rish.console")}
        if game is not None:
            world = game.world
            self.names |= {
                "world": world,
                "app": game.app,
                "sel": Selected(game),
                "spawn": lambda *parts: world.entity(world.spawn(*parts)),
                "find": lambda name: None if (handle := find(world, name)) is None else world.entity(handle),
            }
            for cls in world.tables:
                self.names.setdefault(cls.__name__, cls)

    def complete(self, text: str) -> bool:
        """Return whether a text can run as it is; False if more lines have to follow."""
        last = text.rpartition("\n")[2]
        if "\n" in text and last[:1].isspace() and last.strip():
            return False  # an empty line ends a block
        try:
            with warnings.catch_warnings(action="ignore"):
                return codeop.compile_command(text, FILE, "exec") is not None
        except (SyntaxError, ValueError, OverflowError):
            return True

    def run(self, editor: Editor, text: str) -> None:
        """Run a text as one step of the history, named by its first line. If it raises, its changes are undone."""
        if not text.strip():
            return
        for number, line in enumerate(text.rstrip().split("\n")):
            self.put("input", f"{'... ' if number else '>>> '}{line}")
        if not self.inputs or self.inputs[-1] != text:
            self.inputs.append(text)
        self.use(editor)
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), _step(editor, text):
                self._execute(text)
        except KeyboardInterrupt:
            self._flush(out)
            self.put("error", "KeyboardInterrupt: it was stopped, and its changes are undone")
        except BaseException as error:
            self._flush(out)
            self.put("error", _report(error))
        else:
            self._flush(out)

    def _flush(self, out: io.StringIO) -> None:
        if out.getvalue():
            self.put("output", out.getvalue())

    def _execute(self, text: str) -> None:
        """Run the statements; the value of a last expression is printed and kept as `_`."""
        tree = ast.parse(text, FILE)
        last = tree.body[-1] if tree.body else None
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, FILE, "exec"), self.names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), FILE, "eval"), self.names)
            if value is not None:
                self.names["_"] = value
                print(repr(value))

    def completions(self, text: str) -> tuple[str, list[str]]:
        """Return the incomplete name at the end of a text, and the names that complete it."""
        start = len(text)
        while start and (text[start - 1].isalnum() or text[start - 1] in "_."):
            start -= 1
        word = text[start:]
        if not word or word[0].isdigit():
            return "", []
        names: list[str] = []
        completer = rlcompleter.Completer(self.names)
        with contextlib.suppress(Exception), warnings.catch_warnings(action="ignore"):
            while len(names) < 200 and (name := completer.complete(word, len(names))) is not None:
                names.append(name)
        return word, sorted({name.rstrip(" ()") for name in names})


def _step(editor: Editor, text: str) -> contextlib.AbstractContextManager[None]:
    game = editor.game
    if game is None:
        return contextlib.nullcontext()
    return game.edit(f"Console: {text.strip().partition(chr(10))[0][:60]}")


def _report(error: BaseException) -> str:
    """Return the part of a traceback that belongs to the user's text; of a syntax error, the message alone."""
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return "".join(traceback.format_exception_only(error)).rstrip()
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != FILE:
        trace = trace.tb_next
    return "".join(traceback.format_exception(type(error), error, trace)).rstrip()
