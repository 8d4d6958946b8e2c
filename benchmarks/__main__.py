"""`python -m benchmarks NAME [--quick] [--json FILE]`: measure Rish and compare it with other engines."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .harness import Progress

_TOOLS = ("harness",)


def names() -> list[str]:
    """Return the names of the benchmarks: this folder's modules, except the harness and private modules."""
    modules = (path.stem for path in Path(__file__).parent.glob("*.py"))
    return sorted(name for name in modules if not name.startswith("_") and name not in _TOOLS)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return its exit code: 0 success, 1 a case failed, 2 wrong arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure Rish beside its peers; ratios are ours ÷ theirs."
    )
    parser.add_argument("name", metavar="NAME", help=f"one of: {', '.join(names())}")
    parser.add_argument("--quick", action="store_true", help="only the cases with a limit, within 40 seconds")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the results there too; - prints only them")
    parser.add_argument("--markdown", action="store_true", help="print the table in Markdown")
    parser.add_argument("--only", metavar="CASE", nargs="+", default=[], help="only these cases")
    given = parser.parse_args(arguments)
    if given.name not in names():
        near = difflib.get_close_matches(given.name, names(), n=1)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        parser.error(f"no benchmark is called {given.name!r}{meant}; there are {', '.join(names())}")
    return _run(f"benchmarks.{given.name}", given)


def _run(module: str, given: argparse.Namespace) -> int:
    from ._report import as_json, as_markdown, print_results
    from .harness import FULL, QUICK, load_cases, notes_of, run_benchmark

    known = [case.name for case in load_cases(module)]
    unknown = [name for name in given.only if name not in known]
    if unknown:
        print(f"no case is called {unknown[0]!r}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    with _progress() as progress:
        results = run_benchmark(module, QUICK if given.quick else FULL, only=given.only, progress=progress)
    text = json.dumps(as_json(results), indent=1, ensure_ascii=False) + "\n"
    if given.json == Path("-"):
        sys.stdout.write(text)
    elif given.markdown:
        sys.stdout.write(as_markdown(results))
    else:
        print_results(results)
    if given.json != Path("-"):
        sys.stdout.write(notes_of(module, results))
    if given.json is not None and given.json != Path("-"):
        given.json.write_text(text, encoding="utf-8")
    return 1 if results.failed else 0


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """Show a progress bar on standard error if that is a terminal; otherwise yield None."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda name, number, total: bar.update(task, description=name, completed=number, total=total)


if __name__ == "__main__":
    sys.exit(main())
