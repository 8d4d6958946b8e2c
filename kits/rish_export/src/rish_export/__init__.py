"""Makes programs of games of Rish: `rish export GAME`. What runs inside of them is `rish_export.program`."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import program
    from .building.freezing import strip_python
    from .contents import File, bytecode, libraries_of, package_files, with_bytecode, write_files
    from .distributions import Wanted, needed
    from .exporting import Exported, Wish, export
    from .kernels import LEVELS, can_load_kernels, runtime_files
    from .licenses import Licensed, library_licenses, license_files, license_of, python_license
    from .plan import Plan, make_plan
    from .report import report_lines, sizes_by_part
    from .target import archive_name, archived, bytecode_cache, cache_folder, put, work_folder
    from .unused import unused_requirements

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "contents": "File bytecode libraries_of package_files with_bytecode write_files",
        "distributions": "Wanted needed",
        "exporting": "Exported Wish export",
        "building.freezing": "strip_python",
        "kernels": "LEVELS can_load_kernels runtime_files",
        "licenses": "Licensed library_licenses license_files license_of python_license",
        "plan": "Plan make_plan",
        "report": "report_lines sizes_by_part",
        "unused": "unused_requirements",
        "target": "archive_name archived bytecode_cache cache_folder put work_folder",
    },
    modules=("program",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
