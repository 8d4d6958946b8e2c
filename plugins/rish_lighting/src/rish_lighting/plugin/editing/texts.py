"""The texts of rish_lighting in the editor, in other languages."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "zh-TW": {
        "Angle of the cone": "光錐角度",
        "Cave": "洞穴",
        "Choose…": "選擇…",
        "Dawn": "黎明",
        "Day": "白天",
        "Direction": "方向",
        "Dusk": "黃昏",
        "Flicker and pulse": "閃爍與脈動",
        "Half of the brightness": "亮度減半處",
        "Length": "長度",
        "Mood": "氛圍",
        "Night": "夜晚",
        "Point of the occluder": "遮光物的點",
        "Radius": "半徑",
        "Set the ambience to {mood}": "將環境光設為{mood}",
        "Shadows": "陰影",
        "Size of the occluder": "遮光物的大小",
    },
}
