"""What differs between operating systems: each subject has one module, and other code of Rish asks these modules.

Names are imported at their first use, because a program that starts needs few of them.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .desktop import (
        display,
        has_file_dialog,
        open_outside,
        split_command,
        start_program,
        system_locale,
        trash_folder,
    )
    from .files import (
        check_size,
        make_folders,
        part_of,
        put_in_place,
        read_whole,
        rename,
        sweep,
        target_of,
        write_whole,
    )
    from .folders import VARIABLE, base_folder, cache_folder, config_folder, data_folder, home, place_of
    from .fonts import east_asian_fonts, font_folders
    from .memory import peak_memory, release_memory
    from .names import (
        MAX_NAME,
        MAX_PATH,
        folded,
        folder_name,
        is_device,
        new_id,
        same_names,
        too_long,
        unportable,
        wrong_path,
    )
    from .paths import LEFT_OUT, other_spelling, path_inside, source_files, walk_files
    from .processes import end_group, group_options, is_running, run_text, text_options
    from .signals import Handlers, default_action, handlers_of, raise_signal, signal_ignored
    from .streams import colored, is_terminal, open_streams, tolerant
    from .system import System, current, described, machine
    from .terminal import RawMode, can_be_raw, is_same_terminal, terminal_size

_NAMES = {
    "desktop": "display has_file_dialog open_outside split_command start_program system_locale trash_folder",
    "files": "check_size make_folders part_of put_in_place read_whole rename sweep target_of write_whole",
    "folders": "VARIABLE base_folder cache_folder config_folder data_folder home place_of",
    "fonts": "east_asian_fonts font_folders",
    "memory": "peak_memory release_memory",
    "names": "MAX_NAME MAX_PATH folded folder_name is_device new_id same_names too_long unportable wrong_path",
    "paths": "LEFT_OUT other_spelling path_inside source_files walk_files",
    "processes": "end_group group_options is_running run_text text_options",
    "signals": "Handlers default_action handlers_of raise_signal signal_ignored",
    "streams": "colored is_terminal open_streams tolerant",
    "system": "System current described machine",
    "terminal": "RawMode can_be_raw is_same_terminal terminal_size",
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted(_MODULE_OF)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"{__name__} has no {name!r}")
    value = globals()[name] = getattr(import_module(f".{_MODULE_OF[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return __all__
