"""`rish schema`: write the JSON Schema of manifests, for all installed plugins or for the plugins of one game."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rish_cli import add_trust, game_of, set_up_log
from rish_core import builtin, read_manifest, say
from rish_core.plugin import build_registry, installed_plugins, load_plugins
from rish_system import write_whole

from ..jsonschema import json_schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add `--game`, which limits the schema to a game's plugins, and `--out`, the file to write."""
    parser.add_argument("--game", help="only the plugins of this game, its own plugin.py among them")
    add_trust(parser)
    parser.add_argument("--out", help="write to this file instead of printing")


def run(arguments: argparse.Namespace) -> int:
    """Print or write the schema."""
    set_up_log()
    optional: frozenset[str] = frozenset()
    if arguments.game:
        manifest = read_manifest(game_of(arguments)).require()
        optional = manifest.optional
        plugins = load_plugins(manifest.plugins, game_file=manifest.plugin_file, core=builtin, policy="disable")
    else:
        # Optional, so that of two providers of one contract, which share their declarations, only one is loaded.
        wishes = [f"{candidate.name}?" for candidate in installed_plugins()]
        plugins = load_plugins(wishes, core=builtin, policy="disable")
    text = json.dumps(json_schema(build_registry(plugins), optional), indent=2, ensure_ascii=False)
    if not arguments.out:
        say(text)
        return 0
    write_whole(Path(arguments.out), f"{text}\n".encode())
    say(f"{arguments.out}: written. First line of a game.yaml: # yaml-language-server: $schema={arguments.out}")
    return 0
