"""The guarded YAML reader: plain data with places, safe for hostile files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.errors import ManifestError
from rish_core.manifest.nodes import Spot, YamlList, YamlMap, marked, path_text
from rish_core.manifest.yaml import MAX_PROBLEMS, load_yaml, read_yaml
from rish_ecs import Place
from rish_ecs.declarations import written

TEXT = """\
a: 1
b:
  - {x: two, y: [3, 4.5]}
  - no
"010": 'true'
"""


def sentences(text: str) -> list[str]:
    """Return the mistakes of a text."""
    return [str(problem) for problem in read_yaml(text, "g.yaml").problems]


def test_data_is_plain_and_equal_to_plain_data():
    """Maps are dicts, lists are lists, and keys are the text as written."""
    data = load_yaml(TEXT).data
    assert data == {"a": 1, "b": [{"x": "two", "y": [3, 4.5]}, "no"], "010": "true"}
    assert isinstance(data, dict)
    assert isinstance(data["b"], list)


def test_every_value_knows_its_line_and_column():
    """Places count from 1; an unknown path gives its nearest ancestor."""
    document = load_yaml(TEXT, "g.yaml")
    assert document.place("b", 0, "y", 1) == Place("g.yaml", 3, 21)
    assert document.place("b", 7) == document.place("b")
    assert document.place("b", 0, "x") == Place("g.yaml", 3, 9)
    assert document.data["b"][0].keys_at["y"].column == 13
    assert str(document.place("a")) == "g.yaml:1:4"


def test_a_file_is_read_with_its_name(tmp_path, monkeypatch):
    """A Path is read as a file, and its name in places is relative to the working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.yaml").write_text(TEXT)
    assert str(load_yaml(tmp_path / "g.yaml").place("a")) == "g.yaml:1:4"
    with pytest.raises(ManifestError, match="can't be read"):
        load_yaml(tmp_path / "missing.yaml")


def test_aliases_stand_for_what_was_anchored():
    """Anchors on scalars, lists, maps and keys can be aliased."""
    assert load_yaml("&k a: &x [1, &y 2]\nb: *x\nc: *y\nd: *k").data == {
        "a": [1, 2],
        "b": [1, 2],
        "c": 2,
        "d": "a",
    }


