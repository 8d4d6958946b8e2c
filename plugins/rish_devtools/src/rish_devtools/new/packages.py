"""A new plugin, and a new backend: folders that are packages of their own, ready to install and to publish."""

from __future__ import annotations

import re
from pathlib import Path

from rish_core import say
from rish_core.plugin import PUBLISHED, installed_plugins
from rish_ecs import UsageError, shorten_path

from .writing import TEMPLATES, quoted, require_free, say_what_to_install, title_of, write_template

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", re.ASCII)
_LONGEST = 30
_RESERVED = {
    "core": "the kernel",
    "game": "a game's own plugin.py",
    **dict.fromkeys(("null", "arcade", "software", "software-window"), "a backend of Rish"),
}


def new_plugin(name: str, into: Path) -> Path:
    """Write a plugin into the folder `into/rish-<name>`, and return that folder.

    Raises UsageError for a name that can't be a plugin's or is taken, and if the folder exists and is not empty.
    """
    folder = _write("plugin", name, into)
    say(f"{_shown(folder)}: the plugin {name}. Install it with: pip install --no-deps -e {_shown(folder)}")
    say(f"Its tests: python -m pytest {_shown(folder)}")
    say(f"Its demo: rish run {_shown(folder / 'demo')}")
    say_what_to_install(["render"])
    return folder


def new_backend(name: str, into: Path) -> Path:
    """Write a plugin with a backend into the folder `into/rish-<name>`, and return that folder.

    The backend writes SVG documents. Raises UsageError as `new_plugin` does.
    """
    folder = _write("backend", name, into)
    say(f"{_shown(folder)}: the backend {name}. Install it with: pip install --no-deps -e {_shown(folder)}")
    say(f"Its tests: python -m pytest {_shown(folder)}")
    say(f"Draw with it: rish run GAME --headless --frames 60 --backend {name}")
    say_what_to_install(["frame"])
    return folder


def _write(template: str, name: str, into: Path) -> Path:
    """Check the name, write the template, and return its folder."""
    _check_name(template, name)
    distribution, package = f"rish-{name}", f"rish_{name.replace('-', '_')}"
    folder = into / distribution
    require_free(folder)
    title = title_of(name)
    words = {"DISTRIBUTION": distribution, "PACKAGE": package, "PLUGIN": name, "TITLE": title}
    write_template(TEMPLATES / template, folder, words | {"CLASS": f"{title.replace(' ', '')}Backend"})
    return folder


def _check_name(template: str, name: str) -> None:
    """Raise UsageError if a plugin can't have the name, with a name to write instead where there is one."""
    what = f"{name!r} is no name for a {template}"
    if not _NAME.fullmatch(name) or name.startswith("rish-") or len(name) > _LONGEST:
        better = _better(name)
        hint = f"Write at most {_LONGEST} lower-case letters, digits and single hyphens, first a letter, like my-wind"
        hint = f"Write: rish new {template} {better}" if better else hint
        raise UsageError(what, hint=hint)
    if name in _RESERVED:
        raise UsageError(f"{what}: it is that of {_RESERVED[name]}", hint="Choose another name")
    same = name.replace("-", "_")
    owners = {candidate.name.replace("-", "_"): str(candidate) for candidate in installed_plugins()}
    owner = owners.get(same) or (f"rish-{name}" if name in PUBLISHED else None)
    if owner is not None:
        raise UsageError(f"the plugin '{name}' exists already: {owner}", hint="Choose another name")


def _better(name: str) -> str:
    """Return the valid name that is meant by another spelling, such as `my-wind` by `rish_My Wind`; "" if none is."""
    spelled = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s_]+", "-", name.strip()).lower().removeprefix("rish-")
    return spelled if spelled != name and _NAME.fullmatch(spelled) and len(spelled) <= _LONGEST else ""


def _shown(folder: Path) -> str:
    return quoted(shorten_path(folder))
