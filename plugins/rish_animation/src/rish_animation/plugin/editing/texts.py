"""The texts of rish_animation in the editor, in other languages."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "zh-TW": {
        "Add a point": "新增一個點",
        "Begin with a line": "以直線開始",
        "Clip": "剪輯",
        "Drag; Alt and a click add a point after it, Ctrl and a click remove it": (
            "拖曳；Alt 加點擊在其後新增點，Ctrl 加點擊移除"
        ),
        "Remove a point": "移除一個點",
        "Size of the path": "路徑大小",
        "Time": "時間",
        "no path": "沒有路徑",
        "{name} (the first)": "{name}（第一個）",
        "{tracks} tracks, {seconds} s": "{tracks} 條軌道，{seconds} 秒",
    },
}
