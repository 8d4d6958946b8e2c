"""Runs the checks, prints a table and writes JSON; exits with 1 if anything failed."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))

from . import CHECKS
from .registry import REGISTRY, run


def main(arguments: list[str] | None = None) -> int:
    """Run the chosen checks; return the exit code."""
    for module in CHECKS:
        importlib.import_module(f"{__package__}.{module}")
    parser = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few tries of each check, about a minute")
    parser.add_argument("--only", action="append", choices=sorted(REGISTRY), help="this check; may be repeated")
    parser.add_argument("--tries", type=int, help="the number of tries of each check")
    parser.add_argument("--seed", type=int, default=0, help="of the first try, as a failure names it")
    parser.add_argument("--json", type=Path, help="a file for the findings")
    options = parser.parse_args(arguments)
    findings = []
    print(f"{'check':<24} {'tries':>6} {'failed':>6} {'worst':>10}")
    for name in options.only or REGISTRY:
        one = REGISTRY[name]
        tries = options.tries or (one.quick if options.quick else one.whole)
        found = run(one, tries, options.seed)
        findings.append(found)
        print(f"{name:<24} {found.tries:>6} {found.failures:>6} {found.worst:>8.3g} {found.unit}", flush=True)
        for seed, reason in found.failed.items():
            print(f"    --only {name} --seed {seed} --tries 1: {reason}")
    if options.json is not None:
        options.json.write_text(json.dumps([found.plain() for found in findings], indent=1) + "\n", encoding="utf-8")
    return int(any(found.failures for found in findings))


if __name__ == "__main__":
    sys.exit(main())
