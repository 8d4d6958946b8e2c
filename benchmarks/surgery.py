"""Surgery: how long a running game with 1,000 moving entities stands still while its plugins or its backend change.

Each run goes forth and back, so that it can be repeated. The last two cases draw with each backend once: a swap opens
the backend, uploads the pages, draws the frame and closes the former one.
"""

from __future__ import annotations

from .harness import Case

CASES = [
    Case("disable_enable", "ms", {"rish": "_surgery_rish:switch"}, limit=200),
    Case("replace_twice", "ms", {"rish": "_surgery_rish:exchange"}, limit=200),
    Case("reload", "ms", {"rish": "_surgery_rish:renew"}, limit=100),
    Case("null_software_null", "ms", {"rish": "_surgery_rish:swap_software"}, limit=200),
    Case("arcade_software_arcade", "ms", {"rish": "_surgery_rish:swap_arcade"}),
]
