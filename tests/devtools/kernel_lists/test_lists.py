"""What is called is compared with the lists of a game's packages."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import rish_jit
from rish_devtools.kernel_lists.lists import unlisted
from rish_devtools.kernel_lists.recorder import Use
from rish_jit import Features, Listed


@pytest.fixture
def app(tmp_path: Path) -> Any:
    """Return an object with the kernels of a game that has one list: a kernel for one of the plugin's features."""
    rish_jit.write_list(tmp_path / rish_jit.LIST_FILE, [Listed("a.push", "(f8,)", ("wind",))])
    return SimpleNamespace(kernels=Features({"weather": tmp_path}))


def test_play_may_call_what_any_list_names(app: Any) -> None:
    """Play lacks what no list names; with other types it is another kernel."""
    assert unlisted(app, [Use("a.push", "(f8,)", "main")]) == []
    missing = [Use("a.push", "(i8,)", "main"), Use("a.pull", "(f8,)", "main")]
    assert unlisted(app, missing) == missing


def test_a_feature_lacks_what_is_listed_for_others_only(app: Any) -> None:
    """A feature needs its own entries, because its kernels are compiled before it is called."""
    assert unlisted(app, [Use("a.push", "(f8,)", "main", "weather", "wind")]) == []
    missing = [Use("a.push", "(f8,)", "main", "weather", "rain")]
    assert unlisted(app, missing) == missing
