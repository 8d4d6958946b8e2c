"""What Windows shows of a program in its properties: the text of a version resource, which PyInstaller compiles.

https://learn.microsoft.com/windows/win32/menurc/vs-versioninfo
"""

from __future__ import annotations

import re

from ..plan import Plan

_LANGUAGE, _UNICODE = 0x0409, 1200
"""English of the United States, and the code page of UTF-16."""


def version_info(plan: Plan) -> str:
    """Return the version resource of a program, as PyInstaller reads it: a call of its classes."""
    numbers = version_numbers(plan.version)
    strings = {
        "CompanyName": plan.author,
        "FileDescription": plan.title,
        "FileVersion": plan.version,
        "InternalName": plan.name,
        "LegalCopyright": ", ".join(filter(None, (plan.author, plan.license))),
        "OriginalFilename": f"{plan.name}.exe",
        "ProductName": plan.title,
        "ProductVersion": plan.version,
    }
    table = ", ".join(f"StringStruct({name!r}, {text!a})" for name, text in strings.items() if text)
    return (
        f"VSVersionInfo(ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}), kids=["
        f"StringFileInfo([StringTable('{_LANGUAGE:04x}{_UNICODE:04x}', [{table}])]), "
        f"VarFileInfo([VarStruct('Translation', [{_LANGUAGE}, {_UNICODE}])])])\n"
    )


def version_numbers(version: str) -> tuple[int, ...]:
    """Return the four numbers of 16 bits of a version resource: the first ones in a text, then zeros."""
    numbers = [min(int(number), 0xFFFF) for number in re.findall(r"[0-9]+", version)][:4]
    return (*numbers, *[0] * (4 - len(numbers)))
