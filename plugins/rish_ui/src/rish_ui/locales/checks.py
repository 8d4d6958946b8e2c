"""Checks the texts of a game: the keys that its widgets name, and in `rish check` the differences between languages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core.manifest import Mark, Report, Spot, YamlMap, read_yaml
from rish_ecs import did_you_mean
from rish_system import path_inside, wrong_path

from ..components.manifest_values import Steps, written
from .catalog import SUFFIXES, Catalog, read_catalog
from .languages import matching, plural_forms, tag_of
from .locales import catalogs_of
from .message import Message, key_of, placeholders

if TYPE_CHECKING:
    from rish_core import Manifest, Registry

TEXTS: Mapping[str, str] = {
    "Label": "text", "Button": "text", "Toggle": "text", "TextInput": "hint", "Dialog": "title", "Widget": "tooltip",
    "Slider": "show", "ProgressBar": "show", "Dropdown": "options", "List": "rows", "Tabs": "titles",
}  # fmt: skip
"""The field with a text of each component; those of the last three have a text in each line."""
_LINES = ("options", "rows", "titles")
Used = tuple[str, Mark, Steps]
"""The key of a text, and the mark and the path of the field that names it."""


def check_locales(manifest: Manifest, registry: Registry) -> None:
    """Add the mistakes in the keys of a manifest's widgets, and in `rish check` those in its translations, as problems.

    So a game with an incomplete translation can be played, but a game whose widgets name a missing text can't.
    """
    settings = manifest.section("settings").get("ui")
    options: Mapping[str, Any] = settings if isinstance(settings, YamlMap) else {}
    folder, fallback = _text(options, "locale", "locale"), _text(options, "fallback", "en")
    report, broken = Report(()), Report(())
    if (
        isinstance(settings, YamlMap)
        and "locale" in options
        and (folder_problem := _wrong_folder(manifest.root, folder))
    ):
        report.add(settings.values_at["locale"], ("settings", "ui", "locale"), folder_problem)
        manifest.problems.extend(report.problems)
        return  # files outside the game are not read, and without the texts no key can be checked
    used = [each for section in ("prefabs", "scenes") for each in used_keys(manifest.section(section), (section,))]
    is_check = manifest.loaders is not None
    if not used and not is_check:
        return
    plugins = catalogs_of(registry.of("rish_locales"), broken)
    files = {} if manifest.root is None else _files(manifest.root / folder, broken)
    catalogs = [*files.values(), *(each for catalogs_of_plugin in plugins.values() for each in catalogs_of_plugin)]
    if is_check or not broken:
        _check_keys(used, {key for catalog in catalogs for key in catalog}, report)
    if is_check:
        for problem in broken.problems:
            report.note(problem)
        _check_names(files, manifest.root, folder, report)
        _check_settings(options, [*files, *(tag for tag in plugins if not files)], report)
        _compare(files, fallback, report)
    manifest.problems.extend(report.problems)


def _text(options: Mapping[str, Any], key: str, default: str) -> str:
    value = options.get(key)
    return value if isinstance(value, str) and value else default


def _wrong_folder(root: Path | None, folder: str) -> str | None:
    """Return the problem of the name of the folder of translations as a sentence, or None."""
    if problem := wrong_path(folder):
        return f"{folder!r} {problem}. Name a folder inside the game's folder, like locale"
    path = path_inside(root, folder) if root is not None else None
    if root is None or (path is not None and os.path.isdir(path)):
        return None
    near = did_you_mean(folder, [each.name for each in root.iterdir() if each.is_dir()])
    return f"there is no folder {folder!r}{near} with translations in the game's folder"


def _files(folder: Path, report: Report) -> dict[str, Catalog]:
    """Return the catalogs of a game by language."""
    catalogs: dict[str, Catalog] = {}
    for path in sorted(folder.iterdir()) if os.path.isdir(folder) else ():
        if path.suffix in SUFFIXES:
            document = read_yaml(path)
            for problem in document.problems:
                report.note(problem)
            if not document.problems:  # otherwise every text after the mistake would be missing
                catalogs[path.stem] = read_catalog(path.stem, document.data, report, document.file)
    return catalogs


def _check_keys(used: Iterable[Used], keys: set[str], report: Report) -> None:
    for key, mark, path in used:
        if key not in keys:
            message = f"no language has the text {key!r}{did_you_mean(key, keys)}"
            report.add(mark, path, f"{message}: write it to a file such as locale/en.yaml")


def used_keys(node: Any, path: Steps) -> Iterator[Used]:
    """Yield the keys of texts that the widgets in a part of a manifest name."""
    for each in written(node, path):
        if TEXTS.get(each.component) == each.field and isinstance(each.value, str):
            for text in lines_of(each.value, each.field):
                key = key_of(text)
                if key is not None:
                    yield key, each.mark, each.path


def lines_of(value: str, field: str) -> Iterator[str]:
    """Yield the texts in the value of a field: the value itself, or the shown text of each line."""
    if field not in _LINES:
        yield value
        return
    for line in value.splitlines():
        left, sign, right = line.partition(" = ")
        yield (right if sign and field == "options" else line if field != "options" else left).strip()


def _check_names(files: Mapping[str, Catalog], root: Path | None, folder: str, report: Report) -> None:
    """Report files whose names are no languages."""
    for tag in files:
        if tag_of(tag) != tag:
            usual = tag_of(tag)
            hint = f"name it {usual}.yaml" if usual else "name it like en.yaml or zh-Hant.yaml"
            report.add(Spot(f"{folder}/{tag}.yaml"), (), f"{tag!r} is no tag of a language: {hint}")


def _check_settings(options: Mapping[str, Any], languages: list[str], report: Report) -> None:
    """Report a language in the settings that has no texts."""
    for key in ("language", "fallback"):
        tag = options.get(key)
        if isinstance(options, YamlMap) and isinstance(tag, str) and tag and not matching(tag, languages):
            near = did_you_mean(tag, languages)
            message = f"there are no texts in {tag!r}{near}. Languages: {', '.join(languages)}"
            report.add(options.values_at[key], ("settings", "ui", key), message)


def _compare(files: Mapping[str, Catalog], fallback: str, report: Report) -> None:
    """Report texts that a language lacks, placeholders that differ from the first language, and missing forms."""
    first = [*matching(fallback, files), *files]
    order = {tag: files[tag] for tag in first}
    has: dict[str, Message] = {}
    for catalog in order.values():
        has = {**catalog, **has}
    for key, message in has.items():
        missing = [tag for tag in order if not _readable(key, tag, order)]
        if missing:
            _report(report, message, f"is missing in {', '.join(missing)}")
        for translation in (catalog[key] for catalog in order.values() if key in catalog):
            _check_forms(translation, report)
            if translation is not message:
                _check_placeholders(translation, message, report)


def _readable(key: str, tag: str, files: Mapping[str, Catalog]) -> bool:
    """Return True if a language has a text, perhaps in another file: de-AT may hold only the differences from de."""
    return any(key in files[other] for other in matching(tag, files))


def _check_placeholders(message: Message, original: Message, report: Report) -> None:
    names, expected = _used(message), _used(original)
    lacks, has = [x for x in expected if x not in names], [x for x in names if x not in expected]
    if has:
        near = did_you_mean(has[0], expected)
        _report(report, message, f"has {_braces(has)}, which {original.language} does not have{near}")
    elif lacks:
        _report(report, message, f"has no {_braces(lacks)}, which {original.language} has")


def _check_forms(message: Message, report: Report) -> None:
    if message.by:
        missing = [form for form in plural_forms(message.language) if form not in message.forms]
        if missing:
            _report(report, message, f"has no form {', '.join(missing)}, which numbers in {message.language} need")


def _used(message: Message) -> list[str]:
    """Return the expressions in a text; a plural form may leave out the number that chooses it."""
    names = [text for form in message.forms.values() for text in placeholders(form)]
    return list(dict.fromkeys([*names, *([message.by] if message.by else [])]))


def _braces(names: list[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


def _report(report: Report, message: Message, sentence: str) -> None:
    report.add(message.mark or Spot(""), tuple(message.key.split(".")), sentence)
