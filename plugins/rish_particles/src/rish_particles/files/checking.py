"""Checks a preset together with the files that it names: its pictures, and presets in other files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rish_core import AssetError, AssetNames, Assets
from rish_core.manifest import Report, YamlList, YamlMap, read_yaml
from rish_ecs import did_you_mean
from rish_frame.pictures import IMAGES

from ..preset import Effect
from .reading import HOME, SUFFIX, asset_of, raised, shipped
from .seed_format import effect_of_seed

_PICTURES = ("picture", "image")
Steps = tuple[str | int, ...]


def read_preset(assets: Assets, path: str) -> Effect:
    """Return the effect of an asset, a preset file or the seed's JSON. Raises AssetError with every mistake."""
    content = assets.read(path)
    if not isinstance(content, Effect):
        return effect_of_seed(content, path)
    document, report = read_yaml(assets.resolve(path)), Report(())
    for node, key, steps in _names_in(document.data, ()):
        try:
            if key in _PICTURES:
                wrong = IMAGES.problem(node[key])
                if wrong is None:
                    assets.read(node[key])
            else:
                wrong = wrong_name(node[key])
                if wrong is None:
                    assets.resolve(asset_of(node[key]))
        except AssetError as error:
            wrong = str(error).removeprefix(f"{node[key]}: ")
        if wrong is not None:
            report.add(node.values_at[key], steps, wrong)
    return raised(Path(path).name, content, report)


def wrong_name(name: str) -> str | None:
    """Return the mistake in a preset's name, without opening the file; None if there is none."""
    asset = asset_of(name)
    if asset.startswith(HOME) and asset.removeprefix(HOME).removesuffix(SUFFIX) not in shipped():
        return (
            f"no preset is called {name!r}{did_you_mean(name, shipped())}. "
            f"There are {', '.join(shipped())}, or name a file *{SUFFIX}"
        )
    if not asset.endswith(PRESETS.suffixes):
        return f"{name!r} is no preset: its file must end in {SUFFIX}"
    return None


def _names_in(node: object, path: Steps) -> Iterator[tuple[YamlMap, str, Steps]]:
    """Yield the mapping, the key and the path of each name of a picture, or of a preset in another file."""
    inner = node.get("presets") if isinstance(node, YamlMap) else None
    inside = list(inner) if isinstance(inner, YamlMap) else []
    yield from _below(node, path, inside)


def _below(node: object, path: Steps, inside: list[str]) -> Iterator[tuple[YamlMap, str, Steps]]:
    if isinstance(node, YamlMap):
        for key, value in node.items():
            is_name = key in _PICTURES or (key == "preset" and value not in inside)
            if is_name and isinstance(value, str):
                yield node, key, (*path, key)
            else:
                yield from _below(value, (*path, key), inside)
    for index, item in enumerate(node if isinstance(node, YamlList) else ()):
        yield from _below(item, (*path, index), inside)


PRESETS = AssetNames(SUFFIX, ".json", words=shipped(), read=read_preset)
"""The presets that ship, then the game's files, for the list `particle_presets` of names."""
