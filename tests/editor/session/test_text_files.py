"""Text files keep their form, and the field that edits them keeps every letter."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core import UsageError
from rish_editor.session.texts.files import read_text
from rish_editor.ui.code import CodeField
from rish_editor.ui.code.yaml_lines import parts_of


@pytest.mark.parametrize("data", [
    b"a\nb\n", b"a\r\nb", b"a\rb\r", b"", codecs.BOM_UTF8 + b"a\r\n", "中😀\n".encode("utf-16"),
    "# coding: latin-1\nx = 'é'\n".encode("latin-1"), b"a\nb\r\nc\rd",
])  # fmt: skip
def test_encoding_mark_and_line_ends_stay(tmp_path: Path, data: bytes) -> None:
    """A file that is written as it was read has the same bytes; a new line has the usual end, others keep theirs."""
    path = tmp_path / "a.py"
    path.write_bytes(data)
    file = read_text(path)
    assert file.encoded(file.text) == data
    again = file.write(f"# new\n{file.text}")
    assert again.text == f"# new\n{file.text}"
    assert read_text(path).text == again.text
    whole, after = data.decode(file.encoding), path.read_bytes().decode(file.encoding)
    assert after.endswith(whole.removeprefix("\ufeff"))


def test_letters_that_an_encoding_lacks_and_binary_data_are_refused(tmp_path: Path) -> None:
    """A letter that the file's encoding lacks is named and nothing is written; data that is no text is not read."""
    path = tmp_path / "a.py"
    path.write_bytes(b"# coding: latin-1\n")
    with pytest.raises(UsageError, match="中"):
        read_text(path).write("# coding: latin-1\n中")
    assert path.read_bytes() == b"# coding: latin-1\n"
    for data in (b"a\0b", b"\xff\xfe\xfd", b"\x89PNG\r\n\x1a\n\0"):
        path.write_bytes(data)
        with pytest.raises(UsageError, match=r"a\.py"):
            read_text(path)


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=40),
       st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=40))  # fmt: skip
def test_the_field_keeps_every_letter(before: str, after: str) -> None:
    """A field gives the text that it was given, also after it was replaced and that was undone."""
    field = CodeField(before)
    assert field.text == before
    field.replace(after)
    assert field.text == after
    if before != after:
        field.undo()
    assert field.text == before


def test_parts_of_yaml() -> None:
    """Keys, strings, numbers, words and comments of a line are told apart; signs within words are none."""
    line = "- {name: red, at: [-1, 0.5], on: 'a: b', see: http://x/#y, yes: true}  # c: d"
    ends = [*(start for start, _ in parts_of(line)[1:]), len(line)]
    found = [(line[start:end].strip(), part) for (start, part), end in zip(parts_of(line), ends, strict=True)]
    assert [text for text, part in found if part == "key"] == ["name", "at", "on", "see", "yes"]
    assert [text for text, part in found if part == "number"] == ["-1", "0.5"]
    assert ("'a: b'", "string") in found
    assert ("http://x/#y", "plain") in found
    assert ("true", "keyword") in found
    assert found[-1] == ("# c: d", "comment")
