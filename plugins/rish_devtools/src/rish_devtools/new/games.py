"""New games, and a new script of a game; all use the plugin `scripts`."""

from __future__ import annotations

import re
from pathlib import Path

from rish_core import read_manifest, say
from rish_core.plugin import how_to_get_plugin, installed_plugins
from rish_ecs import UsageError, shorten_path
from rish_system import new_id

from .writing import TEMPLATES, quoted, require_free, say_what_to_install, title_of, write_template, write_text

_GAME_NAME = re.compile(r"[A-Za-z][\w -]{0,60}", re.ASCII)
_SCRIPT_NAME = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)


_INSTALLED = {"game": ["render", "scripts"], "platformer": ["physics", "render", "scripts"]}
"""The plugins that the games of the templates use."""


def new_game(name: str, into: Path, template: str = "game") -> Path:
    """Write a game into the folder `into/name`; return that folder. Raises UsageError if it exists and is not empty.

    template: `game` or `platformer`.
    """
    if not _GAME_NAME.fullmatch(name) or name != name.strip():
        into, own = Path(name).parent, Path(name).name
        hint = "Begin with a letter; then letters, digits, _, - or spaces"
        if _GAME_NAME.fullmatch(own) and own != name:
            hint = f"The folder to put it into is an option: rish new game {quoted(own)} --into {quoted(str(into))}"
        raise UsageError(f"{name!r} is no name for a game's folder", hint=hint)
    folder = into / name
    require_free(folder)
    write_template(TEMPLATES / template, folder, {"TITLE": title_of(name), "GAME_ID": new_id(name)})
    lists = " ".join(f"-r requirements/{part}.txt" for part in ("export", "devtools", *_INSTALLED[template]))
    words = {"PROGRAM": name, "REQUIREMENTS": lists}
    write_template(TEMPLATES / "downloads.yml", folder / ".github" / "workflows" / "downloads.yml", words)
    shown = shorten_path(folder)
    say(f"{shown}: a game. Play it with: rish run {quoted(shown)}")
    say(f"Its tests: python -m pytest {quoted(shown)}")
    say_what_to_install(_INSTALLED[template])
    return folder


def new_script(name: str, game: Path) -> Path:
    """Write a script and its test into a game's folder; return the script's file. Raises UsageError, ManifestError."""
    if not _SCRIPT_NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a script", hint="Write it like a class: rish new script FireFly")
    if not (game / "game.yaml").is_file():
        hint = "Go to the game's folder, or give it with --into; begin one with: rish new game NAME"
        raise UsageError(f"{shorten_path(game.resolve())} is no game: it has no game.yaml", hint=hint)
    cls = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    module = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls).lower()
    script, test = game / "scripts" / f"{module}.py", game / "tests" / f"test_{module}.py"
    for path in (script, test):
        if path.exists():
            raise UsageError(f"{shorten_path(path)} exists already", hint="Choose another name")
    wished = [wish.name for wish in read_manifest(game / "game.yaml").require().plugins]
    template = _script_template()
    words = {"NAME": cls, "INSTALLED": repr([*wished, *(["scripts"] if "scripts" not in wished else [])])}
    words["INSTALLED"] = words["INSTALLED"].replace("'", '"')
    write_text(template, script, words)
    write_template(TEMPLATES / "script" / "test.py", test, words)
    say(f"{shorten_path(script)}: the script {cls}. Give it to an entity in game.yaml:  {cls}: {{speed: 20}}")
    say(f"{shorten_path(test)}: its test")
    _say_what_is_missing(game, wished)
    return script


def _script_template() -> str:
    """Return the text of the script that the plugin `scripts` declares for editors. Raises UsageError without it."""
    found = next((each for each in installed_plugins() if each.name == "scripts"), None)
    if found is None:
        raise UsageError("the plugin 'scripts' is not installed", hint=how_to_get_plugin("scripts"))
    return str(found.load().rish_editor_templates()["scripts.script"]["text"])


def _say_what_is_missing(game: Path, wished: list[str]) -> None:
    if "scripts" not in wished:
        say("game.yaml: add scripts to plugins")
    plugin = game / "plugin.py"
    if not plugin.is_file() or "scripts_in" not in plugin.read_text(encoding="utf-8"):
        say(
            "plugin.py: add\n"
            "    from rish_scripts import scripts_in\n"
            "    from . import scripts\n"
            "    def rish_scripts(): return scripts_in(scripts)"
        )
