"""Imports of names that are not public are found."""

from __future__ import annotations

from rish_devtools.conformance.public_names import private_imports


def test_an_inner_name_is_found_with_what_to_write() -> None:
    """Unlisted modules, private names and imports of modules are reported, each with the import to write instead."""
    text = "from rish_core.app import App\nfrom rish_ecs.world import _Rows\nimport rish_frame.host.host\n"
    assert [said for _, said in private_imports(text, "")] == [
        "from rish_core.app import App: write `from rish_core import App`",
        "from rish_ecs.world import _Rows: _Rows is not public anywhere in rish_ecs",
        "import rish_frame.host.host: it is not public",
    ]
    assert list(private_imports("from rish_core.app import App\nfrom rish_jit import njit\n", "rish_core")) == []