BAD = {
    "deep list": ("[" * 200_000, "is nested too deep"),
    "deep map": ("{a: " * 100_000, "is nested too deep"),
    "deep block": ("\n".join("  " * i + "a:" for i in range(1000)), "is nested too deep"),
    "merge": ("a: &a {x: 1}\nb: {<<: *a}", "g.yaml:2:5: b.<<: merge keys"),
    "laughs": (
        "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 9)}]\n" for i in range(9)),
        "too many values",
    ),
    "deep laughs": (
        "a: &a0 [1]\n" + "".join(f"a{i}: &a{i} [[*a{i - 1}]]\n" for i in range(1, 99)),
        "too deep",
    ),
    "self": ("a: &a [*a]", "g.yaml:1:8: a[0]: '*a' refers to itself"),
    "python tag": ("a: !!python/object/apply:os.system ['x']", "g.yaml:1:4: a: tags are not supported"),
    "own tag": ("a: !foo 1", "delete '!foo'"),
    "key tag": ("!!str a: 1", "tags are not supported"),
    "nan": ("a: .nan", "g.yaml:1:4: a: .nan is not a finite number"),
    "big integer": ("a: " + "9" * 5000, "g.yaml:1:4: a: a whole number of 5000 digits"),
    "tab": ("a:\n\tb: 1", "a tab can't indent"),
    "nul": ("a: \0", "g.yaml:1:4: holds the control character U+0000"),
    "quoted nul": ('a: "x\\0y"', "NUL"),
    "nul key": ('"\\0": 1', "NUL"),
    "byte order mark": ("\ufeffa: 1", "g.yaml:1:1: begins with a byte order mark"),
    "second mark": ("a: \ufeff", "U+FEFF"),
    "surrogate": ("a: \ud800", "is not UTF-8"),
    "duplicate": ("a: 1\nb: {a: 2, a: 3}", "g.yaml:2:11: b.a: the key 'a' occurs twice, first in line 2"),
    "empty": ("", "g.yaml: is empty"),
    "comment": ("# nothing", "is empty"),
    "empty key": ("'': 1", "a key is empty"),
    "two documents": ("a: 1\n---\nb: 2", "g.yaml:2:1: a second document"),
    "list key": ("? [a]\n: 1", "a key must be text"),
    "alias key": ("a: &x 1\n*x : 2", "a key must be written out"),
    "no anchor": ("a: *x", "is undefined"),
    "unclosed": ("a: [1, 2\nb: 3", "is not valid YAML: a ',' or ']' is missing"),
    "colon": ("a: b: c", "g.yaml:1:5: is not valid YAML: a ':' is not allowed here"),
    "quote": ("a: 'x\nb: 2\n", "the file ends inside quotes (the unfinished part begins in line 1)"),
    "at sign": ("a: @x", "put it into quotes"),
    "directive": ("%FOO\n---\na: 1", "is not valid YAML"),
    "many": ("[" + "1," * 300_000 + "]", "too many values"),
    "large": ("a: " + "x" * (6 * 1024**2), "is too large"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_refused(name):
    """Each bad file is reported with its place and without a traceback."""
    text, expected = BAD[name]
    found = sentences(text)
    assert any(expected in sentence for sentence in found), found


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("a: 1".encode("utf-16"), "UTF-16"),
        (b"a: 1\nb: \xff", "2:4"),
        (b"\xef\xbb\xbfa: 1", "byte order mark"),
        (b"", "empty"),
    ],
)
def test_only_utf8_is_read(tmp_path, raw, expected):
    """Other encodings than UTF-8 are refused by name."""
    (tmp_path / "g.yaml").write_bytes(raw)
    found = [str(problem) for problem in read_yaml(tmp_path / "g.yaml").problems]
    assert any(expected in sentence for sentence in found), found


def test_mistakes_that_leave_the_rest_readable_are_reported_together():
    """Mistakes that do not stop the reader are reported together, up to a hundred."""
    assert len(sentences("a: !x 1\na: .inf\nb: {<<: 1}")) == 4
    assert len(sentences("\n".join("a: 1" for _ in range(1000)))) == MAX_PROBLEMS + 1


def test_values_set_from_code_get_marks():
    """Plain data that a plugin adds from code gets marks."""
    data = load_yaml("a: {b: 1}", "g.yaml").data
    data["c"] = {"d": [1, {"e": 2}]}
    data["a"].update(f=3)
    assert data.setdefault("a", 5) == {"b": 1, "f": 3}
    assert data.setdefault("g", (1, 2)) == [1, 2]
    assert isinstance(data["c"], YamlMap)
    assert isinstance(data["c"]["d"], YamlList)
    assert data["c"].values_at["d"].line == 0
    made = marked({"x": {"y": 1}}, Spot("there"))
    assert made.mark.name == "there"
    assert marked(made, Spot("elsewhere")) is made


def test_paths_are_written_as_people_say_them():
    """Paths are written with dots between keys and indices in brackets."""
    assert path_text(("scenes", "main", 3, "Body")) == "scenes.main[3].Body"
    assert path_text([0, "a"]) == "[0].a"


@given(
    st.recursive(
        st.one_of(
            st.none(), st.booleans(), st.integers(-(2**63), 2**63),
            st.text(st.characters(codec="utf-8", exclude_categories=["C"])), st.floats(-1e6, 1e6, width=32),
        ),
        lambda inner: st.lists(inner, max_size=3), max_leaves=6,
    )
)  # fmt: skip
def test_what_is_written_is_read_back(value):
    """Written numbers, texts and lists are read back as the same."""
    read = load_yaml(f"a: {{b: {written(value)}}}").data["a"]["b"]
    assert written(read) == written(value)
