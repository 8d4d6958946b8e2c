"""The texts of the profiler in other languages."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "zh-TW": {
        "All plugins": "所有外掛",
        "Backend": "後端",
        "Drawing": "繪製",
        "Freeze": "凍結",
        "Game": "遊戲",
        "Go on": "繼續",
        "Keep these frames": "保留這些影格",
        "Last": "最近",
        "Mean": "平均",
        "Nothing was measured yet": "尚無測量資料",
        "One frame; click Go on for the mean of all": "單一影格；按「繼續」顯示全部平均",
        "Physics": "物理",
        "Press Play; the frames of the game are measured": "按下播放；將測量遊戲的影格",
        "Profiler": "效能分析",
        "Rest": "其他",
        "Stage": "階段",
        "System": "系統",
        "Worst": "最差",
        "bytes uploaded": "上傳位元組",
        "draw calls": "繪製呼叫",
        "entities": "個實體",
        "instances": "實例",
        "{mean} ms mean, {worst} ms worst of {count} {count:frame|frames}": (
            "平均 {mean} ms，最差 {worst} ms，共 {count} 影格"
        ),
    },
}
