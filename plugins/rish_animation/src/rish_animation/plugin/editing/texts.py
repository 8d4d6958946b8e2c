"""The texts of rish_animation in the editor, in other languages."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "zh-TW": {
        "Begin with a line": "以直線開始",
        "Drag; Alt and a click add a point after it, Ctrl and a click remove it": (
            "拖曳；Alt 加點擊在其後新增點，Ctrl 加點擊移除"
        ),
        "Fade": "淡入",
        "Field": "欄位",
        "FollowPath": "沿路徑移動",
        "Loops": "循環次數",
        "MotionPath": "運動路徑",
        "no path": "沒有路徑",
        "Orient": "朝向",
        "Phase": "相位",
        "Ratio": "比例",
        "Size of the path": "路徑大小",
        "Then": "接著",
        "Time": "時間",
        "Timeless": "不受時間影響",
        "Turns": "圈數",
        "Tween.to": "目標值",
        "Weight": "權重",
        "{name} (the first)": "{name}（第一個）",
        "{tracks} {tracks:track|tracks}, {seconds} s": "{tracks} 條軌道，{seconds} 秒",
    },
}
