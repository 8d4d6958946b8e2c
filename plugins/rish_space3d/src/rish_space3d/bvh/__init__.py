"""A tree of axis-aligned boxes that finds what rays hit and what regions touch.

`Bvh` is the class; the other modules are its kernels (`building`, `casting`, `regions`) and numpy code with the same
results (`reference`), which is used for little work and as the reference of tests.
"""
