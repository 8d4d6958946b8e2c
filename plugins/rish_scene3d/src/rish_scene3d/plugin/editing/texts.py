"""The texts of rish_scene3d in the editor, in other languages."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "zh-TW": {
        "Angle of the cone": "光錐角度",
        "Angle of view": "視角",
        "Bones": "骨骼",
        "Box": "方塊",
        "Capsule": "膠囊",
        "Choose…": "選擇…",
        "Cone": "圓錐",
        "Cylinder": "圓柱",
        "Day": "白天",
        "Debug 3D": "3D 除錯",
        "Dusk": "黃昏",
        "Everything": "全部",
        "Height": "高度",
        "Look through": "由此觀看",
        "Maps": "貼圖",
        "Mist": "薄霧",
        "Mood": "氛圍",
        "Night": "夜晚",
        "Only the Selection": "僅選取項目",
        "Part": "部分",
        "Plane": "平面",
        "Range": "範圍",
        "Set the sky to {mood}": "將天空設為{mood}",
        "Shape": "形狀",
        "Show Axes": "顯示座標軸",
        "Show Bones": "顯示骨骼",
        "Show Boxes": "顯示外框",
        "Show Camera Volumes": "顯示攝影機範圍",
        "Show Light Volumes": "顯示光源範圍",
        "Show Normals": "顯示法線",
        "Show in the scene what this camera sees": "在場景中顯示這個攝影機看到的畫面",
        "Show the debug view for the entities that are selected now": "僅為目前選取的實體顯示除錯檢視",
        "Sphere": "球體",
        "Torus": "圓環",
    },
}
