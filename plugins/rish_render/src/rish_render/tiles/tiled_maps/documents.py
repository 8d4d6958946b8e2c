"""One form for the documents of Tiled, XML or JSON: a tree of `Node`s with the keys of Tiled's JSON format.

XML is converted: child elements become the keys that they have in JSON, and its texts stay texts. The accessors of a
`Node` accept both, so that the rest of the reader knows one format. Files of Tiled 1.0 to 1.12 are accepted, and what
older JSON writes as mappings (tiles, properties) is converted here too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from rish_core import AssetError
from rish_ecs import Place

from .located_xml import Element, parse_xml

FARTHEST = 2.0**30
"""Numbers of pixels beyond this are ignored."""
_LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}


class Node(dict[str, Any]):
    """A mapping of a document. line: in the file, 0 if it is unknown."""

    line: int = 0

    def text(self, key: str, default: str = "") -> str:
        """Return a member as text."""
        value = self.get(key)
        return default if value is None or isinstance(value, (dict, list)) else str(value)

    def number(self, key: str, default: float = 0.0) -> float:
        """Return a member as a number of drawable size; the default for what is none, as Tiled does."""
        number = self._number(key)
        return number if number is not None and abs(number) < FARTHEST else default

    def whole(self, key: str, default: int = 0) -> int:
        """Return a member as a whole number; the default for what is none."""
        number = self._number(key)
        return int(number) if number is not None and abs(number) < 2.0**53 else default

    def _number(self, key: str) -> float | None:
        value = self.get(key)
        if value is None or isinstance(value, bool):
            return None
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            return None

    def flag(self, key: str, default: bool = False) -> bool:
        """Return a member as truth value, written as true or 1."""
        value = self.get(key)
        return default if value is None else str(value).strip().lower() not in ("", "0", "0.0", "false")

    def nodes(self, key: str) -> list[Node]:
        """Return the mappings in a list; older files write a mapping by id instead of a list."""
        value = self.get(key)
        if isinstance(value, Node):
            rows = [(each, name) for name, each in value.items() if isinstance(each, Node)]
            value = [_with_id(each, name) for each, name in rows]
        return [each for each in value if isinstance(each, Node)] if isinstance(value, list) else []

    def node(self, key: str) -> Node:
        """Return an inner mapping; an empty one if there is none."""
        value = self.get(key)
        return value if isinstance(value, Node) else Node()


def _with_id(node: Node, name: str) -> Node:
    node.setdefault("id", name)
    return node


def parse_document(data: bytes, name: str) -> Node:
    """Return a document of Tiled, XML or JSON. Raises AssetError with the line if it is neither."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _from_xml(parse_xml(data, name))
    return _from_json(data, name)


