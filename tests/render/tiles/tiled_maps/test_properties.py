"""Properties of Tiled in both formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

XML = """\
<map width="0" height="0" tilewidth="16" tileheight="16"><properties>
 <property name="text" value="5"/>
 <property name="lines">one
two</property>
 <property name="none"/>
 <property name="count" type="int" value="5"/>
 <property name="share" type="float" value="0.5"/>
 <property name="on" type="bool" value="true"/>
 <property name="ink" type="color" value="#80ff0000"/>
 <property name="clear" type="color" value=""/>
 <property name="file" type="file" value="a/b.png"/>
 <property name="other" type="object" value="7"/>
 <property name="stats" type="class" propertytype="Stats"><properties>
  <property name="hp" type="int" value="9"/>
  <property name="ink" type="color" value="#ff00ff00"/>
  <property name="inner" type="class"><properties>
   <property name="deep" type="bool" value="false"/>
  </properties></property>
 </properties></property>
 <property name="bare" type="class" propertytype="Stats"/>
 <property name="many" type="list"><item type="int" value="1"/><item value="a"/><item type="list">
  <item value="b"/>
 </item></property>
</properties></map>
"""
VALUES = {
    "text": "5", "lines": "one\ntwo", "none": "", "count": 5, "share": 0.5, "on": True,
    "ink": pytest.approx((1, 0, 0, 128 / 255)), "clear": (0, 0, 0, 0), "file": "a/b.png", "other": 7,
    "stats": {"hp": 9, "ink": pytest.approx((0, 1, 0, 1)), "inner": {"deep": False}}, "bare": {},
    "many": [1, "a", ["b"]],
}  # fmt: skip


def test_both_formats_give_the_same_values(maps: Any, tmp_path: Path) -> None:
    """All types of properties have the same values in XML and JSON: classes are mappings, colors are from 0 to 1."""
    (tmp_path / "m.tmx").write_text(XML)
    assert maps.build(tmp_path, "m.tmx").properties == VALUES
    stats = {"hp": 9, "ink": "#ff00ff00", "inner": {"deep": False}}
    many = [{"type": "int", "value": 1}, {"type": "string", "value": "a"},
            {"type": "list", "value": [{"type": "string", "value": "b"}]}]  # fmt: skip
    given: dict[str, Any] = {
        "text": ("string", "5"), "lines": ("string", "one\ntwo"), "none": ("string", ""), "count": ("int", 5),
        "share": ("float", 0.5), "on": ("bool", True), "ink": ("color", "#80ff0000"), "clear": ("color", ""),
        "file": ("file", "a/b.png"), "other": ("object", 7), "stats": ("class", stats), "bare": ("class", {}),
        "many": ("list", many),
    }  # fmt: skip
    rows = [{"name": name, "type": kind, "value": value} for name, (kind, value) in given.items()]
    (tmp_path / "m.tmj").write_bytes(maps.as_json(maps.tiled_map([], properties=rows)))
    assert maps.build(tmp_path, "m.tmj").properties == VALUES


def test_a_value_that_is_not_of_its_type_is_said_and_left_out(
    maps: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A value that does not fit its type, and an unknown type, are logged; other properties are read."""
    rows = [
        {"name": "a", "type": "int", "value": "many"}, {"name": "b", "type": "matrix", "value": 3},
        {"name": "c", "type": "color", "value": "pink"}, {"name": "d", "type": "int", "value": 4},
    ]  # fmt: skip
    (tmp_path / "m.tmj").write_bytes(maps.as_json(maps.tiled_map([], properties=rows)))
    assert maps.build(tmp_path, "m.tmj").properties == {"b": 3, "d": 4}
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "m.tmj: the property 'a' is 'many', which is no int, so it is left out",
        "m.tmj: the property 'b' has the unknown type 'matrix', so it is taken as it is written",
        "m.tmj: the property 'c' is 'pink', which is no color, so it is left out",
    ]
