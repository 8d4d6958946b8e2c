"""From the bytes of a .gltf or .glb to the JSON and the binary chunk, within limits of size, count and depth."""

from __future__ import annotations

import json
import struct
from typing import Any, NoReturn, cast

from ..element import Element, Reading

_MAGIC = b"glTF"
_JSON, _BIN = 0x4E4F534A, 0x004E4942
_DIGITS = 20
SUPPORTED = (
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
)
"""The extensions that are read."""
_HELP = {
    "KHR_draco_mesh_compression": "Export the model without Draco compression",
    "EXT_meshopt_compression": "Export the model without meshopt compression",
    "KHR_texture_basisu": "Export the model with PNG or JPEG textures",
    "KHR_materials_pbrSpecularGlossiness": "Convert the materials to metallic-roughness",
}


def open_container(reading: Reading, data: bytes) -> tuple[Element, bytes | None]:
    """Return the root of the JSON and the binary chunk of a .glb."""
    if len(data) > reading.limits.file_bytes:
        reading.fail("", f"has {len(data):,} bytes", "If you trust the file, raise `file_bytes` of Limits")
    text, binary = _chunks(reading, data) if data[:4] == _MAGIC else (data, None)
    root = Element(reading, "", _parse(reading, text))
    _check_asset(root)
    _check_extensions(root)
    return root, binary


def _chunks(reading: Reading, data: bytes) -> tuple[bytes, bytes | None]:
    """Return the JSON chunk and the binary chunk of a .glb."""
    if len(data) < 20:
        reading.fail("header", f"the file ends after {len(data)} bytes; a .glb has at least 20")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        reading.fail("header", f"the container has version {version}, only 2 is read", "Export as glTF 2.0")
    if length > len(data):
        reading.fail("header", f"says {length:,} bytes, the file has {len(data):,}", "Copy or download the file again")
    chunks: list[tuple[int, bytes]] = []
    at = 12
    while at + 8 <= length and len(chunks) < 2:
        size, kind = struct.unpack_from("<II", data, at)
        if size > length - at - 8:
            reading.fail(f"chunk {len(chunks)}", f"says {size:,} bytes, {length - at - 8:,} are left")
        chunks.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + (size + 3 & ~3)
    if not chunks or chunks[0][0] != _JSON:
        reading.fail("chunk 0", "must be JSON")
    return chunks[0][1], chunks[1][1] if len(chunks) > 1 and chunks[1][0] == _BIN else None


def _parse(reading: Reading, text: bytes) -> dict[str, Any]:
    """Return the object of the JSON."""
    limits = reading.limits
    values = text.count(b",") + text.count(b"[") + 2 * text.count(b"{")
    if len(text) > limits.json_bytes or values > limits.json_values:
        reading.fail(
            "JSON",
            f"has {len(text):,} bytes and about {values:,} values, more than {limits.json_bytes:,} or "
            f"{limits.json_values:,}",
            "Export as .glb, or, if you trust the file, raise `json_bytes` or `json_values` of Limits",
        )

    def no_constant(digits: str) -> NoReturn:
        reading.fail("JSON", f"{digits} is no number of JSON")

    def whole(digits: str) -> int:
        if len(digits) > _DIGITS:
            reading.fail("JSON", f"a number has {len(digits)} digits")
        return int(digits)

    try:
        root = json.loads(text.decode("utf-8-sig"), parse_constant=no_constant, parse_int=whole)
    except UnicodeDecodeError as error:
        reading.fail("JSON", f"is no UTF-8 text at byte {error.start}", "Is this a .gltf or .glb file?")
    except json.JSONDecodeError as error:
        reading.fail("JSON", f"line {error.lineno}, column {error.colno}: {error.msg}", "Is this a .gltf or .glb file?")
    except RecursionError:
        reading.fail("JSON", f"is nested deeper than {limits.json_depth}")
    if not isinstance(root, dict):
        reading.fail("JSON", "must be an object")
    _check_depth(reading, cast("dict[str, Any]", root))
    return cast("dict[str, Any]", root)


def _check_depth(reading: Reading, root: dict[str, Any]) -> None:
    """Fail if lists and objects are nested too deep."""
    level: list[Any] = [root]
    for _ in range(reading.limits.json_depth):
        below: list[Any] = []
        for each in level:
            inner: list[Any] = list(each.values()) if isinstance(each, dict) else each  # pyright: ignore[reportUnknownArgumentType]
            below.extend(value for value in inner if type(value) in (dict, list))
        level = below
        if not level:
            return
    reading.fail("JSON", f"is nested deeper than {reading.limits.json_depth}")


def _check_asset(root: Element) -> None:
    """Fail if the version is not 2.x."""
    asset = root.need("asset")
    for key in ("version", "minVersion"):
        text = str(asset.data.get(key, "2.0" if key == "minVersion" else ""))
        if not (text.startswith("2.") or text == "2") or (key == "minVersion" and text not in ("2", "2.0")):
            asset.fail(f"`{key}` is {text[:20]!r}, only glTF 2.0 is read", "Convert or export the model as glTF 2.0")


def _check_extensions(root: Element) -> None:
    """Fail if an extension is required that is not read; warn about others that are used."""
    for key in ("extensionsRequired", "extensionsUsed"):
        names = root.entries(key)
        for name in names:
            if not isinstance(name, str):
                root.fail(f"`{key}` must be a list of texts")
            if name in SUPPORTED:
                continue
            if key == "extensionsRequired":
                advice = _HELP.get(name, f"Export the model without it. Read are {', '.join(SUPPORTED)}")
                root.reading.fail(key, f"the extension {name[:60]} is not read", advice)
            root.reading.warn("extensionsUsed", f"{name[:60]} is not read and left out")
