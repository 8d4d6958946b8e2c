"""The texts of rish_physics in the editor, in other languages."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "zh-TW": {
        "Add a point": "新增一個點",
        "Attach a joint": "連接關節",
        "Attach Joint to Bodies": "將關節連接至剛體",
        "Colliders and Joints of All Bodies": "所有剛體的碰撞器與關節",
        "Distance": "距離",
        "Drag in scene": "在場景中拖曳",
        "Drag the anchor": "拖曳錨點",
        "Drag the anchor; with Ctrl, only this one": "拖曳錨點；按住 Ctrl 只移動這一個",
        "Drag the centre of mass": "拖曳質心",
        "Drag the edge; double-click or Alt and a click add a point": "拖曳邊；按兩下或 Alt 加點擊可新增一個點",
        "Drag the velocity": "拖曳速度",
        "Drag to change the size; with Shift, around the centre": "拖曳以改變大小；按住 Shift 則以中心為準",
        "Drag to move the collider on its entity": "拖曳以移動實體上的碰撞器",
        "Drag to move; Ctrl and a click remove it": "拖曳以移動；Ctrl 加點擊可移除",
        "Events": "事件",
        "Filter": "過濾",
        "Fit a collider to the picture": "使碰撞器符合圖片",
        "Fit to picture": "符合圖片",
        "Force": "力",
        "From anchor to anchor, now": "目前兩個錨點之間",
        "From selection": "由選取項目",
        "From the body's own collider, or as given": "由剛體本身的碰撞器算出，或為指定的值",
        "Impulse": "衝量",
        "Keep": "保留",
        "Make the shape as large as the picture of the entity": "使形狀與實體的圖片一樣大",
        "Mass": "質量",
        "Mass now": "目前質量",
        "Move an anchor": "移動錨點",
        "Press Play, then drag the body": "按下播放，再拖曳剛體",
        "Remove a point": "移除一個點",
        "Select one joint and two bodies": "選取一個關節與兩個剛體",
        "Select two bodies, then the joint; they stay where they are": "先選取兩個剛體，再選取關節；其位置不變",
        "Sleep": "休眠",
        "Surface": "表面",
        "Use this distance as the length": "以此距離作為長度",
        "What dragging the body in the scene does while playing": "播放時在場景中拖曳剛體的作用",
    },
}