def _from_json(data: bytes, name: str) -> Node:
    try:
        root = json.loads(data.decode("utf-8-sig"), object_pairs_hook=Node)
    except UnicodeDecodeError:
        raise AssetError(f"{name} is not UTF-8", hint="Save it again with Tiled") from None
    except json.JSONDecodeError as error:
        raise AssetError(f"{Place(name, error.lineno, error.colno)}: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise AssetError(f"{name} can't be read: {error}") from None
    if not isinstance(root, Node):
        raise AssetError(f"{Place(name, 1, 1)}: this is not a file of Tiled")
    root.setdefault("type", "map")
    return root


def as_nodes(value: Any) -> Any:
    """Return data of a JSON file with Nodes instead of mappings."""
    if isinstance(value, dict):
        return Node((str(key), as_nodes(each)) for key, each in value.items())
    return [as_nodes(each) for each in value] if isinstance(value, list) and _has_mappings(value) else value


def _has_mappings(values: list[Any]) -> bool:
    """Whether a list can hold mappings, seen at its first item: the cells of a layer are a million numbers."""
    return bool(values) and isinstance(values[0], (dict, list))


def _from_xml(element: Element) -> Node:
    """Convert an element with everything in it. Elements without a meaning become members of their own name."""
    node = Node(element.attrib)
    node.line = element.line
    if element.tag in ("map", "tileset", "template"):
        node["type"] = element.tag
    elif element.tag in _LAYERS:
        node["type"] = _LAYERS[element.tag]
    for child in element:
        convert = _BELOW.get((element.tag, child.tag)) or _CHILDREN.get(child.tag, _unknown)
        convert(node, child)
    return node


def _unknown(node: Node, child: Any) -> None:
    node.setdefault(child.tag, True)


def _appended(key: str) -> Callable[[Node, Any], None]:
    def add(node: Node, child: Any) -> None:
        node.setdefault(key, []).append(_from_xml(child))

    return add


def _put(key: str) -> Callable[[Node, Any], None]:
    def put(node: Node, child: Any) -> None:
        node[key] = _from_xml(child)

    return put


def _image(node: Node, child: Any) -> None:
    if child.find("data") is not None:
        node["embedded"] = True
    for key, name in (("source", "image"), ("width", "imagewidth"), ("height", "imageheight"),
                      ("trans", "transparentcolor")):  # fmt: skip
        if key in child.attrib:
            node[name] = child.attrib[key]


def _data(node: Node, child: Any) -> None:
    numbers = child.find("tile") is not None or child.find("chunk/tile") is not None
    node["encoding"] = child.attrib.get("encoding") or ("xml" if numbers else "csv")
    node["compression"] = child.attrib.get("compression", "")
    chunks = child.findall("chunk")
    if chunks:
        node["chunks"] = [Node({**chunk.attrib, "data": _cells(chunk, node["encoding"])}) for chunk in chunks]
    else:
        node["data"] = _cells(child, node["encoding"])


def _cells(element: Any, encoding: str) -> Any:
    """Return the cells as text, or as the list of numbers that XML without an encoding writes as elements."""
    if encoding != "xml":
        return element.text or ""
    return [_number(tile.attrib.get("gid") or "0") for tile in element.findall("tile")]


def _number(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _properties(node: Node, child: Any) -> None:
    node.setdefault("properties", []).extend(_property(each) for each in child.findall("property"))


def _property(element: Any) -> Node:
    node = Node(element.attrib)
    node.line = element.line
    inner = element.find("properties")
    if inner is not None:
        node["value"] = [_property(each) for each in inner.findall("property")]
    elif node.get("type") == "list":
        node["value"] = [_property(each) for each in element.findall("item")]
    elif "value" not in node and (element.text or "").strip():
        node["value"] = element.text
    return node


def _points(key: str) -> Callable[[Node, Any], None]:
    def put(node: Node, child: Any) -> None:
        pairs = (pair.partition(",") for pair in child.attrib.get("points", "").split())
        node[key] = [Node(x=x, y=y) for x, _, y in pairs]

    return put


def _mark(key: str) -> Callable[[Node, Any], None]:
    def put(node: Node, child: Any) -> None:
        node[key] = True

    return put


def _text(node: Node, child: Any) -> None:
    node["text"] = Node({**child.attrib, "text": child.text or ""})


def _animation(node: Node, child: Any) -> None:
    node["animation"] = [Node(frame.attrib) for frame in child.findall("frame")]


_CHILDREN: dict[str, Callable[[Node, Any], None]] = {
    **dict.fromkeys(("layer", "imagelayer", "group"), _appended("layers")),
    "objectgroup": _put("objectgroup"),
    "tileset": _appended("tilesets"),
    "tile": _appended("tiles"),
    "object": _appended("objects"),
    "properties": _properties,
    "image": _image,
    "data": _data,
    "animation": _animation,
    "text": _text,
    "polygon": _points("polygon"),
    "polyline": _points("polyline"),
    **{key: _mark(key) for key in ("ellipse", "capsule", "point", "wangsets", "terraintypes")},
    **{key: _put(key) for key in ("tileoffset", "grid", "transformations", "editorsettings")},
}
"""How a child element is converted, by its name."""
_BELOW: dict[tuple[str, str], Callable[[Node, Any], None]] = {
    ("map", "objectgroup"): _appended("layers"),
    ("group", "objectgroup"): _appended("layers"),
    ("template", "tileset"): _put("tileset"),
    ("template", "object"): _put("object"),
}
"""The same for those that mean something else below a certain element."""


def color_of(text: str) -> tuple[float, float, float, float] | None:
    """Return red, green, blue and opacity, 0 to 1, of `#RRGGBB` or `#AARRGGBB`; None for anything else."""
    digits = text.strip().removeprefix("#")
    if len(digits) == 3:
        digits = "".join(letter * 2 for letter in digits)
    if len(digits) == 6:
        digits = "ff" + digits
    try:
        parts = bytes.fromhex(digits)
    except ValueError:
        return None
    if len(parts) != 4:
        return None
    return parts[1] / 255, parts[2] / 255, parts[3] / 255, parts[0] / 255


def angle_of(node: Node) -> float:
    """Return the rotation of an object, radians clockwise."""
    return math.radians(math.fmod(node.number("rotation"), 360.0))
