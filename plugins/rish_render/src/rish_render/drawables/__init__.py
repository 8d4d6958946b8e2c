"""Drawables: what every kind of visible thing has in common.

`kind` is the base class of kinds and their list, `extraction` what they read when they are drawn, `drawables` sorts
their things into one order of batches, `pick_scene` and `touching` say what a point or box of the screen touches.
"""
