"""What a package offers besides systems: commands of `rish`, and providers of contracts, which have tests."""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from xml.etree import ElementTree

from rish_core import describe_error
from rish_ecs import Place
from rish_system import run_text

from ..checked_plugin import Subject
from ..clause import Finding, clause
from .packaging import command_points

GROUP = "rish.conformance"
"""The entry points of the tests of contracts: a contract or a hook, and the class of its tests."""


@clause("C17", "Its commands explain themselves", beside=True)
def check_commands(subject: Subject) -> Iterator[Finding]:
    """Each command that the package adds to `rish` has a docstring, `add_arguments` and `run`; `--help` describes it
    and each of its arguments.
    """
    for point in command_points(subject):
        place = Place(f"{subject.candidate.distribution}: command '{point.name}'")
        try:
            module = point.load()
            parser = argparse.ArgumentParser(prog=f"rish {point.name}", description=module.__doc__)
            module.add_arguments(parser)
            with contextlib.redirect_stdout(io.StringIO()) as shown:
                parser.print_help()
        except BaseException as error:
            yield Finding(f"its help fails: {describe_error(error)}", place)
            continue
        if not (module.__doc__ or "").strip() or not shown.getvalue():
            yield Finding("its module has no docstring", place, "Write one sentence for `rish COMMAND --help`")
        if not callable(getattr(module, "run", None)):
            yield Finding("its module has no function run(arguments)", place, "Write def run(arguments): ... return 0")
        for action in parser._actions:
            if not action.help:
                yield Finding(f"the argument {action.dest} has no help", place, 'Write add_argument(..., help="...")')


@clause("C41", "It passes the tests of the contracts that it provides", needs=("C03",), beside=True)
def check_contracts(subject: Subject) -> Iterator[Finding]:
    """A package adds the tests of a contract by the entry-point group `rish.conformance`: the name of the contract and
    a class of tests. They run for each plugin that provides the contract, with `plugin` set to its module. An entry
    point with the name of a hook, such as `rish_backends`, is for each thing in the mapping that a plugin returns from
    that hook, with `make` set to it.
    """
    for point in entry_points(group=GROUP):
        for name, given in _things(subject, point):
            yield from _test(subject, point, name, given)


def _things(subject: Subject, point: EntryPoint) -> Iterator[tuple[str, str]]:
    """Yield a name for each thing that the tests of an entry point are for, and how it is given to their class."""
    if not point.name.startswith("rish_"):
        if point.name in subject.candidate.contracts:
            yield subject.name, "plugin = plugin"
        return
    declare = getattr(subject.module, point.name, None)
    mapping = declare() if callable(declare) else {}
    for name in mapping if isinstance(mapping, Mapping) else ():
        yield name, f"make = staticmethod(plugin.{point.name}()[{name!r}])"


_TEST = """
from rish_core.plugin import installed_plugins
from {module} import {cls} as Contract

plugin = next(each for each in installed_plugins() if each.name == {plugin!r}).load()


class TestContract(Contract):
    {given}
"""


def _test(subject: Subject, point: EntryPoint, name: str, given: str) -> Iterator[Finding]:
    if importlib.util.find_spec("pytest") is None:
        yield Finding(f"the tests of {point.name} need pytest", None, "pip install pytest")
        return
    folder = subject.scratch / f"contract-{point.name}-{name}"
    folder.mkdir()
    module, _, cls = point.value.partition(":")
    file, report = folder / "test_contract.py", folder / "report.xml"
    text = _TEST.format(module=module, cls=cls, plugin=subject.name, given=given)
    file.write_text(text, encoding="utf-8", newline="\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={folder}"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = [*command, "-c", os.devnull, f"--junitxml={report}", str(file)]
    process = run_text(run, folder=folder, variables=environment)
    place = subject.place
    if not report.is_file():
        yield Finding(f"the tests of {point.name} could not run: {process.stdout[-200:]}{process.stderr[-200:]}", place)
        return
    for case in ElementTree.parse(report).iter("testcase"):
        for failure in (*case.iter("failure"), *case.iter("error")):
            message = (failure.get("message") or "").strip().partition("\n")[0][:200]
            yield Finding(f"'{name}' fails {case.get('name')} of {point.name}: {message}", place, f"See {module}")
