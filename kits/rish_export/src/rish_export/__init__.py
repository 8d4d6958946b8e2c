"""Makes programs of games of Rish: `rish export GAME`. What runs inside of them is `rish_export.program`."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import program
    from .exporting import Exported, Wish, export
    from .licenses import Licensed, library_licenses, license_files, license_of, python_license
    from .plan import Plan, make_plan

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "exporting": "Exported Wish export",
        "licenses": "Licensed library_licenses license_files license_of python_license",
        "plan": "Plan make_plan",
    },
    modules=("program",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
