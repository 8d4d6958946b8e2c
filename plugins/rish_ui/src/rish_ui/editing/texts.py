"""The texts for the editor in other languages."""

from __future__ import annotations

TEXTS = {
    "zh-TW": {
        "Anchors": "錨點",
        "left": "左",
        "center": "中",
        "right": "右",
        "top": "上",
        "middle": "中",
        "bottom": "下",
        "stretch": "延展",
        "Float at an anchor": "浮動於錨點",
        "Let it float over its parent": "讓它浮在上層元件之上",
        "Set the anchors": "設定錨點",
        "Move the widget": "移動元件",
        "Resize the widget": "調整元件大小",
        "Set the pivot": "設定軸心",
        "Anchor": "錨點",
        "Place": "排放方式",
        "Flow": "依序排列",
        "Anchored": "浮動於錨點",
        "Anchor low": "左上錨點",
        "Anchor high": "右下錨點",
        "Align lines": "各行對齊",
        "Align self": "自身對齊",
        "Gap": "間距",
        "Padding": "內距",
        "Share": "佔上層的比例",
        "Least": "最小",
        "Most": "最大",
        "Aspect": "長寬比",
        "Grow": "伸展",
        "Shrink": "收縮",
        "Basis": "基準長度",
        "Span": "跨欄",
    }
}
