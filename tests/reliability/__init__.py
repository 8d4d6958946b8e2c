"""Checks that try something many times and count how often it fails: damaged files, killed processes, determinism.

    python -m tests.reliability --quick
    python -m tests.reliability --only damaged-manifests --json reliability.json

A test says whether a promise holds; a check here says how reliably, with many tries. Each is a function with
`@check`, see `registry`, in a module that `CHECKS` names.
"""

CHECKS = ("damage", "determinism", "kills")
"""The modules with checks."""
