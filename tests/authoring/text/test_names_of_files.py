"""Messages about a text that is edited name its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_authoring import GameText
from rish_core import UsageError, read_manifest


@pytest.mark.parametrize("broken", ["scenes: {main: [\n", "scenes:\n  main:\n - {}\n", "a: 'b\n"])
def test_a_text_with_mistakes_is_named_by_its_file(tmp_path: Path, broken: str) -> None:
    """A mistake in the manifest, or in a file that it includes, has the file, the line and the column."""
    (tmp_path / "game.yaml").write_text("rish: 1\ninclude: [more.yaml]\n")
    (tmp_path / "more.yaml").write_text("scenes: {main: []}\n")
    text = GameText(read_manifest(tmp_path))
    for name in ("game.yaml", "more.yaml"):
        path = (tmp_path / name).resolve()
        with pytest.raises(UsageError, match=rf"{name}:\d+:\d+"):
            text.put_texts({path: broken})
        path.write_text(broken)
        with pytest.raises(UsageError, match=rf"{name}:\d+:\d+"):
            GameText(text.manifest)
        path.write_text("{}\n")
